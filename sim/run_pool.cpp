// SPDX-License-Identifier: Apache-2.0
#include "sim/run_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <system_error>

#include "sim/cli_interrupt.hpp"
#include "sim/cli_output.hpp"

namespace linebounce {
namespace {

/// A failure that travels from a worker to its parent and is thrown there as what it was.
enum class FailureKind : std::uint8_t { kNone, kBrokenModel, kLimitReached, kInvalidArgument, kOther };

struct Outcome {
  FailureKind failure = FailureKind::kNone;
  RunResult run;
  std::string message;
};

Outcome attempt(const PoolOptions& options, const Experiment& experiment) {
  Outcome o;
  try {
    o.run = options.run(experiment);
  } catch (const BrokenModel& e) {
    o = {FailureKind::kBrokenModel, {}, e.what()};
  } catch (const LimitReached& e) {
    o = {FailureKind::kLimitReached, {}, e.what()};
  } catch (const std::invalid_argument& e) {
    o = {FailureKind::kInvalidArgument, {}, e.what()};
  } catch (const std::exception& e) {
    o = {FailureKind::kOther, {}, e.what()};
  }
  return o;
}

[[noreturn]] void rethrow(const Outcome& o, const std::string& where) {
  const std::string message = where + ": " + o.message;
  switch (o.failure) {
    case FailureKind::kBrokenModel: throw BrokenModel(message);
    case FailureKind::kLimitReached: throw LimitReached(message);
    case FailureKind::kInvalidArgument: throw std::invalid_argument(message);
    case FailureKind::kNone:
    case FailureKind::kOther: break;
  }
  throw std::runtime_error(message);
}

/// Takes the outcomes of one plan in any order, and sums a point up as soon as all its seeds are there.
class Collector {
 public:
  Collector(const Scenario& scenario, const Plan& plan, bool progress) : plan_(plan), progress_(progress) {
    results_.scenario = scenario.name;
    results_.title = scenario.title;
    results_.question = scenario.question;
    results_.machine = plan.machine;
    results_.seed = plan.seed;
    results_.varied = plan.varied;
    results_.points.resize(plan.points.size());
    runs_.resize(plan.points.size());
  }
  ~Collector() {
    if (progress_) say("\r\033[K");
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  std::size_t size() const { return plan_.points.size() * plan_.seeds.size(); }
  Experiment experiment(std::size_t index) const {
    return plan_.points[index / plan_.seeds.size()].with_seed(plan_.seeds[index % plan_.seeds.size()]);
  }

  void take(std::size_t index, Outcome outcome) {
    if (outcome.failure != FailureKind::kNone) {
      if (!failure_ || index < failed_) {
        failure_ = std::move(outcome);
        failed_ = index;
      }
      return;
    }
    const std::size_t p = index / plan_.seeds.size();
    std::vector<std::optional<RunResult>>& replicas = runs_[p];
    replicas.resize(plan_.seeds.size());
    replicas[index % plan_.seeds.size()] = std::move(outcome.run);
    ++done_;
    if (progress_) say(fmt::format("\r{}: {} of {} runs\033[K", results_.scenario, done_, size()));
    if (std::ranges::all_of(replicas, [](const auto& r) { return r.has_value(); })) {
      std::vector<RunResult> all;
      all.reserve(replicas.size());
      for (auto& r : replicas) all.push_back(*std::move(r));
      replicas.clear();
      const Point& point = plan_.points[p];
      const Experiment& e = point.experiment;
      results_.points[p] = summarise_point({point.params, *e.machine, *e.topology, e.placement}, plan_.seeds, all);
    }
  }

  /// Runs from here on cannot change what is reported any more.
  bool is_moot(std::size_t index) const { return failure_ && index > failed_; }

  Results finish() {
    if (failure_) {
      std::string where = results_.scenario;
      const std::size_t p = failed_ / plan_.seeds.size();
      for (const std::string& key : plan_.varied) {
        const auto& params = plan_.points[p].params;
        const auto found = std::ranges::find(params, key, &Parameters::value_type::first);
        if (found != params.end()) where += fmt::format(", {} {}", key, to_text(found->second));
      }
      rethrow(*failure_, fmt::format("{}, seed {}", where, plan_.seeds[failed_ % plan_.seeds.size()]));
    }
    return std::move(results_);
  }

 private:
  const Plan& plan_;
  bool progress_;
  Results results_;
  std::vector<std::vector<std::optional<RunResult>>> runs_;  ///< by point, then seed
  std::size_t done_ = 0;
  std::optional<Outcome> failure_;
  std::size_t failed_ = 0;
};

/// What goes through a pipe before the payload.
struct Header {
  std::uint64_t index;
  std::uint64_t bytes;
  FailureKind failure;
};

void send(int pipe, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t n = write(pipe, at, bytes);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) _exit(1);  // the parent is gone
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
}

[[noreturn]] void work(int pipe, std::size_t first, std::size_t step, const Collector& plan,
                       const PoolOptions& options) {
  follow_parent();
  for (std::size_t index = first; index < plan.size(); index += step) {
    const Outcome o = attempt(options, plan.experiment(index));
    const std::string payload = o.failure == FailureKind::kNone ? pack(o.run) : o.message;
    Header header{};
    header.index = index;
    header.bytes = payload.size();
    header.failure = o.failure;
    send(pipe, &header, sizeof header);
    send(pipe, payload.data(), payload.size());
    if (o.failure != FailureKind::kNone) break;
  }
  _exit(0);
}

/// The parent's end of one worker process.
struct Worker {
  pid_t process = 0;
  int pipe = -1;
  std::size_t next = 0;  ///< the experiment that it is at
  std::string unread;
};

class Workers {
 public:
  Workers() = default;
  ~Workers() {
    for (Worker& w : workers_) end(w, true);
  }
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  void start(std::size_t count, const Collector& plan, const PoolOptions& options) {
    std::fflush(nullptr);
    for (std::size_t i = 0; i < count; ++i) {
      int ends[2];
      if (pipe(ends) != 0) throw OutputError(fmt::format("cannot start a process: {}", std::strerror(errno)));
      const pid_t process = fork();
      if (process < 0) {
        close(ends[0]);
        close(ends[1]);
        throw OutputError(fmt::format("cannot start a process: {}", std::strerror(errno)));
      }
      if (process == 0) {
        close(ends[0]);
        for (const Worker& w : workers_) close(w.pipe);
        work(ends[1], i, count, plan, options);
      }
      close(ends[1]);
      add_worker(process);
      workers_.push_back({process, ends[0], i, {}});
    }
  }

  void collect(Collector& results) {
    std::vector<pollfd> polled;
    for (;;) {
      polled.clear();
      for (Worker& w : workers_) {
        if (w.pipe >= 0 && results.is_moot(w.next)) end(w, true);
        if (w.pipe >= 0) polled.push_back({w.pipe, POLLIN, 0});
      }
      if (polled.empty()) return;
      if (poll(polled.data(), polled.size(), -1) < 0 && errno != EINTR) {
        throw OutputError(fmt::format("lost the worker processes: {}", std::strerror(errno)));
      }
      for (const pollfd& p : polled) {
        if (p.revents == 0) continue;
        receive(*std::ranges::find(workers_, p.fd, &Worker::pipe), results);
      }
    }
  }

 private:
  void receive(Worker& w, Collector& results) {
    char buffer[65536];
    const ssize_t n = read(w.pipe, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) return;
    if (n <= 0) return finished(w, results);
    w.unread.append(buffer, static_cast<std::size_t>(n));
    Header header;
    std::size_t at = 0;
    while (w.unread.size() - at >= sizeof header) {
      std::memcpy(&header, w.unread.data() + at, sizeof header);
      if (w.unread.size() - at - sizeof header < header.bytes) break;
      std::string payload = w.unread.substr(at + sizeof header, header.bytes);
      at += sizeof header + header.bytes;
      w.next = header.index + workers_.size();
      Outcome o;
      o.failure = header.failure;
      if (header.failure == FailureKind::kNone) {
        o.run = unpack(payload);
      } else {
        o.message = std::move(payload);
        w.next = results.size();  // it stops there
      }
      results.take(header.index, std::move(o));
    }
    w.unread.erase(0, at);
  }

  /// Its pipe is closed: it has done all its work, or it was ended from outside.
  void finished(Worker& w, Collector& results) {
    const int status = end(w, false);
    if (w.next < results.size()) {
      results.take(w.next, {FailureKind::kBrokenModel,
                            {},
                            WIFSIGNALED(status) ? fmt::format("the process ended by signal {} ({})", WTERMSIG(status),
                                                              strsignal(WTERMSIG(status)))
                                                : fmt::format("the process ended with code {}", WEXITSTATUS(status))});
    }
  }

  static int end(Worker& w, bool at_once) {
    int status = 0;
    if (w.pipe < 0) return status;
    if (at_once) kill(w.process, SIGKILL);
    close(w.pipe);
    w.pipe = -1;
    while (waitpid(w.process, &status, 0) < 0 && errno == EINTR) {
    }
    remove_worker(w.process);
    return status;
  }

  std::vector<Worker> workers_;
};

}  // namespace

int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

Results run_plan(const Scenario& scenario, const Plan& plan, const PoolOptions& options) {
  Collector results(scenario, plan, options.progress);
  const std::size_t jobs = std::min(results.size(), static_cast<std::size_t>(std::clamp(options.jobs, 1, 1024)));
  if (jobs == 1) {
    for (std::size_t index = 0; index < results.size() && !results.is_moot(index); ++index) {
      results.take(index, attempt(options, results.experiment(index)));
    }
  } else {
    Workers workers;
    workers.start(jobs, results, options);
    workers.collect(results);
  }
  return results.finish();
}

}  // namespace linebounce

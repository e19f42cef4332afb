// SPDX-License-Identifier: Apache-2.0
#include "sim/worker_pool.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpus/system.hpp"
#include "sim/cli_interrupt.hpp"
#include "sim/cli_output.hpp"

namespace linebounce {
namespace {

WorkOutcome attempt(const Work& work, std::size_t index) {
  try {
    return {FailureKind::kNone, work.run(index)};
  } catch (const BrokenModel& e) {
    return {FailureKind::kBrokenModel, e.what()};
  } catch (const LimitReached& e) {
    return {FailureKind::kLimitReached, e.what()};
  } catch (const std::invalid_argument& e) {
    return {FailureKind::kInvalidArgument, e.what()};
  } catch (const std::exception& e) {
    return {FailureKind::kOther, e.what()};
  }
}

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

[[noreturn]] void work(int pipe, std::size_t first, std::size_t step, const Work& pieces) {
  follow_parent();
  for (std::size_t index = first; index < pieces.size(); index += step) {
    const WorkOutcome o = attempt(pieces, index);
    Header header{};
    header.index = index;
    header.bytes = o.text.size();
    header.failure = o.failure;
    send(pipe, &header, sizeof header);
    send(pipe, o.text.data(), o.text.size());
    if (o.failure != FailureKind::kNone) break;
  }
  _exit(0);
}

/// The parent's end of one worker process.
struct Worker {
  pid_t process = 0;
  int pipe = -1;
  std::size_t next = 0;  ///< the piece that it is at
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

  void start(std::size_t count, const Work& pieces) {
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
        work(ends[1], i, count, pieces);
      }
      close(ends[1]);
      add_worker(process);
      workers_.push_back({process, ends[0], i, {}});
    }
  }

  void collect(Work& results) {
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
  void receive(Worker& w, Work& results) {
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
      if (header.failure != FailureKind::kNone) w.next = results.size();  // it stops there
      results.take(header.index, {header.failure, std::move(payload)});
    }
    w.unread.erase(0, at);
  }

  /// Its pipe is closed: it has done all its work, or it was ended from outside.
  void finished(Worker& w, Work& results) {
    const int status = end(w, false);
    if (w.next < results.size()) {
      results.take(w.next, {FailureKind::kBrokenModel,
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

void rethrow(const WorkOutcome& o, const std::string& where) {
  const std::string message = where + ": " + o.text;
  switch (o.failure) {
    case FailureKind::kBrokenModel: throw BrokenModel(message);
    case FailureKind::kLimitReached: throw LimitReached(message);
    case FailureKind::kInvalidArgument: throw std::invalid_argument(message);
    case FailureKind::kNone:
    case FailureKind::kOther: break;
  }
  throw std::runtime_error(message);
}

int usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof set, &set) == 0 ? std::max(1, CPU_COUNT(&set)) : 1;
}

void do_work(Work& work, int jobs) {
  const std::size_t count = std::min(work.size(), static_cast<std::size_t>(std::clamp(jobs, 1, 1024)));
  if (count <= 1) {
    for (std::size_t index = 0; index < work.size() && !work.is_moot(index); ++index) {
      work.take(index, attempt(work, index));
    }
    return;
  }
  Workers workers;
  workers.start(count, work);
  workers.collect(work);
}

}  // namespace linebounce

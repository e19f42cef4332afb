// SPDX-License-Identifier: Apache-2.0
// How fast the simulator is on this host, and the ratios that do not depend on the host.
#include <benchmark/benchmark.h>
#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "bare_notification.hpp"
#include "sim/experiment.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {
namespace {

constexpr std::int64_t kHandOffs = 40'000;  ///< in one run, whatever the number of tasks

/// A machine and its graph, built once and outside the measured time.
struct Site {
  explicit Site(const char* name) : machine(load_machine(name)), topology(machine) {}
  Machine machine;
  Topology topology;
};

const Site& westmere_ex_4s() {
  static const Site site("westmere-ex-4s");
  return site;
}
const Site& westmere_ex_8s() {
  static const Site site("westmere-ex-8s");
  return site;
}

/// Task i on core i / spread of socket i % spread: spread 1 fills socket 0, spread = sockets goes round robin.
std::vector<ThreadId> place(const Machine& machine, int tasks, int spread) {
  std::vector<ThreadId> placement;
  for (int task = 0; task < tasks; ++task) {
    const int core = task % spread * machine.cores_per_socket + task / spread;
    placement.push_back({static_cast<std::uint32_t>(core * machine.threads_per_core)});
  }
  return placement;
}

Experiment experiment_on(const Site& site, int tasks, int spread, Workload workload) {
  Experiment experiment;
  experiment.machine = &site.machine;
  experiment.topology = &site.topology;
  experiment.workload = std::move(workload);
  experiment.placement = place(site.machine, tasks, spread);
  experiment.length.iterations = kHandOffs / tasks;
  return experiment;
}

Workload lock_loop(const char* lock) {
  Workload workload;
  workload.kind = WorkloadKind::kLockLoop;
  workload.lock = lock;
  return workload;
}

std::uint64_t operations_of(const ThreadCounters& c) {
  return c.loads + c.stores + c.cmpxchgs + c.other_locked + c.fences + c.pauses;
}

/// Runs the experiment as often as the framework asks, and says what one second of host time brought.
void measure(benchmark::State& state, const Experiment& experiment) {
  std::uint64_t hand_offs = 0;
  std::uint64_t operations = 0;
  std::uint64_t messages = 0;
  for ([[maybe_unused]] auto _ : state) {
    const RunResult result = run_experiment(experiment);
    hand_offs = std::accumulate(result.operations.begin(), result.operations.end(), hand_offs);
    messages = std::accumulate(result.machine.messages.begin(), result.machine.messages.end(), messages);
    for (const ThreadCounters& counters : result.counters) operations += operations_of(counters);
  }
  const auto rate = [](std::uint64_t n) {
    return benchmark::Counter(static_cast<double>(n), benchmark::Counter::kIsRate);
  };
  state.counters["hand_offs"] = rate(hand_offs);
  state.counters["operations"] = rate(operations);
  state.counters["messages"] = rate(messages);
}

void bare_notification(benchmark::State& state) {
  constexpr std::uint64_t kNotifications = 1'000'000;
  std::uint64_t notifications = 0;
  for ([[maybe_unused]] auto _ : state) {
    run_bare_notifications(kNotifications);
    notifications += kNotifications;
  }
  state.counters["notifications"] = benchmark::Counter(static_cast<double>(notifications), benchmark::Counter::kIsRate);
}

void qspinlock_8_tasks(benchmark::State& state) {
  measure(state, experiment_on(westmere_ex_4s(), 8, 1, lock_loop("qspinlock")));
}
void ticket_8_tasks(benchmark::State& state) {
  measure(state, experiment_on(westmere_ex_4s(), 8, 1, lock_loop("ticket")));
}
void mcs_8_tasks_8_sockets(benchmark::State& state) {
  measure(state, experiment_on(westmere_ex_8s(), 8, 8, lock_loop("mcs")));
}
void mcs_80_tasks_8_sockets(benchmark::State& state) {
  measure(state, experiment_on(westmere_ex_8s(), 80, 8, lock_loop("mcs")));
}

BENCHMARK(bare_notification)->Unit(benchmark::kMillisecond);
BENCHMARK(qspinlock_8_tasks)->Unit(benchmark::kMillisecond);
BENCHMARK(ticket_8_tasks)->Unit(benchmark::kMillisecond);
BENCHMARK(mcs_8_tasks_8_sockets)->Unit(benchmark::kMillisecond);
BENCHMARK(mcs_80_tasks_8_sockets)->Unit(benchmark::kMillisecond);

/// Prints as usual and keeps the rates for the summary.
class RememberingReporter : public benchmark::ConsoleReporter {
 public:
  RememberingReporter() : benchmark::ConsoleReporter(OO_None) {}
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      for (const auto& [name, counter] : run.counters) rates_[run.run_name.function_name + "/" + name] = counter.value;
    }
    ConsoleReporter::ReportRuns(runs);
  }
  /// Per second of host processor time; 0 when it was not measured.
  double rate(const std::string& benchmark, const std::string& counter) const {
    const auto found = rates_.find(benchmark + "/" + counter);
    return found == rates_.end() ? 0.0 : found->second;
  }

 private:
  std::map<std::string, double> rates_;
};

void line(const char* what, double value, int digits, const char* aim) {
  if (value > 0.0) {
    fmt::print("{:<66} {:>10.{}f}{}\n", what, value, digits, aim);
  } else {
    fmt::print("{:<66} {:>10}\n", what, "not run");
  }
}

double ratio(double a, double b) { return b > 0.0 ? a / b : 0.0; }

void print_summary(const RememberingReporter& r) {
  const double bare = r.rate("bare_notification", "notifications");
  fmt::print("\n");
  line("qspinlock, 8 tasks: hand-offs per host second", r.rate("qspinlock_8_tasks", "hand_offs"), 0,
       "   aim: at least 60000");
  line("ticket, 8 tasks: hand-offs per host second", r.rate("ticket_8_tasks", "hand_offs"), 0, "");
  line("qspinlock, 8 tasks: simulated operations per host second", r.rate("qspinlock_8_tasks", "operations"), 0, "");
  line("time per message / time per bare SystemC notification, qspinlock",
       ratio(bare, r.rate("qspinlock_8_tasks", "messages")), 2, "   aim: at most 3");
  line("time per message / time per bare SystemC notification, ticket",
       ratio(bare, r.rate("ticket_8_tasks", "messages")), 2, "   aim: at most 3");
  line("MCS on 8 sockets: time per hand-off, 80 tasks / 8 tasks",
       ratio(r.rate("mcs_8_tasks_8_sockets", "hand_offs"), r.rate("mcs_80_tasks_8_sockets", "hand_offs")), 2,
       "   aim: at most 1.5");
}

}  // namespace
}  // namespace linebounce

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  linebounce::RememberingReporter reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  linebounce::print_summary(reporter);
  return 0;
}

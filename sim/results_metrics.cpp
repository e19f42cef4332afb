// SPDX-License-Identifier: Apache-2.0
#include "sim/results_metrics.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace linebounce {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

double real(std::uint64_t n) { return static_cast<double>(n); }
double real(Cycles c) { return static_cast<double>(c.count); }
double ratio(double a, double b) { return b > 0 ? a / b : kNone; }
double operations(const RunView& v) { return real(total_operations(v.run)); }
double cycles_per_op(const RunView& v) { return ratio(real(v.run.window), operations(v)); }

/// A counter of the hardware threads, per operation.
template <std::uint64_t ThreadCounters::*counter>
double per_op(const RunView& v) {
  return ratio(real(total_counters(v.run).*counter), operations(v));
}

/// A counter of the whole machine, per operation.
template <std::uint64_t MachineCounters::*counter>
double machine_per_op(const RunView& v) {
  return ratio(real(v.run.machine.*counter), operations(v));
}

template <TransferDistance distance>
double transfers_per_op(const RunView& v) {
  return ratio(real(v.run.machine.ownership_transfers[static_cast<std::size_t>(distance)]), operations(v));
}

std::uint64_t messages(const RunResult& run) {
  return std::accumulate(run.machine.messages.begin(), run.machine.messages.end(), std::uint64_t{0});
}

double qpi_bytes(const RunView& v) {
  const auto links = v.topology.links();
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < std::min(links.size(), v.run.machine.link_bytes.size()); ++i) {
    if (links[i].kind == LinkKind::kQpi) bytes += v.run.machine.link_bytes[i].count;
  }
  return static_cast<double>(bytes);
}

/// Operations of the tasks that complete any.
std::vector<std::uint64_t> counted(const RunView& v) {
  std::vector<std::uint64_t> operations;
  for (std::size_t task = 0; task < v.run.operations.size(); ++task) {
    if (v.run.counting[task]) operations.push_back(v.run.operations[task]);
  }
  return operations;
}

double jain(const RunView& v) {
  double sum = 0;
  double squares = 0;
  for (const std::uint64_t n : counted(v)) {
    sum += real(n);
    squares += real(n) * real(n);
  }
  return ratio(sum * sum, real(counted(v).size()) * squares);
}

double least_over_most(const RunView& v) {
  const std::vector<std::uint64_t> operations = counted(v);
  if (operations.empty()) return kNone;
  const auto [least, most] = std::ranges::minmax(operations);
  return ratio(real(least), real(most));
}

double failed_share(const RunView& v) {
  const ThreadCounters c = total_counters(v.run);
  return c.cmpxchgs == 0 ? 0.0 : 100 * real(c.failed_cmpxchgs) / real(c.cmpxchgs);
}

/// One event of wake-ups per other.
template <WakeEvent event, WakeEvent per>
double wakes(const RunView& v) {
  return ratio(real(v.run.wakes.of(event)), real(v.run.wakes.of(per)));
}

Cycles all_cycles(const RunResult& run) {
  Cycles sum;
  for (const Account& account : run.accounts) sum += account.total();
  return sum;
}

/// Share of all tasks' cycles in these phases.
double phases_percent(const RunView& v, std::initializer_list<Phase> phases) {
  Cycles sum;
  for (const Account& account : v.run.accounts) {
    for (const Phase phase : phases) sum += account.of(phase);
  }
  return 100 * ratio(real(sum), real(all_cycles(v.run)));
}

constexpr Metric kMetrics[] = {
    {"cycles_per_op", "core cycles",
     "length of the window over the operations of all tasks: cycles from one completion to the next, whoever completes "
     "it",
     cycles_per_op},
    {"ns_per_op", "ns", "cycles_per_op at the core clock of the machine",
     [](const RunView& v) { return cycles_per_op(v) * 1000 / static_cast<double>(v.machine.core_mhz); }},
    {"ops_per_second", "1/s", "operations of all tasks per second of simulated time",
     [](const RunView& v) { return ratio(static_cast<double>(v.machine.core_mhz) * 1e6, cycles_per_op(v)); }},
    {"cycles_per_op_of_task", "core cycles",
     "cycles_per_op times the tasks that complete operations: one task's time per operation",
     [](const RunView& v) { return cycles_per_op(v) * real(counted(v).size()); }},
    {"operations", "", "operations that all tasks completed in the window", operations},
    {"window", "core cycles", "length of the measured window", [](const RunView& v) { return real(v.run.window); }},
    {"loads_per_op", "1/op", "loads, rounds of spin loops included", per_op<&ThreadCounters::loads>},
    {"stores_per_op", "1/op", "plain stores", per_op<&ThreadCounters::stores>},
    {"cmpxchg_per_op", "1/op", "LOCK CMPXCHG, failed ones included", per_op<&ThreadCounters::cmpxchgs>},
    {"failed_cmpxchg_per_op", "1/op", "LOCK CMPXCHG that found another value",
     per_op<&ThreadCounters::failed_cmpxchgs>},
    {"failed_cmpxchg_percent", "%", "failed LOCK CMPXCHG out of all LOCK CMPXCHG", failed_share},
    {"other_locked_per_op", "1/op", "XCHG, LOCK XADD, LOCK BTS", per_op<&ThreadCounters::other_locked>},
    {"fences_per_op", "1/op", "MFENCE", per_op<&ThreadCounters::fences>},
    {"pauses", "", "PAUSEs executed by all tasks in the window",
     [](const RunView& v) { return real(total_counters(v.run).pauses); }},
    {"pauses_per_op", "1/op", "PAUSE", per_op<&ThreadCounters::pauses>},
    {"machine_clears_per_op", "1/op", "memory-order machine clears of loops that wait without PAUSE",
     per_op<&ThreadCounters::machine_clears>},
    {"fairness_jain", "",
     "Jain's index over the operations of the tasks that complete any: (sum x)^2 / (n sum x^2); 1 = all equal, 1/n = "
     "one has all",
     jain},
    {"fairness_min_max", "", "operations of the task with fewest over those of the task with most", least_over_most},
    {"l1_hits_per_op", "1/op", "memory accesses that the own L1 served", per_op<&ThreadCounters::l1_hits>},
    {"l2_hits_per_op", "1/op", "memory accesses that the own L2 served", per_op<&ThreadCounters::l2_hits>},
    {"core_misses_per_op", "1/op", "requests that left a core", per_op<&ThreadCounters::misses>},
    {"l3_hits_per_op", "1/op", "requests that an L3 slice served inside its socket",
     machine_per_op<&MachineCounters::l3_hits>},
    {"l3_misses_per_op", "1/op", "requests that went on to a home agent", machine_per_op<&MachineCounters::l3_misses>},
    {"dram_reads_per_op", "1/op", "lines read from DRAM", machine_per_op<&MachineCounters::dram_reads>},
    {"dram_writes_per_op", "1/op", "lines written to DRAM", machine_per_op<&MachineCounters::dram_writes>},
    {"transfers_same_socket_per_op", "1/op", "writable lines passed between cores of one socket",
     transfers_per_op<TransferDistance::kSameSocket>},
    {"transfers_one_hop_per_op", "1/op", "writable lines passed between sockets that share a link",
     transfers_per_op<TransferDistance::kOneHop>},
    {"transfers_two_hops_per_op", "1/op", "writable lines passed between sockets two links apart",
     transfers_per_op<TransferDistance::kTwoHops>},
    {"messages_per_op", "1/op", "coherence messages delivered",
     [](const RunView& v) { return ratio(real(messages(v.run)), operations(v)); }},
    {"qpi_bytes_per_op", "B/op", "bytes over all links between sockets",
     [](const RunView& v) { return ratio(qpi_bytes(v), operations(v)); }},
    {"lock_percent", "%", "cycles of all tasks spent on acquiring and releasing locks",
     [](const RunView& v) {
       return phases_percent(v, {Phase::kFastPath, Phase::kPendingWait, Phase::kTailExchange, Phase::kLink,
                                 Phase::kQueueSpin, Phase::kHeadWait, Phase::kClaim, Phase::kHandOff, Phase::kRelease});
     }},
    {"critical_section_percent", "%", "cycles of all tasks spent inside critical sections",
     [](const RunView& v) { return phases_percent(v, {Phase::kCriticalSection}); }},
    {"listed_per_post", "", "sembench: workers put on a wake list out of all that the waker let go on",
     wakes<WakeEvent::kListed, WakeEvent::kPost>},
    {"failed_cmpxchg_per_wake", "1/wake-up", "sembench: LOCK CMPXCHG of llist_add that found another value",
     wakes<WakeEvent::kFailedAdd, WakeEvent::kListed>},
    {"add_pauses_per_wake", "1/wake-up", "sembench: PAUSE in llist_add",
     wakes<WakeEvent::kAddPause, WakeEvent::kListed>},
    {"ipis_per_wake", "1/wake-up", "sembench: interprocessor interrupts sent because a wake list was empty",
     wakes<WakeEvent::kIpi, WakeEvent::kListed>},
    {"batch_per_ipi", "workers", "sembench: workers that an interrupt's handler took off the wake list",
     wakes<WakeEvent::kActivated, WakeEvent::kInterrupt>},
};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

std::size_t metric_index(std::string_view name) {
  const auto* found = std::ranges::find(kMetrics, name, &Metric::name);
  if (found == std::end(kMetrics)) throw std::out_of_range("no metric " + std::string(name));
  return static_cast<std::size_t>(found - std::begin(kMetrics));
}

std::uint64_t total_operations(const RunResult& run) {
  return std::accumulate(run.operations.begin(), run.operations.end(), std::uint64_t{0});
}

ThreadCounters total_counters(const RunResult& run) {
  ThreadCounters sum;
  for (const ThreadCounters& c : run.counters) sum += c;
  return sum;
}

}  // namespace linebounce

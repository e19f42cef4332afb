// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <numeric>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "locks/cpu.hpp"
#include "locks/lock.hpp"
#include "sim/lock_registry.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// A machine with its topology, loaded once.
struct Model {
  explicit Model(const std::string& name) : machine(load_machine(name)), topology(machine) {}
  Machine machine;
  Topology topology;
};

const Model& model(const std::string& name) {
  static std::map<std::string, std::unique_ptr<Model>> models;
  auto& found = models[name];
  if (!found) found = std::make_unique<Model>(name);
  return *found;
}

constexpr const char* kEx = "westmere-ex-4s";

/// Tasks on the first thread of as many cores, one socket after the other, or round-robin over the sockets.
std::vector<ThreadId> cores(const Machine& machine, int tasks, bool spread = false) {
  std::vector<ThreadId> placement;
  for (int t = 0; t < tasks; ++t) {
    const int core = spread ? t % machine.sockets * machine.cores_per_socket + t / machine.sockets : t;
    const int sibling = core / machine.cores();  // once all cores are taken
    placement.push_back({static_cast<std::uint32_t>(core % machine.cores() * machine.threads_per_core + sibling)});
  }
  return placement;
}

Experiment experiment(const Workload& workload, int tasks, const char* machine = kEx, bool spread = false) {
  const Model& m = model(machine);
  Experiment e;
  e.machine = &m.machine;
  e.topology = &m.topology;
  e.workload = workload;
  e.placement = cores(m.machine, tasks, spread);
  e.length = {.warmup = 5, .iterations = 40, .cycles = {0}};
  return e;
}

Workload of_kind(WorkloadKind kind) {
  Workload w;
  w.kind = kind;
  return w;
}
Workload lock_loop(const std::string& lock, const std::string& variant = "") {
  Workload w = of_kind(WorkloadKind::kLockLoop);
  w.lock = lock;
  w.variant = variant;
  return w;
}
Workload list_churn(int producers, int consumers, int lists = 1) {
  Workload w = of_kind(WorkloadKind::kListChurn);
  w.producers = producers;
  w.consumers = consumers;
  w.lists = lists;
  return w;
}
Workload atomic_loop(const std::string& op, LineSharing sharing = LineSharing::kOneLine) {
  Workload w = of_kind(WorkloadKind::kAtomicLoop);
  w.op = op;
  w.sharing = sharing;
  return w;
}
Workload rw_loop(int write_percent) {
  Workload w = of_kind(WorkloadKind::kRwLoop);
  w.lock = "qrwlock";
  w.words = 2;
  w.write_percent = write_percent;
  return w;
}
Workload message(int lines, bool round_trip) {
  Workload w = of_kind(WorkloadKind::kMessage);
  w.message_lines = lines;
  w.round_trip = round_trip;
  return w;
}
Workload without_relax(Workload w) {
  w.relax = false;
  return w;
}
Workload sembench(const std::string& state, int workers) {
  Workload w = of_kind(WorkloadKind::kSembench);
  w.variant = state;
  w.workers = workers;
  w.max_wake = workers;
  return w;
}
Workload lock_mix(const std::string& lock) {
  Workload w = of_kind(WorkloadKind::kLockMix);
  w.lock = lock;
  w.local_work = {500};
  w.locks = {{.name = "hot", .percent = 100, .critical_section = {50}, .words = 2},
             {.name = "cold", .percent = 20, .critical_section = {10}, .words = 0}};
  return w;
}
Workload ping_pong() { return of_kind(WorkloadKind::kPingPong); }

std::uint64_t operations(const RunResult& r) {
  return std::accumulate(r.operations.begin(), r.operations.end(), std::uint64_t{0});
}
ThreadCounters counters(const RunResult& r) {
  ThreadCounters sum;
  for (const ThreadCounters& c : r.counters) sum += c;
  return sum;
}

void expect_sound(const RunResult& r, const Experiment& e) {
  std::uint64_t counting = 0;
  for (std::size_t t = 0; t < e.placement.size(); ++t) {
    EXPECT_EQ(r.accounts[t].total(), r.window) << "task " << t;
    if (r.counting[t]) {
      ++counting;
    } else {
      EXPECT_EQ(r.operations[t], 0U);
    }
  }
  const std::uint64_t wanted = counting * static_cast<std::uint64_t>(e.length.iterations);
  EXPECT_GE(operations(r), wanted);
  EXPECT_LE(operations(r), wanted + counting) << "more than completed in the closing cycle";
  EXPECT_GT(r.window.count, 0);
}

// Every lock ---------------------------------------------------------------------------------------------------------

struct LockCase {
  std::string lock, variant;
  friend std::ostream& operator<<(std::ostream& out, const LockCase& c) { return out << c.lock << ' ' << c.variant; }
};

std::vector<LockCase> every_lock() {
  std::vector<LockCase> cases;
  for (const std::string& lock : lock_registry().names()) {
    const auto variants = lock_registry().variants(lock);
    if (variants.empty()) cases.push_back({lock, ""});
    for (const std::string& variant : variants) cases.push_back({lock, variant});
  }
  return cases;
}

class EveryLock : public testing::TestWithParam<LockCase> {};

INSTANTIATE_TEST_SUITE_P(Locks, EveryLock, testing::ValuesIn(every_lock()),
                         [](const auto& example) { return example.param.lock + example.param.variant; });

TEST_P(EveryLock, ExcludesOnOneSocket) {
  for (const int tasks : {1, 2, 3, 8}) {
    const Experiment e = experiment(lock_loop(GetParam().lock, GetParam().variant), tasks);
    SCOPED_TRACE(tasks);
    expect_sound(run_experiment(e), e);
  }
}

TEST_P(EveryLock, ExcludesAcrossSockets) {
  for (const int tasks : {3, 4}) {
    Experiment e = experiment(lock_loop(GetParam().lock, GetParam().variant), tasks, kEx, true);
    e.workload.layout = DataLayout::kEmbedded;
    e.workload.words = 2;
    SCOPED_TRACE(tasks);
    expect_sound(run_experiment(e), e);
  }
}

TEST_P(EveryLock, ExcludesWithoutRelaxToo) {
  for (const int tasks : {2, 4}) {
    Experiment e = experiment(lock_loop(GetParam().lock, GetParam().variant), tasks, kEx, tasks == 4);
    e.workload.relax = false;
    SCOPED_TRACE(tasks);
    const RunResult r = run_experiment(e);
    expect_sound(r, e);
    EXPECT_EQ(counters(r).pauses, 0U);
  }
}

TEST_P(EveryLock, AloneTakesOneReadModifyWriteAndNeverFails) {
  const Experiment e = experiment(lock_loop(GetParam().lock, GetParam().variant), 1);
  const RunResult r = run_experiment(e);
  const ThreadCounters sum = counters(r);
  EXPECT_EQ(sum.failed_cmpxchgs, 0U);
  EXPECT_EQ(sum.misses, 0U) << "everything is in the cache once the warm-up is over";
  EXPECT_EQ(sum.cmpxchgs + sum.other_locked, operations(r) * (GetParam().lock == "mcs" ? 2 : 1));
}

// Every workload -----------------------------------------------------------------------------------------------------

struct WorkloadCase {
  const char* name;
  Workload workload;
  int tasks;
  friend std::ostream& operator<<(std::ostream& out, const WorkloadCase& c) { return out << c.name; }
};

std::vector<WorkloadCase> every_workload() {
  return {
      {"LockLoop", lock_loop("qspinlock"), 4},
      {"LockLoopWithoutRelax", without_relax(lock_loop("ticket")), 4},
      {"ListChurn", list_churn(3, 1), 4},
      {"ListChurnOfTwoLists", list_churn(4, 3, 2), 7},
      {"AtomicXadd", atomic_loop("xadd"), 4},
      {"AtomicCmpxchgLoop", atomic_loop("cmpxchg-loop"), 4},
      {"RwLoop", rw_loop(20), 4},
      {"PingPong", ping_pong(), 2},
      {"Message", message(1, false), 2},
      {"MessageInTwoLines", message(2, false), 2},
      {"RoundTrip", message(1, true), 2},
      {"RoundTripInTwoLines", message(2, true), 2},
      {"RoundTripWithoutRelax", without_relax(message(1, true)), 2},
      {"Sembench", sembench("s1", 12), 4},
      {"SembenchOfOneProcessor", sembench("s2", 40), 2},
      {"LockMixOfTicket", lock_mix("ticket"), 4},
      {"LockMixOfQspinlock", lock_mix("qspinlock"), 4},
  };
}

class EveryWorkload : public testing::TestWithParam<WorkloadCase> {};

INSTANTIATE_TEST_SUITE_P(Workloads, EveryWorkload, testing::ValuesIn(every_workload()),
                         [](const auto& example) { return example.param.name; });

TEST_P(EveryWorkload, RunsOnEveryMachine) {
  for (const std::string& machine : shipped_machines()) {
    for (const bool spread : {false, true}) {
      const Experiment e = experiment(GetParam().workload, GetParam().tasks, machine.c_str(), spread);
      SCOPED_TRACE(machine);
      expect_sound(run_experiment(e), e);
    }
  }
}

void expect_equal(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.digest, b.digest);
  EXPECT_EQ(a.window, b.window);
  EXPECT_EQ(a.operations, b.operations);
  EXPECT_EQ(a.machine.messages, b.machine.messages);
  EXPECT_EQ(a.machine.link_bytes, b.machine.link_bytes);
  for (std::size_t t = 0; t < a.accounts.size(); ++t) {
    EXPECT_EQ(a.accounts[t].cycles, b.accounts[t].cycles) << "task " << t;
    EXPECT_EQ(a.counters[t].loads, b.counters[t].loads) << "task " << t;
    EXPECT_EQ(a.counters[t].cmpxchgs, b.counters[t].cmpxchgs) << "task " << t;
    EXPECT_EQ(a.counters[t].pauses, b.counters[t].pauses) << "task " << t;
  }
}

TEST_P(EveryWorkload, GivesTheSameResultHoweverItIsRun) {
  const Experiment e = experiment(GetParam().workload, GetParam().tasks, kEx, true);
  const RunResult reference = run_experiment(e);
  const auto with = [&](SystemOptions options, const char* what) {
    SCOPED_TRACE(what);
    Experiment other = e;
    other.system = options;
    expect_equal(reference, run_experiment(other));
  };
  with({}, "again");
  with({.run_ahead = false}, "without run-ahead");
  with({.step_polls = true}, "with every spin simulated");
  with({.idle_observers = 3}, "with idle observers");
  with({.reverse_construction = true}, "constructed in reverse");
}

TEST_P(EveryWorkload, DependsOnTheSeed) {
  Experiment e = experiment(GetParam().workload, GetParam().tasks);
  const std::uint64_t first = run_experiment(e).digest;
  e.system.seed = 2;
  EXPECT_NE(run_experiment(e).digest, first);
}

// The window ---------------------------------------------------------------------------------------------------------

TEST(Experiment, RunsForSoManyCyclesExactly) {
  Experiment e = experiment(lock_loop("ticket"), 3);
  e.length = {.warmup = 5, .iterations = 0, .cycles = {12'345}};
  const RunResult r = run_experiment(e);
  EXPECT_EQ(r.window.count, 12'345);
  for (const Account& account : r.accounts) EXPECT_EQ(account.total(), r.window);
}

TEST(Experiment, CyclesEndARunBeforeItsIterationsAreDone) {
  Experiment e = experiment(lock_loop("ticket"), 3);
  e.length = {.warmup = 5, .iterations = 1'000'000, .cycles = {5'000}};
  EXPECT_EQ(run_experiment(e).window.count, 5'000);
}

TEST(Experiment, TasksAloneOnTheirLinesDoNotWaitForEachOther) {
  Experiment e = experiment(atomic_loop("xadd", LineSharing::kOneLineEach), 4);
  e.length.iterations = 1000;
  const RunResult r = run_experiment(e);
  EXPECT_EQ(counters(r).misses, 0U);
  for (const std::uint64_t n : r.operations) EXPECT_NEAR(static_cast<double>(n), 1000, 20);
}

TEST(Experiment, ReachesItsLimitRatherThanRunForEver) {
  Experiment e = experiment(lock_loop("ticket"), 3);
  e.length.iterations = 1'000'000;
  e.system.limit = {20'000};
  EXPECT_THROW(run_experiment(e), LimitReached);
}

// What the workloads do ----------------------------------------------------------------------------------------------

TEST(Experiment, EveryAtomicOperationRuns) {
  for (const char* op :
       {"load", "store", "xchg", "xadd", "cmpxchg", "cmpxchg-alternate", "cmpxchg-loop", "test-and-set"}) {
    for (const LineSharing sharing : {LineSharing::kOneLine, LineSharing::kOneLineEach}) {
      Experiment e = experiment(atomic_loop(op, sharing), 3);
      e.workload.retry_pause = true;
      e.workload.pauses = 1;
      SCOPED_TRACE(op);
      const RunResult r = run_experiment(e);
      expect_sound(r, e);
      EXPECT_GE(counters(r).pauses + e.placement.size(), operations(r));
    }
  }
}

TEST(Experiment, AnAtomicOnALineOfItsOwnTakesItsExecutionTime) {
  Experiment e = experiment(atomic_loop("xadd", LineSharing::kOneLineEach), 1);
  e.jitter = {0};
  const RunResult r = run_experiment(e);
  const auto& costs = e.machine->core;
  EXPECT_GE(r.window, costs.xadd * 40);
  EXPECT_LE(r.window, (costs.xadd + costs.issue + Cycles{2}) * 40);
}

TEST(Experiment, EveryConsumerAndEveryStateOfTheListRuns) {
  for (const char* state : {"s0", "s1", "s2", "s3", ""}) {
    for (const Consume consume : {Consume::kDelAll, Consume::kDelFirst}) {
      Experiment e = experiment(list_churn(3, 1), 4);
      e.workload.variant = state;
      e.workload.consume = consume;
      e.workload.local_work = {100};
      e.length.iterations = 200;  // more than a producer has entries
      SCOPED_TRACE(state);
      const RunResult r = run_experiment(e);
      expect_sound(r, e);
      EXPECT_EQ(r.counting, (std::vector<bool>{true, true, true, false}));
    }
  }
}

TEST(Experiment, OnlyTheFirstListPausesWithoutAFailure) {
  Experiment e = experiment(list_churn(1, 1), 2);
  e.workload.local_work = {2000};
  e.workload.variant = "s0";
  EXPECT_GE(run_experiment(e).counters[0].pauses, 40U);
  e.workload.variant = "s1";
  const RunResult r = run_experiment(e);
  EXPECT_EQ(r.counters[0].pauses, r.counters[0].failed_cmpxchgs);
}

TEST(Experiment, WhoWaitsHasPausesOrMachineClears) {
  for (const Workload& workload : {lock_loop("ticket"), lock_loop("qspinlock"), message(1, true), message(2, false)}) {
    Experiment e = experiment(workload, 2);
    const ThreadCounters relaxed = counters(run_experiment(e));
    EXPECT_GT(relaxed.pauses, 0U);
    EXPECT_EQ(relaxed.machine_clears, 0U);
    e.workload.relax = false;
    const ThreadCounters unrelaxed = counters(run_experiment(e));
    EXPECT_EQ(unrelaxed.pauses, 0U);
    EXPECT_GT(unrelaxed.machine_clears, 0U);
  }
}

// sembench (that every addition to a semaphore is one burn, sembench itself verifies at the end of every run) ----------

/// One processor, and a waker that is done with a wake-up soon: its cmpxchg meets the handler's xchg.
Experiment crowded_sembench(const std::string& state) {
  Experiment e = experiment(sembench(state, 40), 2, "westmere-ep-2s", true);
  e.workload.wake = {0};
  e.jitter = {100};
  e.length.iterations = 1000;
  return e;
}

TEST(Sembench, AnInterruptIsSentOnlyToAnEmptyListAndTakesAllThatIsOnIt) {
  const RunResult r = run_experiment(crowded_sembench("s2"));
  const WakeCounts& wakes = r.wakes;
  EXPECT_GT(wakes.of(WakeEvent::kIpi), 50U);
  EXPECT_LT(wakes.of(WakeEvent::kIpi), wakes.of(WakeEvent::kListed));
  // What is on its way when the window opens or closes may be off by one interrupt and the workers of one.
  EXPECT_NEAR(static_cast<double>(wakes.of(WakeEvent::kInterrupt)), static_cast<double>(wakes.of(WakeEvent::kIpi)), 1);
  EXPECT_NEAR(static_cast<double>(wakes.of(WakeEvent::kActivated)), static_cast<double>(wakes.of(WakeEvent::kListed)),
              40);
  EXPECT_NEAR(static_cast<double>(wakes.of(WakeEvent::kPost)), static_cast<double>(operations(r)), 40);
}

TEST(Sembench, PausesInLlistAddOnlyAfterAFailedCmpxchgAndOnlyInTheStateThatHasIt) {
  const WakeCounts with = run_experiment(crowded_sembench("s1")).wakes;
  EXPECT_GT(with.of(WakeEvent::kFailedAdd), 0U);
  EXPECT_EQ(with.of(WakeEvent::kAddPause), with.of(WakeEvent::kFailedAdd));
  const WakeCounts without = run_experiment(crowded_sembench("s2")).wakes;
  EXPECT_GT(without.of(WakeEvent::kFailedAdd), 0U);
  EXPECT_EQ(without.of(WakeEvent::kAddPause), 0U);
}

TEST(Sembench, WithAndWithoutCpuRelaxAreOneRunWhenNoCmpxchgFails) {
  Experiment e = experiment(sembench("s1", 66), 12, "westmere-ep-2s", true);
  const RunResult with = run_experiment(e);
  e.workload.variant = "s2";
  const RunResult without = run_experiment(e);
  EXPECT_EQ(with.wakes.of(WakeEvent::kFailedAdd), 0U);
  EXPECT_EQ(with.digest, without.digest);
  EXPECT_EQ(with.window, without.window);
  EXPECT_EQ(counters(with).cmpxchgs, counters(without).cmpxchgs);
}

TEST(Sembench, EveryStateOfTheListRunsAndNothingIsLost) {
  for (const char* state : {"s0", "s1", "s2", "s3", ""}) {
    Experiment e = crowded_sembench(state);
    e.length.iterations = 200;
    SCOPED_TRACE(state);
    expect_sound(run_experiment(e), e);
  }
}

TEST(Sembench, AnInterruptTakesItsLatency) {
  constexpr Cycles kLook{3'000};  // of the waker: longer than a worker takes to fall asleep
  const auto per_burn = [&](Cycles latency) {
    Experiment e = experiment(sembench("s2", 1), 2, "westmere-ep-2s");  // one worker: its way is all there is
    e.workload.scan = kLook;
    e.workload.ipi_latency = latency;
    const RunResult r = run_experiment(e);
    return r.window.count / static_cast<std::int64_t>(operations(r));
  };
  // A worker that is ready waits for the waker's next look.
  EXPECT_NEAR(static_cast<double>(per_burn({35'000}) - per_burn({5'000})), 30'000,
              static_cast<double>(kLook.count) + 100);
}

TEST(Sembench, NeedsAWakerAndAWorkerForEveryProcessor) {
  EXPECT_THROW(run_experiment(experiment(sembench("s2", 4), 1)), std::invalid_argument);
  EXPECT_THROW(run_experiment(experiment(sembench("s2", 2), 4)), std::invalid_argument);
  EXPECT_THROW(run_experiment(experiment(sembench("s9", 4), 2)), std::invalid_argument);
}

TEST(LockMix, TakesALockAsOftenAsItsPercentageSays) {
  Experiment e = experiment(lock_mix("ticket"), 1);
  e.length.iterations = 2000;
  const RunResult r = run_experiment(e);
  const ThreadCounters sum = counters(r);
  // A ticket lock is one XADD; the hot lock is taken always, the cold one by chance.
  EXPECT_NEAR(static_cast<double>(sum.other_locked), 1.2 * 2000, 60);
}

TEST(LockMix, ALockThatIsNeverTakenCostsNothing) {
  Experiment e = experiment(lock_mix("qspinlock"), 4);
  e.workload.locks[1].percent = 0;
  const Cycles without = run_experiment(e).window;
  e.workload.locks.pop_back();
  EXPECT_EQ(run_experiment(e).window, without);
}

TEST(LockMix, NeedsLocksThatExist) {
  EXPECT_THROW(run_experiment(experiment(lock_mix("none"), 1)), std::invalid_argument);
  Experiment e = experiment(lock_mix("ticket"), 1);
  e.workload.locks.clear();
  EXPECT_THROW(run_experiment(e), std::invalid_argument);
}

TEST(Experiment, PingPongTasksTakeTurns) {
  const RunResult r = run_experiment(experiment(ping_pong(), 2));
  EXPECT_LE(std::abs(static_cast<std::int64_t>(r.operations[0] - r.operations[1])), 1);
  EXPECT_EQ(counters(r).cmpxchgs - counters(r).failed_cmpxchgs, operations(r));
}

TEST(Experiment, ReadersOfAReaderWriterLockOverlap) {
  const auto cycles = [](int write_percent) {
    Experiment e = experiment(rw_loop(write_percent), 4);
    e.workload.critical_section = {2000};
    return run_experiment(e).window;
  };
  EXPECT_LT(cycles(0) * 2, cycles(100));
}

TEST(Experiment, MoreWorkUnderTheLockTakesLonger) {
  Experiment e = experiment(lock_loop("mcs"), 3);
  const Cycles without = run_experiment(e).window;
  e.workload.critical_section = {500};
  const Cycles with = run_experiment(e).window;
  EXPECT_GE(with - without, Cycles{400} * (3 * 40));
}

// Guests that break their promise ------------------------------------------------------------------------------------

/// Lets everybody in.
class OpenDoor {
 public:
  static constexpr std::string_view kName = "open-door";
  static constexpr unsigned kWordBytes = 8;
  template <Memory M>
  OpenDoor(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
  template <Cpu C>
  void acquire(C&) {}
  template <Cpu C>
  void release(C&) {}
  Address word() const { return word_; }
  std::string check_idle(const Peek&) const { return {}; }

 private:
  Address word_;
};

/// Excludes, but says that it queues: whoever swaps successfully may have swapped after others.
class Unfair {
 public:
  static constexpr std::string_view kName = "unfair";
  static constexpr unsigned kWordBytes = 4;
  template <Memory M>
  Unfair(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
  template <Cpu C>
  void acquire(C& cpu) {
    cpu.template xadd<std::uint32_t>(word_ + 8, 1);
    for (;;) {
      cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return v == 0; });
      if (cpu.template cmpxchg<std::uint32_t>(word_, 0, 1) == 0) return;
    }
  }
  template <Cpu C>
  void release(C& cpu) {
    cpu.template store<std::uint32_t>(word_, 0);
  }
  Address word() const { return word_; }
  std::string check_idle(const Peek& peek) const {
    return peek(word_ + 8, 4) == 0 ? "" : "the count of entries is left behind";
  }

 private:
  Address word_;
};

std::string failure_of(const Experiment& e) {
  try {
    run_experiment(e);
  } catch (const BrokenModel& broken) {
    return broken.what();
  }
  return "no failure";
}

TEST(Experiment, NoticesALockThatDoesNotExclude) {
  lock_registry().add<OpenDoor>();
  EXPECT_NE(failure_of(experiment(lock_loop("open-door"), 3)).find("mutual exclusion broken: task"), std::string::npos);
}

TEST(Experiment, NoticesALockThatIsNotCleanAtTheEndAndOneThatOvertakes) {
  lock_registry().add<Unfair>();
  EXPECT_EQ(failure_of(experiment(lock_loop("unfair"), 1)), "the count of entries is left behind");
  lock_registry().add<Unfair>({.variant = "queue", .queue_by_swap = true});
  EXPECT_NE(failure_of(experiment(lock_loop("unfair", "queue"), 8)).find("queue order broken"), std::string::npos);
}

// What cannot be run -------------------------------------------------------------------------------------------------

std::string refusal_of(const Experiment& e) {
  try {
    check_experiment(e);
  } catch (const std::invalid_argument& refused) {
    return refused.what();
  }
  return "accepted";
}

TEST(Experiment, RefusesWhatDoesNotExist) {
  EXPECT_EQ(refusal_of(experiment(lock_loop("ticket"), 1)), "accepted");
  EXPECT_EQ(refusal_of(experiment(lock_loop("ticket", "x"), 1)), "lock 'ticket' has no variant 'x'");
  EXPECT_EQ(refusal_of(experiment(atomic_loop("swap"), 1)),
            "atomic-loop has no operation 'swap'; there are load, store, xchg, xadd, cmpxchg, cmpxchg-alternate, "
            "cmpxchg-loop, test-and-set");
  Experiment e = experiment(list_churn(1, 1), 2);
  e.workload.variant = "s9";
  EXPECT_EQ(refusal_of(e), "the list has no variant 's9'; there are s0, s1, s2, s3");
}

TEST(Experiment, RefusesATaskCountThatTheWorkloadDoesNotHave) {
  EXPECT_EQ(refusal_of(experiment(ping_pong(), 3)), "this workload needs 2 tasks, not 3");
  EXPECT_EQ(refusal_of(experiment(list_churn(2, 1), 2)), "this workload needs 3 tasks, not 2");
  EXPECT_EQ(refusal_of(experiment(lock_loop("mcs"), 0)), "this workload needs at least one task, not 0");
}

TEST(Experiment, RefusesListsThatCouldNotEnd) {
  EXPECT_EQ(refusal_of(experiment(list_churn(2, 1, 2), 3)), "every list needs a producer and a consumer");
  Experiment e = experiment(list_churn(2, 2), 4);
  e.workload.consume = Consume::kDelFirst;
  EXPECT_EQ(refusal_of(e), "a list allows one consumer that uses del_first, not several");
}

TEST(Experiment, RefusesAPlacementThatTheMachineDoesNotHave) {
  Experiment e = experiment(lock_loop("mcs"), 2);
  e.placement[1] = e.placement[0];
  EXPECT_EQ(refusal_of(e), "two tasks on hardware thread 0");
  e.placement[1] = {100'000};
  EXPECT_EQ(refusal_of(e), std::string(kEx) + " has no hardware thread 100000");
}

TEST(Experiment, RefusesMoreEmbeddedDataThanTheLockLineHolds) {
  Experiment e = experiment(lock_loop("qspinlock"), 1);
  e.workload.layout = DataLayout::kEmbedded;
  e.workload.words = 7;
  EXPECT_NO_THROW(run_experiment(e));
  e.workload.words = 8;
  EXPECT_THROW(run_experiment(e), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce

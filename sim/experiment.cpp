// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>

#include "cpus/sim_cpu.hpp"
#include "locks/lock.hpp"
#include "sim/lock_registry.hpp"
#include "sim/measurement.hpp"
#include "sim/random.hpp"
#include "sim/workloads/atomic_loop.hpp"
#include "sim/workloads/list_churn.hpp"
#include "sim/workloads/lock_loop.hpp"
#include "sim/workloads/lock_mix.hpp"
#include "sim/workloads/message.hpp"
#include "sim/workloads/ping_pong.hpp"
#include "sim/workloads/sembench.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

namespace {

/// A task of the run on the simulated machine.
class SimTask : public TaskIdentity {
 public:
  SimTask(const TaskIdentity& identity, Measurement& measurement, System& system)
      : TaskIdentity(identity), measurement_(measurement), system_(system) {}

  bool completed(SimCpu& cpu) {
    system_.progress(cpu.thread(), cpu.now());
    return measurement_.completed(index(), seen_by_all(cpu));
  }
  bool running(SimCpu& cpu) { return measurement_.running(seen_by_all(cpu)); }
  static Cycles now(const SimCpu& cpu) { return cpu.now(); }
  static void catch_up(SimCpu& cpu) { cpu.synchronise(); }

 private:
  /// The task's time, when the host has seen all that could matter to the measurement before it.
  Cycles seen_by_all(SimCpu& cpu) const {
    if (measurement_.must_catch_up(index(), cpu.now())) cpu.synchronise();
    return cpu.now();
  }

  Measurement& measurement_;
  System& system_;
};

/// No workload lets this much time go by, beside its own work, without completing anything.
constexpr Cycles kPatience{50'000'000};
constexpr Cycles kNever{std::numeric_limits<std::int64_t>::max()};

std::uint32_t socket_of(const Machine& machine, std::uint32_t thread) {
  return thread / static_cast<std::uint32_t>(machine.cores_per_socket * machine.threads_per_core);
}

/// The whole of a run once the workload's objects are in memory.
template <class W>
RunResult drive(const Experiment& e, System& system, W& workload) {
  const int tasks = static_cast<int>(e.placement.size());
  RunResult result;
  for (int t = 0; t < tasks; ++t) result.counting.push_back(workload.counts(t));
  Cycles opened = kNever;
  Cycles closed = kNever;
  Measurement measurement(result.counting, e.length,
                          {.open =
                               [&](Cycles at) {
                                 opened = at;
                                 system.open_window(at);
                               },
                           .close =
                               [&](Cycles at) {
                                 closed = std::min(closed, at);
                                 system.close_window(at);
                               }});
  const RandomStream skew(e.system.seed, "start_skew");

  measurement.start();
  for (int t = 0; t < tasks; ++t) {
    system.spawn(e.placement[static_cast<std::size_t>(t)], "task[" + std::to_string(t) + "]", [&, t](SimCpu& cpu) {
      SimTask task({e.system.seed, t, e.jitter}, measurement, system);
      {
        const PhaseScope<SimCpu> scope(cpu, Phase::kLocalWork);
        cpu.compute(skew.up_to(e.start_skew.count, static_cast<std::uint64_t>(t)));
      }
      workload.run(cpu, task);
    });
  }
  try {
    system.run();
  } catch (const LockBroken& broken) {
    throw BrokenModel(broken.what());
  } catch (const std::invalid_argument& operand) {
    throw BrokenModel(std::string("a task did what no processor does: ") + operand.what());
  }
  workload.verify([&system](Address a, unsigned bytes) { return system.peek(a, bytes); });

  result.window = system.window_length();
  result.operations = measurement.operations();
  for (const ThreadId thread : e.placement) {
    result.counters.push_back(system.counters(thread));
    result.accounts.push_back(system.account(thread));
  }
  result.machine = system.machine_counters();
  if constexpr (requires { workload.wakes(opened, closed); }) result.wakes = workload.wakes(opened, closed);
  result.digest = system.digest();
  result.rows = system.rows_fired();
  return result;
}

LockPlan lock_plan(const Experiment& e) {
  LockPlan plan;
  plan.home = e.workload.home;
  for (int t = 0; t < e.machine->threads(); ++t) {
    plan.cpu_homes.push_back(socket_of(*e.machine, static_cast<std::uint32_t>(t)));
  }
  return plan;
}

RunResult run_with_lock(const Experiment& e, System& system, int write_percent) {
  const Workload& w = e.workload;
  const auto lock = lock_registry().find(w.lock, w.variant).make(system, lock_plan(e), w.relax);
  const auto words = static_cast<unsigned>(w.words);
  const bool embedded = w.layout == DataLayout::kEmbedded;
  if (embedded && words > lock->embedded_words()) {
    throw std::invalid_argument("only " + std::to_string(lock->embedded_words()) +
                                " words fit into the line of lock '" + w.lock + "', not " + std::to_string(words));
  }
  const Address data = embedded     ? lock->embedded_data()
                       : words == 0 ? Address{}
                                    : system.allocate("data", std::uint64_t{words} * 8, w.home);
  LockLoop<GuestLock> workload(*lock, data, {w.words, w.critical_section, w.local_work, write_percent},
                               static_cast<int>(e.placement.size()));
  return drive(e, system, workload);
}

RunResult run_lock_mix(const Experiment& e, System& system) {
  const Workload& w = e.workload;
  LockMix<GuestLock> workload(w.local_work, static_cast<int>(e.placement.size()));
  std::vector<std::unique_ptr<GuestLock>> locks;
  for (const MixedLock& shape : w.locks) {
    LockPlan plan = lock_plan(e);
    plan.name = shape.name;
    plan.node_name = shape.name + ".node";
    const auto words = static_cast<std::uint64_t>(shape.words);
    const Address data = words == 0 ? Address{} : system.allocate(shape.name + ".data", words * 8, w.home);
    locks.push_back(lock_registry().find(w.lock, w.variant).make(system, plan, w.relax));
    workload.add(*locks.back(), data, shape);
  }
  return drive(e, system, workload);
}

RunResult run_lock_loop(const Experiment& e, System& system) { return run_with_lock(e, system, 100); }
RunResult run_rw_loop(const Experiment& e, System& system) {
  return run_with_lock(e, system, e.workload.write_percent);
}

std::vector<std::uint32_t> task_homes(const Experiment& e) {
  std::vector<std::uint32_t> homes;
  for (const ThreadId thread : e.placement) homes.push_back(socket_of(*e.machine, thread.value));
  return homes;
}

template <LlistState S>
RunResult run_list_churn_in(const Experiment& e, System& system) {
  const Workload& w = e.workload;
  ListChurn<S> workload(system, {w.producers, w.consumers, w.lists, w.consume, w.local_work}, task_homes(e), w.home);
  return drive(e, system, workload);
}

template <LlistState S>
RunResult run_sembench_in(const Experiment& e, System& system) {
  const Workload& w = e.workload;
  const SembenchCosts costs{.scan = w.scan,
                            .semop = w.semop,
                            .wake = w.wake,
                            .ipi_send = w.ipi_send,
                            .ipi_latency = w.ipi_latency,
                            .interrupt = w.interrupt,
                            .activate = w.activate,
                            .context_switch = w.context_switch,
                            .local_work = w.local_work};
  Sembench<S> workload(system, {w.workers, w.max_wake, costs}, task_homes(e), w.home);
  return drive(e, system, workload);
}

/// Index into kLlistShapes; its size if there is no such variant.
std::size_t list_state(std::string_view variant) {
  if (variant.empty()) return kLlistShapes.size() - 1;
  std::size_t state = 0;
  while (state < kLlistShapes.size() && kLlistShapes[state].name != variant) ++state;
  return state;
}

using Run = RunResult (*)(const Experiment&, System&);

RunResult run_list_churn(const Experiment& e, System& system) {
  constexpr std::array<Run, kLlistShapes.size()> kStates = {
      &run_list_churn_in<LlistState::kS0>, &run_list_churn_in<LlistState::kS1>, &run_list_churn_in<LlistState::kS2>,
      &run_list_churn_in<LlistState::kS3>};
  return kStates[list_state(e.workload.variant)](e, system);
}

RunResult run_sembench(const Experiment& e, System& system) {
  constexpr std::array<Run, kLlistShapes.size()> kStates = {
      &run_sembench_in<LlistState::kS0>, &run_sembench_in<LlistState::kS1>, &run_sembench_in<LlistState::kS2>,
      &run_sembench_in<LlistState::kS3>};
  return kStates[list_state(e.workload.variant)](e, system);
}

RunResult run_atomic_loop(const Experiment& e, System& system) {
  const Workload& w = e.workload;
  AtomicLoop workload(system, {w.op, w.retry_pause, w.pauses, w.sharing, w.local_work},
                      static_cast<int>(e.placement.size()), w.home);
  return drive(e, system, workload);
}

RunResult run_ping_pong(const Experiment& e, System& system) {
  PingPong workload(system, e.workload.home);
  return drive(e, system, workload);
}

RunResult run_message(const Experiment& e, System& system) {
  MessagePassing workload(system, {e.workload.message_lines, e.workload.round_trip, e.workload.relax}, e.workload.home);
  return drive(e, system, workload);
}

void require(bool condition, const std::string& what) {
  if (!condition) throw std::invalid_argument(what);
}

void check_lock(const Workload& w) {
  lock_registry().find(w.lock, w.variant);
  require(w.words >= 0, "a critical section cannot update a negative number of words");
  require(w.write_percent >= 0 && w.write_percent <= 100, "write_percent is a share of 100");
}

void check_list_state(const Workload& w) {
  std::string states;
  for (const LlistShape& shape : kLlistShapes) states += (states.empty() ? "" : ", ") + std::string(shape.name);
  require(list_state(w.variant) < kLlistShapes.size(),
          "the list has no variant '" + w.variant + "'; there are " + states);
}

void check_list(const Workload& w) {
  check_list_state(w);
  require(w.producers >= 1 && w.consumers >= 1 && w.lists >= 1, "list-churn needs producers, consumers and lists");
  require(w.lists <= w.producers && w.lists <= w.consumers, "every list needs a producer and a consumer");
  require(w.consume == Consume::kDelAll || w.consumers == w.lists,
          "a list allows one consumer that uses del_first, not several");
}

void check_atomic(const Workload& w) {
  std::string ops;
  for (const auto& row : AtomicOps<SimCpu>::rows()) ops += (ops.empty() ? "" : ", ") + std::string(row.name);
  require(AtomicOps<SimCpu>::find(w.op) != nullptr, "atomic-loop has no operation '" + w.op + "'; there are " + ops);
  require(w.pauses >= 0, "a negative number of PAUSEs");
}

void check_message(const Workload& w) {
  require(w.message_lines == 1 || w.message_lines == 2, "a message lies in one line or in two");
}

void check_mix(const Workload& w) {
  lock_registry().find(w.lock, w.variant);
  require(!w.locks.empty(), "lock-mix needs at least one lock");
  for (const MixedLock& lock : w.locks) {
    require(lock.words >= 0, "a critical section cannot update a negative number of words");
    require(lock.percent >= 0 && lock.percent <= 100, "percent is a share of 100");
  }
}

void check_sembench(const Workload& w) {
  check_list_state(w);
  require(w.max_wake >= 1, "sembench's waker wakes at least one worker in a pass");
}

void check_nothing(const Workload&) {}

int any_number(const Workload&) { return 0; }
int two(const Workload&) { return 2; }
int producers_and_consumers(const Workload& w) { return w.producers + w.consumers; }

void check_sembench_tasks(const Workload& w, int tasks) {
  require(tasks >= 2, "sembench needs a waker and at least one processor with workers: 2 tasks");
  require(w.workers >= tasks - 1, "sembench has " + std::to_string(w.workers) + " workers for " +
                                      std::to_string(tasks - 1) + " processors: at least one each");
}

Cycles one_operation(const Workload& w) {
  Cycles work = w.local_work + w.critical_section;
  for (const MixedLock& lock : w.locks) work += lock.critical_section;
  return work;
}

/// Before anything completes, one processor may have to put every worker to sleep, and one pass wakes them all.
Cycles once_for_every_worker(const Workload& w) {
  constexpr Cycles kMemory{2000};  // far more than the loads, stores and locks of one take
  return (w.scan + w.semop + w.wake + w.ipi_send + w.ipi_latency + w.interrupt + w.activate + w.context_switch +
          w.local_work + kMemory) *
         w.workers;
}

struct Kind {
  RunResult (*run)(const Experiment&, System&);
  void (*check)(const Workload&);
  int (*tasks)(const Workload&);                              ///< 0: any number but none
  void (*check_tasks)(const Workload&, int tasks) = nullptr;  ///< what else the number must be
  Cycles (*own_work)(const Workload&) = &one_operation;       ///< of a task, at most, before something completes
};

const Kind& kind_of(const Workload& w) {
  static constexpr std::array<Kind, 8> kKinds = {{
      {&run_lock_loop, &check_lock, &any_number},
      {&run_list_churn, &check_list, &producers_and_consumers},
      {&run_atomic_loop, &check_atomic, &any_number},
      {&run_rw_loop, &check_lock, &any_number},
      {&run_ping_pong, &check_nothing, &two},
      {&run_message, &check_message, &two},
      {&run_sembench, &check_sembench, &any_number, &check_sembench_tasks, &once_for_every_worker},
      {&run_lock_mix, &check_mix, &any_number},
  }};
  static_assert(static_cast<std::size_t>(WorkloadKind::kLockMix) + 1 == kKinds.size());
  return kKinds[static_cast<std::size_t>(w.kind)];
}

}  // namespace

void check_experiment(const Experiment& e) {
  require(e.machine != nullptr && e.topology != nullptr, "an experiment needs a machine");
  const Kind& kind = kind_of(e.workload);
  kind.check(e.workload);
  const auto tasks = static_cast<std::size_t>(kind.tasks(e.workload));
  require(!e.placement.empty() && (tasks == 0 || tasks == e.placement.size()),
          "this workload needs " + (tasks == 0 ? "at least one task" : std::to_string(tasks) + " tasks") + ", not " +
              std::to_string(e.placement.size()));
  if (kind.check_tasks != nullptr) kind.check_tasks(e.workload, static_cast<int>(e.placement.size()));
  std::vector<bool> taken(static_cast<std::size_t>(e.machine->threads()));
  for (const ThreadId thread : e.placement) {
    require(thread.value < taken.size(), e.machine->name + " has no hardware thread " + std::to_string(thread.value));
    require(!taken[thread.value], "two tasks on hardware thread " + std::to_string(thread.value));
    taken[thread.value] = true;
  }
  require(e.length.iterations > 0 || e.length.cycles.count > 0, "a run needs a length: iterations, cycles, or both");
}

RunResult run_experiment(const Experiment& e) {
  check_experiment(e);
  SystemOptions options = e.system;
  options.patience = kPatience + (kind_of(e.workload).own_work(e.workload) + e.start_skew) * 8;
  System system(*e.machine, *e.topology, options);
  return kind_of(e.workload).run(e, system);
}

}  // namespace linebounce

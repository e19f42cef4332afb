// SPDX-License-Identifier: Apache-2.0
// sembench's main thread, the only waker: it looks for workers that are ready to be woken, adds 1 to their semaphores, and
// the kernel puts each on the wake list of its processor.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/workloads/observed_cpu.hpp"
#include "sim/workloads/sembench_memory.hpp"
#include "sim/workloads/task.hpp"
#include "sim/workloads/wake_events.hpp"

namespace linebounce {

/// What is no memory operation of the model: work in registers and in the task's own cache lines.
struct SembenchCosts {
  Cycles scan{};            ///< waker, per worker looked at, beside the load and the fence
  Cycles semop{};           ///< one semtimedop: system call, arguments, look-ups; the waker's and the worker's
  Cycles wake{};            ///< waker, per worker woken: finding the waiter, try_to_wake_up
  Cycles ipi_send{};        ///< waker, per interrupt: the local APIC
  Cycles ipi_latency{};     ///< from the APIC's write until the interrupt arrives
  Cycles interrupt{};       ///< entering and leaving the handler
  Cycles activate{};        ///< target, per worker woken: putting it on the run queue
  Cycles context_switch{};  ///< target: from a worker or the idle task to the next
  Cycles local_work{};      ///< a worker's own, between two sleeps
};

template <class C>
void work(C& cpu, Cycles cycles) {
  if (cycles.count > 0) cpu.compute(cycles.count);
}

/// What an interrupt message says instead of when it arrives: no more will come.
inline constexpr std::uint64_t kLastInterrupt = std::numeric_limits<std::uint64_t>::max();

template <LlistState S>
class SembenchWaker {
 public:
  static constexpr std::size_t kOpsPerCall = 64;  ///< sembench's source: semaphores that one semtimedop adds to

  SembenchWaker(SembenchMemory<S>& memory, const SembenchCosts& costs, int max_wake)
      : memory_(memory),
        costs_(costs),
        max_wake_(static_cast<std::size_t>(max_wake)),
        by_set_(memory.set_locks.size()),
        posts_(memory.workers.size()) {}

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    for (std::uint64_t pass = 0; task.running(cpu); ++pass) {
      work_locally(cpu, task, {0}, pass);
      claim(cpu);
      for (const std::vector<int>& set : by_set_) {
        for (std::size_t at = 0; at < set.size(); at += kOpsPerCall) {
          post(cpu, task, std::span(set).subspan(at, std::min(kOpsPerCall, set.size() - at)));
        }
      }
    }
    for (const Address apic : memory_.apics) cpu.template store<std::uint64_t>(apic, kLastInterrupt);
  }

  /// How often each worker's semaphore was added to.
  const std::vector<std::uint64_t>& posts() const { return posts_; }
  const WakeLog& log() const { return log_; }

 private:
  /// One pass over the list of workers, from where the last one ended: at most once round, and no more than max_wake.
  template <Cpu C>
  void claim(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kLocalWork);
    for (std::vector<int>& set : by_set_) set.clear();
    std::size_t claimed = 0;
    for (std::size_t looked = 0; looked < posts_.size() && claimed < max_wake_; ++looked) {
      const WorkerMemory& worker = memory_.workers[next_];
      work(cpu, costs_.scan);
      cpu.mfence();
      if (cpu.template load<std::uint64_t>(worker.ready()) != 0) {
        cpu.template store<std::uint64_t>(worker.ready(), 0);
        cpu.template store<std::uint64_t>(worker.data(), 0);
        by_set_[static_cast<std::size_t>(memory_.set_of(static_cast<int>(next_)))].push_back(static_cast<int>(next_));
        ++claimed;
      }
      next_ = (next_ + 1) % posts_.size();
    }
  }

  /// One semtimedop that adds 1 to semaphores of one set: under the set's lock, sleepers are marked and collected; they
  /// are woken after it.
  template <Cpu C, TaskOn<C> T>
  void post(C& cpu, T& task, std::span<const int> workers) {
    work(cpu, costs_.semop);
    TicketLock& lock = memory_.set_locks[static_cast<std::size_t>(memory_.set_of(workers.front()))];
    sleepers_.clear();
    lock.acquire(cpu);
    for (const int i : workers) {
      const WorkerMemory& worker = of(i);
      const auto value = cpu.template load<std::uint32_t>(worker.semaphore_value());
      cpu.template store<std::uint32_t>(worker.semaphore_value(), value + 1);
      if (cpu.template load<std::uint64_t>(worker.pending()) != 0) {  // the sleeper takes it at once
        cpu.template store<std::uint32_t>(worker.semaphore_value(), value);
        cpu.template store<std::uint64_t>(worker.pending(), 0);
        cpu.template store<std::uint32_t>(worker.status(), static_cast<std::uint32_t>(SemopStatus::kInWakeup));
        sleepers_.push_back(i);
      }
      ++posts_[static_cast<std::size_t>(i)];
      log_.note(WakeEvent::kPost, task.now(cpu));
    }
    lock.release(cpu);
    for (const int i : sleepers_) {
      wake_up(cpu, task, i);
      cpu.template store<std::uint32_t>(of(i).status(), static_cast<std::uint32_t>(SemopStatus::kDone));
    }
  }

  /// try_to_wake_up.
  template <Cpu C, TaskOn<C> T>
  void wake_up(C& cpu, T& task, int i) {
    const WorkerMemory& worker = of(i);
    TicketLock& lock = memory_.worker_locks[static_cast<std::size_t>(i)];
    lock.acquire(cpu);
    work(cpu, costs_.wake);
    if (state_of(cpu, worker) != WorkerState::kAsleep) throw BrokenModel("sembench: a pending worker is not asleep");
    if (stays_on_run_queue(cpu, i)) {
      log_.note(WakeEvent::kStillRunning, task.now(cpu));
    } else {
      cpu.template poll_until<std::uint32_t>(worker.on_cpu(), [](auto on) { return on == 0; });
      cpu.template store<std::uint32_t>(worker.state(), static_cast<std::uint32_t>(WorkerState::kWaking));
      list(cpu, task, i);
    }
    lock.release(cpu);
  }

  /// A worker that is still on the run queue only has to be told that it runs on.
  template <Cpu C>
  bool stays_on_run_queue(C& cpu, int i) {
    const WorkerMemory& worker = of(i);
    const auto on = [&] { return cpu.template load<std::uint32_t>(worker.off_rq()) == 0; };
    if (!on()) return false;
    TicketLock& run_queue = memory_.run_queues[static_cast<std::size_t>(memory_.cpu_of(i))];
    run_queue.acquire(cpu);
    const bool stays = on();
    if (stays) cpu.template store<std::uint32_t>(worker.state(), static_cast<std::uint32_t>(WorkerState::kRunning));
    run_queue.release(cpu);
    return stays;
  }

  /// Puts a worker on its processor's wake list, and interrupts the processor if the list was empty.
  template <Cpu C, TaskOn<C> T>
  void list(C& cpu, T& task, int i) {
    const auto target = static_cast<std::size_t>(memory_.cpu_of(i));
    RetryCounter<C> counted(cpu);
    const bool was_empty = memory_.wake_lists[target].add(counted, of(i).link());
    log_.note(WakeEvent::kListed, task.now(cpu));
    log_.note(WakeEvent::kFailedAdd, task.now(cpu), counted.failed());
    log_.note(WakeEvent::kAddPause, task.now(cpu), counted.pauses());
    if (!was_empty) return;
    work(cpu, costs_.ipi_send);
    const Cycles arrives = task.now(cpu) + costs_.ipi_latency;
    cpu.template store<std::uint64_t>(memory_.apics[target], static_cast<std::uint64_t>(arrives.count));
    log_.note(WakeEvent::kIpi, task.now(cpu));
  }

  template <Cpu C>
  static WorkerState state_of(C& cpu, const WorkerMemory& worker) {
    return static_cast<WorkerState>(cpu.template load<std::uint32_t>(worker.state()));
  }
  const WorkerMemory& of(int i) const { return memory_.workers[static_cast<std::size_t>(i)]; }

  SembenchMemory<S>& memory_;
  SembenchCosts costs_;
  std::size_t max_wake_;
  std::size_t next_ = 0;                  ///< worker to look at next
  std::vector<std::vector<int>> by_set_;  ///< claimed in this pass
  std::vector<int> sleepers_;             ///< of one semtimedop
  std::vector<std::uint64_t> posts_;
  WakeLog log_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// One processor with the workers that are pinned to it: it halts until an interrupt comes, activates who is on its wake
// list, and runs its workers one after the other. Interrupts are taken between the pieces of work, not inside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sim/workloads/sembench_waker.hpp"

namespace linebounce {

template <LlistState S>
class SembenchCpu {
 public:
  /// `number`: of the processor, counted over those that have workers.
  SembenchCpu(SembenchMemory<S>& memory, const SembenchCosts& costs, int number)
      : memory_(memory), costs_(costs), number_(static_cast<std::size_t>(number)) {
    const auto workers = static_cast<int>(memory.workers.size());
    for (int i = number; i < workers; i += memory.cpus()) runnable_.push_back({i, false});
  }

  /// Until the waker has sent its last interrupt and everybody that it woke is asleep again.
  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    while (!last_ || !runnable_.empty()) {
      if (runnable_.empty()) {
        halt(cpu, task);
        work(cpu, costs_.context_switch);
        continue;
      }
      const Runnable next = runnable_.front();
      runnable_.pop_front();
      run_worker(cpu, task, next);
      take_interrupt(cpu, task);
    }
  }

  const WakeLog& log() const { return log_; }

 private:
  struct Runnable {
    int worker;
    bool slept;  ///< its semop goes on; otherwise it has just been started
  };

  template <Cpu C, TaskOn<C> T>
  void run_worker(C& cpu, T& task, Runnable next) {
    const WorkerMemory& worker = memory_.workers[static_cast<std::size_t>(next.worker)];
    cpu.template store<std::uint32_t>(worker.on_cpu(), 1);
    if (next.slept) finish_semop(cpu, task, worker);
    for (;;) {
      get_ready(cpu, task, worker);
      if (!begin_semop(cpu, next.worker)) {
        burn(cpu, task, worker);
      } else if (!leave(cpu, worker)) {
        finish_semop(cpu, task, worker);
      } else {
        return;
      }
      take_interrupt(cpu, task);
    }
  }

  /// User space: the worker says that it may be woken.
  template <Cpu C, TaskOn<C> T>
  void get_ready(C& cpu, T& task, const WorkerMemory& worker) {
    work_locally(cpu, task, costs_.local_work, ++rounds_);
    cpu.template store<std::uint64_t>(worker.data(), 1);
    cpu.mfence();
    cpu.template store<std::uint64_t>(worker.ready(), 1);
    take_interrupt(cpu, task);
  }

  /// semtimedop that takes 1. False: it was there. True: the worker waits for it and has to leave the processor.
  template <Cpu C>
  bool begin_semop(C& cpu, int i) {
    const WorkerMemory& worker = memory_.workers[static_cast<std::size_t>(i)];
    TicketLock& lock = memory_.set_locks[static_cast<std::size_t>(memory_.set_of(i))];
    work(cpu, costs_.semop);
    lock.acquire(cpu);
    const auto value = cpu.template load<std::uint32_t>(worker.semaphore_value());
    if (value > 0) {
      cpu.template store<std::uint32_t>(worker.semaphore_value(), value - 1);
    } else {
      cpu.template store<std::uint32_t>(worker.status(), static_cast<std::uint32_t>(SemopStatus::kWaiting));
      cpu.template store<std::uint64_t>(worker.pending(), worker.waiter.value);
      cpu.template store<std::uint32_t>(worker.state(), static_cast<std::uint32_t>(WorkerState::kAsleep));
    }
    lock.release(cpu);
    return value == 0;
  }

  /// schedule(): false if the waker was there first, and the worker stays.
  template <Cpu C>
  bool leave(C& cpu, const WorkerMemory& worker) {
    TicketLock& run_queue = memory_.run_queues[number_];
    run_queue.acquire(cpu);
    const auto state = static_cast<WorkerState>(cpu.template load<std::uint32_t>(worker.state()));
    if (state == WorkerState::kAsleep) cpu.template store<std::uint32_t>(worker.off_rq(), 1);
    run_queue.release(cpu);
    if (state != WorkerState::kAsleep) return false;
    work(cpu, costs_.context_switch);
    cpu.template store<std::uint32_t>(worker.on_cpu(), 0);
    return true;
  }

  template <Cpu C, TaskOn<C> T>
  void finish_semop(C& cpu, T& task, const WorkerMemory& worker) {
    const auto status = cpu.template poll_until<std::uint32_t>(
        worker.status(), [](auto s) { return static_cast<SemopStatus>(s) != SemopStatus::kInWakeup; });
    if (static_cast<SemopStatus>(status) != SemopStatus::kDone) {
      throw BrokenModel("sembench: a worker runs whose semaphore nobody has added to");
    }
    burn(cpu, task, worker);
  }

  /// Back in user space: one wait is over, which is one operation.
  template <Cpu C, TaskOn<C> T>
  void burn(C& cpu, T& task, const WorkerMemory& worker) {
    const auto burns = cpu.template load<std::uint64_t>(worker.burns());
    cpu.template store<std::uint64_t>(worker.burns(), burns + 1);
    task.completed(cpu);  // at the end of the run it is the waker that stops first
  }

  /// Until an interrupt arrives, and its handler.
  template <Cpu C, TaskOn<C> T>
  void halt(C& cpu, T& task) {
    const auto message = cpu.template poll_until<std::uint64_t>(apic(), [this](auto m) { return m != handled_; });
    // A halted hardware thread leaves the core to its sibling, and so does one that pauses.
    while (!arrived(message, task.now(cpu))) cpu.pause();
    handle(cpu, task, message);
  }

  /// The interrupt, if one has arrived.
  template <Cpu C, TaskOn<C> T>
  void take_interrupt(C& cpu, T& task) {
    const auto message = cpu.template load<std::uint64_t>(apic());
    if (message != handled_ && arrived(message, task.now(cpu))) handle(cpu, task, message);
  }

  static bool arrived(std::uint64_t message, Cycles now) {
    return message == kLastInterrupt || static_cast<std::int64_t>(message) <= now.count;
  }

  template <Cpu C, TaskOn<C> T>
  void handle(C& cpu, T& task, std::uint64_t message) {
    handled_ = message;
    last_ = message == kLastInterrupt;
    work(cpu, costs_.interrupt);
    Address link = memory_.wake_lists[number_].del_all(cpu);
    if (!link && !last_) throw BrokenModel("sembench: an interrupt found an empty wake list");
    if (!link) return;
    std::uint64_t woken = 0;
    TicketLock& run_queue = memory_.run_queues[number_];
    run_queue.acquire(cpu);
    for (; link; ++woken) {
      const int i = memory_.worker_of(link);
      link = Llist<S>::next(cpu, link);
      activate(cpu, i);
    }
    run_queue.release(cpu);
    log_.note(WakeEvent::kInterrupt, task.now(cpu));
    log_.note(WakeEvent::kActivated, task.now(cpu), woken);
  }

  template <Cpu C>
  void activate(C& cpu, int i) {
    const WorkerMemory& worker = memory_.workers[static_cast<std::size_t>(i)];
    work(cpu, costs_.activate);
    cpu.template store<std::uint32_t>(worker.off_rq(), 0);
    cpu.template store<std::uint32_t>(worker.state(), static_cast<std::uint32_t>(WorkerState::kRunning));
    runnable_.push_back({i, true});
  }

  Address apic() const { return memory_.apics[number_]; }

  SembenchMemory<S>& memory_;
  SembenchCosts costs_;
  std::size_t number_;
  std::deque<Runnable> runnable_;  ///< the processor's own run queue; others only take its lock
  std::uint64_t handled_ = 0;      ///< the last message
  bool last_ = false;              ///< it was the waker's last
  std::uint64_t rounds_ = 0;
  WakeLog log_;
};

}  // namespace linebounce

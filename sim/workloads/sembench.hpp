// SPDX-License-Identifier: Apache-2.0
// sembench: one waker, and many workers that sleep on semaphores, pinned round-robin to processors. The waker adds to the
// semaphores of workers that are ready; the kernel puts each sleeper on the wake list of its processor (llist_add) and
// interrupts the processor if the list was empty; the handler takes everything off (del_all) and activates it. One
// operation is one burn: a worker's wait is over. What the guests really load, store and lock is in sembench_memory.hpp;
// the rest of the kernel's work is a number of cycles each (SembenchCosts).
//
// Task 0 is the waker, each of the others a processor. The real waker is not pinned and shares some processor with
// workers; here it has a hardware thread of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/workloads/sembench_cpu.hpp"

namespace linebounce {

struct SembenchShape {
  int workers = 2048;
  int max_wake = 256;  ///< workers woken in one pass of the waker's loop
  SembenchCosts costs{};
};

template <LlistState S>
class Sembench {
 public:
  /// `task_homes`: home socket of each task's own memory.
  template <Memory M>
  Sembench(M& memory, const SembenchShape& shape, const std::vector<std::uint32_t>& task_homes, std::uint32_t home)
      : memory_(memory, shape.workers, {task_homes.begin() + 1, task_homes.end()}, home),
        waker_(memory_, shape.costs, shape.max_wake) {
    for (int c = 0; c < memory_.cpus(); ++c) cpus_.emplace_back(memory_, shape.costs, c);
  }
  Sembench(const Sembench&) = delete;
  Sembench& operator=(const Sembench&) = delete;

  bool counts(int task) const { return task > 0; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    task.index() == 0 ? waker_.run(cpu, task) : cpus_[static_cast<std::size_t>(task.index()) - 1].run(cpu, task);
  }

  /// Every worker sleeps, every addition to its semaphore was one burn, and nothing is left on a list or locked. Throws
  /// BrokenModel.
  void verify(const Peek& peek) const {
    for (std::size_t i = 0; i < memory_.workers.size(); ++i) verify_worker(peek, i);
    for (const auto& list : memory_.wake_lists) {
      if (peek(list.head(), 8) != 0) throw BrokenModel("sembench: a wake list is not empty at the end");
    }
    for (const auto* locks : {&memory_.worker_locks, &memory_.set_locks, &memory_.run_queues}) {
      for (const TicketLock& lock : *locks) {
        if (const std::string wrong = lock.check_idle(peek); !wrong.empty()) throw BrokenModel("sembench: " + wrong);
      }
    }
  }

  /// What happened in (open, close].
  WakeCounts wakes(Cycles open, Cycles close) const {
    WakeCounts counts;
    waker_.log().add_to(counts, open, close);
    for (const auto& cpu : cpus_) cpu.log().add_to(counts, open, close);
    return counts;
  }

 private:
  void verify_worker(const Peek& peek, std::size_t i) const {
    const WorkerMemory& worker = memory_.workers[i];
    const std::uint64_t burns = peek(worker.burns(), 8);
    if (burns != waker_.posts()[i]) {
      throw BrokenModel("sembench: worker " + std::to_string(i) + " was woken " + std::to_string(waker_.posts()[i]) +
                        " times and burned " + std::to_string(burns));
    }
    if (static_cast<WorkerState>(peek(worker.state(), 4)) != WorkerState::kAsleep ||
        peek(worker.semaphore_value(), 4) != 0 || peek(worker.pending(), 8) != worker.waiter.value) {
      throw BrokenModel("sembench: worker " + std::to_string(i) + " does not sleep on its semaphore at the end");
    }
  }

  SembenchMemory<S> memory_;
  SembenchWaker<S> waker_;
  std::deque<SembenchCpu<S>> cpus_;
};

}  // namespace linebounce

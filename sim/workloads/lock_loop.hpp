// SPDX-License-Identifier: Apache-2.0
// lock-loop and rw-loop: take the lock, work on the data it protects, let it go, work locally. One operation is one critical
// section, from before acquire until after release.
#pragma once

#include <cstdint>
#include <string>

#include "locks/lock.hpp"
#include "sim/workloads/guarded_data.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

/// Any lock as a reader-writer lock: one that only excludes gives everybody write access.
template <class L>
class SharedUse {
 public:
  explicit SharedUse(L& lock) : lock_(lock) {}

  template <Cpu C>
  void acquire(C& cpu, Access access) {
    if constexpr (ReaderWriterLock<L, C>) {
      access == Access::kRead ? lock_.acquire_read(cpu) : lock_.acquire_write(cpu);
    } else {
      lock_.acquire(cpu);
    }
  }

  template <Cpu C>
  void release(C& cpu, Access access) {
    if constexpr (ReaderWriterLock<L, C>) {
      access == Access::kRead ? lock_.release_read(cpu) : lock_.release_write(cpu);
    } else {
      lock_.release(cpu);
    }
  }

  std::string check_idle(const Peek& peek) const { return lock_.check_idle(peek); }

 private:
  L& lock_;
};

struct LockLoopShape {
  int words = 1;               ///< updated, or read, under the lock
  Cycles critical_section{0};  ///< further work under the lock
  Cycles local_work{0};
  int write_percent = 100;  ///< by chance, drawn from (seed, task, iteration)
};

template <class L>
class LockLoop {
 public:
  /// `data`: the shape's words, contiguous and zero. The lock must outlive the workload.
  LockLoop(L& lock, Address data, const LockLoopShape& shape, int tasks)
      : guarded_(lock, data, shape.words, shape.critical_section, tasks), shape_(shape) {}

  bool counts(int /*task*/) const { return true; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    const RandomStream chance = task.stream("write");
    for (std::uint64_t iteration = 0;; ++iteration) {
      const bool write = chance.up_to(99, iteration) < shape_.write_percent;
      guarded_.use(cpu, task, write ? Access::kWrite : Access::kRead);
      if (!task.completed(cpu)) return;
      work_locally(cpu, task, shape_.local_work, iteration);
    }
  }

  /// Throws BrokenModel.
  void verify(const Peek& peek) const { guarded_.verify(peek); }

 private:
  GuardedData<L> guarded_;
  LockLoopShape shape_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// lock-loop and rw-loop: take the lock, work on the data it protects, let it go, work locally. One operation is one critical
// section, from before acquire until after release.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpus/system.hpp"
#include "locks/lock.hpp"
#include "sim/workloads/checks.hpp"
#include "sim/workloads/task.hpp"
#include "units/phase.hpp"

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

/// A writer adds 1 to each of the words (load and store); a reader loads them and finds them equal.
struct LockLoopShape {
  int words = 1;
  Cycles critical_section{0};  ///< further work under the lock
  Cycles local_work{0};
  int write_percent = 100;  ///< by chance, drawn from (seed, task, iteration)
};

/// `L` has acquire and release with a cpu and an Access, and check_idle.
template <class L>
class LockLoop {
 public:
  /// `data`: the shape's words, contiguous and zero. The lock must outlive the workload.
  LockLoop(L& lock, Address data, const LockLoopShape& shape, int tasks)
      : lock_(lock), data_(data), shape_(shape), writes_(static_cast<std::size_t>(tasks)) {}

  bool counts(int /*task*/) const { return true; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    const RandomStream chance = task.stream("write");
    std::uint64_t& writes = writes_[static_cast<std::size_t>(task.index())];
    for (std::uint64_t iteration = 0;; ++iteration) {
      const bool write = chance.up_to(99, iteration) < shape_.write_percent;
      const Access access = write ? Access::kWrite : Access::kRead;
      lock_.acquire(cpu, access);
      critical_section(cpu, task, access);
      lock_.release(cpu, access);
      if (write) ++writes;
      if (!task.completed(cpu)) return;
      work_locally(cpu, task, shape_.local_work, iteration);
    }
  }

  /// The lock is clean, and every word has counted every writer. Throws BrokenModel.
  void verify(const Peek& peek) const {
    if (const std::string wrong = lock_.check_idle(peek); !wrong.empty()) throw BrokenModel(wrong);
    std::uint64_t sections = 0;
    for (const std::uint64_t writes : writes_) sections += writes;
    for (int i = 0; i < shape_.words; ++i) {
      if (const std::uint64_t value = peek(word(i), 8); value != sections) {
        throw BrokenModel("updates lost: " + std::to_string(sections) + " writing critical sections left data word " +
                          std::to_string(i) + " at " + std::to_string(value));
      }
    }
  }

 private:
  Address word(int i) const { return data_ + static_cast<std::uint64_t>(i) * 8; }

  template <Cpu C, TaskOn<C> T>
  void critical_section(C& cpu, T& task, Access access) {
    const PhaseScope<C> scope(cpu, Phase::kCriticalSection);
    exclusion_.enter(task.index(), access, task.now(cpu));
    access == Access::kRead ? read(cpu) : write(cpu);
    if (shape_.critical_section.count > 0) cpu.compute(shape_.critical_section.count);
    exclusion_.leave(task.index(), access, task.now(cpu));
  }

  template <Cpu C>
  void write(C& cpu) {
    for (int i = 0; i < shape_.words; ++i) {
      const auto value = cpu.template load<std::uint64_t>(word(i));
      cpu.template store<std::uint64_t>(word(i), value + 1);
    }
  }

  template <Cpu C>
  void read(C& cpu) {
    std::uint64_t first = 0;
    for (int i = 0; i < shape_.words; ++i) {
      const auto value = cpu.template load<std::uint64_t>(word(i));
      if (i == 0) first = value;
      if (value != first) throw BrokenModel("a reader saw a writer's update half done");
    }
  }

  L& lock_;
  Address data_;
  LockLoopShape shape_;
  std::vector<std::uint64_t> writes_;  ///< writing critical sections, by task
  ExclusionCheck exclusion_;
};

}  // namespace linebounce

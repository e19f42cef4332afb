// SPDX-License-Identifier: Apache-2.0
// Data under a lock, and what a task does with it once it has the lock. The host checks that the lock excludes and that no
// update is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cpus/system.hpp"
#include "locks/lock.hpp"
#include "sim/workloads/checks.hpp"
#include "sim/workloads/task.hpp"
#include "units/phase.hpp"

namespace linebounce {

/// A writer adds 1 to each of the words (load and store); a reader loads them and finds them equal. `L` has acquire and
/// release with a cpu and an Access, and check_idle.
template <class L>
class GuardedData {
 public:
  /// `data`: the words, contiguous and zero; `work`: further work under the lock. The lock must outlive this.
  GuardedData(L& lock, Address data, int words, Cycles work, int tasks)
      : lock_(lock), data_(data), words_(words), work_(work), writes_(static_cast<std::size_t>(tasks)) {}

  /// From before acquire until after release.
  template <Cpu C, TaskOn<C> T>
  void use(C& cpu, T& task, Access access) {
    lock_.acquire(cpu, access);
    critical_section(cpu, task, access);
    lock_.release(cpu, access);
    if (access == Access::kWrite) ++writes_[static_cast<std::size_t>(task.index())];
  }

  /// The lock is clean, and every word has counted every writer. Throws BrokenModel.
  void verify(const Peek& peek) const {
    if (const std::string wrong = lock_.check_idle(peek); !wrong.empty()) throw BrokenModel(wrong);
    std::uint64_t sections = 0;
    for (const std::uint64_t writes : writes_) sections += writes;
    for (int i = 0; i < words_; ++i) {
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
    if (work_.count > 0) cpu.compute(work_.count);
    exclusion_.leave(task.index(), access, task.now(cpu));
  }

  template <Cpu C>
  void write(C& cpu) {
    for (int i = 0; i < words_; ++i) {
      const auto value = cpu.template load<std::uint64_t>(word(i));
      cpu.template store<std::uint64_t>(word(i), value + 1);
    }
  }

  template <Cpu C>
  void read(C& cpu) {
    std::uint64_t first = 0;
    for (int i = 0; i < words_; ++i) {
      const auto value = cpu.template load<std::uint64_t>(word(i));
      if (i == 0) first = value;
      if (value != first) throw BrokenModel("a reader saw a writer's update half done");
    }
  }

  L& lock_;
  Address data_;
  int words_;
  Cycles work_;
  std::vector<std::uint64_t> writes_;  ///< writing critical sections, by task
  ExclusionCheck exclusion_;
};

}  // namespace linebounce

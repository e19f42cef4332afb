// SPDX-License-Identifier: Apache-2.0
// lock-mix: tasks that share several locks of one kind, some taken often and some rarely. One operation takes each lock in
// turn, or passes it by, by chance, and then works locally. It says how hard the locks are hit, and nothing else about
// the program that it stands for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "locks/lock.hpp"
#include "sim/random.hpp"
#include "sim/workloads/guarded_data.hpp"
#include "sim/workloads/mixed_lock.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

template <class L>
class LockMix {
 public:
  LockMix(Cycles local_work, int tasks) : local_work_(local_work), tasks_(tasks) {}

  /// The lock must outlive the workload. `data`: the words, contiguous and zero.
  void add(L& lock, Address data, const MixedLock& shape) {
    parts_.emplace_back(lock, data, shape.words, shape.critical_section, tasks_);
    shapes_.push_back(shape);
  }

  bool counts(int /*task*/) const { return true; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    std::vector<RandomStream> chances;
    for (const MixedLock& shape : shapes_) chances.push_back(task.stream("take " + shape.name));
    for (std::uint64_t iteration = 0;; ++iteration) {
      for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (chances[i].up_to(99, iteration) < shapes_[i].percent) parts_[i].use(cpu, task, Access::kWrite);
      }
      if (!task.completed(cpu)) return;
      work_locally(cpu, task, local_work_, iteration);
    }
  }

  /// Throws BrokenModel.
  void verify(const Peek& peek) const {
    for (const auto& part : parts_) part.verify(peek);
  }

 private:
  Cycles local_work_;
  int tasks_;
  std::deque<GuardedData<L>> parts_;
  std::vector<MixedLock> shapes_;
};

}  // namespace linebounce

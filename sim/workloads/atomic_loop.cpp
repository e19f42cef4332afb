// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/atomic_loop.hpp"

namespace linebounce {

void AtomicLoop::verify(const Peek& peek) const {
  for (const AtomicTask& task : tasks_) {
    const std::uint64_t value = peek(task.word, 8);
    std::uint64_t sum = 0;
    bool stored = false;
    for (const AtomicTask& other : tasks_) {
      if (other.word != task.word) continue;
      sum += other.added;
      stored = stored || other.stored == value;
    }
    if (task.stored ? !stored : value != sum) {
      throw BrokenModel(
          "atomic-loop " + shape_.op + ": the word ended as " + std::to_string(value) +
          (task.stored ? ", which nobody stored last" : ", but its updates add up to " + std::to_string(sum)));
    }
  }
}

}  // namespace linebounce

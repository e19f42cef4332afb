// SPDX-License-Identifier: Apache-2.0
// The queue nodes of queued spinlocks: four to a processor, together exactly one line, shared by all locks of a machine,
// because a processor waits for at most one lock in each of its contexts (task, softirq, hardirq, NMI).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "locks/lock.hpp"

namespace linebounce {

/// Layout of a 16-byte node, and where each processor's four are. A copy names the same nodes.
class QspinlockNodes {
 public:
  static constexpr std::uint32_t kPerCpu = 4;
  static constexpr std::uint64_t kNodeBytes = 16;
  static constexpr unsigned kNext = 0;    ///< 8 bytes: address of the node behind
  static constexpr unsigned kLocked = 8;  ///< 4 bytes: 1 once this node is the head of the queue
  static constexpr unsigned kCount =
      12;  ///< 4 bytes, in a processor's first node only: how many of its nodes are in use

  template <Memory M>
  QspinlockNodes(M& memory, const LockPlan& plan) : arrays_(allocate_nodes(memory, plan, kPerCpu * kNodeBytes)) {}

  std::uint32_t cpus() const { return static_cast<std::uint32_t>(arrays_.size()); }
  Address node(std::uint32_t cpu, std::uint32_t index) const { return arrays_.at(cpu) + index * kNodeBytes; }
  Address count(std::uint32_t cpu) const { return arrays_.at(cpu) + kCount; }

  /// Empty iff no processor has a node in use.
  std::string check_idle(const Peek& peek) const {
    for (std::uint32_t cpu = 0; cpu < cpus(); ++cpu) {
      if (const auto used = peek(count(cpu), 4); used != 0) {
        return "cpu" + std::to_string(cpu) + " still has " + std::to_string(used) + " queue nodes in use";
      }
    }
    return {};
  }

 private:
  std::vector<Address> arrays_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The MCS queue lock in the kernel's form (v3.15 on): the lock word points to the last node of the queue, each waiter spins on
// its own node, and the owner hands over by storing into its successor's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "locks/lock.hpp"

namespace linebounce {

/// One node a processor, so a processor may hold or wait for this lock once at a time.
class McsLock {
 public:
  static constexpr std::string_view kName = "mcs";
  static constexpr unsigned kWordBytes = 8;

  template <Memory M>
  McsLock(M& memory, const LockPlan& plan)
      : word_(allocate_lock_line(memory, plan)), nodes_(allocate_nodes(memory, plan, kNodeBytes)) {}

  template <Cpu C>
  void acquire(C& cpu) {
    const Address node = nodes_.at(cpu.cpu_number());
    const Address predecessor = join(cpu, node);
    if (!predecessor) return;
    {
      const PhaseScope<C> scope(cpu, Phase::kLink);
      cpu.template store<std::uint64_t>(predecessor + kNext, node.value);
    }
    const PhaseScope<C> scope(cpu, Phase::kQueueSpin);
    cpu.template poll_until<std::uint32_t>(node + kLocked, [](auto v) { return v != 0; });
  }

  template <Cpu C>
  void release(C& cpu) {
    const Address node = nodes_.at(cpu.cpu_number());
    const Address successor = find_successor(cpu, node);
    if (!successor) return;
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    cpu.template store<std::uint32_t>(successor + kLocked, 1);
  }

  Address word() const { return word_; }

  std::string check_idle(const Peek& peek) const {
    return peek(word_, 8) == 0 ? std::string{} : "idle MCS lock still has a tail";
  }

 private:
  static constexpr unsigned kNodeBytes = 16;
  static constexpr unsigned kNext = 0;    ///< 8 bytes
  static constexpr unsigned kLocked = 8;  ///< 4 bytes

  template <Cpu C>
  Address join(C& cpu, Address node) {
    const PhaseScope<C> scope(cpu, Phase::kTailExchange);
    cpu.template store<std::uint32_t>(node + kLocked, 0);
    cpu.template store<std::uint64_t>(node + kNext, 0);
    return {cpu.template xchg<std::uint64_t>(word_, node.value)};
  }

  /// The next in the queue; the null address once the lock is free because there is none.
  template <Cpu C>
  Address find_successor(C& cpu, Address node) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    if (const Address known{cpu.template load<std::uint64_t>(node + kNext)}) return known;
    if (cpu.template cmpxchg<std::uint64_t>(word_, node.value, 0) == node.value) return {};
    // Somebody has swapped the tail but not linked yet.
    return {cpu.template poll_until<std::uint64_t>(node + kNext, [](auto v) { return v != 0; })};
  }

  Address word_;
  std::vector<Address> nodes_;
};

}  // namespace linebounce

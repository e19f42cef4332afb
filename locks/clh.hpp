// SPDX-License-Identifier: Apache-2.0
// The CLH queue lock: each waiter spins on its predecessor's node, and after the release takes that node over as its next.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "locks/lock.hpp"

namespace linebounce {

/// Nodes wander from processor to processor, away from the memory they are homed in. A processor may hold or wait for this
/// lock once at a time.
class ClhLock {
 public:
  static constexpr std::string_view kName = "clh";
  static constexpr unsigned kWordBytes = 8;

  template <Memory M>
  ClhLock(M& memory, const LockPlan& plan)
      : word_(allocate_lock_line(memory, plan)),
        first_(memory.allocate((plan.node_name + "[free]").c_str(), kNodeBytes, plan.home)),
        mine_(allocate_nodes(memory, plan, kNodeBytes)),
        predecessor_(mine_.size()) {}

  template <Cpu C>
  void acquire(C& cpu) {
    const Address predecessor = join(cpu);
    predecessor_.at(cpu.cpu_number()) = predecessor;
    const PhaseScope<C> scope(cpu, Phase::kQueueSpin);
    cpu.template poll_until<std::uint32_t>(predecessor, [](auto v) { return v == 0; });
  }

  template <Cpu C>
  void release(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    Address& mine = mine_.at(cpu.cpu_number());
    const Address released = mine;
    // Before the store: from then on this node is the next owner's.
    mine = predecessor_.at(cpu.cpu_number());
    cpu.template store<std::uint32_t>(released, 0);
  }

  Address word() const { return word_; }

  std::string check_idle(const Peek& peek) const {
    return peek(tail(peek(word_, 8)), 4) == 0 ? std::string{} : "the last node of an idle CLH lock is still locked";
  }

 private:
  static constexpr unsigned kNodeBytes = 4;  ///< the locked flag is all there is

  template <Cpu C>
  Address join(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kTailExchange);
    const Address node = mine_.at(cpu.cpu_number());
    cpu.template store<std::uint32_t>(node, 1);
    return tail(cpu.template xchg<std::uint64_t>(word_, node.value));
  }

  /// An unlocked node stands in the word at first. As the constructor cannot write it there, 0 means it.
  Address tail(std::uint64_t word) const { return word == 0 ? first_ : Address{word}; }

  Address word_;
  Address first_;
  std::vector<Address> mine_;         ///< by processor: the node it puts into the queue next, or holds the lock with
  std::vector<Address> predecessor_;  ///< by processor: the node it inherits on release
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The queued spinlock of Linux (x86-64 default since v4.2) as its patches of 2014 built it. Who finds the lock free takes it
// with one cmpxchg; the first waiter may wait on the lock word itself (pending); all others queue, each spinning on a node of
// its own, and only the head of the queue looks at the lock word.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "locks/lock.hpp"
#include "locks/qspinlock_design.hpp"
#include "locks/qspinlock_nodes.hpp"

namespace linebounce {

template <QspinlockDesign D>
class Qspinlock {
 public:
  static constexpr std::string_view kName = "qspinlock";
  static constexpr std::string_view kVariant = D.variant();
  static constexpr unsigned kWordBytes = 4;

  /// A lock with a line and queue nodes of its own.
  template <Memory M>
  Qspinlock(M& memory, const LockPlan& plan) : Qspinlock(allocate_lock_line(memory, plan), {memory, plan}) {}

  /// A lock at a given place (4 zeroed bytes), on nodes that it may share with other locks.
  Qspinlock(Address word, QspinlockNodes nodes) : word_(word), nodes_(std::move(nodes)) {
    if (nodes_.cpus() > kLayout.max_cpus()) throw std::invalid_argument("qspinlock: too many cpus for its lock word");
  }

  template <Cpu C>
  void acquire(C& cpu) {
    if (const std::uint32_t seen = fast_path(cpu); seen != 0) slow_path(cpu, seen);
  }

  template <Cpu C>
  bool try_acquire(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kFastPath);
    return cpu.template load<std::uint32_t>(word_) == 0 && cpu.template cmpxchg<std::uint32_t>(word_, 0, kLocked) == 0;
  }

  template <Cpu C>
  void release(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    cpu.template store<std::uint8_t>(word_, 0);
  }

  Address word() const { return word_; }
  const QspinlockNodes& nodes() const { return nodes_; }

  std::string check_idle(const Peek& peek) const {
    if (const auto word = peek(word_, 4); word != 0) return "idle lock word is " + std::to_string(word) + ", not 0";
    return nodes_.check_idle(peek);
  }

 private:
  static constexpr QspinlockLayout kLayout = D.layout;
  static constexpr std::uint32_t kLocked = 1;
  static constexpr std::uint32_t kLockedMask = 0xff;
  static constexpr std::uint32_t kPending = kLayout.pending;

  /// How joining the queue ended: with the lock in hand, or behind the tail in `before`.
  struct Joined {
    bool acquired;
    std::uint32_t before;
  };

  template <Cpu C>
  std::uint32_t fast_path(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kFastPath);
    return cpu.template cmpxchg<std::uint32_t>(word_, 0, kLocked);
  }

  template <Cpu C>
  void slow_path(C& cpu, std::uint32_t seen) {
    check_word(seen);
    if constexpr (kPending != 0) {
      if (wait_as_pending(cpu, seen)) return;
    }
    const std::uint32_t index = take_node(cpu);
    const Address node = nodes_.node(cpu.cpu_number(), index);
    const std::uint32_t tail = kLayout.tail_of(cpu.cpu_number(), index);
    if (const Joined joined = join(cpu, seen, tail, node); !joined.acquired) {
      if ((joined.before & kLayout.tail_mask()) != 0) wait_in_queue(cpu, joined.before, node);
      if (claim(cpu, wait_as_head(cpu), tail)) wake_next(cpu, node);
    }
    give_node_back(cpu);
  }

  /// Waits on the lock word if nobody else does. False: the queue it is, and `seen` is the word found last.
  template <Cpu C>
  bool wait_as_pending(C& cpu, std::uint32_t& seen) {
    const PhaseScope<C> scope(cpu, Phase::kPendingWait);
    // The owner has gone and the pending waiter is about to take over: that is soon done.
    if (seen == kPending) seen = cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return v != kPending; });
    std::uint32_t desired = 0;
    for (;;) {
      if ((seen & ~kLockedMask) != 0) return false;
      desired = seen == kLocked ? kLocked | kPending : kLocked;
      const auto found = cpu.template cmpxchg<std::uint32_t>(word_, seen, desired);
      if (found == seen) break;
      seen = found;
    }
    if (desired == kLocked) return true;
    seen = cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return (v & kLockedMask) == 0; });
    check_invariant((seen & kPending) != 0, "qspinlock: the pending bit vanished under its owner");
    take_over_from_pending(cpu, seen);
    return true;
  }

  /// Pending becomes locked; nobody else may do either, so a word with both in one half needs only a store.
  template <Cpu C>
  void take_over_from_pending(C& cpu, std::uint32_t seen) {
    if constexpr (kLayout.separate_tail()) {
      cpu.template store<std::uint16_t>(word_, kLocked);
    } else {
      for (;;) {
        const auto found = cpu.template cmpxchg<std::uint32_t>(word_, seen, (seen & ~kPending) | kLocked);
        if (found == seen) return;
        seen = found;
      }
    }
  }

  template <Cpu C>
  std::uint32_t take_node(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kTailExchange);
    const Address count = nodes_.count(cpu.cpu_number());
    const auto index = cpu.template load<std::uint32_t>(count);
    check_invariant(index < QspinlockNodes::kPerCpu, "qspinlock: no queue node left on this cpu");
    cpu.template store<std::uint32_t>(count, index + 1);
    const Address node = nodes_.node(cpu.cpu_number(), index);
    cpu.template store<std::uint32_t>(node + QspinlockNodes::kLocked, 0);
    cpu.template store<std::uint64_t>(node + QspinlockNodes::kNext, 0);
    return index;
  }

  template <Cpu C>
  Joined join(C& cpu, std::uint32_t seen, std::uint32_t tail, [[maybe_unused]] Address node) {
    if constexpr (D.join == QspinlockJoin::kCmpxchgOrTrylock) {
      const PhaseScope<C> scope(cpu, Phase::kTailExchange);
      for (;;) {
        const std::uint32_t desired = seen != 0 ? tail | (seen & ~kLayout.tail_mask()) : kLocked;
        const auto found = cpu.template cmpxchg<std::uint32_t>(word_, seen, desired);
        if (found == seen) return {desired == kLocked, seen};
        seen = found;
      }
    } else {
      if (try_acquire(cpu)) return {true, 0};
      const PhaseScope<C> scope(cpu, Phase::kTailExchange);
      return {false, swap_tail(cpu, tail)};
    }
  }

  /// Puts `tail` into the word, leaves the rest, returns a word with the tail that was there.
  template <Cpu C>
  std::uint32_t swap_tail(C& cpu, std::uint32_t tail) {
    if constexpr (kLayout.separate_tail()) {
      const auto before = cpu.template xchg<std::uint16_t>(word_ + 2, static_cast<std::uint16_t>(tail >> 16));
      return std::uint32_t{before} << 16;
    } else {
      auto seen = cpu.template load<std::uint32_t>(word_);
      for (;;) {
        const auto found = cpu.template cmpxchg<std::uint32_t>(word_, seen, (seen & ~kLayout.tail_mask()) | tail);
        if (found == seen) return seen;
        seen = found;
      }
    }
  }

  template <Cpu C>
  void wait_in_queue(C& cpu, std::uint32_t before, Address node) {
    check_invariant(kLayout.cpu_of(before) < nodes_.cpus(), "qspinlock: the tail names a cpu that does not exist");
    const Address predecessor = nodes_.node(kLayout.cpu_of(before), kLayout.index_of(before));
    {
      const PhaseScope<C> scope(cpu, Phase::kLink);
      cpu.template store<std::uint64_t>(predecessor + QspinlockNodes::kNext, node.value);
    }
    const PhaseScope<C> scope(cpu, Phase::kQueueSpin);
    cpu.template poll_until<std::uint32_t>(node + QspinlockNodes::kLocked, [](auto v) { return v != 0; });
  }

  template <Cpu C>
  std::uint32_t wait_as_head(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kHeadWait);
    const auto seen = cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return (v & D.head_waits_for) == 0; });
    check_invariant((seen & kLayout.tail_mask()) != 0, "qspinlock: the tail vanished under the head of the queue");
    check_word(seen);
    return seen;
  }

  /// The head of the queue takes the lock, which it saw free. True iff somebody is queued behind.
  template <Cpu C>
  bool claim(C& cpu, std::uint32_t seen, std::uint32_t tail) {
    const PhaseScope<C> scope(cpu, Phase::kClaim);
    for (;;) {
      if constexpr (D.claim == QspinlockClaim::kStore) {
        if (seen != tail) {
          cpu.template store<std::uint8_t>(word_, kLocked);
          return true;
        }
      }
      const std::uint32_t desired = seen == tail ? kLocked : seen | kLocked;
      const auto found = cpu.template cmpxchg<std::uint32_t>(word_, seen, desired);
      if (found == seen) return desired != kLocked;
      seen = found;
    }
  }

  template <Cpu C>
  void wake_next(C& cpu, Address node) {
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    const Address next{
        cpu.template poll_until<std::uint64_t>(node + QspinlockNodes::kNext, [](auto v) { return v != 0; })};
    cpu.template store<std::uint32_t>(next + QspinlockNodes::kLocked, 1);
  }

  template <Cpu C>
  void give_node_back(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    const Address count = nodes_.count(cpu.cpu_number());
    const auto used = cpu.template load<std::uint32_t>(count);
    check_invariant(used != 0, "qspinlock: a queue node is given back twice");
    cpu.template store<std::uint32_t>(count, used - 1);
  }

  static void check_word(std::uint32_t word) {
    check_invariant((word & kLockedMask) <= 1, "qspinlock: locked byte is neither 0 nor 1");
    check_invariant((word & ~(kLayout.tail_mask() | kPending | kLockedMask)) == 0, "qspinlock: unused bits are set");
  }

  Address word_;
  QspinlockNodes nodes_;
};

using QspinlockQ1 = Qspinlock<kQ1>;
using QspinlockQ2 = Qspinlock<kQ2>;
using QspinlockQ3 = Qspinlock<kQ3>;
using QspinlockBefore = Qspinlock<kQ4>;
using QspinlockAfter = Qspinlock<kQ5>;

}  // namespace linebounce

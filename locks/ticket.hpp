// SPDX-License-Identifier: Apache-2.0
// The ticket spinlock of Linux v3.14 on x86: one word, head in its low half, tail in its high half. Draw the tail, wait until
// the head reaches it. Strictly first come, first served; all waiters poll the same word.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "locks/lock.hpp"

namespace linebounce {

/// Tickets are 8 bits wide (a 16-bit word) below 256 cpus, else 16 bits (a 32-bit word).
class TicketLock {
 public:
  static constexpr std::string_view kName = "ticket";
  static constexpr unsigned kWordBytes = 4;

  template <Memory M>
  TicketLock(M& memory, const LockPlan& plan)
      : word_(allocate_lock_line(memory, plan)), narrow_(plan.cpus() < kNarrowCpus) {
    if (plan.cpus() > kMaxCpus) throw std::invalid_argument("ticket: more cpus than tickets");
  }

  template <Cpu C>
  void acquire(C& cpu) {
    narrow_ ? acquire_with<Narrow>(cpu) : acquire_with<Wide>(cpu);
  }
  template <Cpu C>
  bool try_acquire(C& cpu) {
    return narrow_ ? try_acquire_with<Narrow>(cpu) : try_acquire_with<Wide>(cpu);
  }
  template <Cpu C>
  void release(C& cpu) {
    narrow_ ? release_with<Narrow>(cpu) : release_with<Wide>(cpu);
  }

  Address word() const { return word_; }

  std::string check_idle(const Peek& peek) const {
    const unsigned bytes = narrow_ ? sizeof(Narrow::Ticket) : sizeof(Wide::Ticket);
    const auto head = peek(word_, bytes);
    const auto tail = peek(word_ + bytes, bytes);
    if (head == tail) return {};
    return "idle ticket lock has head " + std::to_string(head) + " but tail " + std::to_string(tail);
  }

 private:
  static constexpr std::uint32_t kNarrowCpus = 256;
  static constexpr std::uint32_t kMaxCpus = 65535;

  template <Word T, Word W>
  struct Format {
    using Ticket = T;
    using Both = W;
    static constexpr unsigned kTailShift = 8 * sizeof(Ticket);
    static constexpr Both kOneTicket = static_cast<Both>(Both{1} << kTailShift);
    static constexpr Ticket head(Both word) { return static_cast<Ticket>(word); }
    static constexpr Ticket tail(Both word) { return static_cast<Ticket>(word >> kTailShift); }
  };
  using Narrow = Format<std::uint8_t, std::uint16_t>;
  using Wide = Format<std::uint16_t, std::uint32_t>;

  template <class F, Cpu C>
  void acquire_with(C& cpu) {
    typename F::Both drawn = 0;
    {
      const PhaseScope<C> scope(cpu, Phase::kFastPath);
      drawn = cpu.template xadd<typename F::Both>(word_, F::kOneTicket);
    }
    const auto mine = F::tail(drawn);
    if (F::head(drawn) == mine) return;
    const PhaseScope<C> scope(cpu, Phase::kHeadWait);
    cpu.template poll_until<typename F::Ticket>(word_, [mine](auto head) { return head == mine; });
  }

  template <class F, Cpu C>
  bool try_acquire_with(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kFastPath);
    const auto seen = cpu.template load<typename F::Both>(word_);
    if (F::head(seen) != F::tail(seen)) return false;
    const auto drawn = static_cast<typename F::Both>(seen + F::kOneTicket);
    return cpu.template cmpxchg<typename F::Both>(word_, seen, drawn) == seen;
  }

  /// An ADD to memory without LOCK: only the owner writes the head.
  template <class F, Cpu C>
  void release_with(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    const auto head = cpu.template load<typename F::Ticket>(word_);
    cpu.template store<typename F::Ticket>(word_, static_cast<typename F::Ticket>(head + 1));
  }

  Address word_;
  bool narrow_;
};

}  // namespace linebounce

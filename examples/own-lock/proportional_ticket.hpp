// SPDX-License-Identifier: Apache-2.0
// A ticket lock whose waiters stay away from the lock's line for as long as their place in the queue tells them to: who is
// n-th in line looks again after about n critical sections. Only the next in line polls.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "locks/cpu.hpp"
#include "locks/lock.hpp"

class ProportionalTicket {
 public:
  static constexpr std::string_view kName = "proportional-ticket";
  static constexpr unsigned kWordBytes = 4;  // low half: ticket now served; high half: next ticket to draw

  template <linebounce::Memory M>
  ProportionalTicket(M& memory, const linebounce::LockPlan& plan)
      : word_(linebounce::allocate_lock_line(memory, plan)) {}

  template <linebounce::Cpu C>
  void acquire(C& cpu) {
    std::uint32_t drawn = 0;
    {
      const linebounce::PhaseScope<C> scope(cpu, linebounce::Phase::kFastPath);
      drawn = cpu.template xadd<std::uint32_t>(word_, kOneTicket);
    }
    const auto mine = static_cast<std::uint16_t>(drawn >> 16U);
    auto served = static_cast<std::uint16_t>(drawn);
    const linebounce::PhaseScope<C> scope(cpu, linebounce::Phase::kHeadWait);
    while (served != mine) {
      const auto ahead = static_cast<std::uint16_t>(mine - served);
      if (ahead == 1) {
        served = cpu.template poll_until<std::uint16_t>(word_, [mine](auto now) { return now == mine; });
      } else {
        cpu.compute(kCyclesPerPlace * (ahead - 1));
        served = cpu.template load<std::uint16_t>(word_);
      }
    }
  }

  // Nobody else writes the low half, so a plain load and a plain store of 16 bits do.
  template <linebounce::Cpu C>
  void release(C& cpu) {
    const linebounce::PhaseScope<C> scope(cpu, linebounce::Phase::kRelease);
    const auto served = cpu.template load<std::uint16_t>(word_);
    cpu.template store<std::uint16_t>(word_, static_cast<std::uint16_t>(served + 1));
  }

  linebounce::Address word() const { return word_; }

  std::string check_idle(const linebounce::Peek& peek) const {
    return peek(word_, 2) == peek(word_ + 2, 2) ? "" : "a ticket was drawn and never served";
  }

 private:
  static constexpr std::uint32_t kOneTicket = 0x10000;
  static constexpr std::int64_t kCyclesPerPlace = 200;

  linebounce::Address word_;
};

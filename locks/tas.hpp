// SPDX-License-Identifier: Apache-2.0
// The two simplest spinlocks, one byte each: test-and-set swaps until it wins; test-and-test-and-set looks first.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "locks/lock.hpp"

namespace linebounce {

enum class TasSpin : std::uint8_t {
  kSwap,      ///< every attempt is an XCHG, so every waiter keeps asking for the line
  kReadFirst  ///< waiters read a copy of their own and swap only when they see the lock free
};

template <TasSpin S>
class TasLock {
 public:
  static constexpr std::string_view kName = S == TasSpin::kSwap ? "tas" : "ttas";
  static constexpr unsigned kWordBytes = 1;

  template <Memory M>
  TasLock(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}

  template <Cpu C>
  void acquire(C& cpu) {
    if constexpr (S == TasSpin::kSwap) {
      if (swap(cpu, Phase::kFastPath)) return;
      const PhaseScope<C> scope(cpu, Phase::kHeadWait);
      do cpu.pause();
      while (!swap(cpu, Phase::kHeadWait));
    } else {
      do wait_until_free(cpu);
      while (!swap(cpu, Phase::kClaim));
    }
  }

  template <Cpu C>
  void release(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    cpu.template store<std::uint8_t>(word_, 0);
  }

  Address word() const { return word_; }

  std::string check_idle(const Peek& peek) const {
    return peek(word_, 1) == 0 ? std::string{} : std::string{kName} + " lock is still taken";
  }

 private:
  template <Cpu C>
  bool swap(C& cpu, Phase phase) {
    const PhaseScope<C> scope(cpu, phase);
    return cpu.template xchg<std::uint8_t>(word_, 1) == 0;
  }

  template <Cpu C>
  void wait_until_free(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kHeadWait);
    cpu.template poll_until<std::uint8_t>(word_, [](auto v) { return v == 0; });
  }

  Address word_;
};

using TestAndSetLock = TasLock<TasSpin::kSwap>;
using TestAndTestAndSetLock = TasLock<TasSpin::kReadFirst>;

}  // namespace linebounce

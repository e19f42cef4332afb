// SPDX-License-Identifier: Apache-2.0
// The host's own processor and memory as a guest algorithm sees them: a cross-check of each algorithm outside any model.
//
// Orders are those that x86 gives for free: a load acquires, a store releases, a read-modify-write is sequentially
// consistent. The algorithms read and write parts of a word of which others cmpxchg the whole. C++ has no words for
// that, but x86 defines it, and ThreadSanitizer accepts it: atomic accesses never race with each other, and what one
// hands to another through a narrow store and a wide load at the same address counts as synchronisation.
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>

#include "locks/cpu.hpp"
#include "locks/native_memory.hpp"

namespace linebounce {

/// One task's processor; each task has its own. A task that spins or whose cmpxchg fails yields now and then, as there
/// may be more tasks than the host has processors.
class NativeCpu {
 public:
  explicit NativeCpu(std::uint32_t number) : number_(number) {}

  template <Word T>
  T load(Address a) {
    return at<T>(a).load(std::memory_order_acquire);
  }
  template <Word T>
  void store(Address a, T value) {
    at<T>(a).store(value, std::memory_order_release);
  }
  template <Word T>
  T cmpxchg(Address a, T expected, T desired) {
    if (!at<T>(a).compare_exchange_strong(expected, desired)) lose_a_turn();
    return expected;
  }
  template <Word T>
  T xchg(Address a, T value) {
    return at<T>(a).exchange(value);
  }
  template <Word T>
  T xadd(Address a, T increment) {
    return at<T>(a).fetch_add(increment);
  }
  template <Word T>
  bool bts(Address a, unsigned bit) {
    const T mask = static_cast<T>(T{1} << bit);
    return (at<T>(a).fetch_or(mask) & mask) != 0;
  }
  template <Word T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    for (;;) {
      const T value = load<T>(a);
      if (predicate(value)) return value;
      pause();
    }
  }

  template <Word T, class Predicate>
  T spin_until(Address a, Predicate&& predicate) {
    for (;;) {
      const T value = load<T>(a);
      if (predicate(value)) return value;
      lose_a_turn();
    }
  }

  void pause() {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    lose_a_turn();
  }

  /// A locked operation on a private word orders as MFENCE does; ThreadSanitizer knows no fences.
  void mfence() { fence_.fetch_add(1); }

  /// About one turn of a loop per cycle.
  void compute(std::int64_t cycles) {
    for (std::int64_t i = 0; i < cycles; ++i) std::atomic_signal_fence(std::memory_order_seq_cst);
  }

  void prefetchw(Address a) { __builtin_prefetch(native_pointer<void>(a), 1); }

  Phase phase(Phase phase) {
    const Phase before = phase_;
    phase_ = phase;
    return before;
  }

  std::uint32_t cpu_number() const { return number_; }

 private:
  static constexpr std::uint32_t kLostTurnsPerYield = 16;

  void lose_a_turn() {
    if (++lost_turns_ % kLostTurnsPerYield == 0) std::this_thread::yield();
  }

  template <Word T>
  static std::atomic_ref<T> at(Address a) {
    return std::atomic_ref<T>(*native_pointer<T>(a));
  }

  std::uint32_t number_;
  std::uint32_t lost_turns_ = 0;
  Phase phase_ = Phase::kNone;
  std::atomic<std::uint32_t> fence_{0};
};

}  // namespace linebounce

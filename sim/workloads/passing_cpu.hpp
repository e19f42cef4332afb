// SPDX-License-Identifier: Apache-2.0
// A Cpu that passes everything on to another, for those that change or watch a part of it.
#pragma once

#include <cstdint>
#include <utility>

#include "locks/cpu.hpp"

namespace linebounce {

/// A class that derives from it hides what it changes or watches.
template <Cpu C>
class PassingCpu {
 public:
  explicit PassingCpu(C& cpu) : cpu_(cpu) {}

  template <Word T>
  T load(Address a) {
    return cpu_.template load<T>(a);
  }
  template <Word T>
  void store(Address a, T value) {
    cpu_.template store<T>(a, value);
  }
  template <Word T>
  T cmpxchg(Address a, T expected, T desired) {
    return cpu_.template cmpxchg<T>(a, expected, desired);
  }
  template <Word T>
  T xchg(Address a, T value) {
    return cpu_.template xchg<T>(a, value);
  }
  template <Word T>
  T xadd(Address a, T increment) {
    return cpu_.template xadd<T>(a, increment);
  }
  template <Word T>
  bool bts(Address a, unsigned bit) {
    return cpu_.template bts<T>(a, bit);
  }
  template <Word T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    return cpu_.template poll_until<T>(a, std::forward<Predicate>(predicate));
  }
  template <Word T, class Predicate>
  T spin_until(Address a, Predicate&& predicate) {
    return cpu_.template spin_until<T>(a, std::forward<Predicate>(predicate));
  }
  void pause() { cpu_.pause(); }
  void mfence() { cpu_.mfence(); }
  void compute(std::int64_t cycles) { cpu_.compute(cycles); }
  void prefetchw(Address a) { cpu_.prefetchw(a); }
  Phase phase(Phase phase) { return cpu_.phase(phase); }
  std::uint32_t cpu_number() const { return cpu_.cpu_number(); }

 private:
  C& cpu_;
};

}  // namespace linebounce

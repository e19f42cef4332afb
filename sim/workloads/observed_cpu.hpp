// SPDX-License-Identifier: Apache-2.0
// A Cpu that passes everything on to another and tells the host of each swap: the simulated machine does not notice.
#pragma once

#include <cstdint>
#include <utility>

#include "locks/cpu.hpp"

namespace linebounce {

/// `observer()` is called after every xchg and xadd.
template <Cpu C, class Observer>
class ObservedCpu {
 public:
  ObservedCpu(C& cpu, Observer observer) : cpu_(cpu), observer_(std::move(observer)) {}

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
    const T old = cpu_.template xchg<T>(a, value);
    observer_();
    return old;
  }
  template <Word T>
  T xadd(Address a, T increment) {
    const T old = cpu_.template xadd<T>(a, increment);
    observer_();
    return old;
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
  Observer observer_;
};

}  // namespace linebounce

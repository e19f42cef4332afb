// SPDX-License-Identifier: Apache-2.0
// Cpus that pass everything on to another and tell the host of some of it: the simulated machine does not notice.
#pragma once

#include <cstdint>
#include <utility>

#include "sim/workloads/passing_cpu.hpp"

namespace linebounce {

/// `observer()` is called after every xchg and xadd.
template <Cpu C, class Observer>
class ObservedCpu : public PassingCpu<C> {
 public:
  ObservedCpu(C& cpu, Observer observer) : PassingCpu<C>(cpu), observer_(std::move(observer)) {}

  template <Word T>
  T xchg(Address a, T value) {
    const T old = PassingCpu<C>::template xchg<T>(a, value);
    observer_();
    return old;
  }
  template <Word T>
  T xadd(Address a, T increment) {
    const T old = PassingCpu<C>::template xadd<T>(a, increment);
    observer_();
    return old;
  }

 private:
  Observer observer_;
};

/// Counts what a cmpxchg loop does when it fails.
template <Cpu C>
class RetryCounter : public PassingCpu<C> {
 public:
  explicit RetryCounter(C& cpu) : PassingCpu<C>(cpu) {}

  template <Word T>
  T cmpxchg(Address a, T expected, T desired) {
    const T found = PassingCpu<C>::template cmpxchg<T>(a, expected, desired);
    if (found != expected) ++failed_;
    return found;
  }
  void pause() {
    PassingCpu<C>::pause();
    ++pauses_;
  }

  std::uint64_t failed() const { return failed_; }
  std::uint64_t pauses() const { return pauses_; }

 private:
  std::uint64_t failed_ = 0;
  std::uint64_t pauses_ = 0;
};

}  // namespace linebounce

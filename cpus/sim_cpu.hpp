// SPDX-License-Identifier: Apache-2.0
// The guest's view of a simulated hardware thread: satisfies the Cpu concept of locks/cpu.hpp.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "cpus/operation.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Core;

/// A borrowed predicate on a loaded value; must outlive the call it is passed to.
struct PredicateRef {
  const void* object;
  bool (*call)(const void*, std::uint64_t);
  bool operator()(std::uint64_t value) const { return call(object, value); }
};

class SimCpu {
 public:
  template <class T>
  T load(Address a) {
    return static_cast<T>(load(a, sizeof(T)));
  }
  template <class T>
  void store(Address a, T value) {
    store(a, value, sizeof(T));
  }
  template <class T>
  T cmpxchg(Address a, T expected, T desired) {
    return static_cast<T>(locked(LockedKind::kCmpxchg, a, sizeof(T), expected, desired));
  }
  template <class T>
  T xchg(Address a, T value) {
    return static_cast<T>(locked(LockedKind::kXchg, a, sizeof(T), 0, value));
  }
  template <class T>
  T xadd(Address a, T increment) {
    return static_cast<T>(locked(LockedKind::kXadd, a, sizeof(T), 0, increment));
  }
  template <class T>
  bool bts(Address a, unsigned bit) {
    return (locked(LockedKind::kBts, a, sizeof(T), 0, std::uint64_t{1} << bit) >> bit & 1U) != 0;
  }
  template <class T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    return static_cast<T>(spin(a, sizeof(T), reference<T>(predicate), true));
  }
  template <class T, class Predicate>
  T spin_until(Address a, Predicate&& predicate) {
    return static_cast<T>(spin(a, sizeof(T), reference<T>(predicate), false));
  }
  void pause();
  void mfence();
  void compute(std::int64_t cycles);
  void prefetchw(Address a);
  Phase phase(Phase phase);
  std::uint32_t cpu_number() const { return thread_.value; }

  /// Lets simulated time catch up with the thread's local time, and every other task with it: what the host saw of
  /// them before is then all that happened before now(). Costs no simulated time.
  void synchronise();

  ThreadId thread() const { return thread_; }
  /// The thread's own local time: the cycle at which its next operation would issue.
  Cycles now() const;

 private:
  friend class System;
  SimCpu(Core& core, ThreadId thread) : core_(core), thread_(thread) {}

  std::uint64_t load(Address a, unsigned bytes);
  void store(Address a, std::uint64_t value, unsigned bytes);
  std::uint64_t locked(LockedKind kind, Address a, unsigned bytes, std::uint64_t expected, std::uint64_t operand);
  std::uint64_t spin(Address a, unsigned bytes, PredicateRef predicate, bool relaxed);
  template <class T, class Predicate>
  static PredicateRef reference(Predicate& predicate) {
    return {&predicate, [](const void* p, std::uint64_t value) -> bool {
              return (*static_cast<Predicate*>(const_cast<void*>(p)))(static_cast<T>(value));
            }};
  }

  Core& core_;
  ThreadId thread_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Somebody who watches a run. Watching changes nothing: the digest of a run is the same with and without.
#pragma once

#include <cstdint>
#include <span>

#include "coherence/ledger.hpp"
#include "coherence/traffic_observer.hpp"
#include "cpus/operation.hpp"
#include "units/phase.hpp"

namespace linebounce {

/// An operation that has closed, or a buffered store that has been written to its line.
struct OperationRecord {
  OpId id;
  ThreadId thread;
  OpKind kind = OpKind::kLoad;
  LockedKind locked = LockedKind::kCmpxchg;  ///< of OpKind::kLocked
  bool failed = false;                       ///< a cmpxchg that found another value than it expected
  Phase phase = Phase::kNone;
  Address address;          ///< of loads, stores, LOCKed operations and spin loops
  unsigned bytes = 0;       ///< likewise
  std::uint64_t value = 0;  ///< read by a load, LOCKed operation or spin loop; written by a store
  Cycles begin;
  Cycles end;
  std::span<const Segment> segments;  ///< from `begin` to `end` without gap
};

class System;

/// Whoever watches overrides what it wants to hear of.
class Observer : public TrafficObserver {
 public:
  /// The thread went on at record.end. A store does so when it is in the store buffer.
  virtual void operation_closed(const OperationRecord& /*record*/) {}
  /// A store has left the store buffer and is visible to everybody from record.end on; record.begin is when it entered.
  virtual void store_committed(const OperationRecord& /*record*/) {}
  /// From `at` on the thread is in that phase of its algorithm.
  virtual void phase_entered(ThreadId /*thread*/, Phase /*phase*/, Cycles /*at*/) {}
  /// The thread's task has completed one operation of its workload at `at`.
  virtual void achieved(ThreadId /*thread*/, Cycles /*at*/) {}
  /// Every task has ended and everything has settled.
  virtual void run_ended(const System& /*system*/) {}
};

}  // namespace linebounce

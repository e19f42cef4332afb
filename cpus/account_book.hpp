// SPDX-License-Identifier: Apache-2.0
// One hardware thread's operations become its account and counters of the measured window.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "coherence/ledger.hpp"
#include "cpus/counters.hpp"
#include "topologies/machine.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// From when until when things count: operations and messages that end in (open, close], and the cycles between. `open`
/// and `close` lie beyond every run until they are set.
struct Window {
  static constexpr Cycles kNever{std::int64_t{1} << 62};
  Cycles open = kNever;
  Cycles close = kNever;
};

class AccountBook {
 public:
  AccountBook(const Window& window, const CoreCosts& costs) : window_(window), costs_(costs) {}

  /// An operation of phase `phase` has closed: its segments from `begin`, without gap, and what it adds to the
  /// counters if it ended inside the window. Operations come in the order of time. What ended by `now` is settled: the
  /// window may neither open nor close before `now` afterwards.
  void record(Phase phase, Cycles begin, std::span<const Segment> segments, const ThreadCounters& tally, Cycles now);

  /// Settles what is left at the end of a run.
  void finish() { settle_until(Window::kNever); }

  const Account& account() const { return account_; }
  const ThreadCounters& counters() const { return counters_; }

 private:
  struct Closed {
    Phase phase;
    Cycles begin;
    std::size_t first;  ///< of its segments
    std::size_t last;
    ThreadCounters tally;
  };
  static constexpr std::size_t kMostRecent = 64;

  void settle_until(Cycles now);
  void settle(Phase phase, Cycles begin, std::span<const Segment> segments, const ThreadCounters& tally);

  const Window& window_;
  const CoreCosts& costs_;
  std::vector<Closed> recent_;
  std::vector<Segment> segments_;
  Account account_;
  ThreadCounters counters_;
};

}  // namespace linebounce

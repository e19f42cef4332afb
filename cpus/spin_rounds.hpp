// SPDX-License-Identifier: Apache-2.0
// What the rounds of a spin loop spend their time on: many of them are one segment of a ledger.
#pragma once

#include <algorithm>
#include <array>

#include "coherence/ledger.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

/// One round of a segment that has rounds.
struct SpinRound {
  struct Part {
    Category category;
    Cycles length;
  };
  std::array<Part, 4> parts;  ///< in the order of time
  Cycles period;              ///< all of them
};

/// `begin` is the segment's.
inline SpinRound spin_round(const Segment& segment, Cycles begin, const CoreCosts& costs) {
  const bool pauses = segment.category == Category::kPause;
  const Cycles period{(segment.until - begin).count / segment.rounds};
  const Cycles load = pauses ? costs.l1_load : costs.issue;
  const Cycles pause = pauses ? costs.pause : Cycles{};
  return {{{{pauses ? Category::kL1Hit : Category::kIssue, load},
            {Category::kCompute, costs.poll_test},
            {Category::kSmtSlot, period - load - costs.poll_test - pause},
            {Category::kPause, pause}}},
          period};
}

/// Calls take(category, cycles, at) with what the segment's time in (since, until] went to; `at` is when these cycles
/// begin, of several rounds in the mean.
template <class Take>
void for_each_part(const Segment& segment, Cycles begin, const CoreCosts& costs, Cycles since, Cycles until,
                   Take&& take) {
  const auto some = [&](Category category, Cycles from, Cycles to) {
    from = std::max(from, since);
    to = std::min(to, until);
    if (to > from) take(category, to - from, from);
  };
  if (segment.rounds == 0) return some(segment.category, begin, segment.until);
  const SpinRound round = spin_round(segment, begin, costs);
  Cycles at = begin;
  for (std::int64_t left = segment.rounds; left > 0;) {
    // Rounds that lie whole inside are taken at once.
    const std::int64_t whole = at >= since ? std::min(left, (until - at).count / round.period.count) : 0;
    for (Cycles part = at; const auto& [category, length] : round.parts) {
      if (whole <= 0) {
        some(category, part, part + length);
      } else if (length > Cycles{}) {
        take(category, length * whole, part + Cycles{round.period.count * (whole - 1) / 2});
      }
      part += length;
    }
    const std::int64_t done = std::max<std::int64_t>(whole, 1);
    at += round.period * done;
    left -= done;
    if (at >= until) break;
  }
}

}  // namespace linebounce

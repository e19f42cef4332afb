// SPDX-License-Identifier: Apache-2.0
#include "cpus/spin_rounds.hpp"

#include <gtest/gtest.h>

#include <map>

namespace linebounce {
namespace {

CoreCosts costs() {
  CoreCosts c;
  c.l1_load = Cycles{4};
  c.issue = Cycles{1};
  c.poll_test = Cycles{2};
  c.pause = Cycles{9};
  return c;
}

/// Cycle by cycle: what round `r`'s part is at each.
std::map<Category, std::int64_t> counted(const Segment& segment, Cycles begin, Cycles since, Cycles until) {
  std::map<Category, std::int64_t> sums;
  const SpinRound round = spin_round(segment, begin, costs());
  Cycles at = begin;
  for (std::uint32_t r = 0; r < segment.rounds; ++r) {
    for (const auto& [category, length] : round.parts) {
      for (std::int64_t i = 0; i < length.count; ++i, at += Cycles{1}) {
        if (at >= since && at < until) ++sums[category];
      }
    }
  }
  return sums;
}

TEST(SpinRounds, AreLoadsTestsAndPausesInWhateverWindow) {
  const Cycles begin{100};
  for (const Category kind : {Category::kPause, Category::kIssue}) {
    const std::int64_t period = kind == Category::kPause ? 17 : 5;  // two cycles of each are the sibling's
    const Segment segment{kind, begin + Cycles{period * 6}, {}, 6};
    for (std::int64_t since = 95; since < 215; since += 7) {
      for (std::int64_t until = since; until < 215; until += 5) {
        std::map<Category, std::int64_t> sums;
        for_each_part(segment, begin, costs(), Cycles{since}, Cycles{until},
                      [&](Category category, Cycles cycles, Cycles) { sums[category] += cycles.count; });
        EXPECT_EQ(sums, counted(segment, begin, Cycles{since}, Cycles{until})) << since << " to " << until;
      }
    }
  }
}

TEST(SpinRounds, OfOtherSegmentsAreTheSegment) {
  const Segment segment{Category::kTravel, Cycles{30}, {}};
  int calls = 0;
  for_each_part(segment, Cycles{10}, costs(), Cycles{15}, Cycles{100},
                [&](Category category, Cycles cycles, Cycles at) {
                  EXPECT_EQ(category, Category::kTravel);
                  EXPECT_EQ(cycles, Cycles{15});
                  EXPECT_EQ(at, Cycles{15});
                  ++calls;
                });
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/reservation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "coherence/random_sequence.hpp"

namespace linebounce {
namespace {

Cycles at(std::int64_t cycle) { return {cycle}; }

TEST(Reservation, AFreeResourceServesAtOnceAndNobodyIsToBlame) {
  Reservation link;
  const auto place = link.reserve(at(10), at(4), OpId{1});
  EXPECT_EQ(place.begin, at(10));
  EXPECT_FALSE(place.cause);
}

TEST(Reservation, ASecondPacketWaitsBehindTheFirstAndKnowsIt) {
  Reservation link;
  link.reserve(at(10), at(4), OpId{1});
  const auto place = link.reserve(at(10), at(4), OpId{2});
  EXPECT_EQ(place.begin, at(14));
  EXPECT_EQ(place.cause, OpId{1});
}

TEST(Reservation, APacketIsBlockedUntilOneCycleBeforeTheEndAndNotAfter) {
  for (const std::int64_t late : {0, 1, 2, 3, 4, 5}) {
    Reservation link;
    link.reserve(at(10), at(4), OpId{1});
    const auto place = link.reserve(at(10 + late), at(4), OpId{2});
    EXPECT_EQ(place.begin, at(std::max<std::int64_t>(14, 10 + late)));
    EXPECT_EQ(place.cause.value, late < 4 ? 1U : 0U);
  }
}

TEST(Reservation, APacketTakesTheFirstGapThatIsLongEnough) {
  Reservation link;
  link.reserve(at(10), at(4), OpId{1});  // busy 10-14
  link.reserve(at(17), at(4), OpId{2});  // busy 17-21
  EXPECT_EQ(link.reserve(at(10), at(4), OpId{3}).begin, at(21));
  EXPECT_EQ(link.reserve(at(10), at(3), OpId{4}).begin, at(14));
  EXPECT_EQ(link.reserve(at(5), at(5), OpId{5}).begin, at(5));
  EXPECT_EQ(link.reserve(at(5), at(1), OpId{6}).begin, at(25));
}

/// Bookings by their begin, to check others against.
class Bookings {
 public:
  bool free(Cycles begin, Cycles length) const {
    const auto next = busy_.lower_bound(begin);
    return (next == busy_.end() || next->first >= begin + length) &&
           (next == busy_.begin() || std::prev(next)->second <= begin);
  }
  void add(Cycles begin, Cycles length) { busy_[begin] = begin + length; }

 private:
  std::map<Cycles, Cycles> busy_;
};

TEST(Reservation, NoTwoPacketsOverlapNoneStartsBeforeItArrivesAndWhoeverWaitsKnowsForWhom) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomSequence random(seed);
    Reservation link;
    Bookings bookings;
    Cycles now;
    for (std::uint64_t i = 1; i <= 500; ++i) {
      now += at(random.below(4));
      const Cycles from = now + at(random.below(30));
      const Cycles length = at(1 + random.below(5));
      const auto place = link.reserve(from, length, OpId{i});
      ASSERT_GE(place.begin, from);
      ASSERT_EQ(place.begin > from, static_cast<bool>(place.cause));
      ASSERT_TRUE(bookings.free(place.begin, length)) << "seed " << seed;
      bookings.add(place.begin, length);
    }
  }
}

TEST(Reservation, AmongAFewBookingsTheFirstGapIsFound) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomSequence random(seed);
    Reservation link;
    Bookings bookings;
    for (std::uint64_t i = 1; i <= 16; ++i) {
      const Cycles from = at(random.below(40));
      const Cycles length = at(1 + random.below(5));
      const Cycles begin = link.reserve(from, length, OpId{i}).begin;
      for (Cycles start = from; start < begin; start += at(1)) ASSERT_FALSE(bookings.free(start, length));
      bookings.add(begin, length);
    }
  }
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/ledger.hpp"

#include <gtest/gtest.h>

namespace linebounce {
namespace {

Cycles at(std::int64_t cycle) { return {cycle}; }

/// "travel 10-14, slice 14-20"
std::string story(const Ledger& ledger, std::uint32_t slot) {
  std::string all;
  Cycles from = ledger.begin(slot);
  for (const Segment& segment : ledger.segments(slot)) {
    if (!all.empty()) all += ", ";
    all += std::string(name_of(segment.category)) + ' ' + std::to_string(from.count) + '-' +
           std::to_string(segment.until.count);
    from = segment.until;
  }
  EXPECT_EQ(from, ledger.charged_until(slot));
  return all;
}

TEST(Ledger, SegmentsFollowEachOtherWithoutGapOrOverlap) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(10));
  ledger.charge(op, Category::kTravel, at(14));
  ledger.charge(op, Category::kSlice, at(20));
  EXPECT_EQ(story(ledger, op), "travel 10-14, slice 14-20");
}

TEST(Ledger, TimeThatIsSpokenForIsNotChargedAgain) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(10));
  ledger.charge(op, Category::kTravel, at(14));
  ledger.charge(op, Category::kDram, at(14));
  ledger.charge(op, Category::kQpi, at(9));
  EXPECT_EQ(story(ledger, op), "travel 10-14");
}

TEST(Ledger, EqualNeighboursBecomeOneUnlessTheirCausesDiffer) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  ledger.charge(op, Category::kLinkQueue, at(2), OpId{7});
  ledger.charge(op, Category::kLinkQueue, at(3), OpId{7});
  ledger.charge(op, Category::kLinkQueue, at(5), OpId{8});
  ASSERT_EQ(ledger.segments(op).size(), 2U);
  EXPECT_EQ(ledger.segments(op)[0].until, at(3));
  EXPECT_EQ(ledger.segments(op)[1].cause, OpId{8});
}

TEST(Ledger, RoundsOfASpinLoopStayASegmentOfTheirOwn) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  ledger.charge_rounds(op, Category::kPause, 0, at(50));
  EXPECT_EQ(story(ledger, op), "");
  ledger.charge(op, Category::kPause, at(10));
  ledger.charge_rounds(op, Category::kPause, 3, at(40));
  ledger.charge(op, Category::kPause, at(50));
  ASSERT_EQ(ledger.segments(op).size(), 3U);
  EXPECT_EQ(ledger.segments(op)[1].rounds, 3U);
}

TEST(Ledger, ABranchExplainsWhatTheOperationCannotExplainItself) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  ledger.charge(op, Category::kSlice, at(10));
  const auto snoop = ledger.fork(op, at(10));
  const auto memory = ledger.fork(op, at(10));
  ledger.charge(snoop, Category::kTravel, at(15));
  ledger.charge(snoop, Category::kSnoop, at(20));
  ledger.charge(memory, Category::kDram, at(90));
  EXPECT_EQ(ledger.join(snoop), op);
  EXPECT_EQ(story(ledger, op), "slice 0-10, travel 10-15, snoop 15-20");
  EXPECT_EQ(ledger.join(memory), op);
  EXPECT_EQ(story(ledger, op), "slice 0-10, travel 10-15, snoop 15-20, dram 20-90");
}

TEST(Ledger, ABranchThatEndsEarlierThanAnotherExplainsNothing) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  const auto slow = ledger.fork(op, at(0));
  const auto fast = ledger.fork(op, at(0));
  ledger.charge(slow, Category::kDram, at(90));
  ledger.charge(fast, Category::kSnoop, at(20));
  ledger.join(slow);
  ledger.join(fast);
  EXPECT_EQ(story(ledger, op), "dram 0-90");
}

TEST(Ledger, AForwardTellsTheWholeStoryOfTheSnoopThatCausedIt) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  ledger.charge(op, Category::kHome, at(10));
  const auto snoop = ledger.fork(op, at(10));
  ledger.charge(snoop, Category::kQpi, at(30));
  const auto forward = ledger.split(snoop);
  ledger.charge(forward, Category::kTravel, at(35));
  ledger.charge(snoop, Category::kSlice, at(33));
  EXPECT_EQ(ledger.op(forward), OpId{1});
  EXPECT_EQ(story(ledger, forward).substr(story(ledger, forward).find("qpi")), "qpi 10-30, travel 30-35");
}

TEST(Ledger, ABranchOfAnOperationThatHasClosedExplainsNothingToTheNextUserOfItsSlot) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  const auto branch = ledger.fork(op, at(0));
  ledger.charge(branch, Category::kDram, at(90));
  ledger.close(op);
  const auto next = ledger.open(OpId{2}, at(50));
  ASSERT_EQ(next, op);
  ledger.join(branch);
  EXPECT_EQ(story(ledger, next), "");
}

TEST(Ledger, ABranchFromBeforeTheOperationWentOnExplainsNothing) {
  Ledger ledger;
  const auto op = ledger.open(OpId{1}, at(0));
  const auto branch = ledger.fork(op, at(0));
  ledger.charge(branch, Category::kDram, at(90));
  ledger.go_on(op);
  ledger.join(branch);
  EXPECT_EQ(story(ledger, op), "");
}

TEST(Ledger, SlotZeroTakesEverythingAndKeepsNothing) {
  Ledger ledger;
  ledger.charge(0, Category::kTravel, at(10));
  EXPECT_TRUE(ledger.segments(0).empty());
  EXPECT_EQ(ledger.fork(0, at(5)), 0U);
  EXPECT_EQ(ledger.split(0), 0U);
  EXPECT_EQ(ledger.join(0), 0U);
  ledger.close(0);
  EXPECT_NE(ledger.open(OpId{1}, at(0)), 0U);
}

TEST(Ledger, SlotsAreUsedAgain) {
  Ledger ledger;
  const auto first = ledger.open(OpId{1}, at(0));
  ledger.charge(first, Category::kTravel, at(9));
  ledger.close(first);
  const auto second = ledger.open(OpId{2}, at(3));
  EXPECT_EQ(second, first);
  EXPECT_EQ(ledger.op(second), OpId{2});
  EXPECT_EQ(story(ledger, second), "");
}

TEST(Account, SumsByCategoryByPhaseAndInAll) {
  Account account;
  account.at(Phase::kClaim, Category::kQpi) = at(5);
  account.at(Phase::kClaim, Category::kDram) = at(7);
  account.at(Phase::kRelease, Category::kQpi) = at(11);
  Account twice = account;
  twice += account;
  EXPECT_EQ(twice.of(Category::kQpi), at(32));
  EXPECT_EQ(twice.of(Phase::kClaim), at(24));
  EXPECT_EQ(twice.total(), at(46));
}

TEST(Account, EveryCategoryHasANameOfItsOwn) {
  for (std::size_t a = 0; a < kCategories; ++a) {
    EXPECT_FALSE(kCategoryNames[a].empty());
    for (std::size_t b = 0; b < a; ++b) EXPECT_NE(kCategoryNames[a], kCategoryNames[b]);
  }
}

}  // namespace
}  // namespace linebounce

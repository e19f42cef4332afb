// SPDX-License-Identifier: Apache-2.0
#include "coherence/cache_array.hpp"

#include <gtest/gtest.h>

namespace linebounce {
namespace {

struct Entry {
  LineAddress line;
  bool used = false;
  std::uint64_t touched = 0;
};

bool any(const Entry&) { return true; }

/// 1 KiB in two ways: eight sets.
CacheArray<Entry> two_ways() { return CacheArray<Entry>(CacheGeometry{1, 2}); }

TEST(CacheArray, FindsWhatWasTakenAndNothingElse) {
  auto array = two_ways();
  EXPECT_EQ(array.find(LineAddress{8}), nullptr);
  Entry* const entry = array.take(LineAddress{8});
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(array.find(LineAddress{8}), entry);
  EXPECT_EQ(array.find(LineAddress{0}), nullptr);
  entry->used = false;
  EXPECT_EQ(array.find(LineAddress{8}), nullptr);
}

TEST(CacheArray, ASetHasAsManyLinesAsWaysAndOtherSetsAreNotAffected) {
  auto array = two_ways();
  EXPECT_NE(array.take(LineAddress{0}), nullptr);
  EXPECT_NE(array.take(LineAddress{8}), nullptr);
  EXPECT_EQ(array.take(LineAddress{16}), nullptr);
  EXPECT_NE(array.take(LineAddress{1}), nullptr);
}

TEST(CacheArray, TheVictimIsTheLeastRecentlyUsedThatMayGo) {
  auto array = two_ways();
  array.take(LineAddress{0});
  array.take(LineAddress{8});
  EXPECT_EQ(array.victim(LineAddress{16}, any)->line, LineAddress{0});
  array.touch(*array.find(LineAddress{0}));
  EXPECT_EQ(array.victim(LineAddress{16}, any)->line, LineAddress{8});
  const auto not_eight = [](const Entry& entry) { return entry.line != LineAddress{8}; };
  EXPECT_EQ(array.victim(LineAddress{16}, not_eight)->line, LineAddress{0});
  EXPECT_EQ(array.victim(LineAddress{16}, [](const Entry&) { return false; }), nullptr);
  EXPECT_EQ(array.victim(LineAddress{1}, any), nullptr);
}

TEST(CacheArray, AWayThatIsTakenAgainStartsAfresh) {
  auto array = two_ways();
  Entry* const entry = array.take(LineAddress{0});
  entry->used = false;
  const std::uint64_t before = entry->touched;
  EXPECT_EQ(array.take(LineAddress{24}), entry);
  EXPECT_EQ(entry->line, LineAddress{24});
  EXPECT_GT(entry->touched, before);
}

TEST(CacheArray, VisitsEveryUsedEntryInTheOrderOfSets) {
  auto array = two_ways();
  for (const std::uint64_t line : {5U, 2U, 13U, 0U}) array.take(LineAddress{line});
  array.find(LineAddress{13})->used = false;
  std::vector<std::uint64_t> seen;
  array.for_each([&](const Entry& entry) { seen.push_back(entry.line.value); });
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{0, 2, 5}));
}

}  // namespace
}  // namespace linebounce

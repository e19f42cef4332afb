// SPDX-License-Identifier: Apache-2.0
#include "sim/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <set>

namespace linebounce {
namespace {

TEST(RandomStream, MixesAsSplitMix64Does) {
  // First outputs of SplitMix64 from seed 1234567, as its public reference implementation gives them.
  constexpr std::uint64_t kIncrement = 0x9e3779b97f4a7c15U;
  EXPECT_EQ(mix64(1234567 + kIncrement), 6457827717110365317U);
  EXPECT_EQ(mix64(1234567 + 2 * kIncrement), 3203168211198807973U);
  EXPECT_EQ(mix64(1234567 + 3 * kIncrement), 9817491932198370423U);
}

TEST(RandomStream, ValuesNeverChange) {
  const RandomStream stream(1, "jitter[0]");
  EXPECT_EQ(stream.at(0), 5478732619849086239U);
  EXPECT_EQ(stream.at(1), 10421617918635323832U);
  EXPECT_EQ(stream.at(1'000'000), 13562809706034385528U);
}

TEST(RandomStream, IsAPureFunctionOfItsCounter) {
  const RandomStream stream(7, "x");
  const auto third = stream.at(3);
  stream.at(1);
  EXPECT_EQ(stream.at(3), third);
}

TEST(RandomStream, SeedsAndNamesKeyDifferentStreams) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    for (const char* name : {"", "a", "b", "ab", "ba", "jitter[0]", "jitter[1]"})
      seen.insert(RandomStream(seed, name).at(0));
  }
  EXPECT_EQ(seen.size(), 50U * 7U);
}

TEST(RandomStream, UpToReachesBothEndsAboutEquallyOften) {
  const RandomStream stream(3, "dice");
  std::array<int, 4> hits{};
  for (std::uint64_t i = 0; i < 4000; ++i) ++hits.at(static_cast<std::size_t>(stream.up_to(3, i)));
  for (const int h : hits) EXPECT_NEAR(h, 1000, 100);
}

TEST(RandomStream, UpToNothingIsNothing) {
  const RandomStream stream(3, "dice");
  EXPECT_EQ(stream.up_to(0, 5), 0);
  EXPECT_EQ(stream.up_to(-4, 5), 0);
  EXPECT_GE(stream.up_to(INT64_MAX, 5), 0);
}

}  // namespace
}  // namespace linebounce

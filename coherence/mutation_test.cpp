// SPDX-License-Identifier: Apache-2.0
// The explorer must see every fault of the catalogue.
#include "coherence/mutation.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

#include "coherence/explorer.hpp"

namespace linebounce {
namespace {

ExplorerResult explore_with(const Mutation& mutation, const ExplorerShape& shape,
                            CoherenceMode mode = {Protocol::kMesi, SnoopMode::kHome}, bool reduce = true) {
  ExplorerOptions options;
  options.reduce = reduce;
  options.shape = shape;
  options.protocol = mode.protocol;
  options.snoop = mode.snoop;
  options.inject = &mutation;
  return explore(options);
}

/// Small ones first; the last is for faults that need three sockets.
constexpr ExplorerShape kShapes[] = {{1, 2, 1}, {2, 1, 1}, {1, 3, 1}, {3, 1, 1}};

TEST(Mutations, HaveNamesOfTheirOwnAndMeanings) {
  std::set<std::string_view> names;
  for (const Mutation& mutation : mutations()) {
    names.insert(mutation.name);
    EXPECT_FALSE(mutation.what.empty()) << mutation.name;
    EXPECT_EQ(find_mutation(mutation.name), &mutation);
  }
  EXPECT_EQ(names.size(), mutations().size());
  EXPECT_GE(names.size(), 20U);
  EXPECT_EQ(find_mutation("no-such-fault"), nullptr);
}

TEST(Mutations, ThatFitNoRowAreRefused) {
  Mutation mutation = *find_mutation("core-drops-ack");
  mutation.drop = static_cast<std::uint8_t>(PrivateCacheProtocol::Action::kSendGetS);
  EXPECT_THROW((void)mutated(mutation, Protocol::kMesi, SnoopMode::kHome), std::logic_error);
  mutation = *find_mutation("core-drops-ack");
  mutation.guard = static_cast<std::uint8_t>(PrivateCacheProtocol::Guard::kHeld);
  EXPECT_THROW((void)mutated(mutation, Protocol::kMesi, SnoopMode::kHome), std::logic_error);
}

TEST(Mutations, LeaveTheProtocolThatRunsAlone) {
  for (const auto [protocol, snoop] : kCoherenceModes) {
    for (const Mutation& mutation : mutations()) {
      if (mutation.fits(protocol, snoop)) (void)mutated(mutation, protocol, snoop);
    }
  }
  ExplorerOptions options;
  options.shape = {1, 2, 1};
  EXPECT_EQ(explore(options).verdict, ExplorerResult::Verdict::kProven);
}

class EveryMutation : public testing::TestWithParam<CoherenceMode> {};

TEST_P(EveryMutation, IsCaughtByTheExplorerOnASmallMachine) {
  const CoherenceMode mode = GetParam();
  for (const Mutation& mutation : mutations()) {
    if (!mutation.fits(mode.protocol, mode.snoop)) continue;
    bool caught = false;
    for (const ExplorerShape& shape : kShapes) {
      const ExplorerResult result = explore_with(mutation, shape, mode);
      if (result.verdict != ExplorerResult::Verdict::kViolated) continue;
      EXPECT_FALSE(result.violation.empty()) << mutation.name;
      EXPECT_FALSE(result.path.empty()) << mutation.name;
      caught = true;
      break;
    }
    EXPECT_TRUE(caught) << mutation.name;
  }
}

/// What the explorer leaves out must not hide a fault.
TEST_P(EveryMutation, IsCaughtOnTheSameMachinesWhenNoOrderOfStepsIsLeftOut) {
  const CoherenceMode mode = GetParam();
  for (const Mutation& mutation : mutations()) {
    if (!mutation.fits(mode.protocol, mode.snoop)) continue;
    for (const ExplorerShape& shape : {ExplorerShape{1, 2, 1}, ExplorerShape{2, 1, 1}}) {
      EXPECT_EQ(explore_with(mutation, shape, mode, true).verdict, explore_with(mutation, shape, mode, false).verdict)
          << mutation.name << " on " << shape.sockets << " x " << shape.cores;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, EveryMutation, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

TEST(Mutations, ComeWithTheShortestWayToTheirDamage) {
  const ExplorerResult result = explore_with(*find_mutation("core-ignores-fill-data"), {1, 1, 1});
  EXPECT_EQ(result.violation, "core 0 has an old copy of line 0");
  ASSERT_EQ(result.path.size(), 6U);
  EXPECT_EQ(
      result.path[0],
      "core 0 wants to write the line: core 0: I → IM_D; L3 0: I → IM_G; sends RdInvOwn from L3 0 to the home agent");
}

TEST(Mutations, ThatMakeMessagesGoRoundAreALivelock) {
  const ExplorerResult result = explore_with(*find_mutation("slice-yields-before-fill"), {2, 1, 1});
  EXPECT_EQ(result.violation.substr(0, 8), "livelock");
  EXPECT_GT(result.path.size(), 2U);
}

}  // namespace
}  // namespace linebounce

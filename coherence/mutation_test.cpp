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

ExplorerResult explore_with(const Mutation& mutation, const ExplorerShape& shape) {
  ExplorerOptions options;
  options.shape = shape;
  options.tables = mutated(mutation);
  return explore(options);
}

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
  EXPECT_THROW((void)mutated(mutation), std::logic_error);
  mutation = *find_mutation("core-drops-ack");
  mutation.guard = static_cast<std::uint8_t>(PrivateCacheProtocol::Guard::kHeld);
  EXPECT_THROW((void)mutated(mutation), std::logic_error);
}

TEST(Mutations, LeaveTheProtocolThatRunsAlone) {
  const auto before = private_cache::kTable.rows[0].next;
  for (const Mutation& mutation : mutations()) (void)mutated(mutation);
  EXPECT_EQ(private_cache::kTable.rows[0].next, before);
  ExplorerOptions options;
  options.shape = {1, 2, 1};
  EXPECT_EQ(explore(options).verdict, ExplorerResult::Verdict::kProven);
}

TEST(Mutations, AreAllCaughtByTheExplorerOnSmallMachines) {
  for (const Mutation& mutation : mutations()) {
    bool caught = false;
    for (const ExplorerShape& shape : {ExplorerShape{1, 2, 1}, ExplorerShape{2, 1, 1}, ExplorerShape{1, 3, 1}}) {
      const ExplorerResult result = explore_with(mutation, shape);
      if (result.verdict != ExplorerResult::Verdict::kViolated) continue;
      EXPECT_FALSE(result.violation.empty()) << mutation.name;
      EXPECT_FALSE(result.path.empty()) << mutation.name;
      caught = true;
      break;
    }
    EXPECT_TRUE(caught) << mutation.name;
  }
}

TEST(Mutations, ComeWithTheShortestWayToTheirDamage) {
  const ExplorerResult result = explore_with(*find_mutation("core-ignores-fill-data"), {1, 1, 1});
  EXPECT_EQ(result.violation, "core 0 has an old copy of line 0");
  ASSERT_EQ(result.path.size(), 6U);
  EXPECT_EQ(result.path[0], "core 0 wants to write the line: core 0: I → IM_D; sends GetM from core 0 to L3 0");
  EXPECT_EQ(result.path[1],
            "GetM from core 0 to L3 0 arrives: L3 0: I → IM_G; sends RdInvOwn from L3 0 to the home agent");
}

TEST(Mutations, ThatMakeMessagesGoRoundAreALivelock) {
  const ExplorerResult result = explore_with(*find_mutation("slice-yields-before-fill"), {2, 1, 1});
  EXPECT_EQ(result.violation.substr(0, 8), "livelock");
  EXPECT_GT(result.path.size(), 2U);
}

}  // namespace
}  // namespace linebounce

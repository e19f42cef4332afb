// SPDX-License-Identifier: Apache-2.0
// Explores small machines to the end, and the explorer's own parts.
#include "coherence/explorer.hpp"

#include <gtest/gtest.h>

#include <string>

#include "coherence/protocol_print.hpp"

namespace linebounce {
namespace {

using Verdict = ExplorerResult::Verdict;

ExplorerResult explore_shape(std::uint32_t sockets, std::uint32_t cores, std::uint32_t lines) {
  ExplorerOptions options;
  options.shape = {sockets, cores, lines};
  return explore(options);
}

void expect_proven(const ExplorerResult& result) {
  std::string path;
  for (const std::string& step : result.path) path += step + '\n';
  EXPECT_EQ(result.verdict, Verdict::kProven) << result.violation << '\n' << path;
}

TEST(Explorer, ProvesOneSocketOfUpToThreeCores) {
  for (const std::uint32_t cores : {1U, 2U, 3U}) {
    const ExplorerResult result = explore_shape(1, cores, 1);
    expect_proven(result);
    EXPECT_GT(result.states, 20U * cores);
    EXPECT_LT(result.collision_odds, 1e-9);
  }
}

TEST(Explorer, ProvesTwoSocketsOfOneCoreUnderEveryProtocolAndSnoopMode) {
  for (const auto [protocol, snoop] : kCoherenceModes) {
    SCOPED_TRACE(std::string(name_of(protocol)) + ", " + std::string(name_of(snoop)) + " snoop");
    ExplorerOptions options;
    options.shape = {2, 1, 1};
    options.protocol = protocol;
    options.snoop = snoop;
    expect_proven(explore(options));
  }
}

TEST(Explorer, ProvesTwoLinesThatCompeteForOneWay) { expect_proven(explore_shape(1, 1, 2)); }

TEST(Explorer, ReachesEveryRowOfThePrivateCacheWithTwoCores) {
  ExplorerOptions options;
  options.shape = {1, 2, 1};
  options.reduce = false;
  const ExplorerResult result = explore(options);
  const std::vector<PrintedRow> rows = printed_rows(Controller::kCore, tables_of(Protocol::kMesi, SnoopMode::kHome));
  ASSERT_EQ(result.rows.cache.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(result.rows.cache[i] == 0, rows[i].verdict == "impossible") << one_line(rows[i]);
  }
}

class EveryMode : public testing::TestWithParam<CoherenceMode> {
 protected:
  static void expect_proven_on(ExplorerShape shape) {
    ExplorerOptions options;
    options.shape = shape;
    options.protocol = GetParam().protocol;
    options.snoop = GetParam().snoop;
    expect_proven(explore(options));
  }
};

TEST_P(EveryMode, IsProvenOnTwoSocketsOfTwoCores) { expect_proven_on({2, 2, 1}); }

TEST_P(EveryMode, IsProvenOnThreeSockets) { expect_proven_on({3, 1, 1}); }

INSTANTIATE_TEST_SUITE_P(Each, EveryMode, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

TEST(Explorer, ComesToTheSameVerdictWhenNoOrderOfStepsIsLeftOut) {
  for (const auto [protocol, snoop] : kCoherenceModes) {
    ExplorerOptions options;
    options.shape = {2, 1, 1};
    options.protocol = protocol;
    options.snoop = snoop;
    const std::uint64_t reduced = explore(options).states;
    options.reduce = false;
    const ExplorerResult whole = explore(options);
    expect_proven(whole);
    EXPECT_GT(whole.states, reduced);
  }
}

TEST(Explorer, FindsTheSameStatesEveryTime) {
  const ExplorerResult once = explore_shape(1, 2, 1);
  const ExplorerResult again = explore_shape(1, 2, 1);
  EXPECT_EQ(once.states, again.states);
  EXPECT_EQ(once.steps, again.steps);
  EXPECT_EQ(once.depth, again.depth);
}

TEST(Explorer, StopsAtItsLimit) {
  ExplorerOptions options;
  options.shape = {2, 1, 1};
  options.most_states = 1000;
  EXPECT_EQ(explore(options).verdict, Verdict::kLimit);
}

TEST(Explorer, LetsTwoSocketsCompeteForTheHomesOnlyTracker) {
  const ExplorerResult result = explore_shape(2, 1, 2);
  expect_proven(result);
  const std::vector<PrintedRow> rows = printed_rows(Controller::kHome, tables_of(Protocol::kMesi, SnoopMode::kHome));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].guard == "no tracker free") {
      EXPECT_GT(result.rows.home[i], 0U);
    }
  }
}

TEST(Explorer, RefusesMachinesThatAreTooLarge) {
  EXPECT_THROW(explore_shape(5, 1, 1), std::invalid_argument);
  EXPECT_THROW(explore_shape(3, 3, 1), std::invalid_argument);
  EXPECT_THROW(explore_shape(1, 1, 3), std::invalid_argument);
}

TEST(StateCodec, GivesStatesThatDifferOnlyInTheNamesOfCoresOneEncoding) {
  StateCodec codec({1, 2, 1}, true);
  WorldState a;
  a.cores[0].lines[0] = {PrivateCacheProtocol::State::kS, true};
  a.slices[0].lines[0].state = SliceProtocol::State::kS;
  a.slices[0].lines[0].cores = 1;
  WorldState b = a;
  std::swap(b.cores[0], b.cores[1]);
  b.slices[0].lines[0].cores = 2;
  StateBytes of_a;
  StateBytes of_b;
  codec.encode(a, of_a);
  codec.encode(b, of_b);
  EXPECT_EQ(of_a, of_b);
  b.slices[0].lines[0].cores = 1;
  codec.encode(b, of_b);
  EXPECT_NE(of_a, of_b);
}

TEST(StateCodec, ReadsBackWhatItHasWritten) {
  StateCodec codec({2, 2, 1}, true);
  WorldState state;
  state.cores[3].lines[0] = {PrivateCacheProtocol::State::kM, true};
  state.cores[3].held = 0;
  state.cores[3].held_snoops.push_back({MessageKind::kCoreSnpInv, 1, 3, 0, 0, false});
  SliceState::Line& line = state.slices[1].lines[0];
  line.state = SliceProtocol::State::kXI;
  line.awaited = 1;
  line.cores = 2;
  line.snoop = {MessageKind::kSnpInvOwn, 0, 1, 0, 0, false};
  line.waiting.push_back({MessageKind::kGetS, 2, 1, 0, 0, false});
  state.slices[0].lines[0].half = true;  // lost again, Cmp still to come
  state.slices[0].lines[0].waiting.push_back({MessageKind::kGetM, 0, 0, 0, 0, false});
  state.home.lines[0].state = HomeProtocol::State::kOwn;
  state.home.lines[0].awaited = 1;
  state.home.lines[0].directory = Home::Directory::kDirty;
  state.home.lines[0].forwarded_to = 1;
  state.home.lines[0].early.push_back({1, 4, 1, true});
  state.home.lines[0].request = {MessageKind::kRdInvOwn, 0, 0, 0, 0, false};
  state.flight.push_back({MessageKind::kMemData, 0, 0, 0, 0, false});
  StateBytes bytes;
  StateBytes again;
  codec.encode(state, bytes);
  codec.encode(codec.decode(bytes.data()), again);
  EXPECT_EQ(bytes, again);
}

TEST(Ordering, KeepsOnlyWhatOneSliceSendsToOneCoreOrToTheHomeAboutOneLine) {
  const ShortMessage fill{MessageKind::kFillS, 0, 1, 0, 0, true};
  const ShortMessage snoop{MessageKind::kCoreSnpInv, 0, 1, 0, 0, false};
  ShortMessage other = snoop;
  other.to = 0;
  EXPECT_TRUE(must_follow(snoop, fill));
  EXPECT_FALSE(must_follow(other, fill));
  other = snoop;
  other.line = 1;
  EXPECT_FALSE(must_follow(other, fill));
  const ShortMessage request{MessageKind::kRdData, 1, 0, 0, 0, false};
  const ShortMessage answer{MessageKind::kRspI, 1, 0, 0, 0, false};
  EXPECT_TRUE(must_follow(answer, request));
  const ShortMessage get{MessageKind::kGetS, 1, 0, 0, 0, false};
  const ShortMessage put{MessageKind::kPutM, 1, 0, 0, 0, true};
  EXPECT_FALSE(must_follow(get, put));
}

}  // namespace
}  // namespace linebounce

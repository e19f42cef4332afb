// SPDX-License-Identifier: Apache-2.0
#include "sim/recording.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

#include "cpus/spin_rounds.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// Four tasks that fight for a qspinlock, two on each of two sockets.
class Recorded : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    machine() = std::make_shared<const Machine>(load_machine("westmere-ex-4s"));
    topology() = std::make_shared<const Topology>(*machine());
  }
  static void TearDownTestSuite() {
    topology().reset();
    machine().reset();
  }

  static Experiment contended() {
    Experiment e;
    e.machine = machine().get();
    e.topology = topology().get();
    e.workload.kind = WorkloadKind::kLockLoop;
    e.workload.lock = "qspinlock";
    e.placement = {ThreadId{0}, ThreadId{1}, ThreadId{20}, ThreadId{22}};
    e.length = {.warmup = 5, .iterations = 30, .cycles = {0}};
    return e;
  }
  static RecordedRun record(RecordingOptions options = {}) {
    return record_run(contended(), machine(), topology(), options);
  }

  static std::shared_ptr<const Machine>& machine() {
    static std::shared_ptr<const Machine> it;
    return it;
  }
  static std::shared_ptr<const Topology>& topology() {
    static std::shared_ptr<const Topology> it;
    return it;
  }
};

void expect_without_gap(const OperationRecord& record) {
  Cycles at = record.begin;
  for (const Segment& segment : record.segments) {
    EXPECT_LT(at, segment.until);
    at = segment.until;
  }
  EXPECT_EQ(at, record.end) << name_of(record.kind) << " in " << name_of(record.phase);
}

TEST_F(Recorded, WatchingDoesNotChangeTheRun) {
  const RunResult alone = run_experiment(contended());
  const RunResult watched = record().result;
  EXPECT_EQ(watched.digest, alone.digest);
  EXPECT_EQ(watched.window, alone.window);
}

TEST_F(Recorded, SegmentsSumToTheLatencyOfEveryOperationAndEveryStoresWayToItsLine) {
  const Recording recording = record().recording;
  ASSERT_FALSE(recording.operations.empty());
  ASSERT_FALSE(recording.commits.empty());
  for (const OperationRecord& operation : recording.operations) expect_without_gap(operation);
  for (const OperationRecord& commit : recording.commits) expect_without_gap(commit);
}

TEST_F(Recorded, AThreadsOperationsFollowEachOtherWithoutGap) {
  std::map<ThreadId, Cycles> last;
  for (const OperationRecord& operation : record().recording.operations) {
    const auto [at, first] = last.try_emplace(operation.thread, operation.end);
    EXPECT_TRUE(first || operation.begin == at->second);
    at->second = operation.end;
  }
  EXPECT_EQ(last.size(), 4U);
}

TEST_F(Recorded, EveryStoreBecomesVisibleOnceAndAThreadsStoresInOrder) {
  const Recording recording = record().recording;
  std::map<ThreadId, std::vector<OpId>> stores;
  std::map<ThreadId, std::vector<OpId>> commits;
  for (const OperationRecord& o : recording.operations) {
    if (o.kind == OpKind::kStore) stores[o.thread].push_back(o.id);
  }
  for (const OperationRecord& c : recording.commits) commits[c.thread].push_back(c.id);
  EXPECT_EQ(stores, commits);
}

TEST_F(Recorded, TheAccountsAreSumsOfTheSegments) {
  const RecordedRun run = record();
  const Recording& recording = run.recording;
  std::map<std::pair<ThreadId, Category>, std::int64_t> spent;
  for (const OperationRecord& o : recording.operations) {
    for (const Segment& segment : o.segments) {
      for_each_part(segment, begin_of(o, segment), machine()->core, recording.window_opened, recording.window_closed,
                    [&](Category category, Cycles cycles, Cycles) {
                      spent[{o.thread, category}] += cycles.count;
                    });
    }
  }
  for (std::size_t t = 0; t < recording.placement.size(); ++t) {
    for (std::size_t c = 0; c < kCategories; ++c) {
      const auto category = static_cast<Category>(c);
      if (category == Category::kIdle) continue;
      EXPECT_EQ((spent[{recording.placement[t], category}]), run.result.accounts[t].of(category).count)
          << name_of(category);
    }
  }
}

TEST_F(Recorded, MessagesTakeTimeAndTheirOperationsAreThere) {
  const Recording recording = record().recording;
  std::map<OpId, int> known;
  for (const OperationRecord& o : recording.operations) ++known[o.id];
  ASSERT_FALSE(recording.messages.empty());
  for (const RecordedMessage& m : recording.messages) {
    EXPECT_LT(m.sent, m.arrived);
    EXPECT_TRUE(!m.op || known.count(m.op) == 1) << name_of(m.kind);
  }
}

TEST_F(Recorded, AtMostOneCoreOwnsALineAtATime) {
  std::map<LineAddress, std::map<std::uint32_t, std::string>> lines;
  for (const RecordedState& s : record().recording.states) {
    if (s.kind != AgentKind::kCore) continue;
    lines[s.line][s.agent] = s.state;
    int owners = 0;
    int copies = 0;
    for (const auto& [core, state] : lines[s.line]) {
      owners += state == "M" || state == "E" ? 1 : 0;
      copies += state == "M" || state == "E" || state == "S" ? 1 : 0;
    }
    EXPECT_LE(owners, 1);
    EXPECT_TRUE(owners == 0 || copies == 1) << "cycle " << s.at.count;
  }
}

TEST_F(Recorded, KeepsOnlyWhatReachesIntoTheWindowThatWasAskedFor) {
  const Recording part = record({.begin = Cycles{4000}, .end = Cycles{6000}}).recording;
  ASSERT_FALSE(part.operations.empty());
  ASSERT_FALSE(part.messages.empty());
  for (const OperationRecord& o : part.operations) {
    EXPECT_GE(o.end.count, 4000);
    EXPECT_LE(o.begin.count, 6000);
  }
  for (const RecordedMessage& m : part.messages) {
    EXPECT_GE(m.arrived.count, 4000);
    EXPECT_LE(m.sent.count, 6000);
  }
}

TEST_F(Recorded, OfTheStatesBeforeTheWindowTheLastOfEachLineAndAgentIsKept) {
  using Where = std::tuple<AgentKind, std::uint32_t, LineAddress>;
  constexpr Cycles kBegin{4000};
  std::map<Where, std::string> expected;
  for (const RecordedState& s : record().recording.states) {
    if (s.at < kBegin) expected[{s.kind, s.agent, s.line}] = s.state;
  }
  std::map<Where, std::string> kept;
  Cycles last;
  for (const RecordedState& s : record({.begin = kBegin, .end = Cycles{6000}}).recording.states) {
    EXPECT_LE(last, s.at);
    last = s.at;
    if (s.at >= kBegin) continue;
    EXPECT_TRUE(kept.try_emplace({s.kind, s.agent, s.line}, s.state).second);
  }
  EXPECT_EQ(kept, expected);
  EXPECT_GT(last, kBegin);
}

TEST_F(Recorded, SpeaksOfAddressesByTheNamesOfTheirObjects) {
  const Recording recording = record().recording;
  ASSERT_FALSE(recording.objects.empty());
  const auto is_lock = [](const MemoryObject& object) { return object.name == "lock"; };
  const MemoryObject& lock = *std::ranges::find_if(recording.objects, is_lock);
  EXPECT_EQ(recording.describe(lock.begin), "lock");
  EXPECT_EQ(recording.describe(lock.begin + 2), "lock+0x2");
  EXPECT_EQ(recording.describe(line_of(lock.begin)), "lock");
  EXPECT_EQ(recording.describe(Address{8}), "0x8");
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/explanation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sim/cli_commands.hpp"
#include "sim/difference.hpp"
#include "sim/hand_off_story.hpp"
#include "sim/render_explanation.hpp"
#include "sim/scenario.hpp"
#include "sim/statistics.hpp"

namespace linebounce {
namespace {

Point point_of(const std::string& workload, const std::string& run = "") {
  const Scenario scenario =
      parse_scenario("title = \"t\"\nquestion = \"q\"\nmachine = \"westmere-ex-4s\"\n[workload]\n" + workload +
                         "\n[run]\niterations = 30\nwarmup = 5\n" + run,
                     "t.toml");
  return make_plan(scenario, known_names()).points.front();
}

Point contended(const std::string& variant) {
  return point_of("kind = \"lock-loop\"\nlock = \"qspinlock\"\nvariant = \"" + variant + "\"",
                  "tasks = 4\nplacement = \"same-node\"\n");
}

constexpr std::uint64_t kSeeds[] = {1, 2, 3};

double sum_of_wholes(const std::vector<DifferenceRow>& rows, std::size_t seed, bool second) {
  double sum = 0;
  for (const DifferenceRow& row : rows) {
    if (row.cause.category == Category::kCount) sum += (second ? row.second : row.first)[seed];
  }
  return sum;
}

TEST(Explanation, TheHandOffsAndTheCriticalSectionsMakeUpTheRun) {
  const Explanation e = explain_point(contended("after"), kSeeds);
  for (const SeedExplanation& seed : e.seeds) {
    EXPECT_GT(seed.hand_offs.things, 100U);
    EXPECT_GT(seed.hand_offs.mean(), 0);
    EXPECT_LE(seed.hand_offs.mean(), seed.cycles_per_operation);
  }
  ASSERT_TRUE(e.median_hand_off);
  ASSERT_TRUE(e.worst_hand_off);
  EXPECT_LE(e.median_hand_off->length(), e.worst_hand_off->length());
  EXPECT_EQ(e.median_hand_off->stack.total(), e.median_hand_off->length());
}

TEST(Explanation, OfALoneTaskHasOperationsButNoHandOff) {
  const Explanation e = explain_point(point_of("kind = \"atomic-loop\"\nop = \"xadd\"", "tasks = 1\n"), kSeeds);
  EXPECT_FALSE(e.median_hand_off);
  ASSERT_TRUE(e.median_operation);
  EXPECT_GT(e.seeds.front().operations.things, 10U);
}

/// Hand-offs of four tasks on one node, with the first seed.
std::uint64_t hand_offs(const std::string& workload) {
  const Point point = point_of(workload, "tasks = 4\nplacement = \"same-node\"\n");
  return explain_point(point, kSeeds).seeds.front().hand_offs.things;
}

TEST(Explanation, OfSeveralLocksSpeaksOfNoHandOff) {
  const std::string lock = "\n[[workload.locks]]\nname = \"";
  const std::string mix = "kind = \"lock-mix\"\nlock = \"ticket\"";
  EXPECT_GT(hand_offs(mix + lock + "a\""), 0U);
  EXPECT_EQ(hand_offs(mix + lock + "a\"" + lock + "b\""), 0U);
}

TEST(Explanation, ALockIsHandedOffAlsoWhereNothingIsDoneUnderIt) {
  const std::string loop = "kind = \"lock-loop\"\nlock = \"ticket\"\nwords = 0\n";
  EXPECT_GT(hand_offs(loop), 100U);
  EXPECT_GT(hand_offs(loop + "critical_section = 50"), 100U);
}

TEST(Explanation, ReadersHandNothingOffToReaders) {
  const std::string loop = "kind = \"rw-loop\"\nlock = \"qrwlock\"\nlocal_work = 500\nwrite_percent = ";
  EXPECT_EQ(hand_offs(loop + "0"), 0U);
  EXPECT_GT(hand_offs(loop + "100"), 50U);
}

TEST(Explanation, SaysHowManyTasksAMeanLeavesOut) {
  const Point starved =
      point_of("kind = \"lock-loop\"\nlock = \"tas\"\ncritical_section = 200", "tasks = 4\nplacement = [0, 1, 2, 3]\n");
  const Point fair = point_of("kind = \"lock-loop\"\nlock = \"mcs\"", "tasks = 4\nplacement = [0, 1, 2, 3]\n");
  const std::string sentence = "With seed 1, 3 of the 4 tasks complete no operation";
  const auto in_one_line = [](std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
  };
  EXPECT_NE(in_one_line(in_words(explain_point(starved, kSeeds))).find(sentence), std::string::npos);
  EXPECT_EQ(in_one_line(in_words(explain_point(fair, kSeeds))).find("complete no operation"), std::string::npos);
  EXPECT_NE(in_one_line(in_words(compare_points(starved, fair, kSeeds), {"lock", "tas", "mcs"}))
                .find("lock=tas: " + sentence),
            std::string::npos);
}

TEST(Explanation, SaysToWhomAFailedCmpxchgLost) {
  const Explanation e = explain_point(
      point_of("kind = \"atomic-loop\"\nop = \"cmpxchg-loop\"", "tasks = 4\nplacement = \"same-node\"\n"), kSeeds);
  const FailedCmpxchg& story = e.seeds.front().cmpxchg;
  ASSERT_GT(story.failed, 0U);
  std::uint64_t lost = 0;
  for (const auto& [winner, times] : story.lost_to) {
    EXPECT_EQ(winner.operation, "LOCK CMPXCHG word");
    EXPECT_EQ(winner.where, "same socket");
    lost += times;
  }
  EXPECT_EQ(lost, story.failed);
  EXPECT_EQ(story.paused, 0U) << "the loop has no PAUSE";
}

TEST(Explanation, AFailedCmpxchgLostToWhatWasVisibleWhenItRead) {
  const Explanation e =
      explain_point(point_of("kind = \"lock-loop\"\nlock = \"qspinlock\"", "tasks = 2\nplacement = [0, 1]\n"), kSeeds);
  const FailedCmpxchg& story = e.seeds.front().cmpxchg;
  ASSERT_GT(story.failed, 0U);
  for (const auto& [winner, times] : story.lost_to) {
    EXPECT_EQ(winner.operation, "LOCK CMPXCHG lock") << "the pending bit; the store that takes the lock comes after it";
  }
}

TEST(Explanation, TheHeadsClaimIsOnThePathWithACmpxchgAndNotWithAStore) {
  const auto claim = [](const Explanation& e) {
    Cycles cycles;
    for (const auto& [cause, share] : e.seeds.front().hand_offs.sum.shares()) {
      if (cause.phase == Phase::kClaim && cause.category == Category::kLockedExecution) cycles += share.cycles;
    }
    return cycles;
  };
  EXPECT_GT(claim(explain_point(contended("before"), kSeeds)).count, 0);
  EXPECT_EQ(claim(explain_point(contended("after"), kSeeds)).count, 0);
}

TEST(Difference, RowsOfOperationsSumToTheTotalsSeedBySeed) {
  const Difference d = compare_points(contended("before"), contended("after"), kSeeds);
  std::vector<StackSample> a;
  std::vector<StackSample> b;
  for (const SeedExplanation& seed : d.first.seeds) a.push_back(seed.hand_offs);
  for (const SeedExplanation& seed : d.second.seeds) b.push_back(seed.hand_offs);
  const auto rows = rows_of(a, b);
  for (std::size_t i = 0; i < std::size(kSeeds); ++i) {
    EXPECT_NEAR(sum_of_wholes(rows, i, false), a[i].mean(), 1e-9);
    EXPECT_NEAR(sum_of_wholes(rows, i, true), b[i].mean(), 1e-9);
  }
}

TEST(Difference, RunsOfOneProgramAreTheSameAndRunsOfTwoPartAtTheFirstOtherOperation) {
  EXPECT_FALSE(compare_points(contended("after"), contended("after"), kSeeds).divergence);
  const Difference d = compare_points(contended("before"), contended("after"), kSeeds);
  ASSERT_TRUE(d.divergence);
  EXPECT_NE(d.divergence->first.find("LOCK CMPXCHG lock"), std::string::npos) << d.divergence->first;
  EXPECT_NE(d.divergence->second.find("store lock"), std::string::npos) << d.divergence->second;
}

TEST(Difference, MessagesMayDifferBeforeOperationsDo) {
  const auto snooped = [](const std::string& by) {
    Scenario scenario = parse_scenario(
        "title = \"t\"\nquestion = \"q\"\nmachine = \"westmere-ex-4s\"\n[workload]\nkind = \"lock-loop\"\n"
        "lock = \"ticket\"\n[run]\niterations = 30\nwarmup = 5\ntasks = 2\nplacement = \"different-nodes\"\n",
        "t.toml");
    override_scenario(scenario, "machine.coherence.snoop=" + by);
    return make_plan(scenario, known_names()).points.front();
  };
  const Difference d = compare_points(snooped("source"), snooped("home"), kSeeds);
  ASSERT_TRUE(d.divergence);
  ASSERT_TRUE(d.messages);
  EXPECT_LT(d.messages->at, d.divergence->at);
  EXPECT_EQ(d.divergence->part, "before the measured window");
}

TEST(Difference, TasksArePairedWhereverTheyRun) {
  const auto placed = [](const std::string& placement) {
    return point_of("kind = \"lock-loop\"\nlock = \"ticket\"", "tasks = 2\nplacement = \"" + placement + "\"\n");
  };
  const Difference d = compare_points(placed("same-node"), placed("different-nodes"), kSeeds);
  ASSERT_TRUE(d.divergence);
  EXPECT_NE(d.divergence->first, "nothing");
  EXPECT_NE(d.divergence->second, "nothing");
}

TEST(Difference, OfRunsWithAndWithoutHandOffsIsOneOfOperations) {
  const auto locked = [](const std::string& tasks) {
    return point_of("kind = \"lock-loop\"\nlock = \"ticket\"", "tasks = " + tasks + "\nplacement = \"same-node\"\n");
  };
  for (const bool swapped : {false, true}) {
    const Difference d = compare_points(locked(swapped ? "1" : "2"), locked(swapped ? "2" : "1"), kSeeds);
    EXPECT_EQ(compare(d, &SeedExplanation::hand_offs).pairs(), 0U);
    EXPECT_EQ(compare(d, &SeedExplanation::operations).pairs(), std::size(kSeeds));
    const std::string text = render_text(d, {"tasks", swapped ? "1" : "2", swapped ? "2" : "1"});
    EXPECT_EQ(text.find("nan"), std::string::npos) << text;
    EXPECT_NE(text.find("With tasks=1 no task hands the lock to another one"), std::string::npos) << text;
    EXPECT_NE(text.find("an operation of a task, in cycles"), std::string::npos) << text;
    EXPECT_TRUE(nlohmann::json::parse(render_json(d, {"tasks", "a", "b"}))["hand_off"].is_null());
  }
}

TEST(Difference, CyclesOfTwoClocksAreComparedInNanoseconds) {
  const Point one = contended("before");
  auto faster = std::make_shared<Machine>(*one.machine);
  faster->core_mhz = 2 * one.machine->core_mhz;
  Difference d{explain_point(one, kSeeds), explain_point(one, kSeeds), std::nullopt, std::nullopt};
  d.second.machine = faster;  // the same cycles, each half as long
  const Comparison c = compare(d, &SeedExplanation::hand_offs);
  EXPECT_EQ(c.unit, "ns");
  for (std::size_t i = 0; i < c.pairs(); ++i) {
    EXPECT_NEAR(c.total.first[i], 2 * c.total.second[i], 1e-9);
    EXPECT_NEAR(c.total.first[i], d.first.seeds[i].hand_offs.mean() * 1000 / static_cast<double>(one.machine->core_mhz),
                1e-9);
  }
  EXPECT_NEAR(compare_all_tasks(d).total.first[0], 2 * compare_all_tasks(d).total.second[0], 1e-9);
}

TEST(Explanation, IsTheSameTextEveryTime) {
  const ExplainedRun run{"t", 0, 1};
  const std::string once = render_text(explain_point(contended("before"), kSeeds), run);
  EXPECT_EQ(render_text(explain_point(contended("before"), kSeeds), run), once);
}

TEST(Explanation, AsJsonHasPartsThatSumToTheTotal) {
  const auto json = nlohmann::json::parse(render_json(explain_point(contended("before"), kSeeds), {"t", 0, 1}));
  EXPECT_EQ(json["schema"], "linebounce.explain/2");
  double sum = 0;
  for (const auto& part : json["hand_off"]["parts"]) sum += part["cycles"]["mean"].get<double>();
  EXPECT_NEAR(sum, json["hand_off"]["total"]["mean"].get<double>(), 1e-3);
}

TEST(HandOffStory, TellsThePathInPiecesThatFollowEachOther) {
  RecordedRun run;
  (void)explain_point(contended("before"), kSeeds, &run);
  const auto all = hand_offs_in_window(run.recording);
  const Timeline timeline(run.recording);
  for (const HandOff& hand_off : all) {
    const ThreadId next = run.recording.placement[static_cast<std::size_t>(hand_off.next)];
    Cycles at = hand_off.begin;
    for (const PathPiece& piece : critical_path(timeline, next, hand_off.begin, hand_off.end)) {
      EXPECT_EQ(piece.begin, at);
      at = piece.end;
    }
    EXPECT_EQ(at, hand_off.end);
  }
  const HandOff one = *median_hand_off(all);
  EXPECT_NE(path_text(one, timeline).find("claim: LOCK CMPXCHG lock"), std::string::npos);
  EXPECT_NE(cycles_text(one, timeline).find("lock"), std::string::npos);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_plan.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace linebounce {
namespace {

const KnownNames known = {{{"qspinlock", {"before", "after"}}, {"ticket", {}}}, {"s1", "s2"}};

std::string scenario(std::string_view run, std::string_view rest = "", std::string_view lock = "qspinlock") {
  return fmt::format("machine = \"westmere-ex-4s\"\n[workload]\nkind = \"lock-loop\"\nlock = \"{}\"\n[run]\n{}\n{}",
                     lock, run, rest);
}

Plan plan_of(const std::string& text, std::optional<std::uint64_t> seed = {}) {
  return make_plan(parse_scenario(text, "s.toml"), known, seed);
}

std::string error_of(const std::string& text) {
  try {
    plan_of(text);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

std::vector<std::uint32_t> threads(const std::vector<ThreadId>& placement) {
  std::vector<std::uint32_t> out;
  out.reserve(placement.size());
  for (const ThreadId t : placement) out.push_back(t.value);
  return out;
}

TEST(Plan, EveryCombinationComesInFileOrderTheFirstKeySlowest) {
  const Plan plan =
      plan_of(scenario("iterations = 1",
                       "[[points]]\nplacement = \"same-node\"\ntasks = [3, 4]\n"
                       "[[points]]\nplacement = \"different-nodes\"\ntasks = 2\n"
                       "[vary]\nvariant = [\"before\", \"after\"]\nlayout = [\"embedded\", \"standalone\"]\n"));
  std::vector<std::string> points;
  for (const Point& p : plan.points) {
    std::string text;
    for (std::size_t i = 0; i < 4; ++i) text += fmt::format("{}{}", i == 0 ? "" : " ", to_text(p.params[i].second));
    points.push_back(text);
  }
  EXPECT_EQ(plan.varied, (std::vector<std::string>{"placement", "tasks", "variant", "layout"}));
  EXPECT_EQ(points, (std::vector<std::string>{
                        "same-node 3 before embedded", "same-node 3 before standalone", "same-node 3 after embedded",
                        "same-node 3 after standalone", "same-node 4 before embedded", "same-node 4 before standalone",
                        "same-node 4 after embedded", "same-node 4 after standalone",
                        "different-nodes 2 before embedded", "different-nodes 2 before standalone",
                        "different-nodes 2 after embedded", "different-nodes 2 after standalone"}));
  EXPECT_EQ(plan.points[0].experiment.workload.layout, DataLayout::kEmbedded);
  EXPECT_EQ(plan.points[0].experiment.placement.size(), 3U);
  EXPECT_EQ(plan.points[0].experiment.topology, plan.points[11].experiment.topology);
}

TEST(Plan, RowsThatTheCommandLineMakesEqualAreOnePoint) {
  Scenario s = parse_scenario(scenario("iterations = 1",
                                       "[[points]]\nplacement = \"same-node\"\ntasks = [3, 4]\n"
                                       "[[points]]\nplacement = \"different-nodes\"\ntasks = [3, 4]\n"),
                              "s.toml");
  override_scenario(s, "placement=compact");
  EXPECT_EQ(make_plan(s, known).points.size(), 2U);
}

TEST(Plan, AMachineNumberVariesLikeAnyOther) {
  const Plan plan =
      plan_of(scenario("tasks = 1\niterations = 1", "[vary]\n\"machine.clock.core_mhz\" = [2130, 2400]\n"));
  EXPECT_EQ(plan.points.at(0).machine->core_mhz, 2130);
  EXPECT_EQ(plan.points.at(1).machine->core_mhz, 2400);
  EXPECT_EQ(plan.machine, "westmere-ex-4s");
}

TEST(Plan, SeedsCountUpwardsFromTheBaseUnlessListed) {
  const std::string counted = scenario("tasks = 1\niterations = 1\nseeds = 3");
  const std::string listed = scenario("tasks = 1\niterations = 1\nseeds = [7, 5]");
  EXPECT_EQ(plan_of(counted).seeds, (std::vector<std::uint64_t>{1, 2, 3}));
  EXPECT_EQ(plan_of(counted, 40).seeds, (std::vector<std::uint64_t>{40, 41, 42}));
  EXPECT_EQ(plan_of(listed).seeds, (std::vector<std::uint64_t>{7, 5}));
  EXPECT_EQ(plan_of(listed, 40).seeds, (std::vector<std::uint64_t>{40, 41}));
  EXPECT_EQ(plan_of(counted).points[0].with_seed(2).system.seed, 2U);
}

struct Placed {
  PlacementPolicy policy;
  std::int64_t tasks;
  std::vector<std::uint32_t> expected;
  const char* comment;
};

TEST(Plan, EveryPolicyFillsTheMachineInItsOwnOrder) {
  Machine machine;
  machine.sockets = 2;
  machine.cores_per_socket = 2;
  machine.threads_per_core = 2;  // socket 0: threads 0 1 | 2 3, socket 1: 4 5 | 6 7
  const Placed rows[] = {
      {PlacementPolicy::kSameNode, 2, {0, 2}, "one task a core"},
      {PlacementPolicy::kSameNode, 4, {0, 2, 1, 3}, "then the second hardware threads"},
      {PlacementPolicy::kSameNode, 5, {}, "no room on one socket"},
      {PlacementPolicy::kDifferentNodes, 3, {0, 4, 2}, "round-robin over the sockets"},
      {PlacementPolicy::kDifferentNodes, 8, {0, 4, 2, 6, 1, 5, 3, 7}, "the whole machine"},
      {PlacementPolicy::kCompact, 5, {0, 1, 2, 3, 4}, "siblings first"},
      {PlacementPolicy::kCompact, 9, {}, "no room"},
  };
  for (const Placed& row : rows) EXPECT_EQ(threads(place(row.policy, machine, row.tasks)), row.expected) << row.comment;
}

TEST(Plan, AnExplicitPlacementGivesTheTasksUnlessFewerAreAsked) {
  EXPECT_EQ(threads(plan_of(scenario("placement = [5, 0, 2]\niterations = 1")).points[0].experiment.placement),
            (std::vector<std::uint32_t>{5, 0, 2}));
  EXPECT_EQ(
      threads(plan_of(scenario("placement = [5, 0, 2]\ntasks = 2\niterations = 1")).points[0].experiment.placement),
      (std::vector<std::uint32_t>{5, 0}));
}

TEST(Plan, WhatCannotRunIsSaidBeforeAnythingRuns) {
  EXPECT_EQ(error_of(scenario("tasks = 1\niterations = 1", "", "qspinlok")),
            "s.toml:4:8: lock 'qspinlok' does not exist, expected one of qspinlock, ticket (nearest: 'qspinlock')");
  EXPECT_EQ(error_of(scenario("tasks = 1\niterations = 1", "[vary]\nvariant = [\"before\", \"afterr\"]")),
            "s.toml:9:22: qspinlock variant 'afterr' does not exist, expected one of before, after (nearest: 'after')");
  EXPECT_EQ(error_of(scenario("tasks = 1\niterations = 1", "[vary]\nvariant = [\"x\"]", "ticket")),
            "s.toml:9:12: variant 'x', expected none: ticket has no variants");
  EXPECT_EQ(error_of(scenario("tasks = 21\niterations = 1")),
            "s.toml:6:9: 21 tasks, expected at most 20: so many hardware threads has one socket of westmere-ex-4s");
  EXPECT_EQ(error_of(scenario("tasks = 81\nplacement = \"compact\"\niterations = 1")),
            "s.toml:6:9: 81 tasks, expected at most 80: so many hardware threads has westmere-ex-4s");
  EXPECT_EQ(error_of(scenario("placement = [0, 80]\niterations = 1")),
            "s.toml:6:13: hardware thread 80, expected 0 to 79: westmere-ex-4s has 80 hardware threads");
  EXPECT_EQ(error_of(scenario("placement = [3, 3]\niterations = 1")),
            "s.toml:6:13: hardware thread 3 is listed twice, expected at most one task a hardware thread");
  EXPECT_EQ(error_of(scenario("placement = [3]\ntasks = 2\niterations = 1")),
            "s.toml:6:13: 1 hardware threads for 2 tasks, expected one for every task");
  EXPECT_EQ(error_of(scenario("tasks = 1")), "s.toml:5:1: no length, expected iterations, cycles, or both");
  EXPECT_EQ(error_of(scenario("iterations = 1")), "s.toml:5:1: no tasks, expected tasks = how many");
  EXPECT_EQ(
      error_of("machine = \"westmere-ex-4s\"\n[workload]\nkind = \"list-churn\"\nlists = 2\n[run]\niterations = 1\n"),
      "s.toml:4:9: 2 lists for 1 producers and 1 consumers, expected a producer and a consumer for every list");
}

std::string mix(std::string_view locks) {
  return fmt::format(
      "machine = \"westmere-ex-4s\"\n[workload]\nkind = \"lock-mix\"\nlock = \"ticket\"\n{}\n[run]\n"
      "tasks = 2\niterations = 1\n",
      locks);
}

TEST(Plan, AMixOfLocksIsOneValue) {
  const Plan plan =
      plan_of(mix("[[workload.locks]]\nname = \"a\"\n[[workload.locks]]\nname = \"b\"\npercent = 30\n"
                  "critical_section = 7\nwords = 0"));
  ASSERT_EQ(plan.points.size(), 1U);
  const std::vector<MixedLock> expected = {{.name = "a"}, {"b", 30, {7}, 0}};
  EXPECT_EQ(plan.points[0].experiment.workload.locks, expected);
  const auto& params = plan.points[0].params;
  const auto locks = std::find_if(params.begin(), params.end(), [](const auto& p) { return p.first == "locks"; });
  ASSERT_NE(locks, params.end());
  EXPECT_EQ(to_text(locks->second), "a 100 % 0 cycles 1 words; b 30 % 7 cycles 0 words");
}

TEST(Plan, AWrongMixOfLocksIsSaid) {
  EXPECT_EQ(error_of(mix("")), "s.toml:2:1: no locks, expected tables [[workload.locks]]");
  EXPECT_EQ(error_of(mix("locks = []")),
            "s.toml:5:9: locks is an array of 0, expected tables [[workload.locks]], at least one");
  EXPECT_EQ(error_of(mix("locks = [{name = \"a\", percnt = 3}]")),
            "s.toml:5:23: unknown key 'percnt' of a lock, expected one of name, percent, critical_section, words "
            "(nearest: 'percent')");
  EXPECT_EQ(error_of(mix("locks = [{name = \"a\", percent = 101}]")),
            "s.toml:5:33: percent = 101, expected a whole number from 0 to 100 %");
  EXPECT_EQ(error_of(mix("locks = [{percent = 1}]")),
            "s.toml:5:10: a lock without a name, expected name = what it is called");
  EXPECT_EQ(error_of(mix("locks = [{name = \"a\"}, {name = \"a\"}]")),
            "s.toml:5:24: two locks are called 'a', expected different names");
}

std::string sembench(std::string_view workload, std::string_view tasks) {
  return fmt::format(
      "machine = \"westmere-ep-2s\"\n[workload]\nkind = \"sembench\"\n{}\n[run]\ntasks = {}\n"
      "iterations = 1\n",
      workload, tasks);
}

TEST(Plan, AWrongSembenchIsSaid) {
  EXPECT_EQ(error_of(sembench("", "2")), "");
  EXPECT_EQ(error_of(sembench("", "1")),
            "s.toml:2:1: sembench needs a waker and at least one processor with workers: 2 tasks");
  EXPECT_EQ(error_of(sembench("workers = 2", "4")),
            "s.toml:2:1: sembench has 2 workers for 3 processors: at least one each");
  EXPECT_EQ(error_of(sembench("variant = \"s9\"", "2")).substr(0, 48),
            "s.toml:4:11: list variant 's9' does not exist, e");
  EXPECT_EQ(error_of(sembench("max_wake = 0", "2")),
            "s.toml:4:12: max_wake = 0, expected a whole number from 1 to 100000");
  EXPECT_EQ(error_of(sembench("", "13")),
            "s.toml:6:9: 13 tasks, expected at most 12: so many hardware threads has one socket of westmere-ep-2s");
}

TEST(Plan, ASweepBeyondAllMeasureIsRefused) {
  std::string values;
  for (int i = 0; i < 400; ++i) values += fmt::format("{}, ", i);
  EXPECT_EQ(error_of(scenario("tasks = 1\niterations = 1",
                              fmt::format("[vary]\nlocal_work = [{0}]\ncritical_section = [{0}]\n", values))),
            "s.toml:5:1: too many points to run, expected at most 100000");
}

}  // namespace
}  // namespace linebounce

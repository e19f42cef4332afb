// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>

#include "sim/core_to_core.hpp"
#include "sim/figure_bars.hpp"
#include "sim/figure_curves.hpp"
#include "sim/figure_swim_lane.hpp"
#include "sim/figure_topology.hpp"
#include "sim/link_traffic.hpp"
#include "sim/results_testing.hpp"
#include "sim/svg.hpp"
#include "sim/svg_testing.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using testing::expect_sound;

/// Points with 2, 4 and 8 tasks of two locks, one with a hostile name.
Results sweep() {
  Results results = testing::small_results();
  const PointResult one = results.points[0];
  results.points.clear();
  results.varied = {"tasks", "lock"};
  for (const char* lock : {"plain", "<script>&\"'\x01"}) {
    for (const std::int64_t tasks : {2, 4, 8}) {
      PointResult point = one;
      point.params = {{"tasks", tasks}, {"lock", std::string(lock)}};
      point.summaries[metric_index("ns_per_op")] = {3, static_cast<double>(100 * tasks), 5, 7};
      results.points.push_back(point);
    }
  }
  return results;
}

class Recorded : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    machine() = std::make_shared<const Machine>(load_machine("westmere-ex-4s"));
    topology() = std::make_shared<const Topology>(*machine());
    Experiment e;
    e.machine = machine().get();
    e.topology = topology().get();
    e.workload.kind = WorkloadKind::kLockLoop;
    e.workload.lock = "qspinlock";
    e.placement = {ThreadId{0}, ThreadId{20}, ThreadId{40}, ThreadId{60}};
    e.length = {.warmup = 5, .iterations = 30, .cycles = {0}};
    run() = std::make_unique<RecordedRun>(record_run(e, machine(), topology()));
  }
  static void TearDownTestSuite() {
    run().reset();
    topology().reset();
    machine().reset();
  }
  static std::shared_ptr<const Machine>& machine() {
    static std::shared_ptr<const Machine> it;
    return it;
  }
  static std::shared_ptr<const Topology>& topology() {
    static std::shared_ptr<const Topology> it;
    return it;
  }
  static std::unique_ptr<RecordedRun>& run() {
    static std::unique_ptr<RecordedRun> it;
    return it;
  }
};

TEST(Svg, EscapesWhatXmlReserves) {
  EXPECT_EQ(escape_xml("<a href='x'>&\"\x01"), "&lt;a href=&#39;x&#39;&gt;&amp;&quot; ");
}

TEST(Svg, TicksAreRoundAndInside) {
  EXPECT_EQ(ticks(0, 100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(ticks(-12, 31, 4), (std::vector<double>{-10, 0, 10, 20, 30}));
  EXPECT_EQ(ticks(7, 7, 4), (std::vector<double>{7}));
}

TEST(Svg, TextIsCutBetweenCharacters) {
  EXPECT_EQ(fitted("short", 100, 10), "short");
  EXPECT_EQ(fitted("ääääääääää", 31, 10), "ääää…");
  EXPECT_EQ(fitted("no room", 5, 10), "");
}

TEST(Curves, HaveALineForEveryOtherCombinationAndABand) {
  const auto curves = curves_of(sweep(), "ns_per_op");
  ASSERT_TRUE(curves.has_value());
  ASSERT_EQ(curves->lines.size(), 2U);
  EXPECT_EQ(curves->x_axis, "tasks");
  EXPECT_EQ(curves->lines[0].points[2].y, 800);
  EXPECT_EQ(curves->lines[0].points[2].ci95, 7);
  const std::string svg = render_svg(*curves);
  expect_sound(svg);
  EXPECT_EQ(svg, render_svg(*curves));
  EXPECT_NE(svg.find("ns_per_op [ns]"), std::string::npos);
  EXPECT_EQ(svg.find("<script>"), std::string::npos);
}

TEST(Curves, NeedANumericAxis) { EXPECT_FALSE(curves_of(testing::small_results(), "ns_per_op").has_value()); }

TEST(Bars, SumToTheCyclesOfAllTasksPerOperation) {
  const Results results = sweep();
  const StackedBars bars = point_bars(results, 100);
  ASSERT_EQ(bars.rows.size(), 6U);
  double sum = 0;
  for (const StackedBars::Part& part : bars.rows[0].parts) sum += part.value;
  EXPECT_DOUBLE_EQ(sum, static_cast<double>(results.points[0].account.total().count) /
                            static_cast<double>(results.points[0].operations()));
  expect_sound(render_svg(bars));
  expect_sound(render_svg(task_bars(results.points[0], "<point>")));
}

TEST_F(Recorded, TheHandOffIsDrawnWithItsLinesMessagesAndPath) {
  const auto hand_offs = hand_offs_in_window(run()->recording);
  const auto median = median_hand_off(hand_offs);
  ASSERT_TRUE(median.has_value());
  const std::string svg = render_swim_lane(run()->recording, *median, "four <sockets>");
  expect_sound(svg);
  EXPECT_EQ(svg, render_swim_lane(run()->recording, *median, "four <sockets>"));
  for (const char* text : {"release begins", "next owner is inside", "line lock", "critical path", "core cycles since",
                           "home agents", ">L3<", "class=\"arrow\"", "lock in core"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
}

TEST_F(Recorded, EveryHandOffFitsItsPicture) {
  const auto hand_offs = hand_offs_in_window(run()->recording);
  ASSERT_GT(hand_offs.size(), 20U);
  for (std::size_t i = 0; i < hand_offs.size(); i += 10)
    expect_sound(render_swim_lane(run()->recording, hand_offs[i], ""));
}

TEST_F(Recorded, WhatHasNoAddressIsDrawnWithoutOne) {
  bool computes = false;
  for (const HandOff& hand_off : hand_offs_in_window(run()->recording)) {
    const std::string svg = render_swim_lane(run()->recording, hand_off, "");
    computes = computes || svg.find("compute, phase local_work") != std::string::npos;
    EXPECT_EQ(svg.find(" 0x0"), std::string::npos);
  }
  EXPECT_TRUE(computes);
}

TEST_F(Recorded, TheLinksCarriedWhatTheMachineCounted) {
  const LinkTraffic traffic = link_traffic(run()->recording, 50);
  ASSERT_FALSE(traffic.rows.empty());
  for (const LinkTraffic::Row& row : traffic.rows) {
    Bytes sum;
    for (const Bytes bytes : row.bins) sum += bytes;
    EXPECT_EQ(sum, row.total);
    for (std::size_t l = 0; l < topology()->links().size(); ++l) {
      if (topology()->links()[l].name != row.name) continue;
      // The counter sees a message when it is sent; those of the window's first and last cycle may fall on either side.
      EXPECT_NEAR(static_cast<double>(row.total.count), static_cast<double>(run()->result.machine.link_bytes[l].count),
                  160)
          << row.name;
    }
  }
  expect_sound(render_svg(traffic, "four"));
  expect_sound(render_socket_matrix(traffic, 120, "four"));
}

TEST(Topology, ShowsTasksAndTraffic) {
  for (const char* name : {"westmere-ep-2s", "westmere-ex-4s", "westmere-ex-8s", "ivybridge-ex-4s"}) {
    Machine machine;
    try {
      machine = load_machine(name);
    } catch (const InputError&) {
      continue;
    }
    PointResult point = testing::small_results().points[0];
    point.link_bytes = {{"s0>s1", 4000}, {"s1>s0", 200}};
    point.placement = {ThreadId{0}, ThreadId{2}};
    const std::string svg = render_topology_svg(point, machine, "a & b");
    expect_sound(svg);
    EXPECT_NE(svg.find("socket 1"), std::string::npos);
    EXPECT_NE(svg.find(">t1<"), std::string::npos);
    EXPECT_NE(svg.find("500.0 B"), std::string::npos) << name;
  }
}

TEST(CoreToCore, HasACellForEveryTwoCores) {
  const Machine machine = load_machine("westmere-ep-2s");
  CorePairs pairs(machine.cores());
  for (int i = 1; i < machine.cores(); ++i) {
    for (int j = 0; j < i; ++j) pairs.ns(i, j) = 20 + i + j;
  }
  const std::string svg = render_core_to_core_svg(machine, pairs);
  expect_sound(svg);
  EXPECT_NE(svg.find("core 1 and core 0\n21.0 ns"), std::string::npos);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using testing::small_machine;
using testing::small_results;
using testing::small_run;

struct Expected {
  const char* metric;
  double mean;
};

TEST(Results, EveryMetricIsWhatItsDefinitionSays) {
  const PointResult point = small_results().points.front();
  const Expected rows[] = {
      {"cycles_per_op", 110},  // 400 / 4 and 480 / 4
      {"ns_per_op", 55},       // at 2 GHz
      {"ops_per_second", (2e7 + 2e9 / 120) / 2},
      {"cycles_per_op_of_task", 220},  // two tasks share them
      {"operations", 4},
      {"window", 440},
      {"cmpxchg_per_op", 1},
      {"failed_cmpxchg_per_op", 0.25},
      {"failed_cmpxchg_percent", 25},
      {"pauses", 7},
      {"pauses_per_op", 1.75},
      {"fairness_jain", 16.0 / (2 * 10)},  // (3 + 1)^2 / (2 (9 + 1))
      {"fairness_min_max", 1.0 / 3},
      {"transfers_one_hop_per_op", 1},
      {"messages_per_op", 1},
      {"qpi_bytes_per_op", 40},  // 80 each way
  };
  for (const Expected& row : rows) {
    EXPECT_NEAR(point.summary(row.metric).mean, row.mean, 1e-9 * std::fabs(row.mean)) << row.metric;
  }
}

TEST(Results, EveryMetricHasANameOfItsOwnAndADefinition) {
  std::set<std::string_view> names;
  for (const Metric& metric : metrics()) {
    EXPECT_TRUE(names.insert(metric.name).second) << metric.name;
    EXPECT_FALSE(metric.definition.empty()) << metric.name;
  }
  EXPECT_THROW(metric_index("cycles"), std::out_of_range);
}

TEST(Results, SumsOverSeedsAreExact) {
  const PointResult point = small_results().points.front();
  EXPECT_EQ(point.operations(), 8U);
  EXPECT_EQ(point.account.total(), Cycles{1760});
  EXPECT_EQ(point.account.of(Category::kPause), Cycles{880});
  EXPECT_EQ(point.account.at(Phase::kClaim, Category::kQpi), Cycles{860});
  EXPECT_EQ(point.task_accounts[1].of(Phase::kQueueSpin), Cycles{880});
  EXPECT_EQ(point.messages[static_cast<std::size_t>(MessageKind::kGetM)], 8U);
  ASSERT_EQ(point.link_bytes.size(), 2U);
  EXPECT_EQ(point.link_bytes[0].second, 160);
}

TEST(Results, ATaskThatOnlyServesOthersDoesNotCountForFairness) {
  const Machine machine = small_machine();
  const Topology topology(machine);
  RunResult run = small_run(3, {400}, topology);
  run.counting = {true, false};
  const RunView view{run, machine, topology};
  EXPECT_DOUBLE_EQ(metrics()[metric_index("fairness_jain")].of(view), 1);
  EXPECT_DOUBLE_EQ(metrics()[metric_index("cycles_per_op_of_task")].of(view), 100);
}

TEST(Results, ARateWithoutOperationsDoesNotExist) {
  const Machine machine = small_machine();
  const Topology topology(machine);
  RunResult run = small_run(3, {400}, topology);
  run.operations = {0, 0};
  EXPECT_TRUE(std::isnan(metrics()[metric_index("cycles_per_op")].of({run, machine, topology})));
}

TEST(Results, AnAccountThatDoesNotSumToTheWindowIsABrokenModel) {
  const Machine machine = small_machine();
  const Topology topology(machine);
  std::vector<RunResult> runs = {small_run(3, {400}, topology)};
  runs[0].accounts[1].at(Phase::kClaim, Category::kQpi) += {1};
  const std::vector<std::uint64_t> seeds = {1};
  EXPECT_THROW(summarise_point({{}, machine, topology, {{0}, {1}}}, seeds, runs), BrokenModel);
}

TEST(Results, APointIsFoundByItsParameters) {
  const PointResult point = small_results().points.front();
  const std::pair<std::string_view, std::string_view> same[] = {{"tasks", "2"}, {"lock", "a,b"}};
  const std::pair<std::string_view, std::string_view> other[] = {{"tasks", "3"}};
  const std::pair<std::string_view, std::string_view> absent[] = {{"words", "1"}};
  EXPECT_TRUE(point.matches(same));
  EXPECT_FALSE(point.matches(other));
  EXPECT_FALSE(point.matches(absent));
}

}  // namespace
}  // namespace linebounce

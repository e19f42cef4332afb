// SPDX-License-Identifier: Apache-2.0
// Sensitivities of runs that are made up: the length of each is a function of the machine's numbers and the seed.
#include "sim/run_sensitivity.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/render_table.hpp"
#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kScenario = R"(title = "Made up"
machine = "ivybridge-4c"
[workload]
kind = "ping-pong"
[run]
iterations = 1
seeds = 6
[vary]
"machine.core.pause" = [10, 20]
)";

/// 4 operations in 4000 cycles and 40 for each cycle of PAUSE, 20 less for each of MFENCE; XCHG adds or takes away 100 a
/// cycle, as the seed will.
RunResult fake(const Experiment& e) {
  const CoreCosts& core = e.machine->core;
  const std::int64_t sign = e.system.seed % 2 == 0 ? 1 : -1;
  const std::int64_t cycles = 4000 + 40 * core.pause.count - 20 * core.mfence.count + sign * 100 * core.xchg.count;
  return testing::small_run(3, {cycles}, *e.topology);
}

RunSensitivity measured(int jobs = 1, std::size_t seeds = kSensitivitySeeds) {
  const Scenario scenario = parse_scenario(kScenario, "made-up.toml");
  return measure_sensitivity(scenario, make_plan(scenario, {}), seeds, {.jobs = jobs, .run = fake});
}
/// The usual one, measured once.
const RunSensitivity& usual() {
  static const RunSensitivity sensitivity = measured();
  return sensitivity;
}

std::size_t index_of(const PointSensitivity& point, std::string_view name) {
  const auto at = std::ranges::find(point.parameters, name, &TunedParameter::name);
  return static_cast<std::size_t>(at - point.parameters.begin());
}

TEST(RunSensitivity, IsThatOfThePointsOwnMachine) {
  const RunSensitivity& s = usual();
  ASSERT_EQ(s.points.size(), 2U);
  for (std::size_t p = 0; p < 2; ++p) {
    const double pause = p == 0 ? 10 : 20;
    const double mfence = 36;  // topologies/microarchitectures/ivy-bridge.toml
    const std::size_t i = index_of(s.points[p], "core.pause");
    EXPECT_EQ(s.points[p].parameters[i].origin, NumberOrigin::kSet);
    EXPECT_NEAR(s.points[p].effects[i].mean, 100 * 4 * pause / (4000 + 40 * pause - 20 * mfence), 1e-9);
    EXPECT_NEAR(s.points[p].effects[i].ci95, 0, 1e-9) << "what a seed does to all runs alike is no spread";
    const std::size_t m = index_of(s.points[p], "core.mfence");
    EXPECT_EQ(strongest(s.points[p].effects), (p == 0 ? std::vector{m, i} : std::vector{i, m})) << "720 of MFENCE";
  }
}

TEST(RunSensitivity, DoesNotTakeNoiseForIt) {
  const PointSensitivity point = usual().points.front();
  const std::size_t xchg = index_of(point, "core.xchg");
  EXPECT_GT(point.effects[xchg].ci95, 1);
  EXPECT_EQ(lost_in_noise(point.effects), std::vector<std::size_t>{});
  const PointSensitivity odd = measured(1, 3).points.front();
  EXPECT_EQ(lost_in_noise(odd.effects), std::vector<std::size_t>{xchg}) << "two odd seeds, one even";
}

TEST(RunSensitivity, TakesFewerSeedsUnlessOthersAreAskedFor) {
  EXPECT_EQ(usual().base.points.front().replicas.size(), 4U);
  EXPECT_EQ(usual().scenario_seeds, 6U);
  EXPECT_NE(render_text(usual()).find("4 seeds of the scenario's 6 (--set seeds=N takes"), std::string::npos);
  EXPECT_EQ(measured(1, 6).base.points.front().replicas.size(), 6U);
  EXPECT_NE(render_text(measured(1, 1)).find("1 seed of the scenario's 6 "), std::string::npos);
}

TEST(RunSensitivity, IsTheSameWhateverTheNumberOfProcesses) {
  EXPECT_EQ(render_json(measured(3)), render_json(usual()));
}

TEST(RunSensitivity, OfARunThatFailsNamesWhatWasMoved) {
  const Scenario scenario = parse_scenario(kScenario, "made-up.toml");
  const auto run = [](const Experiment& e) -> RunResult {
    if (e.machine->core.xadd == Cycles{20}) throw LimitReached("too long");
    return fake(e);
  };
  try {
    measure_sensitivity(scenario, make_plan(scenario, {}), 1, {.run = run});
    FAIL();
  } catch (const LimitReached& e) {
    EXPECT_STREQ(e.what(), "made-up, point 1 of 2, machine.core.pause 10, machine.core.xadd 20, seed 1: too long");
  }
}

TEST(RunSensitivity, IsNoWiderThanAPageAsText) {
  std::istringstream lines(render_text(measured(1, 3)));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), kTextColumns) << line;
}

TEST(RunSensitivity, HasEveryParameterOfEveryPointAsJsonAndCsv) {
  const std::size_t moved = tuned_parameters("ivybridge-4c").size();
  const Json json = Json::parse(render_json(usual()));
  EXPECT_EQ(json["schema"], "linebounce.run-sensitivity/1");
  EXPECT_EQ(json["metric"]["name"], kHeadlineMetric);
  ASSERT_EQ(json["points"].size(), 2U);
  EXPECT_EQ(json["points"][1]["params"]["machine.core.pause"], 20);
  EXPECT_EQ(json["points"][1]["strongest"], Json({"core.pause", "core.mfence"}));
  EXPECT_EQ(json["points"][1]["parameters"].size(), moved);
  const std::string csv = render_csv(usual());
  EXPECT_EQ(std::ranges::count(csv, '\n'), static_cast<std::ptrdiff_t>(1 + 2 * moved));
  EXPECT_NE(csv.find(",core.pause,20,cycles,set,18,22,"), std::string::npos) << csv;
}

}  // namespace
}  // namespace linebounce

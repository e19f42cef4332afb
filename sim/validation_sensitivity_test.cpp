// SPDX-License-Identifier: Apache-2.0
#include "sim/validation_sensitivity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/render_table.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::json;

EntrySensitivity entry(const std::string& what, const std::vector<double>& effects) {
  EntrySensitivity e{what, 100, {}};
  for (const double effect : effects) e.effects.push_back({.n = 1, .mean = effect, .sd = 0, .ci95 = 0});
  return e;
}

TEST(ParameterWeight, IsTheMeanOfAbsoluteEffectsAndNamesTheLargest) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const EntrySensitivity a = entry("a", {1, -4, 0, none});
  const EntrySensitivity b = entry("b", {-1, 2, 0, none});
  const std::vector<ParameterWeight> weights = weigh(4, {&a, &b});
  EXPECT_DOUBLE_EQ(weights[0].mean_percent, 1);
  EXPECT_EQ(weights[0].whose, "a") << "of several largest the first";
  EXPECT_DOUBLE_EQ(weights[1].mean_percent, 3);
  EXPECT_EQ(weights[1].largest_percent, -4);
  EXPECT_EQ(weights[1].among_strongest, 2);
  for (const std::size_t p : {2U, 3U}) {
    EXPECT_EQ(weights[p].mean_percent, 0);
    EXPECT_EQ(weights[p].whose, "");
    EXPECT_EQ(weights[p].among_strongest, 0);
  }
}

/// Two instructions, and a load from memory at another clock than the machine's.
ValidationSensitivity small() {
  ValidationExperiment experiment;
  experiment.id = "small";
  experiment.machine = "ivybridge-4c";
  experiment.cells = {{LoopProbe{LoopBody::kXchg}, {25, 25}, 0, ""}, {LoopProbe{LoopBody::kPause}, {10, 10}, 0, ""}};
  ValidationExperiment clocked = experiment;
  clocked.id = "clocked";
  clocked.core_mhz = 1700;
  clocked.unit = ValidationUnit::kNanoseconds;
  clocked.cells = {{MemoryProbe{0, 0}, {80, 80}, 0, ""}};
  return measure_sensitivity({{experiment, clocked}, {}}, std::nullopt, 1);
}

double effect(const MachineSensitivity& machine, const EntrySensitivity& entry, std::string_view name) {
  const auto at = std::ranges::find(machine.parameters, name, &TunedParameter::name);
  return entry.effects.at(static_cast<std::size_t>(at - machine.parameters.begin())).mean;
}

TEST(ValidationSensitivity, OfOneInstructionIsItsCostAlone) {
  const MachineSensitivity machine = small().at(0);
  const std::vector<EntrySensitivity>& entries = machine.experiments.at(0).entries;
  EXPECT_NEAR(effect(machine, entries[0], "core.xchg"), 10, 1e-9);
  EXPECT_EQ(strongest(entries[0].effects).size(), 1U);
  EXPECT_NEAR(effect(machine, entries[1], "core.pause"), 10, 1e-9);
  EXPECT_EQ(strongest(entries[1].effects).size(), 1U);
}

TEST(ValidationSensitivity, IsMeasuredAtTheExperimentsClock) {
  const MachineSensitivity machine = small().at(0);
  const EntrySensitivity& memory = machine.experiments.at(1).entries.at(0);
  EXPECT_EQ(effect(machine, memory, "clock.core_mhz"), 0) << "the experiment says what it is";
  EXPECT_LT(effect(machine, memory, "clock.uncore_mhz"), 0);
  EXPECT_GT(effect(machine, memory, "core.l2_miss"), 0);
}

TEST(ValidationSensitivity, IsShownInFullAsJsonAndOnOnePageAsText) {
  const ValidationSensitivity s = small();
  const Json json = Json::parse(render_json(s));
  EXPECT_EQ(json["schema"], "linebounce.validate-sensitivity/1");
  const Json& machine = json["machines"][0];
  EXPECT_EQ(machine["parameters"].size(), s.at(0).parameters.size());
  EXPECT_EQ(machine["experiments"][0]["entries"][1]["strongest"], Json({"core.pause"}));
  EXPECT_EQ(machine["experiments"][0]["entries"][1]["effects"]["core.pause"], 10);
  std::istringstream lines(render_text(s));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), kTextColumns) << line;
}

}  // namespace
}  // namespace linebounce

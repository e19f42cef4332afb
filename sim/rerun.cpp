// SPDX-License-Identifier: Apache-2.0
#include "sim/rerun.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/cli_commands.hpp"
#include "sim/scenario_plan.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// A value in TOML's syntax. A list is one value, an explicit placement, so it stands in a list of values.
struct TomlText {
  std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
  std::string operator()(double x) const { return fmt::format("{:#.17g}", x); }
  std::string operator()(bool b) const { return b ? "true" : "false"; }
  std::string operator()(const std::string& text) const { return nlohmann::json(text).dump(); }
  std::string operator()(const std::vector<std::int64_t>& list) const {
    return fmt::format("[[{}]]", fmt::join(list, ","));
  }
  std::string operator()(const std::vector<MixedLock>&) const { return ""; }
};

/// A table of locks stands in the scenario itself.
void set(Scenario& scenario, const std::string& key, const Value& value) {
  if (std::holds_alternative<std::vector<MixedLock>>(value)) return;
  override_scenario(scenario, fmt::format("{}={}", key, std::visit(TomlText(), value)));
}

}  // namespace

Rerun rerun_point(const Results& results, std::size_t index, Scenario scenario) {
  const PointResult& point = results.points.at(index);
  if (point.replicas.empty()) return {{}, "the result has no run of it"};
  scenario.rows.clear();
  scenario.vary.clear();
  const std::uint64_t seed = point.replicas.front().seed;
  Plan plan;
  try {
    for (const auto& [key, value] : point.params) set(scenario, key, value);
    scenario.seeds = {seed};
    plan = make_plan(scenario, known_names());
    const std::vector<std::string> shipped = shipped_machines();
    if (plan.machine != point.machine && std::ranges::find(shipped, point.machine) != shipped.end()) {
      set(scenario, "machine", point.machine);
      plan = make_plan(scenario, known_names());
    }
  } catch (const InputError&) {
    return {{}, "the scenario of that name does not take its parameters"};
  }
  const Point& again = plan.points.front();
  RecordedRun run = record_run(again.with_seed(seed), again.machine, again.topology, {.end = kMostRecorded});
  if (run.result.digest != point.replicas.front().digest) {
    return {{}, "run again it gave another digest, so the scenario or the program has changed since"};
  }
  if (run.recording.window_closed > kMostRecorded) {
    const Cycles begin = run.recording.window_opened;
    run = record_run(again.with_seed(seed), again.machine, again.topology, {begin, begin + kMostRecorded});
  }
  return {std::move(run), ""};
}

}  // namespace linebounce

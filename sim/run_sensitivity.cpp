// SPDX-License-Identifier: Apache-2.0
#include "sim/run_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace linebounce {
namespace {

/// A machine's parameters, with the topology of each moved machine. Points that share a machine share this.
struct Tuned {
  using Topologies = std::array<std::shared_ptr<const Topology>, 2>;
  const Machine* machine = nullptr;  ///< that they belong to
  std::vector<TunedParameter> parameters;
  std::vector<Topologies> topologies;  ///< by parameter: with less and with more of it
};

Tuned tune(const Point& point) {
  Tuned tuned{point.machine.get(), tuned_parameters(point.machine_file, point.overrides), {}};
  for (const TunedParameter& p : tuned.parameters) {
    const auto topology = [&](const std::shared_ptr<const Machine>& machine) {
      return machine && p.in_topology ? std::make_shared<const Topology>(*machine) : point.topology;
    };
    tuned.topologies.push_back({topology(p.low), topology(p.high)});
  }
  return tuned;
}

/// The point on another machine.
Point moved(const Point& point, const std::string& key, double value, std::shared_ptr<const Machine> machine,
            std::shared_ptr<const Topology> topology) {
  Point other = point;
  other.params.insert(other.params.begin(), {key, value});
  other.machine = std::move(machine);
  other.topology = std::move(topology);
  other.experiment.machine = other.machine.get();
  other.experiment.topology = other.topology.get();
  return other;
}

/// One point on all moved machines, less of a parameter before more of it.
Plan plan_of(const Plan& whole, const Point& point, const Tuned& tuned) {
  Plan plan{whole.machine, whole.seed, whole.seeds, whole.varied, {}};
  for (std::size_t i = 0; i < tuned.parameters.size(); ++i) {
    const TunedParameter& p = tuned.parameters[i];
    const std::string key = "machine." + p.name;
    if (p.low) plan.points.push_back(moved(point, key, p.steps.low, p.low, tuned.topologies[i][0]));
    if (p.high) plan.points.push_back(moved(point, key, p.steps.high, p.high, tuned.topologies[i][1]));
    if (std::ranges::find(plan.varied, key) == plan.varied.end()) plan.varied.push_back(key);  // errors name it
  }
  return plan;
}

Summary no_effect() { return {.n = 0, .mean = std::numeric_limits<double>::quiet_NaN(), .sd = 0, .ci95 = 0}; }

std::vector<Summary> effects_of(const std::vector<TunedParameter>& parameters, const PointResult& base,
                                const std::vector<PointResult>& moved) {
  std::vector<Summary> effects;
  auto next = moved.begin();
  for (const TunedParameter& p : parameters) {
    const PointResult& low = p.low ? *next++ : base;
    const PointResult& high = p.high ? *next++ : base;
    effects.push_back(p.steps.any() ? effect_of(p.steps, low.sample(kHeadlineMetric), base.sample(kHeadlineMetric),
                                                high.sample(kHeadlineMetric))
                                    : no_effect());
  }
  return effects;
}

}  // namespace

RunSensitivity measure_sensitivity(const Scenario& scenario, Plan plan, std::size_t seeds, const PoolOptions& options) {
  RunSensitivity result;
  result.scenario_seeds = plan.seeds.size();
  plan.seeds.resize(std::min(plan.seeds.size(), seeds));
  result.base = run_plan(scenario, plan, options);
  Tuned tuned;
  Scenario shown = scenario;
  for (std::size_t p = 0; p < plan.points.size(); ++p) {
    const Point& point = plan.points[p];
    if (tuned.machine != point.machine.get()) tuned = tune(point);
    if (plan.points.size() > 1)
      shown.name = fmt::format("{}, point {} of {}", scenario.name, p + 1, plan.points.size());
    const Results moved = run_plan(shown, plan_of(plan, point, tuned), options);
    result.points.push_back({tuned.parameters, effects_of(tuned.parameters, result.base.points[p], moved.points)});
  }
  return result;
}

}  // namespace linebounce

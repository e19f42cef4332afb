// SPDX-License-Identifier: Apache-2.0
// Which numbers of the machine a scenario's results depend on, and how that is shown.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/results.hpp"
#include "sim/run_pool.hpp"
#include "sim/tuned_machine.hpp"

namespace linebounce {

/// So many seeds of a scenario are enough, if nobody asks for others: all runs of a seed are paired.
inline constexpr std::size_t kSensitivitySeeds = 4;

struct PointSensitivity {
  std::vector<TunedParameter> parameters;  ///< of the point's machine
  std::vector<Summary> effects;            ///< by parameter, on kHeadlineMetric; NaN for one that cannot be moved
};

struct RunSensitivity {
  Results base;                          ///< with the machines as they are, with the same seeds
  std::vector<PointSensitivity> points;  ///< by point of `base`
  std::size_t scenario_seeds = 0;        ///< how many seeds a run without sensitivity would take
};

/// Runs every point of the plan with its first `seeds` seeds, and again with each parameter of its machine moved. Throws as
/// run_plan does.
RunSensitivity measure_sensitivity(const Scenario& scenario, Plan plan, std::size_t seeds, const PoolOptions& options);

/// For people, at most 100 columns.
std::string render_text(const RunSensitivity& sensitivity);
/// One document, schema "linebounce.run-sensitivity/1":
///   schema, scenario, title, question, machine, seed, seeds, metric {name, unit, definition}, effect,
///   points [{params, machine, core_mhz, result {mean, sd, ci95, n}, strongest [name], parameters [{name, value, unit,
///   origin, low, high, note, effect {mean, sd, ci95, n}}]}]
/// `effect` of a parameter is null if it cannot be moved; `strongest` are at most five that stand out.
std::string render_json(const RunSensitivity& sensitivity);
/// RFC 4180, one row for each parameter of each point; `rank` is 1 for the strongest, empty for what does not stand out.
std::string render_csv(const RunSensitivity& sensitivity);

}  // namespace linebounce

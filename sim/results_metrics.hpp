// SPDX-License-Identifier: Apache-2.0
// What is computed from one run, one row each: name, unit, one-line definition, function. Renderers print these rows
// and never count anything themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "sim/experiment.hpp"

namespace linebounce {

/// A run with the machine that it ran on.
struct RunView {
  const RunResult& run;
  const Machine& machine;
  const Topology& topology;
};

struct Metric {
  std::string_view name;
  std::string_view unit;
  std::string_view definition;
  double (*of)(const RunView&);  ///< NaN where it does not exist (a rate of a run without operations)
};

/// The number that a workload is about.
inline constexpr std::string_view kHeadlineMetric = "cycles_per_op";

std::span<const Metric> metrics();
/// Index into metrics(); throws std::out_of_range for a name that is none.
std::size_t metric_index(std::string_view name);

/// Operations of all tasks.
std::uint64_t total_operations(const RunResult& run);
/// Counters of all tasks.
ThreadCounters total_counters(const RunResult& run);

}  // namespace linebounce

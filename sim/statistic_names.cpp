// SPDX-License-Identifier: Apache-2.0
#include "sim/statistic_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "coherence/ledger.hpp"
#include "sim/render_table.hpp"
#include "sim/results_metrics.hpp"
#include "sim/scenario_parameters.hpp"
#include "sim/usage_error.hpp"
#include "topologies/toml_input.hpp"
#include "units/phase.hpp"

namespace linebounce {

namespace {

struct Statistic {
  std::string_view name;
  std::string_view unit;
  std::string_view definition;
};

/// What explanations and differences speak of.
constexpr Statistic kOfExplanations[] = {
    {"hand_off", "cycles", "from the first operation of the release to the next owner's first operation inside"},
    {"operation_of_a_task", "cycles", "from one completion of a task to its next"},
    {"critical_path", "cycles",
     "the chain of events that leads to an event, each of which ended when the next began, followed backwards"},
    {"share", "%", "cycles of a cause over the cycles of the whole, both in the mean over all seeds"},
    {"median", "cycles", "of the one of median length with the first seed"},
    {"worst", "cycles", "of the longest one with the first seed"},
    {"change", "cycles", "the second run's mean minus the first's, paired by seed"},
    {"95 % CI", "cycles", "half of the two-sided 95 % confidence interval of the change, Student's t over the seeds"},
};

std::vector<Statistic> all_statistics() {
  std::vector<Statistic> all(std::begin(kOfExplanations), std::end(kOfExplanations));
  for (const Metric& metric : metrics()) all.push_back({metric.name, metric.unit, metric.definition});
  for (std::size_t c = 0; c < kCategories; ++c) all.push_back({kCategoryNames[c], "cycles", kCategoryMeanings[c]});
  return all;
}

std::string line_of(const Statistic& s) { return wrapped(fmt::format("{} [{}]: {}", s.name, s.unit, s.definition)); }

}  // namespace

std::string describe_statistic(std::string_view name) {
  const std::vector<Statistic> all = all_statistics();
  std::string out;
  std::vector<std::string_view> names;
  for (const Statistic& statistic : all) {
    names.push_back(statistic.name);
    if (name == "all" || name == statistic.name) out += line_of(statistic);
  }
  if (out.empty()) fail_usage(fmt::format("--statistic {}", name), "no such name", one_of(name, names));
  return out;
}

}  // namespace linebounce

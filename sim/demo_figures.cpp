// SPDX-License-Identifier: Apache-2.0
#include "sim/demo_figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/render_table.hpp"
#include "topologies/input_error.hpp"

namespace linebounce {

const PointResult& find_point(const Results& results, const Where& where) {
  const auto found = std::ranges::find_if(results.points, [&](const PointResult& p) { return p.matches(where); });
  if (found != results.points.end()) return *found;
  std::string wanted;
  for (const auto& [key, value] : where) wanted += fmt::format(" {} {}", key, value);
  throw InputError(
      fmt::format("{}.toml: no point with{}, expected the scenario as it was shipped", results.scenario, wanted));
}

Summary saved_ns(const PointResult& before, const PointResult& after) {
  return paired_difference(after.sample("ns_per_op"), before.sample("ns_per_op"));
}

Summary change_percent(const PointResult& before, const PointResult& after, std::string_view metric) {
  const auto a = before.sample(metric);
  const auto b = after.sample(metric);
  const double whole = summarise(a).mean;
  std::vector<double> changes;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) changes.push_back(100 * (b[i] - a[i]) / whole);
  return summarise(changes);
}

std::string percent_over(double x, double reference) { return fmt::format("{:+.1f} %", 100 * (x / reference - 1)); }

std::string signed_summary(const Summary& s) {
  return s.has_spread() ? fmt::format("{} ±{:.1f}", signed_figure(s.mean), s.ci95) : signed_figure(s.mean);
}

std::vector<Pair> pairs(const Results& results, std::string_view key, std::string_view before, std::string_view after) {
  std::vector<Pair> out;
  for (const PointResult& a : results.points) {
    const Value* value = a.param(key);
    if (value == nullptr || to_text(*value) != before) continue;
    const auto same = [&](const PointResult& b) {
      return a.params.size() == b.params.size() && std::ranges::all_of(a.params, [&](const auto& param) {
               const Value* other = b.param(param.first);
               return other != nullptr && (param.first == key ? to_text(*other) == after : *other == param.second);
             });
    };
    const auto b = std::ranges::find_if(results.points, same);
    if (b != results.points.end()) out.push_back({&a, &*b});
  }
  return out;
}

std::vector<std::string> varied_keys_but(const Results& results, std::string_view key) {
  std::vector<std::string> keys = results.varied;
  std::erase(keys, key);
  return keys;
}

std::vector<std::string> values_of(const PointResult& point, const std::vector<std::string>& keys) {
  std::vector<std::string> values;
  values.reserve(keys.size());
  for (const std::string& key : keys) {
    const Value* value = point.param(key);
    values.push_back(value == nullptr ? "-" : to_text(*value));
  }
  return values;
}

}  // namespace linebounce

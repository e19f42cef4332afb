// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "sim/category_groups.hpp"
#include "sim/render.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

/// A column of the table of points; the last ones are left out if the table gets too wide.
struct Column {
  std::string_view upper;
  std::string_view heading;
  std::string_view metric;
  double scale;
  bool with_spread;
};

constexpr Column kColumns[] = {
    {"", "cycles/op", kHeadlineMetric, 1, true},         {"", "ns/op", "ns_per_op", 1, false},
    {"", "Mop/s", "ops_per_second", 1e-6, false},        {"failed", "cmpxchg/op", "failed_cmpxchg_per_op", 1, false},
    {"", "PAUSE/op", "pauses_per_op", 1, false},         {"fairness", "min/max", "fairness_min_max", 1, false},
    {"messages", "per op", "messages_per_op", 1, false},
};

std::string cell(const PointResult& point, const Column& column) {
  Summary s = point.summary(column.metric);
  s.mean *= column.scale;
  s.ci95 *= column.scale;
  return column.with_spread ? figure(s) : figure(s.mean);
}

TextTable points_table(const Results& results, std::size_t columns) {
  TextTable table(1 + results.varied.size(), 2);
  std::vector<std::string> upper(1 + results.varied.size());
  std::vector<std::string> heading = {"#"};
  for (const std::string& key : results.varied) heading.push_back(clipped(key));
  for (std::size_t i = 0; i < columns; ++i) {
    upper.emplace_back(kColumns[i].upper);
    heading.emplace_back(kColumns[i].heading);
  }
  table.add(std::move(upper));
  table.add(std::move(heading));
  for (std::size_t p = 0; p < results.points.size(); ++p) {
    const PointResult& point = results.points[p];
    std::vector<std::string> row = {fmt::format("{}", p + 1)};
    for (const std::string& key : results.varied) {
      const Value* value = point.param(key);
      row.push_back(value == nullptr ? "-" : clipped(to_text(*value)));
    }
    for (std::size_t i = 0; i < columns; ++i) row.push_back(cell(point, kColumns[i]));
    table.add(std::move(row));
  }
  return table;
}

using Groups = std::array<std::int64_t, kCategoryGroupNames.size()>;

Groups groups_of(const Account& account) {
  Groups groups{};
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<Category>(c);
    groups[static_cast<std::size_t>(group_of(category))] += account.of(category).count;
  }
  return groups;
}

bool has_machine_clears(const Results& results) {
  return std::ranges::any_of(results.points,
                             [](const PointResult& p) { return p.account.of(Category::kMachineClear).count > 0; });
}

/// Machine clears have a column only where there are any: loops wait with PAUSE if nobody wants to know.
std::string account_table(const Results& results) {
  const bool clears = has_machine_clears(results);
  const auto shown = [clears](std::size_t group) {
    return clears || group != static_cast<std::size_t>(CategoryGroup::kClears);
  };
  TextTable table(1);
  std::vector<std::string> heading = {"#"};
  for (std::size_t g = 0; g < kCategoryGroupNames.size(); ++g) {
    if (shown(g)) heading.emplace_back(kCategoryGroupNames[g]);
  }
  table.add(std::move(heading));
  for (std::size_t p = 0; p < results.points.size(); ++p) {
    const Account& account = results.points[p].account;
    const Groups groups = groups_of(account);
    const auto total = static_cast<double>(account.total().count);
    std::vector<std::string> row = {fmt::format("{}", p + 1)};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (shown(g)) row.push_back(fmt::format("{:.1f}", 100 * static_cast<double>(groups[g]) / total));
    }
    table.add(std::move(row));
  }
  return table.str();
}

std::string fixed_parameters(const Results& results) {
  std::vector<std::string> fixed;
  for (const auto& [key, value] : results.points.front().params) {
    if (std::ranges::find(results.varied, key) == results.varied.end()) {
      fixed.push_back(fmt::format("{} {}", key, to_text(value)));
    }
  }
  return fixed.empty() ? "" : wrapped(fmt::format("{}", fmt::join(fixed, ", ")));
}

}  // namespace

std::string render_text(const Results& results) {
  std::string out = results.title == results.scenario ? "" : wrapped(results.title);
  out += wrapped(results.question);
  if (results.points.empty()) return out;
  const std::size_t seeds = results.points.front().replicas.size();
  out += wrapped(fmt::format("{}, machine {}, base seed {}, {} seed{}{}", results.scenario, results.machine,
                             results.seed, seeds, seeds == 1 ? "" : "s",
                             seeds == 1 ? "" : "; ± is the 95 % confidence interval of the mean"));
  out += fixed_parameters(results) + '\n';
  std::size_t columns = std::size(kColumns);
  while (columns > 1 && points_table(results, columns).width() > kTextColumns) --columns;
  out += points_table(results, columns).str();
  out += "\nWhere the cycles of all tasks went, in percent\n" + account_table(results);
  out += wrapped(fmt::format("{}{}.", kCategoryGroupLegend,
                             has_machine_clears(results) ? "; clears: memory-order machine clears" : ""));
  return out;
}

std::string render_account(const PointResult& point) {
  std::vector<Phase> phases;
  for (std::size_t p = 0; p < kPhases; ++p) {
    if (point.account.of(static_cast<Phase>(p)).count != 0) phases.push_back(static_cast<Phase>(p));
  }
  const auto operations = static_cast<double>(point.operations());
  const auto per_op = [operations](Cycles c) {
    return c.count == 0 ? "." : fmt::format("{:.1f}", static_cast<double>(c.count) / operations);
  };

  TextTable table(1, 2);  // "critical_section" stands in two lines
  std::vector<std::string> upper = {""};
  std::vector<std::string> lower = {"cycles per operation"};
  for (const Phase phase : phases) {
    const std::string_view name = name_of(phase);
    const std::size_t bar = name.find('_');
    upper.emplace_back(bar == std::string_view::npos ? "" : name.substr(0, bar));
    lower.emplace_back(bar == std::string_view::npos ? name : name.substr(bar + 1));
  }
  upper.emplace_back("");
  lower.emplace_back("all");
  table.add(std::move(upper));
  table.add(std::move(lower));
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<Category>(c);
    if (point.account.of(category).count == 0) continue;
    std::vector<std::string> row = {std::string(name_of(category))};
    for (const Phase phase : phases) row.push_back(per_op(point.account.at(phase, category)));
    row.push_back(per_op(point.account.of(category)));
    table.add(std::move(row));
  }
  std::vector<std::string> all = {"all"};
  for (const Phase phase : phases) all.push_back(per_op(point.account.of(phase)));
  all.push_back(per_op(point.account.total()));
  table.add(std::move(all));
  return table.str();
}

}  // namespace linebounce

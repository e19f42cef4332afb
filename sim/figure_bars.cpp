// SPDX-License-Identifier: Apache-2.0
#include "sim/figure_bars.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "sim/category_groups.hpp"
#include "sim/render_table.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kWidth = 1000;
constexpr double kMargin = 16;
constexpr double kRow = 20;
constexpr double kBar = 15;
constexpr double kMostLabel = 330;

/// Colours of the groups: what is waiting for something busy, and what is no task at all, is grey.
constexpr std::array<std::string_view, kCategoryGroups> kColours = {"f2", "f6", "f3 half", "f3", "f4", "f5",
                                                                    "f0", "f1", "f7",      "f8", "f9"};

/// Parts of an account by group, each value `scale` times its cycles.
std::vector<StackedBars::Part> parts_of(const Account& account, double scale, std::string_view unit) {
  std::vector<StackedBars::Part> parts(kCategoryGroups);
  std::array<std::vector<std::string>, kCategoryGroups> lists;
  for (std::size_t c = 0; c < kCategories; ++c) {
    const auto category = static_cast<Category>(c);
    const double value = static_cast<double>(account.of(category).count) * scale;
    if (value == 0) continue;
    const auto group = static_cast<std::size_t>(group_of(category));
    parts[group].value += value;
    lists[group].push_back(fmt::format("{} {}", name_of(category), figure(value)));
  }
  for (std::size_t g = 0; g < parts.size(); ++g) {
    parts[g].tip =
        fmt::format("{}: {} {}\n{}", kCategoryGroupNames[g], figure(parts[g].value), unit, fmt::join(lists[g], "\n"));
  }
  return parts;
}

StackedBars empty_bars() {
  StackedBars bars;
  bars.series.assign(kCategoryGroupNames.begin(), kCategoryGroupNames.end());
  return bars;
}

double sum_of(const StackedBars::Row& row) {
  double sum = 0;
  for (const StackedBars::Part& part : row.parts) sum += part.value;
  return sum;
}

}  // namespace

std::string point_label(const Results& results, std::size_t point) {
  std::vector<std::string> values;
  for (const std::string& key : results.varied) {
    const Value* value = results.points[point].param(key);
    if (value == nullptr) continue;
    // A number or a truth says nothing without its key.
    values.push_back(std::holds_alternative<std::string>(*value) ? to_text(*value)
                                                                 : fmt::format("{} {}", key, to_text(*value)));
  }
  return values.empty() ? fmt::format("point {}", point + 1) : fmt::format("{}", fmt::join(values, ", "));
}

StackedBars point_bars(const Results& results, std::size_t most) {
  StackedBars bars = empty_bars();
  bars.title = fmt::format("{}: where the cycles of all tasks went", results.scenario);
  bars.row_axis = results.varied.empty() ? "point" : fmt::format("{}", fmt::join(results.varied, ", "));
  bars.value_axis = "core cycles of all tasks per operation";
  for (std::size_t i = 0; i < std::min(most, results.points.size()); ++i) {
    const PointResult& point = results.points[i];
    if (point.operations() == 0) continue;
    bars.rows.push_back(
        {point_label(results, i), parts_of(point.account, 1 / static_cast<double>(point.operations()), "core cycles")});
  }
  return bars;
}

StackedBars task_bars(const PointResult& point, const std::string& what) {
  StackedBars bars = empty_bars();
  bars.title = fmt::format("{}: where the cycles of each task went", what);
  bars.row_axis = "task (hardware thread)";
  bars.value_axis = "percent of the measured window";
  for (std::size_t task = 0; task < point.task_accounts.size(); ++task) {
    const Account& account = point.task_accounts[task];
    if (account.total().count == 0) continue;
    bars.rows.push_back({fmt::format("{} ({})", task, point.placement[task].value),
                         parts_of(account, 100 / static_cast<double>(account.total().count), "%")});
  }
  return bars;
}

std::string render_svg(const StackedBars& bars) {
  double label = text_pixels(bars.row_axis, 12);
  double most = 0;
  for (const StackedBars::Row& row : bars.rows) {
    label = std::max(label, text_pixels(row.label, 12));
    most = std::max(most, sum_of(row));
  }
  label = std::min(label, kMostLabel);
  const double left = kMargin + label + 10;
  const double right = kWidth - 70;
  const Scale scale{0, most, left, right};

  std::vector<LegendEntry> entries;
  for (std::size_t s = 0; s < bars.series.size(); ++s) entries.push_back({bars.series[s], std::string(kColours[s])});
  const double top = 42 + legend_height(kWidth - 2 * kMargin, entries) + 24;
  const double bottom = top + static_cast<double>(bars.rows.size()) * kRow;

  Svg svg(kWidth, bottom + 46, bars.title);
  legend(svg, kMargin, 42, kWidth - 2 * kMargin, entries);
  svg.text(kMargin, top - 8, fitted(bars.row_axis, label, 12), "ink bold");
  for (const double value : ticks(0, most, 8)) {
    svg.line({scale(value), top - 4}, {scale(value), bottom}, "grid");
    svg.text(scale(value), bottom + 15, tick_text(value), "soft", Anchor::kMiddle);
  }
  svg.text((left + right) / 2, bottom + 34, bars.value_axis, "ink", Anchor::kMiddle);
  double y = top;
  for (const StackedBars::Row& row : bars.rows) {
    svg.text(kMargin, y + 12, fitted(row.label, label, 12));
    double sum = 0;
    for (std::size_t s = 0; s < row.parts.size(); ++s) {
      const double x = scale(sum);
      sum += row.parts[s].value;
      if (scale(sum) - x < 0.05) continue;
      svg.rect(x, y, scale(sum) - x, kBar, std::string(kColours[s]) + " rule", row.label + "\n" + row.parts[s].tip);
    }
    svg.text(scale(sum) + 5, y + 12, figure(sum), "soft");
    y += kRow;
  }
  svg.line({left, top - 4}, {left, bottom}, "axis");
  return std::move(svg).take();
}

}  // namespace linebounce

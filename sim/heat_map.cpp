// SPDX-License-Identifier: Apache-2.0
#include "sim/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kMargin = 16;
constexpr double kTop = 80;  ///< title, axis and column labels
constexpr double kLabelWidth = 190;
constexpr double kCellWidth = 104;
constexpr double kCellHeight = 20;
constexpr double kLegendWidth = 88;  ///< one class of the legend
constexpr double kLegendHeight = 60;

double greatest(const HeatMap& map) {
  double most = 0;
  for (const HeatMap::Row& row : map.rows) {
    for (const double value : row.values) most = std::max(most, value);
  }
  return most;
}

/// A box with text in its middle.
void cell(Svg& svg, double x, double y, double width, std::size_t step, std::string_view content) {
  svg.rect(x, y, width - 1, kCellHeight - 1, step_class(step));
  svg.text(x + width / 2, y + 14, content, text_on_step(step), Anchor::kMiddle);
}

}  // namespace

std::string render_svg(const HeatMap& map) {
  const double cells = static_cast<double>(std::max<std::size_t>(map.columns.size(), 6));  // the title, the legend
  const double left = kMargin + kLabelWidth;
  const double below = kTop + static_cast<double>(map.rows.size()) * kCellHeight + 24;
  Svg svg(left + cells * kCellWidth + kMargin, below + kLegendHeight, map.title);
  svg.text(kMargin, kTop - 8, map.row_axis, "ink bold");
  svg.text(left, kTop - 28, map.column_axis, "ink bold");
  const auto column_at = [&](std::size_t column) { return left + static_cast<double>(column) * kCellWidth; };
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    svg.text(column_at(c) + kCellWidth / 2, kTop - 8, map.columns[c], "ink", Anchor::kMiddle);
  }

  // Classes of equal width, a whole number of units.
  const double step = std::max(1.0, std::ceil((greatest(map) + 1) / kSteps));
  double y = kTop;
  for (const HeatMap::Row& row : map.rows) {
    svg.text(kMargin, y + 14, row.label, row.values.empty() ? "ink bold" : "ink");
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      cell(svg, column_at(c), y, kCellWidth, static_cast<std::size_t>(row.values[c] / step),
           fmt::format("{:.0f}", row.values[c]));
    }
    y += kCellHeight;
  }

  svg.text(kMargin, below, map.unit, "ink bold");
  for (std::size_t s = 0; s < kSteps; ++s) {
    const double from = static_cast<double>(s) * step;
    cell(svg, kMargin + static_cast<double>(s) * kLegendWidth, below + 10, kLegendWidth, s,
         fmt::format("{:.0f} to {:.0f}", from, from + step - 1));
  }
  return std::move(svg).take();
}

}  // namespace linebounce

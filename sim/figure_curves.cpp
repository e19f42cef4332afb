// SPDX-License-Identifier: Apache-2.0
#include "sim/figure_curves.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/render_table.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kWidth = 1000;
constexpr double kTop = 48;
constexpr double kPlotHeight = 330;
constexpr double kLeft = 80;
constexpr double kLegendLine = 17;
constexpr std::size_t kMostLines = 3 * kSeriesColours;  ///< solid, dashed and dotted

std::optional<double> number_of(const Value* value) {
  if (value == nullptr) return std::nullopt;
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(value)) return *real;
  return std::nullopt;
}

/// The key that makes the x axis; "" if there is none.
std::string axis_of(const Results& results) {
  std::string best;
  std::size_t most = 1;
  for (const std::string& key : results.varied) {
    std::set<double> values;
    for (const PointResult& point : results.points) {
      if (const auto x = number_of(point.param(key))) values.insert(*x);
    }
    if (key == "tasks" && values.size() > 1) return key;
    if (values.size() > most) {
      most = values.size();
      best = key;
    }
  }
  return best;
}

std::string label_of(const Results& results, const PointResult& point, const std::string& axis) {
  std::vector<std::string> values;
  for (const std::string& key : results.varied) {
    const Value* value = point.param(key);
    if (key == axis || value == nullptr) continue;
    values.push_back(std::holds_alternative<std::string>(*value) ? to_text(*value)
                                                                 : fmt::format("{} {}", key, to_text(*value)));
  }
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string line_classes(std::size_t line) {
  return stroke_class(line % kSeriesColours) + fmt::format(" thick dash{}", line / kSeriesColours);
}

void draw_line(Svg& svg, const Curves::Line& line, std::size_t index, const Scale& x, const Scale& y) {
  std::vector<PlotPoint> middle;
  std::vector<PlotPoint> band;
  for (const Curves::At& at : line.points) {
    middle.push_back({x(at.x), y(at.y)});
    band.push_back({x(at.x), y(at.y + at.ci95)});
  }
  for (auto at = line.points.rbegin(); at != line.points.rend(); ++at) {
    band.push_back({x(at->x), y(std::max(0.0, at->y - at->ci95))});
  }
  svg.polygon(band, fill_class(index % kSeriesColours) + " band");
  svg.polyline(middle, line_classes(index));
}

}  // namespace

std::optional<Curves> curves_of(const Results& results, std::string_view metric) {
  const std::string axis = axis_of(results);
  if (axis.empty()) return std::nullopt;
  const Metric& what = metrics()[metric_index(metric)];
  Curves curves;
  curves.title = fmt::format("{}: {} over {}", results.scenario, what.name, axis);
  curves.x_axis = axis;
  curves.y_axis = what.unit.empty() ? std::string(what.name) : fmt::format("{} [{}]", what.name, what.unit);
  for (const PointResult& point : results.points) {
    const auto x = number_of(point.param(axis));
    const Summary& s = point.summary(metric);
    if (!x || !std::isfinite(s.mean)) continue;
    const std::string label = label_of(results, point, axis);
    auto line = std::ranges::find(curves.lines, label, &Curves::Line::label);
    if (line == curves.lines.end()) line = curves.lines.insert(line, {label, {}});
    line->points.push_back({*x, s.mean, s.has_spread() ? s.ci95 : 0});
  }
  if (curves.lines.empty()) return std::nullopt;
  for (Curves::Line& line : curves.lines) std::ranges::stable_sort(line.points, {}, &Curves::At::x);
  if (curves.lines.size() > kMostLines) {
    curves.left_out = curves.lines.size() - kMostLines;
    curves.lines.resize(kMostLines);
  }
  return curves;
}

std::string render_svg(const Curves& curves) {
  std::set<double> xs;
  double most = 0;
  double label = 60;
  for (const Curves::Line& line : curves.lines) {
    label = std::max(label, text_pixels(line.label, 11));
    for (const Curves::At& at : line.points) {
      xs.insert(at.x);
      most = std::max(most, at.y + at.ci95);
    }
  }
  if (most == 0) most = 1;
  const bool named = curves.lines.size() > 1 || !curves.lines.front().label.empty();
  const double legend_width = named ? std::min(label, 340.0) + 44 : 20;
  const double right = kWidth - legend_width;
  const double bottom = kTop + kPlotHeight;
  const double legend_lines = static_cast<double>(curves.lines.size() + (curves.left_out > 0 ? 1 : 0));
  const Scale x{*xs.begin(), *xs.rbegin(), kLeft + 14, right - 24};
  const Scale y{0, most * 1.05, bottom, kTop};

  Svg svg(kWidth, std::max(bottom + 52, kTop + legend_lines * kLegendLine + 16), curves.title);
  for (const double value : ticks(0, most * 1.05, 7)) {
    svg.line({kLeft, y(value)}, {right - 10, y(value)}, "grid");
    svg.text(kLeft - 8, y(value) + 4, tick_text(value), "soft", Anchor::kEnd);
  }
  const std::vector<double> labels =
      xs.size() <= 12 ? std::vector<double>(xs.begin(), xs.end()) : ticks(*xs.begin(), *xs.rbegin(), 10);
  double free_from = 0;
  for (const double value : labels) {
    const std::string text = tick_text(value);
    const double half = text_pixels(text, 12) / 2;
    svg.line({x(value), bottom}, {x(value), bottom + 4}, "axis");
    if (x(value) - half < free_from) continue;
    svg.text(x(value), bottom + 18, text, "soft", Anchor::kMiddle);
    free_from = x(value) + half + 6;
  }
  svg.text((kLeft + right) / 2, bottom + 40, curves.x_axis, "ink", Anchor::kMiddle);
  svg.text_upwards(20, (kTop + bottom) / 2, curves.y_axis);

  for (std::size_t i = 0; i < curves.lines.size(); ++i) draw_line(svg, curves.lines[i], i, x, y);
  for (std::size_t i = 0; i < curves.lines.size(); ++i) {
    const Curves::Line& line = curves.lines[i];
    for (const Curves::At& at : line.points) {
      svg.circle({x(at.x), y(at.y)}, 3.5, fill_class(i % kSeriesColours) + " rule",
                 fmt::format("{}\n{} {}\n{}{}", line.label, curves.x_axis, tick_text(at.x), figure(at.y),
                             at.ci95 > 0 ? " ±" + figure(at.ci95) : ""));
    }
    if (!named) continue;
    const double row = kTop + (static_cast<double>(i) + 0.5) * kLegendLine;
    svg.line({right + 6, row}, {right + 32, row}, line_classes(i));
    svg.text(right + 38, row + 4, fitted(line.label, legend_width - 44, 11), "ink legend");
  }
  if (curves.left_out > 0) {
    svg.text(right + 6, kTop + legend_lines * kLegendLine, fmt::format("and {} more", curves.left_out), "soft");
  }
  svg.line({kLeft, bottom}, {right - 10, bottom}, "axis");
  svg.line({kLeft, kTop}, {kLeft, bottom}, "axis");
  return std::move(svg).take();
}

}  // namespace linebounce

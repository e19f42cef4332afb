// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core_to_core.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kMargin = 16;
constexpr double kLeft = 74;
constexpr double kTop = 76;
constexpr double kPlot = 600;        ///< about the side of the square
constexpr double kLegendClass = 96;  ///< one class of the legend
constexpr int kLabels = 20;          ///< about as many numbers along an axis

}  // namespace

std::string render_core_to_core_svg(const Machine& machine, const CorePairs& pairs) {
  const int cores = pairs.cores();
  double least = pairs.ns(1, 0);
  double most = least;
  for (int i = 1; i < cores; ++i) {
    for (int j = 0; j < i; ++j) {
      least = std::min(least, pairs.ns(i, j));
      most = std::max(most, pairs.ns(i, j));
    }
  }
  const double cell = std::max(6.0, std::floor(kPlot / cores));
  const double side = cell * cores;
  const double from = std::floor(least);
  const double step = std::max(1.0, std::ceil((most + 1 - from) / kSteps));
  Svg svg(std::max(kLeft + side + kMargin, 2 * kMargin + kSteps * kLegendClass), kTop + side + 76,
          fmt::format("{}: a line from core to core", machine.name));
  svg.text(kLeft + side / 2, kTop - 28, "core", "ink", Anchor::kMiddle);
  svg.text_upwards(24, kTop + side / 2, "core");
  const int every = std::max(1, cores / kLabels);
  for (int i = 0; i < cores; ++i) {
    const double y = kTop + i * cell;
    if (i % every == 0) {
      svg.text(kLeft - 6, y + cell / 2 + 4, fmt::format("{}", i), "soft", Anchor::kEnd);
      svg.text(kLeft + i * cell + cell / 2, kTop - 8, fmt::format("{}", i), "soft", Anchor::kMiddle);
    }
    for (int j = 0; j < cores; ++j) {
      if (i == j) continue;
      const double ns = pairs.ns(std::max(i, j), std::min(i, j));
      svg.rect(kLeft + j * cell, y, cell - 0.5, cell - 0.5, step_class(static_cast<std::size_t>((ns - from) / step)),
               fmt::format("core {} and core {}\n{:.1f} ns one way", i, j, ns));
    }
  }
  for (int s = 1; s < machine.sockets; ++s) {
    const double at = s * machine.cores_per_socket * cell;
    svg.line({kLeft + at, kTop}, {kLeft + at, kTop + side}, "axis");
    svg.line({kLeft, kTop + at}, {kLeft + side, kTop + at}, "axis");
  }
  const double below = kTop + side + 26;
  svg.text(kMargin, below,
           fmt::format("ns one way, by cmpxchg, at {} MHz; lines are between sockets", machine.core_mhz), "ink bold");
  for (std::size_t s = 0; s < kSteps; ++s) {
    const double left = kMargin + static_cast<double>(s) * kLegendClass;
    const double low = from + static_cast<double>(s) * step;
    svg.rect(left, below + 12, kLegendClass - 2, 20, step_class(s));
    svg.text(left + kLegendClass / 2, below + 26, fmt::format("{:.0f} to {:.0f}", low, low + step - 1), text_on_step(s),
             Anchor::kMiddle);
  }
  return std::move(svg).take();
}

}  // namespace linebounce

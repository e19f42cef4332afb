// SPDX-License-Identifier: Apache-2.0
#include "sim/sensitivity.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linebounce {
namespace {

/// The strongest of all that are not 0, whether they stand out or not.
std::vector<std::size_t> in_order(std::span<const Summary> effects) {
  std::vector<std::size_t> order(effects.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t i) { return !std::isfinite(effects[i].mean) || effects[i].mean == 0; });
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return std::abs(effects[i].mean); });
  return order;
}

}  // namespace

Steps steps_around(double value, double min, double max, bool whole) {
  double step = std::max(1.0, std::abs(value) / 10);
  if (whole) step = std::round(step);
  return {value, std::max(min, value - step), std::min(max, value + step)};
}

Summary effect_of(const Steps& steps, std::span<const double> low, std::span<const double> value,
                  std::span<const double> high) {
  const double tenth = steps.value == 0 ? 1 : std::abs(steps.value) / 10;
  const double factor = 100 * tenth / (steps.high - steps.low) / summarise(value).mean;
  Summary effect = paired_difference(low, high);
  effect.mean *= factor;
  effect.sd *= std::abs(factor);
  effect.ci95 *= std::abs(factor);
  return effect;
}

bool stands_out(const Summary& effect) { return std::abs(effect.mean) > effect.ci95; }

std::vector<std::size_t> strongest(std::span<const Summary> effects, std::size_t most) {
  std::vector<std::size_t> order = in_order(effects);
  std::erase_if(order, [&](std::size_t i) { return !stands_out(effects[i]); });
  order.resize(std::min(order.size(), most));
  return order;
}

std::vector<std::size_t> lost_in_noise(std::span<const Summary> effects, std::size_t most) {
  const std::vector<std::size_t> found = strongest(effects, most);
  std::vector<std::size_t> order = in_order(effects);
  std::erase_if(order, [&](std::size_t i) {
    if (stands_out(effects[i])) return true;
    return found.size() == most && std::abs(effects[i].mean) <= std::abs(effects[found.back()].mean);
  });
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// How much a result depends on a parameter, by finite differences. Pure arithmetic: what the result is, callers know.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "sim/statistics.hpp"

namespace linebounce {

/// How many parameters are named for a result.
inline constexpr std::size_t kStrongest = 5;

/// A parameter and how far it is moved, in its unit. Where only one direction is legal, the other end is `value` itself.
struct Steps {
  double value = 0;
  double low = 0;
  double high = 0;
  /// False if it cannot be moved at all.
  bool any() const { return low < high; }
};

/// A tenth of `value`, and at least one unit, to either side, but not beyond the inclusive limits. A `whole` parameter
/// takes whole steps.
Steps steps_around(double value, double min, double max, bool whole);

/// Change of the result, in percent, for each tenth by which the parameter grows (of one that is 0, for one unit): the
/// slope between both ends of the steps. The samples are the results at low, value and high with the same seeds in the
/// same order; where a step was not made, `low` or `high` is the sample at value. Not finite if the results are not.
Summary effect_of(const Steps& steps, std::span<const double> low, std::span<const double> value,
                  std::span<const double> high);

inline constexpr std::string_view kEffectDefinition =
    "change of the result in percent for +10 % of the parameter (+1 unit where it is 0), from steps of a tenth, and at "
    "least one unit, to both sides where both are legal";

/// Whether it is not 0 and its 95 % confidence interval does not hold 0. Without a spread every number counts.
bool stands_out(const Summary& effect);

/// Indices of the effects that stand out, the strongest first (ties: the earlier one), at most `most`.
std::vector<std::size_t> strongest(std::span<const Summary> effects, std::size_t most = kStrongest);

/// Indices of the effects that would be among the `most` strongest, if their confidence interval did not hold 0; likewise
/// in order.
std::vector<std::size_t> lost_in_noise(std::span<const Summary> effects, std::size_t most = kStrongest);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What the sensitivities of runs and of validations are shown with.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/json_values.hpp"
#include "sim/tuned_machine.hpp"

namespace linebounce {

/// "+3.10 ±0.20"; without the spread if there is none.
std::string effect_text(const Summary& effect);

/// The items in lines of at most kTextColumns columns, none of them broken, each line beginning with `indent` spaces.
std::string listed(const std::vector<std::string>& items, std::size_t indent);

/// {name, value, unit, origin, low, high, note}
Json json_of(const TunedParameter& parameter);

}  // namespace linebounce

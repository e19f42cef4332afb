// SPDX-License-Identifier: Apache-2.0
// What the sensitivities of runs and of validations are shown with.
#pragma once

#include <string>

#include "sim/json_values.hpp"
#include "sim/tuned_machine.hpp"

namespace linebounce {

/// "+3.10 ±0.20"; without the spread if there is none.
std::string effect_text(const Summary& effect);

/// {name, value, unit, origin, low, high, note}
Json json_of(const TunedParameter& parameter);

}  // namespace linebounce

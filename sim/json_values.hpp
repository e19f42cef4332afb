// SPDX-License-Identifier: Apache-2.0
// What stands in several JSON documents, in one form.
#pragma once

#include <nlohmann/json.hpp>

#include "sim/scenario_parameters.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

using Json = nlohmann::ordered_json;

/// A whole number as one, others rounded to ten significant digits, none as null.
Json json_number(double x);
Json json_of(const Value& value);
/// {mean, sd, ci95, n}; sd and ci95 of a single replica are null.
Json json_of(const Summary& summary);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What stands in several JSON documents, in one form.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/results.hpp"
#include "sim/scenario_parameters.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

using Json = nlohmann::ordered_json;

/// A whole number as one, others rounded to ten significant digits, none as null.
Json json_number(double x);
Json json_of(const Value& value);
/// {mean, sd, ci95, n}; sd and ci95 of a single replica are null.
Json json_of(const Summary& summary);
/// {schema, scenario, title, question, machine, seed, seeds}: how a document of results begins.
Json heading_of(std::string_view schema, const Results& results);

}  // namespace linebounce

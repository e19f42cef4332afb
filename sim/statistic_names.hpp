// SPDX-License-Identifier: Apache-2.0
// Every name that stands in an output, with its unit and what it means.
#pragma once

#include <string>
#include <string_view>

namespace linebounce {

/// "name [unit]: definition", or all of them for "all". Throws UsageError, with the nearest name, for one that is none.
std::string describe_statistic(std::string_view name);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// `linebounce run SCENARIO --c2c`.
#pragma once

#include <string>

#include "sim/cli_commands.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace linebounce {

/// Adds the option to `run`; it stands alone, but for the two formats.
CLI::Option* add_c2c_option(CLI::App& run, RunCommand& command);

/// Loads, overrides, checks, runs and records the scenario; the report in the command's format. Text of a sweep of more
/// than a few points is that of its first point, and standard error says so.
std::string c2c_report(const RunCommand& command);

}  // namespace linebounce

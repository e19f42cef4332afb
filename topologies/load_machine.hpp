// SPDX-License-Identifier: Apache-2.0
// Machine files: strict TOML in, a checked Machine out.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/input_error.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

/// One number of a machine changed from outside, e.g. {"clock.core_mhz", "2260"} (value in TOML syntax).
struct MachineOverride {
  std::string key;
  std::string value;
  std::string where;  ///< "file:line:column" of the request, for errors
};

/// Loads a shipped machine by name ("westmere-ex-4s") or any machine file by path (ends in ".toml" or contains '/').
/// Throws InputError; unknown, missing and mistyped keys are errors, and so are impossible values.
Machine load_machine(std::string_view name_or_path, std::span<const MachineOverride> overrides = {});

/// What stands beside each number in the machine's files: one for each of machine_fields(), in their order; nothing for
/// a number that no file states. Throws InputError.
std::vector<std::optional<std::string>> number_comments(std::string_view name_or_path,
                                                        std::span<const MachineOverride> overrides = {});

/// The file of a machine that is named so. Throws InputError.
std::filesystem::path machine_path(std::string_view name_or_path);

/// Names of the shipped machines, sorted.
std::vector<std::string> shipped_machines();

/// Where shipped data (machines, scenarios) lies: $LINEBOUNCE_DATA, else next to the program, else the install prefix.
std::filesystem::path data_directory(std::string_view folder);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// `linebounce validate [MACHINE]`.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace linebounce {

struct ValidateCommand {
  std::optional<std::string> machine;  ///< name
  std::optional<std::string> data;     ///< a file instead of the shipped one
  bool json = false;
  bool markdown = false;
  bool sensitivity = false;  ///< instead of the comparison, what the simulated values depend on
  int jobs = 1;              ///< processes that measure a sensitivity
};

/// Adds the verb and its options to the command line.
void add_validate_command(CLI::App& app, ValidateCommand& command);

/// Measures and prints. Without sensitivity it throws CheckFailed if a gated entry is beyond its tolerance, InputError, OutputError and what a
/// simulation throws.
void show_validation(const ValidateCommand& command);

}  // namespace linebounce

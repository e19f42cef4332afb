// SPDX-License-Identifier: Apache-2.0
// `linebounce matrix MACHINE`.
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace linebounce {

struct MatrixCommand {
  std::string machine;  ///< name or path
  bool json = false;
  bool csv = false;
  bool svg = false;
  bool core_to_core = false;
  std::optional<std::string> compare;  ///< a core-to-core CSV file
};

/// Adds the verb and its options to the command line.
void add_matrix_command(CLI::App& app, MatrixCommand& command);

/// Measures and prints what was asked for. Throws InputError, OutputError and what a simulation throws.
void show_matrix(const MatrixCommand& command);

}  // namespace linebounce

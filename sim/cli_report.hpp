// SPDX-License-Identifier: Apache-2.0
// `linebounce report`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace linebounce {

struct ReportCommand {
  std::string result;  ///< file that `run --json` wrote; or a scenario, which is run first
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::vector<std::size_t> points;  ///< shown in detail, from 1; none: the first and the last
  std::string output;               ///< file; "" for standard output
  int jobs = 1;
};

/// Adds the verb and its own options to the command line. The caller adds --set, --seed and --jobs, which are run's.
CLI::App* add_report_command(CLI::App& app, ReportCommand& command);

/// Throws InputError, OutputError and what a simulation throws.
void write_report(const ReportCommand& command);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// `linebounce explain` and `linebounce diff`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace linebounce {

struct ExplainCommand {
  std::string scenario;  ///< name of a shipped one, or a path
  std::vector<std::string> set;
  std::optional<std::uint64_t> seed;
  std::optional<std::int64_t> at;  ///< the hand-off in progress at this cycle
  std::optional<std::int64_t> op;  ///< the hand-off of this number, from 1
  bool median = false;
  bool worst = false;
  bool json = false;
  std::string statistic;  ///< print its definition instead
};

struct DiffCommand {
  std::string first;   ///< scenario
  std::string second;  ///< another one; "" with vary
  std::vector<std::string> set;
  std::string vary;  ///< "key=a,b"
  std::optional<std::uint64_t> seed;
  bool json = false;
};

void add_explain_command(CLI::App& app, ExplainCommand& command);
void add_diff_command(CLI::App& app, DiffCommand& command);

/// They throw InputError, OutputError and what a simulation throws.
void show_explanation(const ExplainCommand& command);
void show_difference(const DiffCommand& command);

}  // namespace linebounce

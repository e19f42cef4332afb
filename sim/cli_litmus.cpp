// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <system_error>

#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/litmus/parser.hpp"
#include "sim/litmus/report.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

/// A file, or the name of a shipped test.
std::filesystem::path find_litmus(const std::string& name) {
  std::error_code none;
  if (name.find('/') != std::string::npos || std::filesystem::exists(name, none)) return name;
  std::filesystem::path shipped = data_directory("examples") / "litmus" / (name + ".litmus");
  if (std::filesystem::exists(shipped, none)) return shipped;
  fail_input(name, "no such litmus test", "the path of a .litmus file, or the name of one in examples/litmus");
}

}  // namespace

bool show_litmus(const LitmusCommand& command) {
  const Machine machine = load_machine(command.machine);
  const Topology topology(machine);
  std::vector<litmus::Report> reports;
  for (const std::string& file : command.files) reports.push_back({file, litmus::load(find_litmus(file)), {}});
  bool passed = true;
  for (litmus::Report& report : reports) {
    report.verdict = litmus::run(report.program, machine, topology, {command.seed, command.runs});
    passed = passed && report.verdict.passes(report.program.quantifier);
    if (!command.json) write_stdout(litmus::render_text(report) + "\n");
  }
  if (command.json) {
    write_stdout(litmus::render_json(reports, machine.name, {command.seed, command.runs}));
  } else {
    write_stdout(litmus::render_summary(reports));
  }
  return passed;
}

}  // namespace linebounce

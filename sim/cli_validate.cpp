// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_validate.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/validation.hpp"
#include "sim/validation_sensitivity.hpp"
#include "sim/worker_pool.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {

void add_validate_command(CLI::App& app, ValidateCommand& c) {
  CLI::App* verb = app.add_subcommand("validate", "hold the machines against what was published of real ones");
  verb->add_option("MACHINE", c.machine, "name of a machine in the data; without it, all");
  verb->add_option("--data", c.data, "path of a file of published measurements, instead of the shipped one")
      ->option_text("FILE");
  CLI::App* form = verb->add_option_group("form", "instead of text")->require_option(0, 1);
  form->add_flag("--json", c.json,
                 "one JSON document, schema linebounce.validate/1 or linebounce.validate-sensitivity/1");
  form->add_flag("--markdown", c.markdown, "docs/validation.md, or its section on sensitivity");
  for (CLI::Option* option : form->get_options()) option->disable_flag_override();
  CLI::Option* sensitivity =
      verb->add_flag(
              "--sensitivity", c.sensitivity,
              fmt::format("instead of errors, the {} numbers of the machine that each simulated value depends on "
                          "most, and how strongly all rest on each number; tolerances do not count",
                          kStrongest))
          ->disable_flag_override();
  c.jobs = usable_processors();
  verb->add_option("--jobs", c.jobs, "processes that measure the sensitivity; the result is the same")
      ->check(CLI::Range(1, 1024))
      ->default_str("all processors")
      ->needs(sensitivity);
}

void show_validation(const ValidateCommand& command) {
  const std::filesystem::path shipped = data_directory("topologies") / "validation" / "published.toml";
  const ValidationData data = load_validation(command.data ? std::filesystem::path(*command.data) : shipped);
  if (command.sensitivity) {
    const ValidationSensitivity s = measure_sensitivity(data, command.machine, command.jobs);
    return write_stdout(command.json ? render_json(s) : command.markdown ? render_markdown(s) : render_text(s));
  }
  const ValidationReport report = validate(data, command.machine);
  write_stdout(command.json ? render_json(report) : command.markdown ? render_markdown(report) : render_text(report));
  const ValidationSummary total = report.total();
  if (total.gated_beyond == 0) return;
  throw CheckFailed(fmt::format("{} of {} gated entries are beyond their tolerance", total.gated_beyond, total.gated));
}

}  // namespace linebounce

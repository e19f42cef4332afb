// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_c2c.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>

#include "sim/cli_output.hpp"
#include "sim/render_c2c.hpp"

namespace linebounce {
namespace {

constexpr std::size_t kMostPoints = 2;  ///< that a text shows

}  // namespace

CLI::Option* add_c2c_option(CLI::App& run, RunCommand& command) {
  return run
      .add_flag("--c2c", command.c2c,
                "the shared-line report of perf c2c, exact, by object and phase, instead of the results; also with "
                "--json (schema linebounce.c2c/1) or --csv")
      ->disable_flag_override();
}

std::string c2c_report(const RunCommand& command) {
  auto [scenario, plan] = planned(find_scenario(command.scenario), command.set, command.seed);
  if (command.format == OutputFormat::kText && plan.points.size() > kMostPoints) {
    say(fmt::format(
        "linebounce: only the first of {} points is shown; --set chooses another, --json and --csv have all\n",
        plan.points.size()));
    plan.points.resize(1);
  }
  const C2cReport report = run_c2c(scenario, plan, isatty(STDERR_FILENO) != 0);
  switch (command.format) {
    case OutputFormat::kText: return render_text(report);
    case OutputFormat::kJson: return render_json(report);
    case OutputFormat::kCsv: return render_csv(report);
  }
  return "";
}

}  // namespace linebounce

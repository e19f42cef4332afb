// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_report.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/core_to_core.hpp"
#include "sim/read_results.hpp"
#include "sim/render.hpp"
#include "sim/report.hpp"
#include "sim/usage_error.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// What is in the file if it is JSON; a scenario cannot begin with '{'.
std::optional<std::string> json_in(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in && !in.eof()) throw OutputError(path + ": cannot be read");
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || text[first] != '{') return std::nullopt;
  return text;
}

/// The scenario that a result names: beside the result's file, or shipped. A wrong one shows in the digests.
std::optional<Scenario> scenario_of(const Results& results, const std::filesystem::path& result) {
  std::filesystem::path file = result;
  file.replace_filename(results.scenario + ".toml");
  std::error_code none;
  const bool name = results.scenario.find('/') == std::string::npos;
  if (name && std::filesystem::is_regular_file(file, none)) return load_scenario(file);
  file = data_directory("examples") / (results.scenario + ".toml");
  if (name && std::filesystem::is_regular_file(file, none)) return load_scenario(file);
  return std::nullopt;
}

std::vector<std::size_t> indices_of(const std::vector<std::size_t>& asked, std::size_t points) {
  std::vector<std::size_t> indices;
  for (const std::size_t number : asked) {
    if (number < 1 || number > points) {
      fail_usage("--point", fmt::format("there is no point {}", number), fmt::format("1 to {}", points));
    }
    indices.push_back(number - 1);
  }
  if (asked.empty() && points > 0) indices.push_back(0);
  if (asked.empty() && points > 1) indices.push_back(points - 1);
  return indices;
}

/// What a result says, and the scenario to run a point of it again.
struct Loaded {
  Results results;
  std::optional<Scenario> scenario;
};

Loaded load(const ReportCommand& c) {
  if (const std::optional<std::string> json = json_in(c.result)) {
    if (!c.set.empty() || c.seed) {
      fail_usage(c.set.empty() ? "--seed" : "--set", "with a result", "a scenario; a result has been run already");
    }
    Results results = read_results(*json, c.result);
    std::optional<Scenario> scenario = scenario_of(results, c.result);
    return {std::move(results), std::move(scenario)};
  }
  const std::filesystem::path file = find_scenario(c.result);
  // By way of the document, so that the page is the same as one made from it.
  const std::string json = render_json(run_file(file, c.set, c.seed, c.jobs));
  return {read_results(json, file.string()), load_scenario(file)};
}

/// The figure of the machine, if it is one that is shipped.
std::vector<std::string> figures_of(const std::string& name) {
  const std::vector<std::string> shipped = shipped_machines();
  if (std::ranges::find(shipped, name) == shipped.end()) return {};
  const Machine machine = load_machine(name);
  if (machine.cores() < 2) return {};
  return {render_core_to_core_svg(machine, simulate_core_to_core(machine, Topology(machine)))};
}

std::string page_of(const ReportCommand& c) {
  Loaded loaded = load(c);
  const std::vector<std::size_t> points = indices_of(c.points, loaded.results.points.size());
  Report report;
  report.title = fmt::format("linebounce: {}", loaded.results.scenario);
  report.figures = figures_of(loaded.results.machine);
  report.sections.push_back(report_section(std::move(loaded.results), loaded.scenario, points,
                                           "the scenario that the result names is not at hand"));
  return render_html(report);
}

}  // namespace

CLI::App* add_report_command(CLI::App& app, ReportCommand& c) {
  CLI::App* verb = app.add_subcommand("report", "results as one page for a browser, with figures; needs no network");
  verb->add_option("RESULT", c.result, "what run --json wrote; or a scenario, name or path, which is run first")
      ->required();
  verb->add_option("--point", c.points, "show this point in detail: a hand-off, traffic over time; may be repeated")
      ->allow_extra_args(false)
      ->default_str("the first and the last");
  verb->add_option("-o,--output", c.output, "write to this file, whole or not at all");
  return verb;
}

void write_report(const ReportCommand& c) {
  if (c.output.empty()) return write_stdout(page_of(c));
  ResultFile file(c.output);
  file.commit(page_of(c));
}

}  // namespace linebounce

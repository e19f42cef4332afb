// SPDX-License-Identifier: Apache-2.0
#include "sim/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <new>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>

#include "sim/cli_c2c.hpp"
#include "sim/cli_commands.hpp"
#include "sim/cli_explain.hpp"
#include "sim/cli_interrupt.hpp"
#include "sim/cli_matrix.hpp"
#include "sim/cli_output.hpp"
#include "sim/cli_protocol.hpp"
#include "sim/cli_report.hpp"
#include "sim/cli_validate.hpp"
#include "sim/sensitivity.hpp"
#include "sim/usage_error.hpp"
#include "sim/worker_pool.hpp"

namespace linebounce {
namespace {

/// What the arguments ask for.
struct Arguments {
  RunCommand run;
  TopologyCommand topology;
  ImportCommand import;
  DemoCommand demo;
  LitmusCommand litmus;
  MatrixCommand matrix;
  ProtocolCommand protocol;
  ReportCommand report;
  ValidateCommand validate;
  ExplainCommand explain;
  DiffCommand diff;
  std::uint64_t seed = kDefaultSeed;
  bool json = false;
  bool csv = false;
};

void add_seed_and_jobs(CLI::App* command, Arguments& a) {
  command->add_option("--seed", a.seed, "base seed of the replicas")
      ->check(CLI::Range(std::uint64_t{0}, kMostSeed))
      ->capture_default_str();
  command->add_option("--jobs", a.run.jobs, "processes that simulate; the result is the same")
      ->check(CLI::Range(1, 1024))
      ->default_str("all processors");
}

void add_set(CLI::App* command, std::vector<std::string>& set) {
  command
      ->add_option("--set", set,
                   "KEY=VALUE: replace what the scenario says; a list varies it: tasks=[3,4]; KEY= takes it away")
      ->allow_extra_args(false)
      ->check([](const std::string& text) { return text.find('=') == std::string::npos ? "no '='" : std::string(); });
}

void describe_arguments(CLI::App& app, Arguments& a) {
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "help for every command");
  a.run.jobs = usable_processors();

  CLI::App* run = app.add_subcommand("run", "run a scenario and print its results");
  run->add_option("SCENARIO", a.run.scenario, "name of a shipped scenario, or path of a scenario file")->required();
  CLI::Option* json =
      run->add_flag("--json", a.json, "one JSON document, schema linebounce.run/1 or linebounce.run-sensitivity/1")
          ->disable_flag_override();
  CLI::Option* csv = run->add_flag("--csv", a.csv, "RFC 4180, one row a point, or one for each of its sensitivities")
                         ->disable_flag_override()
                         ->excludes(json);
  CLI::Option* coverage =
      run->add_flag("--coverage", a.run.coverage, "say too how often each row of the protocol's tables fired")
          ->disable_flag_override()
          ->excludes(csv);
  run->add_flag(
         "--sensitivity", a.run.sensitivity,
         fmt::format("instead of the results, the {} numbers of the machine that each depends on most", kStrongest))
      ->disable_flag_override()
      ->excludes(coverage)
      ->excludes(add_c2c_option(*run, a.run)->excludes(coverage));
  add_set(run, a.run.set);
  run->add_option("-o,--output", a.run.output, "write to this file, whole or not at all");
  add_seed_and_jobs(run, a);
  add_trace_options(*run, a.run.trace);
  run->footer([] { return '\n' + scenario_keys_help(); });

  CLI::App* topology = app.add_subcommand("topology", "describe a machine; without a name, list them");
  CLI::Option* machine =
      topology->add_option("MACHINE", a.topology.machine, "name of a shipped machine, or path of a machine file");
  CLI::Option* dot = topology->add_flag("--dot", a.topology.dot, "Graphviz")->disable_flag_override();
  CLI::App* import =
      topology->add_subcommand("import", "make a machine file of what hwloc's lstopo --of xml says of a real machine");
  import->excludes(machine);
  import->excludes(dot);
  import->add_option("FILE", a.import.xml, "path of the XML")->required();
  import->add_option("--base", a.import.base, "name or path of the machine that gives what the XML does not say")
      ->capture_default_str();
  import->add_option("-o,--output", a.import.output, "write to this file, whole or not at all");

  CLI::App* demo = app.add_subcommand("demo", "run the published experiments and compare");
  demo->add_option("-o,--output", a.demo.output, "page with the figures, to be read in a browser")
      ->capture_default_str();
  add_seed_and_jobs(demo, a);
  CLI::App* report = add_report_command(app, a.report);
  add_set(report, a.report.set);
  add_seed_and_jobs(report, a);
  add_explain_command(app, a.explain);
  add_diff_command(app, a.diff);
  add_matrix_command(app, a.matrix);
  add_protocol_command(app, a.protocol);
  add_validate_command(app, a.validate);

  CLI::App* litmus = app.add_subcommand("litmus", "run litmus tests in herd's format; compare with x86-TSO");
  litmus->add_option("FILE", a.litmus.files, "paths of .litmus files, or names of shipped ones")->required();
  litmus->add_option("--machine", a.litmus.machine, "name of a shipped machine, or path of a machine file")
      ->capture_default_str();
  litmus->add_option("--runs", a.litmus.runs, "runs of each test, shared out over placements and line layouts")
      ->check(CLI::Range(1, 1'000'000'000))
      ->capture_default_str();
  litmus->add_option("--seed", a.litmus.seed, "seed of the runs")
      ->check(CLI::Range(std::uint64_t{0}, kMostSeed))
      ->capture_default_str();
  litmus->add_flag("--json", a.litmus.json, "one JSON document, schema linebounce.litmus/1")->disable_flag_override();

  app.add_subcommand("version", "print the version");
}

ExitCode execute(const CLI::App& app, Arguments& a) {
  const CLI::App* command = app.get_subcommands().front();
  if (command->count_all() > 0 && command->get_option_no_throw("--seed") != nullptr && command->count("--seed") > 0) {
    a.run.seed = a.demo.seed = a.report.seed = a.seed;
  }
  a.demo.jobs = a.report.jobs = a.run.jobs;
  a.run.format = a.json ? OutputFormat::kJson : a.csv ? OutputFormat::kCsv : OutputFormat::kText;
  const std::string& name = command->get_name();
  if (name == "run") {
    run_scenario(a.run);
  } else if (name == "topology" && command->got_subcommand("import")) {
    import_topology(a.import);
  } else if (name == "topology") {
    show_topology(a.topology);
  } else if (name == "demo") {
    show_demo(a.demo);
  } else if (name == "report") {
    write_report(a.report);
  } else if (name == "explain") {
    show_explanation(a.explain);
  } else if (name == "diff") {
    show_difference(a.diff);
  } else if (name == "matrix") {
    show_matrix(a.matrix);
  } else if (name == "protocol") {
    run_protocol_command(*command, a.protocol);
  } else if (name == "validate") {
    show_validation(a.validate);
  } else if (name == "litmus") {
    if (!show_litmus(a.litmus)) return kExitCheckFailed;
  } else {
    write_stdout(fmt::format("linebounce {}\n", LINEBOUNCE_VERSION));
  }
  return kExitOk;
}

int parse_and_execute(int argc, char** argv) {
  CLI::App app("Deterministic simulator of cache-coherent multicore hardware", "linebounce");
  Arguments arguments;
  describe_arguments(app, arguments);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    std::ostringstream out;
    std::ostringstream err;
    const int code = app.exit(e, out, err);
    write_stdout(out.str());
    say(err.str());
    return code == 0 ? kExitOk : kExitUsage;
  }
  return execute(app, arguments);
}

}  // namespace

int run_command_line(int argc, char** argv) {
  reserve_standard_streams();
  handle_interrupts();
  const auto failed = [](ExitCode code, const char* message) {
    say(fmt::format("linebounce: {}\n", message));
    return code;
  };
  try {
    return parse_and_execute(argc, argv);
  } catch (const UsageError& e) {
    return failed(kExitUsage, e.what());
  } catch (const InputError& e) {
    say(fmt::format("{}\n", e.what()));  // begins with file:line:column
    return kExitInput;
  } catch (const BrokenModel& e) {
    return failed(kExitBrokenModel, e.what());
  } catch (const CheckFailed& e) {
    return failed(kExitCheckFailed, e.what());
  } catch (const LimitReached& e) {
    return failed(kExitLimit, e.what());
  } catch (const std::invalid_argument& e) {
    return failed(kExitInput, e.what());
  } catch (const OutputError& e) {
    return failed(kExitOutput, e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return failed(kExitOutput, e.what());
  } catch (const std::system_error& e) {
    return failed(kExitOutput, e.what());
  } catch (const std::bad_alloc&) {
    return failed(kExitLimit, "out of memory");
  } catch (const std::exception& e) {
    return failed(kExitBrokenModel, e.what());
  }
}

}  // namespace linebounce

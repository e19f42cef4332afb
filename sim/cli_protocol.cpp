// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_protocol.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "coherence/explorer.hpp"
#include "coherence/mutation.hpp"
#include "coherence/protocol_print.hpp"
#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/run_pool.hpp"

namespace linebounce {
namespace {

std::string counted(std::uint32_t count, const char* what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

/// Rows that may fire and have not.
std::string rows_never_reached(const RowsFired& rows, const ProtocolTables& tables) {
  std::string out;
  std::size_t may_fire = 0;
  std::size_t missed = 0;
  for (const Controller controller : kControllers) {
    for (const RowCount& row : row_counts(controller, tables, rows)) {
      ++may_fire;
      if (row.fired != 0) continue;
      ++missed;
      out += fmt::format("  {}: {}\n", name_of(controller), row.row);
    }
  }
  return fmt::format("rows never reached: {} of {}\n", missed, may_fire) + out;
}

std::string list_of_mutations() {
  std::string out;
  for (const Mutation& mutation : mutations()) out += fmt::format("{}: {}\n", mutation.name, mutation.what);
  return out;
}

std::string report(const ProtocolCommand& command, const ExplorerShape& shape, const ExplorerResult& result) {
  const ProtocolTables& tables = tables_of(command.protocol, command.snoop);
  std::string out = fmt::format("protocol: {}, {} snoop\n", name_of(command.protocol), name_of(command.snoop));
  if (!command.inject.empty()) out += fmt::format("injected: {}\n", command.inject);
  out += fmt::format("machine: {} with {} each, {}\n", counted(shape.sockets, "socket"), counted(shape.cores, "core"),
                     counted(shape.lines, "line"));
  out += fmt::format("states: {} (up to {} alike count as one)\nsteps: {}\ndepth: {}\n", result.states,
                     result.renamings, result.steps, result.depth);
  out += fmt::format("odds that a state was missed because two hashes were equal: {:.1e}\n", result.collision_odds);
  switch (result.verdict) {
    case ExplorerResult::Verdict::kProven:
      return out + rows_never_reached(result.rows, tables) +
             (command.inject.empty() ? "verdict: no violation in any reachable state\n"
                                     : fmt::format("verdict: {} was NOT caught\n", command.inject));
    case ExplorerResult::Verdict::kLimit:
      return out + rows_never_reached(result.rows, tables) +
             "verdict: no violation so far; the limit ended the exploration\n";
    case ExplorerResult::Verdict::kViolated: break;
  }
  out += fmt::format("verdict: VIOLATION: {}\nshortest way there:\n", result.violation);
  for (std::size_t i = 0; i < result.path.size(); ++i) out += fmt::format("{:4}. {}\n", i + 1, result.path[i]);
  return out;
}

/// The machine that was asked for; for a fault that is to be found anywhere, ever larger ones.
std::vector<ExplorerShape> shapes_for(const ProtocolCommand& command, bool any_shape) {
  if (!any_shape || command.inject.empty()) return {{command.sockets, command.cores, command.lines}};
  return {{1, 2, 1}, {2, 1, 1}, {1, 3, 1}, {3, 1, 1}, {2, 2, 1}};
}

void check_protocol(const ProtocolCommand& command, bool any_shape) {
  ExplorerOptions options;
  options.most_states = command.most_states;
  options.protocol = command.protocol;
  options.snoop = command.snoop;
  if (!command.inject.empty()) options.inject = find_mutation(command.inject);
  const auto begin = std::chrono::steady_clock::now();
  constexpr std::uint64_t kStatesPerNews = 5'000'000;
  std::uint64_t told = 0;
  options.progress = [&](std::uint64_t states, std::uint32_t depth) {
    if (states < told + kStatesPerNews) return;
    told = states;
    say(fmt::format("{} states, {} steps deep\n", states, depth));
  };
  ExplorerResult result;
  for (const ExplorerShape& shape : shapes_for(command, any_shape)) {
    options.shape = shape;
    result = explore(options);
    if (result.verdict != ExplorerResult::Verdict::kProven) break;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  write_stdout(report(command, options.shape, result));
  say(fmt::format("{:.1f} s\n", seconds.count()));
  if (result.verdict == ExplorerResult::Verdict::kViolated) throw CheckFailed("the protocol breaks a promise");
  if (result.verdict == ExplorerResult::Verdict::kLimit) {
    throw LimitReached(fmt::format("{} states found, more remain (--max-states)", result.states));
  }
}

void print_protocol(const ProtocolCommand& command) {
  std::vector<Controller> controllers;
  for (const Controller controller : kControllers) {
    if (command.controller.empty() || command.controller == name_of(controller)) controllers.push_back(controller);
  }
  const ProtocolTables& tables = tables_of(command.protocol, command.snoop);
  if (command.format == "csv") return write_stdout(tables_as_csv(controllers, tables));
  if (command.format == "dot") return write_stdout(tables_as_dot(controllers, tables));
  write_stdout(tables_as_markdown(controllers, tables));
}

/// A fault is of some protocols and snoop modes: those that were asked for must have it, the others follow it.
void choose_mode_for_fault(ProtocolCommand& c, bool protocol_asked, bool snoop_asked) {
  const Mutation* const fault = find_mutation(c.inject);
  if (fault == nullptr || fault->fits(c.protocol, c.snoop)) return;
  for (const CoherenceMode mode : kCoherenceModes) {
    if (!fault->fits(mode.protocol, mode.snoop) || (protocol_asked && mode.protocol != c.protocol) ||
        (snoop_asked && mode.snoop != c.snoop))
      continue;
    c.protocol = mode.protocol;
    c.snoop = mode.snoop;
    return;
  }
  throw CLI::ValidationError("--inject", "the tables of this protocol and snoop mode have no row for that fault");
}

/// An option that takes the name of an enumerator.
template <class Enum, std::size_t kCount>
void add_choice(CLI::App& verb, const std::string& name, Enum& value, const std::array<std::string_view, kCount>& names,
                const std::string& what) {
  std::vector<std::string> all(names.begin(), names.end());
  verb.add_option_function<std::string>(
          name,
          [&value, names](const std::string& chosen) {
            value = static_cast<Enum>(std::ranges::find(names, chosen) - names.begin());
          },
          what)
      ->check(CLI::IsMember(std::move(all)))
      ->default_str(std::string(name_of(value)));
}

}  // namespace

void add_protocol_command(CLI::App& app, ProtocolCommand& c) {
  CLI::App* verb =
      app.add_subcommand("protocol", "prove the coherence protocol on a small machine, test it on any, or print it");
  verb->require_subcommand(1);
  CLI::App* check = verb->add_subcommand("check", "explore every reachable state of a small machine");
  CLI::App* test = verb->add_subcommand("test", "random operations on tiny caches, messages in every legal order");
  CLI::App* print = verb->add_subcommand("print", "print the tables that run, with the reason of every row");
  for (CLI::App* each : {check, test, print}) {
    add_choice(*each, "--protocol", c.protocol, kProtocolNames, "mesi or mesif");
    add_choice(*each, "--snoop", c.snoop, kSnoopModeNames, "who snoops other sockets: source, home or directory");
  }
  for (CLI::App* each : {check, test}) {
    each->add_option("--inject", c.inject, "put this fault into the tables; 'list' names them all")
        ->check([](const std::string& name) {
          const bool known = name == "list" || find_mutation(name) != nullptr;
          return known ? std::string() : "no fault of that name; --inject list names them all";
        });
  }
  check->footer(
      "Without a machine, --inject looks on ever larger ones until the fault shows; without --protocol\n"
      "and --snoop, under those whose tables have the row that it changes.");
  check->add_option("--sockets", c.sockets, "sockets")->check(CLI::Range(1U, 4U))->capture_default_str();
  check->add_option("--cores", c.cores, "cores of each socket; at most 8 in all")
      ->check(CLI::Range(1U, 8U))
      ->capture_default_str();
  check->add_option("--lines", c.lines, "cache lines that compete for one way")
      ->check(CLI::Range(1U, 2U))
      ->capture_default_str();
  check->add_option("--max-states", c.most_states, "end with exit code 5 when there are more")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{4'000'000'000}))
      ->capture_default_str();
  check->callback([&c, check] {
    if (c.sockets * c.cores > kMostCores) throw CLI::ValidationError("--cores", "more than 8 cores in all sockets");
    choose_mode_for_fault(c, check->count("--protocol") != 0, check->count("--snoop") != 0);
  });
  for (const char* mode : {"--protocol", "--snoop"}) test->get_option(mode)->default_str("the machine's own");
  add_random_test_options(*test, c.test);
  print->add_option("--format", c.format, "markdown, csv or dot (Graphviz)")
      ->check(CLI::IsMember({"markdown", "csv", "dot"}))
      ->capture_default_str();
  print->add_option("--controller", c.controller, "core, slice or home; all if not given")
      ->check(CLI::IsMember({"core", "slice", "home"}));
}

void run_protocol_command(const CLI::App& verb, const ProtocolCommand& command) {
  if (command.inject == "list") return write_stdout(list_of_mutations());
  if (verb.got_subcommand("test")) {
    const CLI::App* test = verb.get_subcommand("test");
    RandomTestCommand wanted = command.test;
    wanted.inject = command.inject;
    if (test->count("--protocol") != 0) wanted.protocol = command.protocol;
    if (test->count("--snoop") != 0) wanted.snoop = command.snoop;
    return show_random_test(wanted);
  }
  if (verb.got_subcommand("check")) {
    const CLI::App* check = verb.get_subcommand("check");
    const bool any_shape = check->count("--sockets") + check->count("--cores") + check->count("--lines") == 0;
    return check_protocol(command, any_shape);
  }
  print_protocol(command);
}

}  // namespace linebounce

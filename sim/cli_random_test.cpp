// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_random_test.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "coherence/random_tester.hpp"
#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

constexpr const char* kSmall = "small";

/// What is tested under one set of tables.
struct Subject {
  std::string name;  ///< as --machine takes it
  std::optional<Machine> machine;
  CoherenceMode mode{};
};

/// The machines that were asked for, in the modes that were; none that the fault does not fit.
std::vector<Subject> subjects(const RandomTestCommand& command, const Mutation* fault) {
  std::vector<Subject> all;
  const auto add = [&](const std::string& name, const std::optional<Machine>& machine, CoherenceMode mode) {
    if (fault == nullptr || fault->fits(mode.protocol, mode.snoop)) all.push_back({name, machine, mode});
  };
  if (command.machine.empty() || command.machine == kSmall) {
    for (const CoherenceMode mode : kCoherenceModes) {
      if (command.protocol.value_or(mode.protocol) != mode.protocol) continue;
      if (command.snoop.value_or(mode.snoop) == mode.snoop) add(kSmall, std::nullopt, mode);
    }
  }
  std::vector<std::string> names;
  if (command.machine.empty()) {
    names = shipped_machines();
  } else if (command.machine != kSmall) {
    names = {command.machine};
  }
  for (const std::string& name : names) {
    const Machine machine = load_machine(name);
    add(name, machine, {command.protocol.value_or(machine.protocol), command.snoop.value_or(machine.snoop)});
  }
  if (all.empty()) throw std::invalid_argument("the tables of this protocol and snoop mode have no row for that fault");
  return all;
}

template <class Count>
std::string table_line(std::string_view machine, std::string_view protocol, std::string_view snoop, Count operations,
                       Count messages, const std::string& rows) {
  return fmt::format("{:<20} {:<8} {:<9} {:>12} {:>13}  {}\n", machine, protocol, snoop, operations, messages, rows);
}

std::string line_of(const Subject& subject, const RandomTestResult& result) {
  std::size_t rows = 0;
  std::size_t fired = 0;
  for (const Controller controller : kControllers) {
    for (const RowCount& row :
         row_counts(controller, tables_of(subject.mode.protocol, subject.mode.snoop), result.rows)) {
      ++rows;
      if (row.fired != 0) ++fired;
    }
  }
  return table_line(subject.name, name_of(subject.mode.protocol), name_of(subject.mode.snoop), result.operations,
                    result.messages, fmt::format("{} of {}", fired, rows));
}

std::string report(const Subject& subject, const RandomTestResult::Failure& failure, const std::string& inject) {
  return fmt::format(
      "\nVIOLATION: {}\n{}seed {}; once more: linebounce protocol test --machine {} --protocol {} --snoop {} --seed {} "
      "--operations 1{}\n\n",
      failure.what, failure.dump, failure.seed, subject.name, name_of(subject.mode.protocol),
      name_of(subject.mode.snoop), failure.seed, inject.empty() ? "" : " --inject " + inject);
}

}  // namespace

void add_random_test_options(CLI::App& verb, RandomTestCommand& c) {
  verb.add_option("--machine", c.machine,
                  "name of a shipped machine, path of a machine file, or 'small': up to four sockets and six cores, "
                  "drawn from the seed")
      ->default_str("all of them");
  verb.add_option("--operations", c.operations,
                  fmt::format("loads, stores and LOCKed operations, shared out over the machines in portions of {}",
                              kOperationsOfASeed))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1'000'000'000'000}))
      ->capture_default_str();
  verb.add_option("--seed", c.seed, "of the first portion; the next portion has the next seed")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1'000'000'000'000'000'000}))
      ->capture_default_str();
}

void show_random_test(const RandomTestCommand& command) {
  const Mutation* const fault = command.inject.empty() ? nullptr : find_mutation(command.inject);
  const std::vector<Subject> all = subjects(command, fault);
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t operations = 0;
  if (fault != nullptr) write_stdout(fmt::format("injected: {}\n", command.inject));
  write_stdout(table_line("machine", "protocol", "snoop", "operations", "messages", "rows fired"));
  for (const Subject& subject : all) {
    RandomTest test;
    test.machine = subject.machine ? &*subject.machine : nullptr;
    test.mode = subject.mode;
    test.inject = fault;
    test.seed = command.seed;
    test.operations = (command.operations + all.size() - 1) / all.size();
    const RandomTestResult result = run_random_test(test);
    operations += result.operations;
    write_stdout(line_of(subject, result));
    if (!result.failure) continue;
    write_stdout(report(subject, *result.failure, command.inject));
    if (fault != nullptr)
      write_stdout(fmt::format("verdict: {} was caught after {} operations\n", command.inject, operations));
    throw CheckFailed("the protocol breaks a promise");
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  write_stdout(fault != nullptr ? fmt::format("verdict: {} was NOT caught\n", command.inject)
                                : "verdict: every read gave the last write, and everything that was open ended\n");
  say(fmt::format("{:.1f} s, {:.0f} operations/s\n", seconds.count(),
                  static_cast<double>(operations) / seconds.count()));
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "locks/llist.hpp"
#include "sim/cli_c2c.hpp"
#include "sim/cli_output.hpp"
#include "sim/coverage.hpp"
#include "sim/lock_registry.hpp"
#include "sim/render.hpp"
#include "sim/render_table.hpp"
#include "sim/render_workloads.hpp"
#include "sim/run_pool.hpp"
#include "sim/run_sensitivity.hpp"
#include "topologies/describe_topology.hpp"
#include "topologies/hwloc_import.hpp"

namespace linebounce {
namespace {

std::string render(const Results& results, OutputFormat format, bool with_coverage) {
  const std::vector<Coverage> coverage = with_coverage ? coverage_of(results) : std::vector<Coverage>();
  switch (format) {
    case OutputFormat::kText: {
      std::string out = render_text(results) + render_lock_shares(results) + render_wakes(results);
      if (has_wakes(results)) {
        out += compare_sembench(results, load_published(data_directory("examples") / "published.toml"));
      }
      return out + render_coverage(coverage);
    }
    case OutputFormat::kJson: return render_json(results, coverage);
    case OutputFormat::kCsv: return render_csv(results);
  }
  return "";
}

std::vector<std::string> shipped_scenarios() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(data_directory("examples"), none)) {
    if (entry.path().extension() == ".toml" && entry.path().stem() != "published")
      names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

std::string range_of(const Parameter& p) {
  switch (p.type) {
    case ValueType::kInteger:
      return fmt::format("{} to {}{}{}", p.range.min, p.range.max, p.range.unit.empty() ? "" : " ", p.range.unit);
    case ValueType::kBoolean: return "true or false";
    case ValueType::kText: return fmt::format("{}", fmt::join(p.choices, ", "));
    case ValueType::kPlacement: return fmt::format("{}, or a list of hardware threads", fmt::join(p.choices, ", "));
    case ValueType::kLocks: return "";
  }
  return "";
}

/// A paragraph of --help: what does not fit into its first line stands further right.
std::string entry(const std::string& text) { return wrapped(text, 6).erase(0, 4); }

/// Writes what `make` gives to `path`, or to standard output if that is "". That `path` is wrong shows before.
template <class Make>
void write_result(const std::string& path, Make make) {
  if (path.empty()) return write_stdout(make());
  ResultFile file(path);
  file.commit(make());
}

PoolOptions pool_options(int jobs) { return {.jobs = jobs, .progress = isatty(STDERR_FILENO) != 0}; }

std::string sensitivity_of(const RunCommand& command, const std::filesystem::path& file) {
  const auto [scenario, plan] = planned(file, command.set, command.seed);
  const bool asked = std::ranges::any_of(command.set, [](const std::string& s) { return s.starts_with("seeds="); });
  const RunSensitivity sensitivity =
      measure_sensitivity(scenario, plan, asked ? plan.seeds.size() : kSensitivitySeeds, pool_options(command.jobs));
  switch (command.format) {
    case OutputFormat::kText: return render_text(sensitivity);
    case OutputFormat::kJson: return render_json(sensitivity);
    case OutputFormat::kCsv: return render_csv(sensitivity);
  }
  return "";
}

std::vector<std::string_view> every_kind() {
  std::vector<std::string_view> names;
  for (std::size_t k = 0; k < kWorkloadKinds; ++k) names.push_back(name_of(static_cast<WorkloadKind>(k)));
  return names;
}

}  // namespace

KnownNames known_names() {
  KnownNames names;
  const LockRegistry& locks = lock_registry();
  for (const std::string& name : locks.names()) names.locks.push_back({name, locks.variants(name)});
  for (const LlistShape& state : kLlistShapes) names.list_variants.emplace_back(state.name);
  return names;
}

std::filesystem::path find_scenario(const std::string& name) {
  if (name.find_first_of("/.") != std::string::npos) return name;
  std::filesystem::path shipped = data_directory("examples") / (name + ".toml");
  std::error_code none;
  if (std::filesystem::exists(shipped, none)) return shipped;
  const std::vector<std::string> names = shipped_scenarios();
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  fail_input(name, "no such scenario",
             names.empty() ? "the path of a file" : one_of(name, candidates) + ", or the path of a file");
}

std::pair<Scenario, Plan> planned(const std::filesystem::path& file, const std::vector<std::string>& set,
                                  std::optional<std::uint64_t> seed) {
  Scenario scenario = load_scenario(file);
  for (const std::string& argument : set) override_scenario(scenario, argument);
  Plan plan = make_plan(scenario, known_names(), seed);
  return {std::move(scenario), std::move(plan)};
}

Results run_file(const std::filesystem::path& file, const std::vector<std::string>& set,
                 std::optional<std::uint64_t> seed, int jobs, const TraceRequest& trace) {
  auto [scenario, plan] = planned(file, set, seed);
  return trace.file.empty() ? run_plan(scenario, plan, pool_options(jobs))
                            : run_first_point(scenario, std::move(plan), pool_options(jobs), trace);
}

void run_scenario(const RunCommand& command) {
  const std::filesystem::path file = find_scenario(command.scenario);
  write_result(command.output, [&] {
    if (command.c2c) return c2c_report(command);
    if (command.sensitivity) return sensitivity_of(command, file);
    return render(run_file(file, command.set, command.seed, command.jobs, command.trace), command.format,
                  command.coverage);
  });
}

void show_topology(const TopologyCommand& command) {
  if (command.machine.empty()) {
    std::string out;
    for (const std::string& name : shipped_machines()) out += fmt::format("{}\n", name);
    return write_stdout(out);
  }
  const Machine machine = load_machine(command.machine);
  const Topology topology(machine);
  write_stdout(command.dot ? to_dot(topology) : describe(machine, topology));
}

void import_topology(const ImportCommand& command) {
  write_result(command.output, [&] { return import_hwloc(command.xml, command.base); });
}

std::string scenario_keys_help() {
  std::string out = "Keys of a scenario file; [vary] and --set take any of them:\n";
  std::string_view table;
  for (const Parameter& p : scenario_parameters()) {
    if (p.table != table) {
      table = p.table;
      out += fmt::format("\n[{}]\n", table);
      if (table == "workload") out += fmt::format("  kind: {}\n", fmt::join(every_kind(), ", "));
    }
    std::vector<std::string_view> kinds;
    for (std::size_t k = 0; k < kWorkloadKinds && p.kinds != kEveryKind; ++k) {
      if (p.kinds & only(static_cast<WorkloadKind>(k))) kinds.push_back(every_kind()[k]);
    }
    const std::string range = range_of(p);
    out += entry(fmt::format("{}: {}{}{}", p.key, p.description, range.empty() ? "" : "; " + range,
                             kinds.empty() ? "" : fmt::format(" ({})", fmt::join(kinds, ", "))));
  }
  out += entry("seeds: how many seeds from the base seed upwards, or a list of them");
  std::vector<std::string> locks;
  for (const KnownNames::Lock& lock : known_names().locks) {
    locks.push_back(lock.variants.empty() ? lock.name
                                          : fmt::format("{} ({})", lock.name, fmt::join(lock.variants, ", ")));
  }
  out += '\n' + entry(fmt::format("Locks: {}", fmt::join(locks, ", ")));
  out += entry(fmt::format("Machines: {}", fmt::join(shipped_machines(), ", ")));
  out += entry(fmt::format("Scenarios: {}", fmt::join(shipped_scenarios(), ", ")));
  return out;
}

}  // namespace linebounce

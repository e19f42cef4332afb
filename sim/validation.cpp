// SPDX-License-Identifier: Apache-2.0
#include "sim/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

double in_unit(double cycles, ValidationUnit unit, double mhz) {
  switch (unit) {
    case ValidationUnit::kCycles: return cycles;
    case ValidationUnit::kNanoseconds: return cycles * 1000 / mhz;
    case ValidationUnit::kMops: return mhz / cycles;
  }
  return cycles;
}

double in_cycles(double value, ValidationUnit unit, double mhz) {
  return unit == ValidationUnit::kNanoseconds ? value * mhz / 1000 : in_unit(value, unit, mhz);
}

/// Machines as files describe them, each loaded once.
class Machines {
 public:
  struct Simulated {
    explicit Simulated(Machine loaded) : machine(std::move(loaded)), topology(machine) {}
    Machine machine;
    Topology topology;
  };
  const Simulated& at(const std::string& name) {
    const auto found = loaded_.find(name);
    return found != loaded_.end() ? found->second : loaded_.try_emplace(name, load_machine(name)).first->second;
  }

 private:
  std::map<std::string, Simulated> loaded_;
};

void add(ValidationSummary& sum, const ValidatedMachine& machine) {
  for (const auto& [experiment, mhz, rows] : machine.experiments) {
    sum.not_modelled += static_cast<int>(experiment.not_modelled.size());
    for (const ValidationRow& row : rows) {
      ++sum.entries;
      sum.gated += experiment.gated ? 1 : 0;
      sum.gated_beyond += experiment.gated && !row.within ? 1 : 0;
      sum.mean_error_percent += (std::abs(row.error_percent) - sum.mean_error_percent) / sum.entries;
      if (std::abs(row.error_percent) <= std::abs(sum.worst_error_percent)) continue;
      sum.worst_error_percent = row.error_percent;
      sum.worst = row.what;
    }
  }
}

}  // namespace

ValidatedExperiment simulate(const ValidationExperiment& experiment, Machine machine, const Topology& topology) {
  machine.core_mhz = experiment.core_mhz.value_or(machine.core_mhz);
  ValidatedExperiment result{experiment, machine.core_mhz, {}};
  for (const ValidationCell& cell : experiment.cells) {
    const std::optional<Measured> measured = measure(machine, topology, cell.probe);
    if (!measured) fail_input(cell.where, label_of(cell.probe), fmt::format("what machine '{}' has", machine.name));
    result.rows.push_back(judge(experiment, cell, machine.core_mhz, *measured));
  }
  return result;
}

ValidationRow judge(const ValidationExperiment& experiment, const ValidationCell& cell, std::int64_t core_mhz,
                    const Measured& measured) {
  const auto mhz = static_cast<double>(core_mhz);
  const auto shown = [&](std::optional<double> cycles) {
    return cycles ? std::optional(in_unit(*cycles, experiment.unit, mhz)) : std::nullopt;
  };
  const double plus = cell.plus_ns * mhz / 1000;
  ValidationRow row{.what = label_of(cell.probe),
                    .published = {cell.published.low + plus, cell.published.high + plus},
                    .simulated = *shown(measured.cycles),
                    .home_at_requester = shown(measured.home_at_requester),
                    .home_at_third = shown(measured.home_at_third)};
  const double nearest = std::clamp(row.simulated, row.published.low, row.published.high);
  row.error_percent = 100 * (row.simulated - nearest) / nearest;
  row.within = std::abs(row.error_percent) <= experiment.tolerance_percent ||
               std::abs(measured.cycles - in_cycles(nearest, experiment.unit, mhz)) <= experiment.tolerance_cycles;
  return row;
}

ValidationReport validate(const ValidationData& data, const std::optional<std::string>& machine) {
  Machines machines;
  ValidationReport report;
  if (!machine) report.skipped = data.skipped;
  std::vector<std::string> names;
  for (const ValidationExperiment& experiment : data.experiments) {
    const Machines::Simulated& simulated = machines.at(experiment.machine);
    const Machine& m = simulated.machine;
    names.push_back(m.name);
    if (machine && *machine != m.name) continue;
    auto at = std::ranges::find(report.machines, m.name, &ValidatedMachine::name);
    if (at == report.machines.end()) {
      at = report.machines.insert(at, {m.name, m.description, m.core_mhz, {}});
    }
    at->experiments.push_back(simulate(experiment, m, simulated.topology));
  }
  if (!report.machines.empty()) return report;
  std::ranges::sort(names);
  names.erase(std::ranges::unique(names).begin(), names.end());
  fail_input(fmt::format("machine '{}'", *machine), "nothing was published of it",
             fmt::format("one of {}", fmt::join(names, ", ")));
}

ValidationSummary summarise(const ValidatedMachine& machine) {
  ValidationSummary sum;
  add(sum, machine);
  return sum;
}

ValidationSummary ValidationReport::total() const {
  ValidationSummary sum;
  for (const ValidatedMachine& machine : machines) add(sum, machine);
  return sum;
}

}  // namespace linebounce

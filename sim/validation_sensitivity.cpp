// SPDX-License-Identifier: Apache-2.0
#include "sim/validation_sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "sim/worker_pool.hpp"

namespace linebounce {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Simulated values of all entries of a machine, in order.
using Values = std::vector<double>;

std::string pack_values(const Values& values) {
  std::string bytes(values.size() * sizeof(double), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

Values unpack_values(const std::string& bytes) {
  Values values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// All moved machines, each measured as one piece of work.
class Measurements : public Work {
 public:
  struct Piece {
    const ValidatedMachine* validated;
    const Machine* machine;  ///< the moved one
    std::string name;        ///< of it, for errors
    Values* result;
  };

  void add(Piece piece) { pieces_.push_back(std::move(piece)); }

  std::size_t size() const override { return pieces_.size(); }
  std::string run(std::size_t index) const override {
    const Piece& piece = pieces_[index];
    const Topology topology(*piece.machine);
    Values values;
    for (const ValidatedExperiment& v : piece.validated->experiments) {
      for (const ValidationRow& row : simulate(v.experiment, *piece.machine, topology).rows) {
        values.push_back(row.simulated);
      }
    }
    return pack_values(values);
  }
  void take(std::size_t index, WorkOutcome outcome) override {
    if (outcome.failure == FailureKind::kNone) {
      *pieces_[index].result = unpack_values(outcome.text);
    } else if (!failure_ || index < failed_) {
      failure_ = std::move(outcome);
      failed_ = index;
    }
  }
  bool is_moot(std::size_t index) const override { return failure_ && index > failed_; }
  void finish() const {
    if (failure_) rethrow(*failure_, pieces_[failed_].name);
  }

 private:
  std::vector<Piece> pieces_;
  std::optional<WorkOutcome> failure_;
  std::size_t failed_ = 0;
};

/// What a machine gives as it is, and by parameter with less and with more of it; empty where that step was not made.
struct MachineValues {
  std::vector<Values> low;
  std::vector<Values> high;
};

MachineSensitivity effects_of(const ValidatedMachine& machine, std::vector<TunedParameter> parameters,
                              const MachineValues& values) {
  MachineSensitivity result{machine.name, std::move(parameters), {}};
  std::size_t at = 0;
  for (const ValidatedExperiment& v : machine.experiments) {
    ExperimentSensitivity& experiment = result.experiments.emplace_back(ExperimentSensitivity{v.experiment, {}});
    for (const ValidationRow& row : v.rows) {
      EntrySensitivity entry{row.what, row.simulated, {}};
      for (std::size_t p = 0; p < result.parameters.size(); ++p) {
        const Steps& steps = result.parameters[p].steps;
        const double value[] = {row.simulated};
        const double low[] = {values.low[p].empty() ? row.simulated : values.low[p].at(at)};
        const double high[] = {values.high[p].empty() ? row.simulated : values.high[p].at(at)};
        entry.effects.push_back(steps.any() ? effect_of(steps, low, value, high)
                                            : Summary{.n = 0, .mean = kNone, .sd = 0, .ci95 = 0});
      }
      experiment.entries.push_back(std::move(entry));
      ++at;
    }
  }
  return result;
}

}  // namespace

ValidationSensitivity measure_sensitivity(const ValidationData& data, const std::optional<std::string>& machine,
                                          int jobs) {
  const ValidationReport base = validate(data, machine);
  std::vector<std::vector<TunedParameter>> parameters;
  std::vector<MachineValues> values;
  for (const ValidatedMachine& m : base.machines) {
    parameters.push_back(tuned_parameters(m.experiments.front().experiment.machine));
    const std::size_t count = parameters.back().size();
    values.push_back({std::vector<Values>(count), std::vector<Values>(count)});
  }
  Measurements work;
  for (std::size_t m = 0; m < base.machines.size(); ++m) {
    for (std::size_t p = 0; p < parameters[m].size(); ++p) {
      const TunedParameter& moved = parameters[m][p];
      const auto add = [&](const std::shared_ptr<const Machine>& to, double value, Values& result) {
        if (!to) return;
        work.add({&base.machines[m], to.get(), fmt::format("{}, {} {}", to->name, moved.name, value), &result});
      };
      add(moved.low, moved.steps.low, values[m].low[p]);
      add(moved.high, moved.steps.high, values[m].high[p]);
    }
  }
  do_work(work, jobs);
  work.finish();
  ValidationSensitivity result;
  for (std::size_t m = 0; m < base.machines.size(); ++m) {
    result.push_back(effects_of(base.machines[m], std::move(parameters[m]), values[m]));
  }
  return result;
}

std::vector<const EntrySensitivity*> entries_of(const ExperimentSensitivity& experiment) {
  std::vector<const EntrySensitivity*> entries;
  for (const EntrySensitivity& entry : experiment.entries) entries.push_back(&entry);
  return entries;
}

std::vector<const EntrySensitivity*> entries_of(const MachineSensitivity& machine) {
  std::vector<const EntrySensitivity*> entries;
  for (const ExperimentSensitivity& experiment : machine.experiments) {
    for (const EntrySensitivity& entry : experiment.entries) entries.push_back(&entry);
  }
  return entries;
}

std::vector<ParameterWeight> weigh(std::size_t parameters, const std::vector<const EntrySensitivity*>& entries) {
  std::vector<ParameterWeight> weights(parameters);
  for (const EntrySensitivity* entry : entries) {
    for (std::size_t p = 0; p < parameters; ++p) {
      const double effect = entry->effects.at(p).mean;
      if (!std::isfinite(effect)) continue;
      weights[p].mean_percent += std::abs(effect) / static_cast<double>(entries.size());
      if (std::abs(effect) <= std::abs(weights[p].largest_percent)) continue;
      weights[p].largest_percent = effect;
      weights[p].whose = entry->what;
    }
    for (const std::size_t p : strongest(entry->effects)) ++weights[p].among_strongest;
  }
  return weights;
}

}  // namespace linebounce

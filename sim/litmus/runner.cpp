// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/litmus/guest_run.hpp"
#include "sim/litmus/placement.hpp"
#include "sim/litmus/tso_machine.hpp"
#include "sim/random.hpp"

namespace linebounce::litmus {
namespace {

constexpr std::size_t kMostRounds = 200;  ///< in one simulated machine; then there is a new one with a new seed

using Counts = std::map<FinalState, std::uint64_t>;

Counts run_everywhere(const Program& program, const Machine& machine, const Topology& topology,
                      const RunOptions& options) {
  std::vector<GuestConditions> conditions;
  for (Placement& placement : placements(machine, program.threads.size())) {
    for (const bool one_line : {false, true}) conditions.push_back({placement, one_line, 0, 0});
  }
  if (conditions.empty()) {
    throw std::invalid_argument(
        fmt::format("{} has too few hardware threads for {}: {}", machine.name, program.name, program.threads.size()));
  }
  const RandomStream seeds(options.seed, "litmus machines");
  std::uint64_t machines = 0;
  Counts counts;
  for (std::size_t c = 0; c < conditions.size(); ++c) {
    std::size_t left = options.runs / conditions.size() + (c < options.runs % conditions.size() ? 1 : 0);
    while (left > 0) {
      conditions[c].rounds = std::min(left, kMostRounds);
      conditions[c].seed = seeds.at(machines++);
      left -= conditions[c].rounds;
      for (const auto& [state, count] : run_guests(program, machine, topology, conditions[c])) counts[state] += count;
    }
  }
  return counts;
}

/// By the values of the columns.
std::map<FinalState, Outcome> outcomes(const Program& program, const std::set<FinalState>& states) {
  std::map<FinalState, Outcome> all;
  for (const FinalState& state : states) {
    FinalState values = project(program, state);
    all[values] = {values, to_text(program, state), 0, program.condition.holds(state), true, false};
  }
  return all;
}

}  // namespace

bool Verdict::holds(Quantifier quantifier) const {
  switch (quantifier) {
    case Quantifier::kExists: return positive > 0;
    case Quantifier::kNotExists: return positive == 0;
    case Quantifier::kForall: return negative == 0;
  }
  return false;
}

bool Verdict::passes(Quantifier quantifier) const {
  return forbidden.empty() && (quantifier == Quantifier::kExists || holds(quantifier));
}

Verdict judge(const Program& program, const Counts& counts) {
  const std::set<FinalState> allowed = allowed_states(program);
  const std::set<FinalState> sequential = allowed_states(program, MemoryModel::kSequentialConsistency);
  std::map<FinalState, Outcome> all = outcomes(program, allowed);
  for (const FinalState& state : sequential) all[project(program, state)].relaxed = false;
  Verdict verdict;
  verdict.required = true;
  for (const FinalState& state : allowed) {
    const bool satisfies = program.condition.holds(state);
    verdict.allowed = verdict.allowed || satisfies;
    verdict.required = verdict.required && satisfies;
  }
  verdict.allowed_without =
      std::any_of(sequential.begin(), sequential.end(), [&](const auto& s) { return program.condition.holds(s); });
  for (const auto& [state, count] : counts) {
    const bool satisfies = program.condition.holds(state);
    (satisfies ? verdict.positive : verdict.negative) += count;
    if (!allowed.contains(state)) verdict.forbidden[state] = count;
    FinalState values = project(program, state);
    Outcome& outcome =
        all.try_emplace(values, Outcome{values, to_text(program, state), 0, satisfies, false, true}).first->second;
    outcome.count += count;
  }
  for (const auto& [values, outcome] : all) (outcome.count > 0 ? verdict.seen : verdict.never_seen).push_back(outcome);
  return verdict;
}

Verdict run(const Program& program, const Machine& machine, const Topology& topology, const RunOptions& options) {
  return judge(program, run_everywhere(program, machine, topology, options));
}

}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace linebounce::litmus {
namespace {

using json = nlohmann::ordered_json;

std::string_view kind_name(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::kExists: return "Allowed";
    case Quantifier::kNotExists: return "Forbidden";
    case Quantifier::kForall: return "Required";
  }
  return "";
}

std::string_view quantifier_name(Quantifier quantifier) {
  switch (quantifier) {
    case Quantifier::kExists: return "exists";
    case Quantifier::kNotExists: return "~exists";
    case Quantifier::kForall: return "forall";
  }
  return "";
}

std::string_view observation(const Verdict& verdict) {
  if (verdict.positive == 0) return "Never";
  return verdict.negative == 0 ? "Always" : "Sometimes";
}

std::string_view model_says(const Verdict& verdict) {
  if (verdict.required) return "always satisfies the condition";
  if (!verdict.allowed) return "forbids the condition";
  return verdict.allowed_without ? "allows the condition" : "allows the condition, by its store buffers only";
}

/// Every register and variable, not only those that the test looks at.
std::string whole_state(const Program& program, const FinalState& state) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    for (const Location& reg : program.threads[t].registers)
      text += fmt::format("{}:{}={}; ", t, reg.name, state[at++]);
  }
  for (const Location& variable : program.variables) text += fmt::format("{}={}; ", variable.name, state[at++]);
  if (!text.empty()) text.pop_back();
  return text;
}

json states(const std::vector<Outcome>& outcomes) {
  json rows = json::array();
  for (const Outcome& o : outcomes) {
    rows.push_back({{"values", o.values}, {"count", o.count}, {"satisfies", o.satisfies}, {"relaxed", o.relaxed}});
  }
  return rows;
}

json to_json(const Report& report) {
  const Program& program = report.program;
  const Verdict& verdict = report.verdict;
  json columns = json::array();
  for (const Column& column : program.columns) columns.push_back(column.name);
  json forbidden = json::array();
  for (const auto& [state, count] : verdict.forbidden) {
    forbidden.push_back({{"state", whole_state(program, state)}, {"count", count}});
  }
  return {{"name", program.name},
          {"file", report.file},
          {"architecture", program.architecture},
          {"quantifier", quantifier_name(program.quantifier)},
          {"condition", to_text(program.condition)},
          {"columns", columns},
          {"states", states(verdict.seen)},
          {"never_seen", states(verdict.never_seen)},
          {"forbidden", forbidden},
          {"positive", verdict.positive},
          {"negative", verdict.negative},
          {"model",
           {{"allowed", verdict.allowed},
            {"allowed_sequentially", verdict.allowed_without},
            {"required", verdict.required}}},
          {"ok", verdict.holds(program.quantifier)},
          {"passes", verdict.passes(program.quantifier)}};
}

}  // namespace

std::string render_text(const Report& report) {
  const Program& program = report.program;
  const Verdict& verdict = report.verdict;
  std::string out =
      fmt::format("Test {} {}\nStates {}\n", program.name, kind_name(program.quantifier), verdict.seen.size());
  for (const Outcome& o : verdict.seen) out += fmt::format("{:<8}{}>{}\n", o.count, o.satisfies ? '*' : ':', o.text);
  out += fmt::format("{}\nWitnesses\nPositive: {} Negative: {}\n", verdict.holds(program.quantifier) ? "Ok" : "No",
                     verdict.positive, verdict.negative);
  out += fmt::format("Condition {} ({})\n", quantifier_name(program.quantifier), to_text(program.condition));
  out +=
      fmt::format("Observation {} {} {} {}\n", program.name, observation(verdict), verdict.positive, verdict.negative);
  out += fmt::format("x86-TSO {}; of the {} states that it allows, {} were never seen\n", model_says(verdict),
                     verdict.never_seen.size() +
                         static_cast<std::size_t>(std::count_if(verdict.seen.begin(), verdict.seen.end(),
                                                                [](const Outcome& o) { return !o.forbidden; })),
                     verdict.never_seen.size());
  for (const Outcome& o : verdict.never_seen) out += fmt::format("never   {}>{}\n", o.satisfies ? '*' : ':', o.text);
  for (const auto& [state, count] : verdict.forbidden) {
    out += fmt::format("FORBIDDEN by x86-TSO, seen {} times: {}\n", count, whole_state(program, state));
  }
  if (!verdict.passes(program.quantifier) && verdict.forbidden.empty()) {
    out += "The test says that this cannot be; x86-TSO allows it\n";
  }
  return out;
}

std::string render_summary(std::span<const Report> reports) {
  const auto passed = std::count_if(reports.begin(), reports.end(),
                                    [](const Report& r) { return r.verdict.passes(r.program.quantifier); });
  std::uint64_t runs = 0;
  std::size_t relaxed = 0;
  std::size_t unseen = 0;
  for (const Report& r : reports) {
    runs += r.verdict.positive + r.verdict.negative;
    for (const Outcome& o : r.verdict.seen) relaxed += o.relaxed ? 1 : 0;
    for (const Outcome& o : r.verdict.never_seen) unseen += o.relaxed ? 1 : 0;
  }
  return fmt::format(
      "Tests {}: {} passed, {} showed a forbidden state; {} runs\n"
      "Relaxed states (that need a store buffer): {} of {} seen\n",
      reports.size(), passed, reports.size() - static_cast<std::size_t>(passed), runs, relaxed, relaxed + unseen);
}

std::string render_json(std::span<const Report> reports, const std::string& machine, const RunOptions& options) {
  json document = {
      {"schema", "linebounce.litmus/1"}, {"machine", machine}, {"seed", options.seed}, {"runs", options.runs}};
  document["tests"] = json::array();
  for (const Report& report : reports) document["tests"].push_back(to_json(report));
  return document.dump(1) + "\n";
}

}  // namespace linebounce::litmus

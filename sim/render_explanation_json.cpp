// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/render_explanation.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

namespace {

using Json = nlohmann::ordered_json;

/// To a millionth of a cycle: every host prints the same digits.
double rounded(double x) { return std::round(x * 1e6) / 1e6; }

Json json_of(const Summary& s) {
  Json json = {{"mean", rounded(s.mean)}, {"sd", nullptr}, {"ci95", nullptr}, {"n", s.n}};
  if (s.has_spread()) {
    json["sd"] = rounded(s.sd);
    json["ci95"] = rounded(s.ci95);
  }
  return json;
}

Json json_of(const Cause& cause) {
  return {{"role", name_of(cause.role)},
          {"phase", name_of(cause.phase)},
          {"operation", cause.operation},
          {"category", name_of(cause.category)}};
}

Json json_of(const Parameters& params) {
  Json json = Json::object();
  for (const auto& [key, value] : params) json[key] = to_text(value);
  return json;
}

/// null if there was none of them.
Json stack_json(const Explanation& e, StackSample SeedExplanation::*which) {
  const auto samples = e.samples(which);
  std::uint64_t things = 0;
  for (const StackSample& sample : samples) things += sample.things;
  if (things == 0) return nullptr;
  Json parts = Json::array();
  for (const DifferenceRow& row : rows_of(samples, {})) {
    if (row.cause.category == Category::kCount) continue;
    Json part = json_of(row.cause);
    part["cycles"] = json_of(summarise(row.first));
    part["begins_at"] = rounded(row.offset);
    parts.push_back(std::move(part));
  }
  return {{"count", things}, {"total", json_of(summarise(means_of(samples)))}, {"parts", std::move(parts)}};
}

Json cmpxchg_json(const Explanation& e) {
  FailedCmpxchg all;
  for (const SeedExplanation& seed : e.seeds) all += seed.cmpxchg;
  Json lost_to = Json::array();
  for (const auto& [winner, times] : all.lost_to) {
    lost_to.push_back(
        {{"operation", winner.operation}, {"phase", name_of(winner.phase)}, {"where", winner.where}, {"times", times}});
  }
  return {{"attempts", all.attempts},
          {"failed", all.failed},
          {"failed_cycles", all.failed_cycles},
          {"succeeded_cycles", all.succeeded_cycles},
          {"paused", all.paused},
          {"paused_cycles", all.paused_cycles},
          {"lost_to", std::move(lost_to)}};
}

}  // namespace

std::string render_json(const Explanation& e, const ExplainedRun& run) {
  Json seeds = Json::array();
  for (const SeedExplanation& seed : e.seeds) seeds.push_back(seed.seed);
  const Json document = {{"schema", "linebounce.explain/2"},
                         {"scenario", run.scenario},
                         {"point", run.point + 1},
                         {"params", json_of(e.params)},
                         {"core_mhz", e.machine->core_mhz},
                         {"seeds", std::move(seeds)},
                         {"hand_off", stack_json(e, &SeedExplanation::hand_offs)},
                         {"operation", stack_json(e, &SeedExplanation::operations)},
                         {"cmpxchg", cmpxchg_json(e)},
                         {"in_words", in_words(e)}};
  return document.dump(2) + '\n';
}

std::string render_json(const Difference& d, const SideNames& names) {
  const auto change_json = [](Json json, const DifferenceRow& row) {
    json["first"] = json_of(summarise(row.first));
    json["second"] = json_of(summarise(row.second));
    json["change"] = json_of(paired_difference(row.first, row.second));
    return json;
  };
  const auto compared = [&](StackSample SeedExplanation::*which) -> Json {
    const Comparison c = compare(d, which);
    if (c.pairs() == 0) return nullptr;
    Json parts = Json::array();
    for (const DifferenceRow& row : c.rows) {
      if (row.cause.category != Category::kCount) parts.push_back(change_json(json_of(row.cause), row));
    }
    return {{"total", change_json(Json::object(), c.total)}, {"parts", std::move(parts)}};
  };
  const auto divergence = [](const std::optional<Divergence>& at) -> Json {
    if (!at) return nullptr;
    return {
        {"at", at->at.count}, {"at_end", at->at_end}, {"part", at->part}, {"first", at->first}, {"second", at->second}};
  };
  const Comparison all = compare_all_tasks(d);
  const auto side = [](const std::string& name, const Explanation& e) -> Json {
    return {{"name", name}, {"params", json_of(e.params)}, {"core_mhz", e.machine->core_mhz}};
  };
  const Json document = {{"schema", "linebounce.diff/2"},
                         {"varied", names.key.empty() ? Json(nullptr) : Json(names.key)},
                         {"first", side(names.first, d.first)},
                         {"second", side(names.second, d.second)},
                         {"unit", all.unit},
                         {"hand_off", compared(&SeedExplanation::hand_offs)},
                         {"operation", compared(&SeedExplanation::operations)},
                         {"all_tasks_per_operation", change_json(Json::object(), all.total)},
                         {"first_operation_that_differs", divergence(d.divergence)},
                         {"first_message_that_differs", divergence(d.messages)},
                         {"in_words", in_words(d, names)}};
  return document.dump(2) + '\n';
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "coherence/protocol_print.hpp"
#include "sim/json_values.hpp"
#include "sim/render.hpp"

namespace linebounce {
namespace {

Json metrics_of(const PointResult& point) {
  Json out = Json::object();
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    out[std::string(metrics()[i].name)] = json_of(point.summaries[i]);
  }
  return out;
}

Json by_category(const Account& account) {
  Json out = Json::object();
  for (std::size_t c = 0; c < kCategories; ++c) {
    out[std::string(kCategoryNames[c])] = account.of(static_cast<Category>(c)).count;
  }
  return out;
}

Json core_cycles(const PointResult& point) {
  Json out = {{"total", point.account.total().count}, {"by_category", by_category(point.account)}};
  Json phases = Json::object();
  Json both = Json::object();
  for (std::size_t p = 0; p < kPhases; ++p) {
    const std::string phase(kPhaseNames[p]);
    phases[phase] = point.account.of(static_cast<Phase>(p)).count;
    for (std::size_t c = 0; c < kCategories; ++c) {
      const Cycles cycles = point.account.at(static_cast<Phase>(p), static_cast<Category>(c));
      if (cycles.count != 0) both[phase][std::string(kCategoryNames[c])] = cycles.count;
    }
  }
  out["by_phase"] = std::move(phases);
  out["by_phase_and_category"] = std::move(both);
  Json tasks = Json::array();
  for (std::size_t task = 0; task < point.task_accounts.size(); ++task) {
    tasks.push_back({{"task", task},
                     {"hardware_thread", point.placement[task].value},
                     {"total", point.task_accounts[task].total().count},
                     {"by_category", by_category(point.task_accounts[task])}});
  }
  out["tasks"] = std::move(tasks);
  return out;
}

Json messages_of(const PointResult& point) {
  Json kinds = Json::object();
  std::uint64_t total = 0;
  for (std::size_t kind = 0; kind < kMessageKinds; ++kind) {
    total += point.messages[kind];
    kinds[std::string(kMessageTraits[kind].name)] = point.messages[kind];
  }
  return {{"total", total}, {"by_kind", std::move(kinds)}};
}

Json point_of(const PointResult& point) {
  Json out;
  Json params = Json::object();
  for (const auto& [key, value] : point.params) params[key] = json_of(value);
  out["params"] = std::move(params);
  out["machine"] = point.machine;
  out["core_mhz"] = point.core_mhz;
  out["metrics"] = metrics_of(point);
  out["core_cycles"] = core_cycles(point);
  out["messages"] = messages_of(point);
  Json links = Json::object();
  for (const auto& [name, bytes] : point.link_bytes) links[name] = bytes;
  out["link_bytes"] = std::move(links);
  Json runs = Json::array();
  for (const Replica& r : point.replicas) {
    runs.push_back({{"seed", r.seed},
                    {"operations", r.operations},
                    {"window", r.window.count},
                    {"digest", fmt::format("{:016x}", r.digest)}});
  }
  out["runs"] = std::move(runs);
  return out;
}

Json coverage_in(const Coverage& coverage) {
  Json rows = Json::array();
  for (const Controller controller : kControllers) {
    for (const RowCount& row : coverage.of(controller)) {
      rows.push_back({{"controller", name_of(controller)}, {"row", row.row}, {"fired", row.fired}});
    }
  }
  return {{"protocol", name_of(coverage.protocol)}, {"snoop", name_of(coverage.snoop)}, {"rows", std::move(rows)}};
}

}  // namespace

std::string render_json(const Results& results, std::span<const Coverage> coverage) {
  Json out = heading_of(kRunSchema, results);
  Json definitions = Json::object();
  for (const Metric& m : metrics()) {
    definitions[std::string(m.name)] = {{"unit", m.unit}, {"definition", m.definition}};
  }
  out["definitions"] = std::move(definitions);
  Json points = Json::array();
  for (const PointResult& point : results.points) points.push_back(point_of(point));
  out["points"] = std::move(points);
  for (const Coverage& of_mode : coverage) out["coverage"].push_back(coverage_in(of_mode));
  return out.dump(1) + '\n';
}

}  // namespace linebounce

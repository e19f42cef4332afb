// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/csv_row.hpp"
#include "sim/json_values.hpp"
#include "sim/render_sensitivity.hpp"
#include "sim/render_table.hpp"
#include "sim/run_sensitivity.hpp"

namespace linebounce {
namespace {

const Metric& headline() { return metrics()[metric_index(kHeadlineMetric)]; }

std::string points_table(const Results& base) {
  TextTable table(1 + base.varied.size());
  std::vector<std::string> heading = {"#"};
  heading.insert(heading.end(), base.varied.begin(), base.varied.end());
  heading.emplace_back(kHeadlineMetric);
  table.add(std::move(heading));
  for (std::size_t p = 0; p < base.points.size(); ++p) {
    std::vector<std::string> row = {std::to_string(p + 1)};
    for (const std::string& key : base.varied) {
      const Value* value = base.points[p].param(key);
      row.push_back(value == nullptr ? "-" : to_text(*value));
    }
    row.push_back(figure(base.points[p].summary(kHeadlineMetric)));
    table.add(std::move(row));
  }
  return table.str();
}

std::string strongest_table(const RunSensitivity& sensitivity) {
  TextTable table(2);
  table.add({"#", "parameter", "value", "unit", "origin", "effect [%]"});
  for (std::size_t p = 0; p < sensitivity.points.size(); ++p) {
    const auto& [parameters, effects] = sensitivity.points[p];
    std::string number = std::to_string(p + 1);
    for (const std::size_t i : strongest(effects)) {
      const TunedParameter& parameter = parameters[i];
      table.add({number, parameter.name, parameter.value, std::string(parameter.unit),
                 std::string(name_of(parameter.origin)), effect_text(effects[i])});
      number.clear();
    }
    if (!number.empty()) table.add({number, "none stands out"});
  }
  return table.str();
}

/// What a reader would look for among the strongest, and why it is not there.
std::string noise_text(const RunSensitivity& sensitivity) {
  std::string out;
  for (std::size_t p = 0; p < sensitivity.points.size(); ++p) {
    const auto& [parameters, effects] = sensitivity.points[p];
    std::vector<std::string> lost;
    for (const std::size_t i : lost_in_noise(effects)) {
      lost.push_back(fmt::format("{} {}", parameters[i].name, effect_text(effects[i])));
    }
    if (!lost.empty()) out += fmt::format("#{}\n", p + 1) + listed(lost, 4);
  }
  return out.empty() ? "" : "\nAs strong, but not told from 0 by these seeds [%]\n" + out;
}

std::string notes_text(const RunSensitivity& sensitivity) {
  std::vector<std::string> all;
  for (const PointSensitivity& point : sensitivity.points) {
    for (std::string& note : notes_of(point.parameters)) {
      if (std::ranges::find(all, note) == all.end()) all.push_back(std::move(note));
    }
  }
  std::string out;
  for (const std::string& note : all) out += wrapped(note);
  return out.empty() ? "" : "\nNot moved both ways\n" + out;
}

std::string seeds_text(const RunSensitivity& sensitivity) {
  const std::size_t seeds = sensitivity.base.points.front().replicas.size();
  std::string text = fmt::format("{} seed{}", seeds, seeds == 1 ? "" : "s");
  if (seeds < sensitivity.scenario_seeds) {
    text += fmt::format(" of the scenario's {} (--set seeds=N takes others)", sensitivity.scenario_seeds);
  }
  return text + (seeds == 1 ? ", so there is no spread" : "; ± is the 95 % confidence interval of the mean");
}

/// 1 for the strongest; 0 for what is not among them.
std::vector<std::size_t> ranks(const std::vector<Summary>& effects) {
  std::vector<std::size_t> out(effects.size());
  std::size_t rank = 0;
  for (const std::size_t i : strongest(effects, effects.size())) out[i] = ++rank;
  return out;
}

Json point_of(const PointResult& base, const PointSensitivity& point) {
  Json params = Json::object();
  for (const auto& [key, value] : base.params) params[key] = json_of(value);
  Json names = Json::array();
  for (const std::size_t i : strongest(point.effects)) names.push_back(point.parameters[i].name);
  Json parameters = Json::array();
  for (std::size_t i = 0; i < point.parameters.size(); ++i) {
    Json parameter = json_of(point.parameters[i]);
    parameter["effect"] = std::isfinite(point.effects[i].mean) ? json_of(point.effects[i]) : Json();
    parameters.push_back(std::move(parameter));
  }
  return {{"params", std::move(params)},   {"machine", base.machine},
          {"core_mhz", base.core_mhz},     {"result", json_of(base.summary(kHeadlineMetric))},
          {"strongest", std::move(names)}, {"parameters", std::move(parameters)}};
}

}  // namespace

std::string render_text(const RunSensitivity& sensitivity) {
  const Results& base = sensitivity.base;
  std::string out = base.title == base.scenario ? "" : wrapped(base.title);
  out += wrapped(
      fmt::format("{}, machine {}, base seed {}, {}", base.scenario, base.machine, base.seed, seeds_text(sensitivity)));
  out += '\n' +
         wrapped(fmt::format("The result: {} [{}], {}", kHeadlineMetric, headline().unit, headline().definition)) +
         points_table(base);
  out += '\n' + wrapped(fmt::format("What it depends on most. Effect: {}.", kEffectDefinition)) +
         strongest_table(sensitivity);
  return out + noise_text(sensitivity) + notes_text(sensitivity);
}

std::string render_json(const RunSensitivity& sensitivity) {
  const Results& base = sensitivity.base;
  Json points = Json::array();
  for (std::size_t p = 0; p < sensitivity.points.size(); ++p) {
    points.push_back(point_of(base.points[p], sensitivity.points[p]));
  }
  const Json out = {
      {"schema", "linebounce.run-sensitivity/1"},
      {"scenario", base.scenario},
      {"title", base.title},
      {"question", base.question},
      {"machine", base.machine},
      {"seed", base.seed},
      {"seeds", base.points.front().replicas.size()},
      {"metric", {{"name", kHeadlineMetric}, {"unit", headline().unit}, {"definition", headline().definition}}},
      {"effect", kEffectDefinition},
      {"points", std::move(points)}};
  return out.dump(1) + '\n';
}

std::string render_csv(const RunSensitivity& sensitivity) {
  const Results& base = sensitivity.base;
  const std::vector<std::string> params = parameter_keys(base);
  CsvRow header;
  for (const std::string_view name : {"scenario", "machine", "core clock [MHz]"}) header.add(name);
  add_parameter_names(header, params);
  header.add("seeds");
  header.add(with_unit(fmt::format("{} mean", kHeadlineMetric), headline().unit));
  for (const std::string_view name :
       {"parameter", "value", "unit", "origin", "low", "high", "effect mean [%]", "effect ci95 [%]", "rank"}) {
    header.add(name);
  }
  std::string out = header.end();
  for (std::size_t p = 0; p < sensitivity.points.size(); ++p) {
    const PointResult& point = base.points[p];
    const auto& [parameters, effects] = sensitivity.points[p];
    const std::vector<std::size_t> rank = ranks(effects);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const TunedParameter& parameter = parameters[i];
      CsvRow row;
      row.add(base.scenario);
      row.add(point.machine);
      row.add(static_cast<std::uint64_t>(point.core_mhz));
      add_parameters(row, point, params);
      row.add(point.replicas.size());
      row.add(point.summary(kHeadlineMetric).mean);
      row.add(parameter.name);
      row.add(parameter.value);
      row.add(parameter.unit);
      row.add(name_of(parameter.origin));
      row.add(parameter.steps.low);
      row.add(parameter.steps.high);
      row.add(effects[i].mean);
      effects[i].has_spread() ? row.add(effects[i].ci95) : row.add("");
      rank[i] == 0 ? row.add("") : row.add(rank[i]);
      out += row.end();
    }
  }
  return out;
}

}  // namespace linebounce

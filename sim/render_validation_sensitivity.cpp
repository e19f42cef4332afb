// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/render_sensitivity.hpp"
#include "sim/render_table.hpp"
#include "sim/validation_sensitivity.hpp"

namespace linebounce {
namespace {

using Weights = std::vector<ParameterWeight>;

Weights weights_of(const MachineSensitivity& machine) { return weigh(machine.parameters.size(), entries_of(machine)); }

/// Indices of the parameters that matter at all, the heaviest first.
std::vector<std::size_t> by_weight(const Weights& weights) {
  std::vector<std::size_t> order(weights.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::erase_if(order, [&](std::size_t p) { return weights[p].mean_percent == 0; });
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t p) { return weights[p].mean_percent; });
  return order;
}

/// "guess" as "?", "derived" as "~".
std::string_view mark(NumberOrigin origin) {
  return origin == NumberOrigin::kGuess ? "?" : origin == NumberOrigin::kDerived ? "~" : "";
}

std::string marked(const TunedParameter& p) { return p.name + std::string(mark(p.origin)); }

constexpr std::string_view kMarks = "?: a guess; ~: derived; others have a source";

/// A weight for a table: "0.12"; what is there, but rounds to nothing, is told from nothing.
std::string weight_text(double percent) { return percent < 0.005 ? "<0.01" : fmt::format("{:.2f}", percent); }

std::string weights_table(const MachineSensitivity& machine, const Weights& weights) {
  TextTable table(1, 2);
  table.add({"", "", "", "", "mean", "largest", "among the"});
  table.add({"parameter", "value", "unit", "origin", "effect [%]", "effect [%]", "strongest"});
  for (const std::size_t p : by_weight(weights)) {
    const TunedParameter& parameter = machine.parameters[p];
    const ParameterWeight& w = weights[p];
    table.add({parameter.name, parameter.value, std::string(parameter.unit), std::string(name_of(parameter.origin)),
               weight_text(w.mean_percent), fmt::format("{:+.1f}", w.largest_percent),
               std::to_string(w.among_strongest)});
  }
  return table.str();
}

std::string weightless(const MachineSensitivity& machine, const Weights& weights) {
  std::vector<std::string> names;
  for (std::size_t p = 0; p < weights.size(); ++p) {
    if (weights[p].mean_percent == 0) names.push_back(marked(machine.parameters[p]));
  }
  return names.empty() ? "" : wrapped(fmt::format("Nothing here depends on: {}", fmt::join(names, ", ")));
}

std::vector<std::string> strongest_texts(const MachineSensitivity& machine, const EntrySensitivity& entry) {
  std::vector<std::string> out;
  for (const std::size_t p : strongest(entry.effects)) {
    out.push_back(fmt::format("{} {:+.1f}", marked(machine.parameters[p]), entry.effects[p].mean));
  }
  return out;
}

std::string machine_text(const MachineSensitivity& machine) {
  const Weights weights = weights_of(machine);
  std::string out = fmt::format("{}: {} entries\n", machine.name, entries_of(machine).size());
  out += weights_table(machine, weights) + weightless(machine, weights);
  for (const ExperimentSensitivity& e : machine.experiments) {
    out += fmt::format("\n{}\n", e.experiment.id);
    for (const EntrySensitivity& entry : e.entries) {
      out += wrapped(entry.what, 1) + listed(strongest_texts(machine, entry), 4);
    }
  }
  out += '\n';
  for (const std::string& note : notes_of(machine.parameters)) out += wrapped(note);
  return out;
}

/// The names of all parameters that some machine guesses or derives and that matter there, the heaviest first.
std::vector<std::string> unsourced(const ValidationSensitivity& sensitivity) {
  std::vector<std::pair<std::string, double>> found;
  for (const MachineSensitivity& machine : sensitivity) {
    const Weights weights = weights_of(machine);
    for (std::size_t p = 0; p < weights.size(); ++p) {
      const TunedParameter& parameter = machine.parameters[p];
      if (mark(parameter.origin).empty() || weights[p].mean_percent == 0) continue;
      auto at = std::ranges::find(found, parameter.name, &std::pair<std::string, double>::first);
      if (at == found.end()) at = found.insert(at, {parameter.name, 0});
      at->second = std::max(at->second, weights[p].mean_percent);
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater{}, &std::pair<std::string, double>::second);
  std::vector<std::string> names;
  for (auto& [name, weight] : found) names.push_back(std::move(name));
  return names;
}

std::string markdown_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string markdown_weights(const ValidationSensitivity& sensitivity) {
  std::vector<std::string> heading = {"parameter"};
  std::vector<std::string> rule = {"---"};
  std::vector<Weights> weights;
  for (const MachineSensitivity& machine : sensitivity) {
    heading.push_back(machine.name);
    rule.emplace_back("--:");
    weights.push_back(weights_of(machine));
  }
  std::string out = markdown_row(heading) + markdown_row(rule);
  for (const std::string& name : unsourced(sensitivity)) {
    std::vector<std::string> row = {fmt::format("`{}`", name)};
    for (std::size_t m = 0; m < sensitivity.size(); ++m) {
      const std::vector<TunedParameter>& parameters = sensitivity[m].parameters;
      const auto at = std::ranges::find(parameters, name, &TunedParameter::name);
      const double weight =
          at == parameters.end() ? 0 : weights[m][static_cast<std::size_t>(at - parameters.begin())].mean_percent;
      row.push_back(weight == 0 ? "" : weight_text(weight) + std::string(mark(at->origin)));
    }
    out += markdown_row(row);
  }
  return out;
}

/// The strongest of each experiment, by the mean over its entries.
std::string markdown_experiments(const ValidationSensitivity& sensitivity) {
  std::string out = "| experiment | rests most on |\n|---|---|\n";
  for (const MachineSensitivity& machine : sensitivity) {
    for (const ExperimentSensitivity& e : machine.experiments) {
      const Weights weights = weigh(machine.parameters.size(), entries_of(e));
      std::vector<std::size_t> order = by_weight(weights);
      order.resize(std::min(order.size(), kStrongest));
      std::vector<std::string> names;
      for (const std::size_t p : order) {
        const TunedParameter& parameter = machine.parameters[p];
        names.push_back(fmt::format("`{}`{} {:.1f}", parameter.name, mark(parameter.origin), weights[p].mean_percent));
      }
      out += fmt::format("| {}, {} | {} |\n", machine.name, e.experiment.id, fmt::join(names, ", "));
    }
  }
  return out;
}

}  // namespace

std::string render_text(const ValidationSensitivity& sensitivity) {
  std::string out =
      wrapped(fmt::format("What the simulated values depend on. Effect: {}. {}.", kEffectDefinition, kMarks));
  for (const MachineSensitivity& machine : sensitivity) out += '\n' + machine_text(machine);
  return out;
}

std::string render_markdown(const ValidationSensitivity& sensitivity) {
  return "\n## What it rests on\n\n"
         "<!-- Written by `linebounce validate --sensitivity --markdown`. -->\n\n" +
         wrapped(fmt::format("An effect is the {}. `linebounce validate --sensitivity` prints it for every entry.",
                             kEffectDefinition)) +
         "\nHow strongly each machine's entries rest on the numbers that some machine guesses (?) or derives (~): the "
         "mean of\n"
         "the absolute effects over all entries. Where nothing stands, no entry depends on it.\n\n" +
         markdown_weights(sensitivity) +
         "\nThe five numbers on which each experiment rests most, with the mean of the absolute effects over its "
         "entries:\n\n" +
         markdown_experiments(sensitivity);
}

std::string render_json(const ValidationSensitivity& sensitivity) {
  Json machines = Json::array();
  for (const MachineSensitivity& machine : sensitivity) {
    const Weights weights = weights_of(machine);
    Json parameters = Json::array();
    for (std::size_t p = 0; p < weights.size(); ++p) {
      Json parameter = json_of(machine.parameters[p]);
      parameter["mean_percent"] = json_number(weights[p].mean_percent);
      parameter["largest_percent"] = json_number(weights[p].largest_percent);
      parameter["whose"] = weights[p].whose;
      parameter["among_strongest"] = weights[p].among_strongest;
      parameters.push_back(std::move(parameter));
    }
    Json experiments = Json::array();
    for (const ExperimentSensitivity& e : machine.experiments) {
      Json entries = Json::array();
      for (const EntrySensitivity& entry : e.entries) {
        Json names = Json::array();
        for (const std::size_t p : strongest(entry.effects)) names.push_back(machine.parameters[p].name);
        Json effects = Json::object();
        for (std::size_t p = 0; p < entry.effects.size(); ++p) {
          effects[machine.parameters[p].name] = json_number(entry.effects[p].mean);
        }
        entries.push_back({{"what", entry.what},
                           {"simulated", json_number(entry.simulated)},
                           {"strongest", std::move(names)},
                           {"effects", std::move(effects)}});
      }
      experiments.push_back({{"id", e.experiment.id},
                             {"unit", kValidationUnitNames[static_cast<std::size_t>(e.experiment.unit)]},
                             {"entries", std::move(entries)}});
    }
    machines.push_back(
        {{"name", machine.name}, {"parameters", std::move(parameters)}, {"experiments", std::move(experiments)}});
  }
  const Json out = {{"schema", "linebounce.validate-sensitivity/1"},
                    {"effect", kEffectDefinition},
                    {"machines", std::move(machines)}};
  return out.dump(1) + '\n';
}

}  // namespace linebounce

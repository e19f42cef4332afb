// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/render_table.hpp"
#include "sim/validation.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::ordered_json;
using Cells = std::vector<std::string>;

std::string_view unit_of(const ValidationExperiment& e) {
  return kValidationUnitNames[static_cast<std::size_t>(e.unit)];
}

std::string optional_figure(std::optional<double> x) { return x ? figure(*x) : ""; }

std::string published_text(Interval p) {
  return p.low == p.high ? fmt::format("{:.4g}", p.low) : fmt::format("{:.4g}-{:.4g}", p.low, p.high);
}

std::string tolerance_text(const ValidationExperiment& e) {
  if (e.tolerance_cycles == 0) return fmt::format("{:g} %", e.tolerance_percent);
  return fmt::format("{:g} %, {:g} c", e.tolerance_percent, e.tolerance_cycles);
}

std::string verdict(const ValidationExperiment& e, const ValidationRow& row) {
  return row.within ? "within" : e.gated ? "BEYOND" : "beyond";
}

/// The columns of a machine's table, each with a second line of heading. The last two stand only where they say something.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kColumns = {{{"", ""},
                                                                                    {"published", ""},
                                                                                    {"simulated", ""},
                                                                                    {"error", "[%]"},
                                                                                    {"tolerance", ""},
                                                                                    {"", ""},
                                                                                    {"home at", "requester"},
                                                                                    {"home at", "third"}}};

std::size_t columns_of(const ValidatedMachine& machine) {
  std::size_t columns = kColumns.size() - 2;
  for (const ValidatedExperiment& v : machine.experiments) {
    for (const ValidationRow& row : v.rows) {
      if (row.home_at_third) return kColumns.size();
      if (row.home_at_requester) columns = kColumns.size() - 1;
    }
  }
  return columns;
}

Cells cells_of(const ValidationExperiment& e, const ValidationRow& row, std::size_t columns) {
  Cells cells = {row.what,
                 published_text(row.published),
                 figure(row.simulated),
                 signed_figure(row.error_percent),
                 tolerance_text(e),
                 verdict(e, row),
                 optional_figure(row.home_at_requester),
                 optional_figure(row.home_at_third)};
  cells.resize(columns);
  return cells;
}

/// "sosp13-load, cycles", and what else is not as usual.
std::string heading_of(const ValidatedExperiment& v, const ValidatedMachine& machine) {
  std::string text = fmt::format("{}, {}", v.experiment.id, unit_of(v.experiment));
  if (v.core_mhz != machine.core_mhz) text += fmt::format(", {} MHz", v.core_mhz);
  if (!v.experiment.gated) text += ", not gated";
  return text;
}

std::string source_of(const ValidationExperiment& e) {
  return fmt::format("{}.{}{}", e.source, e.note.empty() ? "" : " ", e.note);
}

Cells summary_cells(std::string_view name, const ValidationSummary& s) {
  return {std::string(name),
          std::to_string(s.entries),
          std::to_string(s.gated),
          std::to_string(s.gated_beyond),
          std::to_string(s.not_modelled),
          fmt::format("{:.1f}", s.mean_error_percent),
          signed_figure(s.worst_error_percent),
          s.worst};
}

/// Calls `each` with the cells of every line of the summary.
void for_each_summary(const ValidationReport& report, const auto& each) {
  for (const ValidatedMachine& machine : report.machines) each(summary_cells(machine.name, summarise(machine)));
  if (report.machines.size() > 1) each(summary_cells("all", report.total()));
}

/// Calls `each` with a sentence on everything that was published and is not simulated.
void for_each_not_modelled(const ValidationReport& report, const auto& each) {
  for (const ValidatedMachine& machine : report.machines) {
    for (const ValidatedExperiment& v : machine.experiments) {
      for (const auto& [what, reason] : v.experiment.not_modelled) {
        each(fmt::format("{}, {}: {}", v.experiment.id, what, reason));
      }
    }
  }
  for (const auto& [what, reason] : report.skipped) each(fmt::format("{}: {}", what, reason));
}

std::string machine_text(const ValidatedMachine& machine) {
  const std::size_t columns = columns_of(machine);
  TextTable table(1, 2);
  Cells first;
  Cells second;
  for (std::size_t i = 0; i < columns; ++i) {
    first.emplace_back(kColumns[i].first);
    second.emplace_back(kColumns[i].second);
  }
  table.add(std::move(first));
  table.add(std::move(second));
  std::string sources;
  for (const ValidatedExperiment& v : machine.experiments) {
    table.add({heading_of(v, machine)});
    for (const ValidationRow& row : v.rows) {
      Cells cells = cells_of(v.experiment, row, columns);
      cells.front().insert(0, 1, ' ');
      table.add(std::move(cells));
    }
    sources += wrapped(fmt::format("{}: {}", v.experiment.id, source_of(v.experiment)));
  }
  return wrapped(fmt::format("{}, {} MHz: {}", machine.name, machine.core_mhz, machine.description)) + '\n' +
         table.str() + '\n' + sources + '\n';
}

std::string markdown_row(const Cells& cells) { return fmt::format("| {} |\n", fmt::join(cells, " | ")); }

std::string markdown_machine(const ValidatedMachine& machine) {
  const std::size_t columns = columns_of(machine);
  Cells headings;
  Cells rules;
  for (std::size_t i = 0; i < columns; ++i) {
    const auto& [first, second] = kColumns[i];
    headings.push_back(fmt::format("{}{}{}", first, second.empty() ? "" : " ", second));
    rules.emplace_back(first.empty() ? "---" : "--:");
  }
  std::string out = fmt::format("\n## {}\n\n{}; {} MHz.\n\n", machine.name, machine.description, machine.core_mhz) +
                    markdown_row(headings) + markdown_row(rules);
  std::string sources = "\n";
  for (const ValidatedExperiment& v : machine.experiments) {
    Cells heading = {fmt::format("**{}**", heading_of(v, machine))};
    heading.resize(columns);
    out += markdown_row(heading);
    for (const ValidationRow& row : v.rows) out += markdown_row(cells_of(v.experiment, row, columns));
    sources += fmt::format("- `{}`: {}\n", v.experiment.id, source_of(v.experiment));
  }
  return out + sources;
}

Json json_of(const ValidationSummary& s) {
  return {{"entries", s.entries},
          {"gated", s.gated},
          {"gated_beyond", s.gated_beyond},
          {"not_modelled", s.not_modelled},
          {"mean_error_percent", s.mean_error_percent},
          {"worst_error_percent", s.worst_error_percent},
          {"worst", s.worst}};
}

Json json_of(const std::vector<NotModelled>& list) {
  Json out = Json::array();
  for (const NotModelled& n : list) out.push_back({{"what", n.what}, {"reason", n.reason}});
  return out;
}

Json json_of(const ValidationRow& row) {
  const auto optional = [](std::optional<double> x) { return x ? Json(*x) : Json(); };
  return {{"what", row.what},
          {"published", {{"low", row.published.low}, {"high", row.published.high}}},
          {"simulated", row.simulated},
          {"home_at_requester", optional(row.home_at_requester)},
          {"home_at_third", optional(row.home_at_third)},
          {"error_percent", row.error_percent},
          {"within", row.within}};
}

Json json_of(const ValidatedExperiment& v) {
  Json entries = Json::array();
  for (const ValidationRow& row : v.rows) entries.push_back(json_of(row));
  const ValidationExperiment& e = v.experiment;
  return {{"id", e.id},
          {"core_mhz", v.core_mhz},
          {"source", e.source},
          {"note", e.note},
          {"unit", unit_of(e)},
          {"tolerance_percent", e.tolerance_percent},
          {"tolerance_cycles", e.tolerance_cycles},
          {"gated", e.gated},
          {"entries", std::move(entries)},
          {"not_modelled", json_of(e.not_modelled)}};
}

constexpr std::string_view kReading =
    "Errors count from the nearest end of an interval. Of a line in another socket the holder's socket is the home; "
    "what other homes would give stands beside it and decides nothing. A tolerance in cycles (c) counts where it is "
    "the larger one.";

}  // namespace

std::string render_text(const ValidationReport& report) {
  std::string out;
  for (const ValidatedMachine& machine : report.machines) out += machine_text(machine);
  std::string not_modelled;
  for_each_not_modelled(report, [&](const std::string& sentence) { not_modelled += wrapped(sentence); });
  if (!not_modelled.empty()) out += "Not modelled\n" + not_modelled + '\n';
  TextTable table(1, 2);
  table.add({"", "entries", "gated", "gated", "not", "mean", "worst", "whose"});
  table.add({"machine", "", "", "beyond", "modelled", "error [%]", "error [%]", ""});
  for_each_summary(report, [&](Cells cells) { table.add(std::move(cells)); });
  return out + table.str() + '\n' + wrapped(kReading);
}

std::string render_markdown(const ValidationReport& report) {
  std::string out =
      "# Validation\n\n"
      "<!-- Written by `linebounce validate --markdown`; docs/update_readme.sh does it. -->\n\n"
      "What was published of real machines against what the simulated ones do. `linebounce validate` prints the same\n"
      "and exits with 1 if a gated entry is beyond its tolerance. How to add figures of one's own: "
      "[calibrating.md](calibrating.md).\n\n";
  out += wrapped(kReading) + "\n## Summary\n\n";
  out +=
      "| machine | entries | gated | gated beyond | not modelled | mean error [%] | worst error [%] | whose |\n"
      "|---|--:|--:|--:|--:|--:|--:|---|\n";
  for_each_summary(report, [&](const Cells& cells) { out += markdown_row(cells); });
  for (const ValidatedMachine& machine : report.machines) out += markdown_machine(machine);
  out += "\n## What is not modelled\n\n";
  for_each_not_modelled(report, [&](const std::string& sentence) { out += fmt::format("- {}\n", sentence); });
  return out +
         "\nWhat the model leaves out as a whole stands in the "
         "[README](../README.md#what-the-model-leaves-out-and-why).\n";
}

std::string render_json(const ValidationReport& report) {
  Json machines = Json::array();
  for (const ValidatedMachine& machine : report.machines) {
    Json experiments = Json::array();
    for (const ValidatedExperiment& v : machine.experiments) experiments.push_back(json_of(v));
    machines.push_back({{"name", machine.name},
                        {"core_mhz", machine.core_mhz},
                        {"summary", json_of(summarise(machine))},
                        {"experiments", std::move(experiments)}});
  }
  const Json out = {{"schema", "linebounce.validate/1"},
                    {"machines", std::move(machines)},
                    {"skipped", json_of(report.skipped)},
                    {"summary", json_of(report.total())}};
  return out.dump(1) + '\n';
}

}  // namespace linebounce

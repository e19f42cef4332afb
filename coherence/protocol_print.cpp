// SPDX-License-Identifier: Apache-2.0
#include "coherence/protocol_print.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace linebounce {

namespace {

std::string_view word_for(Verdict verdict) {
  switch (verdict) {
    case Verdict::kGo: return "go";
    case Verdict::kStall: return "stall";
    case Verdict::kImpossible: return "impossible";
  }
  return "";
}

template <class Enum, std::size_t kCount>
std::vector<std::string> names_in(const Set<Enum>& set, const std::array<std::string_view, kCount>& names) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (set.has(static_cast<Enum>(i))) all.emplace_back(names[i]);
  }
  return all;
}

template <class Rules>
std::vector<PrintedRow> print_rows(const ProtocolTable<Rules>& table) {
  std::vector<PrintedRow> all;
  for (const Row<Rules>& row : table.rows()) {
    PrintedRow printed;
    printed.states = names_in(row.states, Rules::kStateNames);
    printed.events = names_in(row.events, Rules::kEventNames);
    printed.guard = Rules::kGuardNames[static_cast<std::size_t>(row.guard)];
    printed.verdict = word_for(row.verdict);
    for (const auto action : row.actions) {
      if (action == Rules::Action::kNone) break;
      printed.actions.emplace_back(Rules::kActionNames[static_cast<std::size_t>(action)]);
    }
    if (row.next != Rules::State::kCount) printed.next = Rules::kStateNames[static_cast<std::size_t>(row.next)];
    printed.why = row.why;
    all.push_back(std::move(printed));
  }
  return all;
}

std::string_view title_of(Controller controller) {
  switch (controller) {
    case Controller::kCore: return "Private cache of a core (L1 and L2)";
    case Controller::kSlice: return "Caching agent of a socket (L3 slice)";
    case Controller::kHome: return "Home agent";
  }
  return "";
}

/// RFC 4180: fields with separators or quotes are quoted.
std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

}  // namespace

std::string_view name_of(Controller controller) {
  switch (controller) {
    case Controller::kCore: return "core";
    case Controller::kSlice: return "slice";
    case Controller::kHome: return "home";
  }
  return "";
}

std::vector<PrintedRow> printed_rows(Controller controller, const ProtocolTables& tables) {
  switch (controller) {
    case Controller::kCore: return print_rows(tables.cache);
    case Controller::kSlice: return print_rows(tables.slice);
    case Controller::kHome: return print_rows(tables.home);
  }
  return {};
}

std::string one_line(const PrintedRow& row) {
  return fmt::format("{} + {}{}: {}", fmt::join(row.states, ","), fmt::join(row.events, ","),
                     row.guard.empty() ? "" : " [" + row.guard + "]", row.why);
}

std::string tables_as_markdown(const std::vector<Controller>& controllers, const ProtocolTables& tables) {
  std::string out;
  for (const Controller controller : controllers) {
    out += fmt::format("{}## {}\n\n", out.empty() ? "" : "\n", title_of(controller));
    out += "| in state | event | if | does | next state | because |\n|---|---|---|---|---|---|\n";
    for (const PrintedRow& row : printed_rows(controller, tables)) {
      const std::string does = row.verdict == "go" ? fmt::format("{}", fmt::join(row.actions, ", ")) : row.verdict;
      out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", fmt::join(row.states, ", "), fmt::join(row.events, ", "),
                         row.guard, does, row.next, row.why);
    }
  }
  return out;
}

std::string tables_as_csv(const std::vector<Controller>& controllers, const ProtocolTables& tables) {
  std::string out = "controller,row,states,events,guard,verdict,actions,next,why\r\n";
  for (const Controller controller : controllers) {
    int number = 0;
    for (const PrintedRow& row : printed_rows(controller, tables)) {
      out += fmt::format("{},{},{},{},{},{},{},{},{}\r\n", name_of(controller), number++, fmt::join(row.states, " "),
                         fmt::join(row.events, " "), csv_field(row.guard), row.verdict,
                         csv_field(fmt::format("{}", fmt::join(row.actions, "; "))), row.next, csv_field(row.why));
    }
  }
  return out;
}

std::string tables_as_dot(const std::vector<Controller>& controllers, const ProtocolTables& tables) {
  std::string out;
  for (const Controller controller : controllers) {
    // Ordered by first appearance, so that the diagram reads like the table.
    std::vector<std::pair<std::pair<std::string, std::string>, std::vector<std::string>>> edges;
    for (const PrintedRow& row : printed_rows(controller, tables)) {
      if (row.verdict != "go") continue;
      for (const std::string& from : row.states) {
        const std::pair ends(from, row.next.empty() ? from : row.next);
        auto edge = std::ranges::find(edges, ends, [](const auto& e) { return e.first; });
        if (edge == edges.end()) edge = edges.insert(edges.end(), {ends, {}});
        for (const std::string& event : row.events) {
          if (std::ranges::find(edge->second, event) == edge->second.end()) edge->second.push_back(event);
        }
      }
    }
    out += fmt::format("digraph {} {{\n  label=\"{}\";\n  node [shape=ellipse];\n", name_of(controller),
                       title_of(controller));
    for (const auto& [ends, events] : edges) {
      out += fmt::format("  \"{}\" -> \"{}\" [label=\"{}\"];\n", ends.first, ends.second, fmt::join(events, "\\n"));
    }
    out += "}\n";
  }
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The protocol tables as text, row by row, from the tables that run.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/protocol_tables.hpp"

namespace linebounce {

enum class Controller : std::uint8_t { kCore, kSlice, kHome };

inline constexpr std::array<Controller, 3> kControllers = {Controller::kCore, Controller::kSlice, Controller::kHome};

/// "core", "slice", "home".
std::string_view name_of(Controller controller);

/// One row of a table in words; states and events in the table's order.
struct PrintedRow {
  std::vector<std::string> states;
  std::vector<std::string> events;
  std::string guard;    ///< "" if there is none
  std::string verdict;  ///< "go", "stall", "impossible"
  std::vector<std::string> actions;
  std::string next;  ///< "" if the state stays
  std::string why;
};

/// In the order of the table, which is also that of rows_fired().
std::vector<PrintedRow> printed_rows(Controller controller, const ProtocolTables& tables);

/// "S + GetS: the L3 has it".
std::string one_line(const PrintedRow& row);

/// A heading and a Markdown table for each controller.
std::string tables_as_markdown(const std::vector<Controller>& controllers, const ProtocolTables& tables);
/// RFC 4180 with a header line; several values in one field are separated by blanks, actions by "; ".
std::string tables_as_csv(const std::vector<Controller>& controllers, const ProtocolTables& tables);
/// Graphviz: a state diagram for each controller, an edge for every pair of states with all events that lead from one
/// to the other; what stalls or is impossible is left out.
std::string tables_as_dot(const std::vector<Controller>& controllers, const ProtocolTables& tables);

}  // namespace linebounce

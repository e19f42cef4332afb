// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>

#include "sim/csv_row.hpp"
#include "sim/heat_map.hpp"
#include "sim/latency_matrix.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::ordered_json;

std::string_view name_in(const auto& names, auto value) { return names[static_cast<std::size_t>(value)]; }
std::string_view state_of(const LatencyRow& row) { return name_in(kLineStateNames, row.situation.state); }
std::string_view holder_of(const LatencyRow& row) { return name_in(kHolderPlaceNames, row.situation.holder); }
std::string_view home_of(const LatencyRow& row) { return name_in(kHomePlaceNames, row.situation.home); }

/// "M", "S 2 cores", "S 2 sockets", "memory".
std::string state_for_people(const LatencyRow& row) {
  if (row.sharers == 0) return "memory";
  if (row.sharing_sockets > 1) return fmt::format("{} {} sockets", state_of(row), row.sharing_sockets);
  if (row.sharers > 1) return fmt::format("{} {} cores", state_of(row), row.sharers);
  return std::string(state_of(row));
}

/// Calls `heading` with the place of the holder before its first row, and `each` with every row.
void for_each_row(const LatencyMatrix& matrix, const auto& heading, const auto& each) {
  std::string_view place;
  for (const LatencyRow& row : matrix.rows) {
    if (place != holder_of(row)) heading(place = holder_of(row));
    each(row);
  }
}

/// Calls `each` with every row, operation and latency.
void for_each_cell(const LatencyMatrix& matrix, const auto& each) {
  for (const LatencyRow& row : matrix.rows) {
    for (std::size_t i = 0; i < kSingleOperations; ++i) each(row, kSingleOperationNames[i], row.latency[i]);
  }
}

}  // namespace

std::string render_text(const LatencyMatrix& matrix) {
  // An operation has two narrow columns, so its name is broken.
  TextTable table(2, 3);
  table.add({"holder", "", "", "load", "", "store", "", "xchg", "", "xadd", "", "cmpxchg", "", "failing"});
  table.add({"", "", "", "", "", "+mfence", "", "", "", "", "", "", "", "cmpxchg"});
  std::vector<std::string> lowest = {" line", "home"};
  for (std::size_t i = 0; i < kSingleOperations; ++i) lowest.insert(lowest.end(), {"mean", "min-max"});
  table.add(std::move(lowest));
  for_each_row(
      matrix, [&](std::string_view place) { table.add({std::string(place)}); },
      [&](const LatencyRow& row) {
        std::vector<std::string> cells = {" " + state_for_people(row), std::string(home_of(row))};
        for (const auto& [mean, min, max] : row.latency) {
          cells.push_back(fmt::format("{:.0f}", mean));
          cells.push_back(min == max ? "" : fmt::format("{}-{}", min.count, max.count));
        }
        table.add(std::move(cells));
      });
  return fmt::format("{}: core cycles of one operation at {} MHz, over {} lines\n\n{}", matrix.machine, matrix.core_mhz,
                     kMeasuredLines, table.str()) +
         wrapped(
             "holder: who has the line, seen from the requester; of a line in memory, that memory. home: whose socket "
             "is the line's home. S: first the holder has read the line, then others. One number: all lines alike.");
}

std::string render_json(const LatencyMatrix& matrix) {
  Json cells = Json::array();
  for_each_cell(matrix, [&](const LatencyRow& row, std::string_view operation, const OperationLatency& latency) {
    cells.push_back(
        {{"operation", operation},
         {"state", state_of(row)},
         {"sharers", row.sharers},
         {"sharing_sockets", row.sharing_sockets},
         {"holder", holder_of(row)},
         {"home", home_of(row)},
         {"core_cycles", {{"mean", latency.mean}, {"min", latency.min.count}, {"max", latency.max.count}}}});
  });
  const Json out = {{"schema", "linebounce.matrix/1"},
                    {"machine", matrix.machine},
                    {"core_mhz", matrix.core_mhz},
                    {"lines", kMeasuredLines},
                    {"cells", std::move(cells)}};
  return out.dump(1) + '\n';
}

std::string render_csv(const LatencyMatrix& matrix) {
  CsvRow header;
  for (const std::string_view name :
       {"machine", "core clock [MHz]", "operation", "state", "sharers", "sharing sockets", "holder", "home",
        "mean [core cycles]", "min [core cycles]", "max [core cycles]"}) {
    header.add(name);
  }
  std::string out = header.end();
  for_each_cell(matrix, [&](const LatencyRow& row, std::string_view operation, const OperationLatency& latency) {
    CsvRow line;
    line.add(matrix.machine);
    line.add(static_cast<std::uint64_t>(matrix.core_mhz));
    for (const std::string_view name : {operation, state_of(row)}) line.add(name);
    for (const int n : {row.sharers, row.sharing_sockets}) line.add(static_cast<std::uint64_t>(n));
    for (const std::string_view name : {holder_of(row), home_of(row)}) line.add(name);
    line.add(latency.mean);
    for (const Cycles c : {latency.min, latency.max}) line.add(static_cast<std::uint64_t>(c.count));
    out += line.end();
  });
  return out;
}

std::string render_svg(const LatencyMatrix& matrix) {
  HeatMap map;
  map.title = fmt::format("{}: latency of one operation by where its line is", matrix.machine);
  map.column_axis = "operation";
  map.row_axis = "holder: line, home";
  map.unit = fmt::format("core cycles at {} MHz, mean over {} lines", matrix.core_mhz, kMeasuredLines);
  map.columns.assign(kSingleOperationNames.begin(), kSingleOperationNames.end());
  for_each_row(
      matrix,
      [&](std::string_view place) {
        map.rows.push_back({std::string(place), {}});
      },
      [&](const LatencyRow& row) {
        map.rows.push_back({fmt::format("{}, home {}", state_for_people(row), home_of(row)), {}});
        for (const OperationLatency& latency : row.latency) map.rows.back().values.push_back(latency.mean);
      });
  return render_svg(map);
}

}  // namespace linebounce

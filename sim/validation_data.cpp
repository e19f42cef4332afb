// SPDX-License-Identifier: Apache-2.0
#include "sim/validation_data.hpp"

#include <fmt/format.h>

#include <set>

#include "sim/scenario.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

constexpr double kMost = 1e9;

/// The row that the key names; the rows have names.
template <class Rows>
auto row_of(TomlTable& cell, std::string_view key, const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return rows[cell.choice(key, names)];
}

/// The name that the key has, which must be one of these.
std::string one_of(TomlTable& table, std::string_view key, const std::vector<std::string>& names) {
  return names[table.choice(key, std::vector<std::string_view>(names.begin(), names.end()))];
}

Probe read_operation(TomlTable& cell) {
  const auto operation = static_cast<SingleOperation>(cell.choice("operation", kSingleOperationNames));
  const auto slices = static_cast<ProbeSlices>(cell.find_choice("slices", kProbeSlicesNames).value_or(0));
  return OperationProbe{operation, row_of(cell, "state", kProbeStates), row_of(cell, "holder", kProbePlaces), slices};
}

Probe read_memory(TomlTable& cell) {
  const auto socket = [&](std::string_view key) { return static_cast<std::uint32_t>(cell.integer(key, {0, 31})); };
  return MemoryProbe{socket("from"), socket("memory")};
}

Probe read_ping_pong(TomlTable& cell) {
  const auto lines = static_cast<PingPongKind>(cell.choice("lines", kPingPongNames));
  return PingPongProbe{lines, static_cast<PingPongBetween>(cell.choice("between", kPingPongBetweenNames))};
}

Probe read_loop(TomlTable& cell) { return LoopProbe{static_cast<LoopBody>(cell.choice("body", kLoopBodyNames))}; }

struct Kind {
  std::string_view name;
  Probe (*read)(TomlTable& cell);
};
constexpr std::array<Kind, 4> kKinds = {
    {{"operation", read_operation}, {"memory", read_memory}, {"ping-pong", read_ping_pong}, {"lone loop", read_loop}}};

Interval read_interval(const TomlValue& value) {
  const auto number = [](const TomlValue& v) { return number_of(v, "published", {0.001, kMost}); };
  if (value.kind != TomlValue::Kind::kArray) return {number(value), number(value)};
  if (value.items.size() != 2) fail_input(value.where, to_text(value), "a number, or the lowest and the highest");
  const Interval interval{number(value.items[0]), number(value.items[1])};
  if (interval.low > interval.high) {
    fail_input(value.where, fmt::format("from {} to {}", interval.low, interval.high), "the lower number first");
  }
  return interval;
}

ValidationCell read_cell(TomlTable& table, const Kind& kind, ValidationUnit unit) {
  ValidationCell cell{kind.read(table), read_interval(table.value("published")), 0, table.where()};
  if (unit == ValidationUnit::kCycles) cell.plus_ns = table.find_number("plus_ns", {0, kMost, "ns"}).value_or(0);
  return cell;
}

std::vector<NotModelled> read_not_modelled(TomlTable& table, std::string_view key) {
  std::vector<NotModelled> list;
  for (TomlTable& item : table.find_tables(key)) list.push_back({item.text("what"), item.text("reason")});
  return list;
}

ValidationExperiment read_experiment(TomlTable& table, TomlTable& sources, const std::filesystem::path& folder) {
  ValidationExperiment e;
  e.id = table.text("id");
  const std::string machine = table.text("machine");
  e.machine = is_machine_file(machine) ? (folder / machine).string() : one_of(table, "machine", shipped_machines());
  e.core_mhz = table.find_integer("core_mhz", {100, 10'000, "MHz"});
  const Kind kind = row_of(table, "kind", kKinds);
  e.unit = static_cast<ValidationUnit>(table.choice("unit", kValidationUnitNames));
  e.tolerance_percent = table.number("tolerance_percent", {0, 1000, "%"});
  e.tolerance_cycles = table.find_number("tolerance_cycles", {0, 1000, "cycles"}).value_or(0);
  e.gated = table.find_boolean("gated").value_or(true);
  e.source = fmt::format("{}, {}", sources.text(one_of(table, "source", sources.keys())), table.text("place"));
  e.note = table.find_text("note").value_or("");
  for (TomlTable& cell : table.find_tables("cells")) e.cells.push_back(read_cell(cell, kind, e.unit));
  e.not_modelled = read_not_modelled(table, "not_modelled");
  if (e.cells.empty()) table.fail("cells", "no cells", "what was measured");
  return e;
}

}  // namespace

ValidationData load_validation(const std::filesystem::path& file) {
  TomlTable document = TomlTable::load(file);
  TomlTable sources = document.table("sources");
  ValidationData data;
  std::set<std::string> ids;
  for (TomlTable& table : document.find_tables("experiment")) {
    data.experiments.push_back(read_experiment(table, sources, file.parent_path()));
    const std::string& id = data.experiments.back().id;
    if (!ids.insert(id).second) table.fail("id", fmt::format("'{}' a second time", id), "an id of its own");
  }
  data.skipped = read_not_modelled(document, "skipped");
  document.reject_unread();
  if (data.experiments.empty()) document.fail("experiment", "no experiments", "at least one [[experiment]]");
  return data;
}

}  // namespace linebounce

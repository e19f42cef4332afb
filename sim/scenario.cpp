// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace linebounce {
namespace {

constexpr std::int64_t kMostSeeds = 10'000;
constexpr std::int64_t kMostSeedValue = 1'000'000'000'000'000'000;

/// A list varies the key, except a list of whole numbers for the placement, and of tables for the locks: that is one
/// placement, and one mix of locks.
bool is_one_value(std::string_view key, const TomlValue& value) {
  if (value.kind != TomlValue::Kind::kArray) return true;
  if (value.items.empty()) return key == "locks";
  const TomlValue::Kind kind = value.items.front().kind;
  return (key == "placement" && kind == TomlValue::Kind::kInteger) ||
         (key == "locks" && kind == TomlValue::Kind::kTable);
}

Axis axis_of(std::string_view key, const TomlValue& value) {
  Axis axis{std::string(key), {}};
  if (is_one_value(key, value)) {
    axis.values.push_back(value);
    return axis;
  }
  if (value.items.empty()) fail_input(value.where, fmt::format("{} is an empty list", key), "at least one value");
  for (const TomlValue& item : value.items) {
    const auto same = [&](const TomlValue& other) {
      return item.kind == other.kind && to_text(item) == to_text(other);
    };
    if (item.kind != TomlValue::Kind::kArray && std::ranges::any_of(axis.values, same)) {
      fail_input(item.where, fmt::format("{} takes {} twice", key, to_text(item)), "different values");
    }
    axis.values.push_back(item);
    axis.values.back().key_where = value.key_where;
  }
  return axis;
}

/// The values of a table, those of tables inside it under dotted keys.
void collect(const TomlValue& table, const std::string& prefix, std::vector<Axis>& axes) {
  for (const auto& [key, value] : table.entries) {
    if (value.kind == TomlValue::Kind::kTable) {
      collect(value, prefix + key + '.', axes);
    } else {
      axes.push_back(axis_of(prefix + key, value));
    }
  }
}

/// A key that stands twice, once in quotes and once dotted, or in [[points]] and in [vary].
void reject_repeated(const std::vector<Axis>& axes, const std::vector<Axis>& also) {
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto same = [&](const Axis& other) { return other.key == axes[i].key; };
    const auto end = axes.begin() + static_cast<std::ptrdiff_t>(i);
    if (std::any_of(axes.begin(), end, same) || std::ranges::any_of(also, same)) {
      fail_input(axes[i].values.front().key_where, fmt::format("'{}' is set twice", axes[i].key), "it once");
    }
  }
}

void reject_unknown(const std::vector<Axis>& axes, WorkloadKind kind) {
  for (const Axis& axis : axes) {
    if (axis.key == "seeds") {
      fail_input(axis.values.front().key_where, "seeds cannot vary, every point runs with all of them", "it in [run]");
    }
    Settings scratch;
    scratch.workload.kind = kind;
    for (const TomlValue& value : axis.values) apply(scratch, {axis.key, value});
  }
}

void read_seeds(Scenario& scenario, const TomlValue& value) {
  scenario.seeds.clear();
  if (value.kind != TomlValue::Kind::kArray) {
    scenario.seed_count = static_cast<std::uint64_t>(integer_of(value, "seeds", {1, kMostSeeds}));
    return;
  }
  if (value.items.empty() || value.items.size() > static_cast<std::size_t>(kMostSeeds)) {
    fail_input(value.where, fmt::format("seeds is a list of {}", value.items.size()),
               fmt::format("1 to {}", kMostSeeds));
  }
  for (const TomlValue& item : value.items) {
    const auto seed = static_cast<std::uint64_t>(integer_of(item, "seed", {0, kMostSeedValue}));
    if (std::ranges::find(scenario.seeds, seed) != scenario.seeds.end()) {
      fail_input(item.where, fmt::format("seed {} is listed twice", seed), "different seeds");
    }
    scenario.seeds.push_back(seed);
  }
  scenario.seed_count = scenario.seeds.size();
}

void read_machine(Scenario& scenario, TomlTable& file) {
  scenario.machine_where = file.where("machine");
  const TomlValue* machine = file.find_value("machine");
  if (machine == nullptr) {
    fail_input(file.where(), "no machine", "machine = \"name\", or a table [machine] with a name");
  }
  if (machine->kind != TomlValue::Kind::kTable) {
    scenario.fixed.push_back({"machine", {*machine}});
    return;
  }
  TomlTable table = file.table("machine");
  scenario.fixed.push_back({"machine", {table.value("name")}});
  if (table.has("override")) {
    TomlTable overrides = table.table("override");
    for (const std::string& key : overrides.keys()) {
      const TomlValue& value = overrides.value(key);
      if (value.kind == TomlValue::Kind::kTable) {
        collect(value, "machine." + key + '.', scenario.fixed);
      } else {
        scenario.fixed.push_back({"machine." + key, {value}});
      }
    }
    for (const Axis& axis : scenario.fixed) {
      if (axis.values.size() == 1) continue;
      fail_input(axis.values.front().where, fmt::format("several values of '{}'", axis.key), "one, or them in [vary]");
    }
  }
  constexpr std::array<std::string_view, 2> kKeys = {"name", "override"};
  for (const auto& [key, value] : machine->entries) {
    if (std::ranges::find(kKeys, key) == kKeys.end()) {
      fail_input(value.key_where, fmt::format("unknown key '{}' in [machine]", key), "name or override");
    }
  }
}

/// [workload] and [run]: keys that stand in the wrong one of the two are told where they belong.
void read_fixed(Scenario& scenario, TomlTable& table, std::string_view name) {
  for (const std::string& key : table.keys()) {
    if ((name == "workload" && key == "kind") || (name == "run" && key == "seeds")) continue;
    const TomlValue& value = table.value(key);
    const Parameter* p = find_parameter(key);
    if (p != nullptr && p->table != name) {
      fail_input(value.key_where, fmt::format("'{}' in [{}]", key, name), fmt::format("it in [{}]", p->table));
    }
    scenario.fixed.push_back({key, {value}});
  }
}

Scenario read(TomlTable file, const std::filesystem::path& path) {
  Scenario scenario;
  scenario.name = path.stem().string();
  scenario.directory = path.parent_path();
  scenario.title = file.find_text("title").value_or(scenario.name);
  scenario.question = file.find_text("question").value_or("");
  scenario.description = file.find_text("description").value_or("");
  read_machine(scenario, file);

  TomlTable workload = file.table("workload");
  std::vector<std::string_view> kinds;
  for (std::size_t i = 0; i < kWorkloadKinds; ++i) kinds.push_back(name_of(static_cast<WorkloadKind>(i)));
  scenario.kind = static_cast<WorkloadKind>(workload.choice("kind", kinds));
  scenario.workload_where = workload.where();
  read_fixed(scenario, workload, "workload");

  TomlTable run = file.table("run");
  scenario.run_where = run.where();
  read_fixed(scenario, run, "run");
  if (const TomlValue* seeds = run.find_value("seeds")) read_seeds(scenario, *seeds);

  if (file.has("vary")) collect(file.value("vary"), "", scenario.vary);
  for (TomlTable& row : file.find_tables("points")) {
    std::vector<Axis>& axes = scenario.rows.emplace_back();
    for (const std::string& key : row.keys()) {
      const TomlValue& value = row.value(key);
      if (value.kind == TomlValue::Kind::kTable) {
        collect(value, key + '.', axes);
      } else {
        axes.push_back(axis_of(key, value));
      }
    }
  }
  file.reject_unread();

  reject_unknown(scenario.fixed, scenario.kind);
  reject_repeated(scenario.fixed, {});
  for (const std::vector<Axis>& row : scenario.rows) {
    reject_unknown(row, scenario.kind);
    reject_repeated(row, {});
  }
  reject_unknown(scenario.vary, scenario.kind);
  for (const std::vector<Axis>& row : scenario.rows) reject_repeated(scenario.vary, row);
  reject_repeated(scenario.vary, {});
  return scenario;
}

/// Everything in the value stands where the command line asked for it.
void relocate(TomlValue& value, const std::string& where) {
  value.where = value.key_where = where;
  for (TomlValue& item : value.items) relocate(item, where);
  for (auto& [key, entry] : value.entries) relocate(entry, where);
}

TomlValue value_of_argument(std::string_view text, const std::string& where) {
  TomlValue value;
  try {
    value = TomlTable::parse(fmt::format("value = {}", text), where).value("value");
  } catch (const InputError&) {  // a name without quotes
    value.kind = TomlValue::Kind::kText;
    value.text = text;
  }
  relocate(value, where);
  return value;
}

/// The path of a machine file that the command line names; it is relative to where the command runs.
std::string from_here(const std::string& machine) {
  return is_machine_file(machine) ? std::filesystem::absolute(machine).string() : machine;
}

void erase_key(std::vector<Axis>& axes, std::string_view key) {
  std::erase_if(axes, [&](const Axis& axis) { return axis.key == key; });
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file) { return read(TomlTable::load(file), file); }

Scenario parse_scenario(std::string_view text, const std::filesystem::path& file) {
  return read(TomlTable::parse(text, file.string()), file);
}

void override_scenario(Scenario& scenario, std::string_view argument) {
  const std::string where = fmt::format("--set {}", argument);
  const std::size_t equals = argument.find('=');
  if (equals == std::string_view::npos || equals == 0) fail_input(where, "no '='", "key=value");
  if (argument.find('\n') != std::string_view::npos) fail_input("--set", "a line break", "one key=value");
  const std::string_view key = argument.substr(0, equals);
  if (equals + 1 == argument.size()) {
    const auto had = [&](const std::vector<Axis>& axes) {
      return std::ranges::find(axes, key, &Axis::key) != axes.end();
    };
    if (!had(scenario.fixed) && !had(scenario.vary) && std::ranges::none_of(scenario.rows, had)) {
      fail_input(where, "the scenario does not say it", "a key of the scenario to take away, or key=value");
    }
    for (std::vector<Axis>& row : scenario.rows) erase_key(row, key);
    erase_key(scenario.vary, key);
    return erase_key(scenario.fixed, key);
  }
  const TomlValue value = value_of_argument(argument.substr(equals + 1), where);
  if (key == "seeds") return read_seeds(scenario, value);

  Axis axis = axis_of(key, value);
  reject_unknown({axis}, scenario.kind);
  if (key == "machine") {
    for (TomlValue& machine : axis.values) machine.text = from_here(machine.text);
  }
  for (std::vector<Axis>& row : scenario.rows) erase_key(row, key);
  const auto same = std::ranges::find(scenario.vary, key, &Axis::key);
  if (axis.values.size() == 1) {
    if (same != scenario.vary.end()) scenario.vary.erase(same);
    erase_key(scenario.fixed, key);
    scenario.fixed.push_back(std::move(axis));
  } else if (same != scenario.vary.end()) {
    *same = std::move(axis);
  } else {
    scenario.vary.push_back(std::move(axis));
  }
}

}  // namespace linebounce

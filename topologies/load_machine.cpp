// SPDX-License-Identifier: Apache-2.0
#include "topologies/load_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "topologies/machine_fields.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

/// More would need gigabytes of routes.
constexpr int kMostCores = 256;

void read_field(TomlTable& table, const MachineField& field, Machine& machine) {
  std::visit(
      [&](auto member) {
        auto& value = member(machine);
        using Value = std::remove_cvref_t<decltype(value)>;
        const IntegerRange whole{static_cast<std::int64_t>(field.min), static_cast<std::int64_t>(field.max),
                                 field.unit};
        const NumberRange real{field.min, field.max, field.unit};
        if constexpr (std::is_same_v<Value, Nanoseconds>) {
          value.count = table.number(field.key, real);
        } else if constexpr (std::is_same_v<Value, double>) {
          value = table.number(field.key, real);
        } else if constexpr (std::is_integral_v<Value>) {
          value = static_cast<Value>(table.integer(field.key, whole));
        } else {
          value.count = table.integer(field.key, whole);
        }
      },
      field.member);
}

/// Every valid key, so that an error about one can name another.
void know_keys(TomlTable& file) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"interconnect", "kind"}, {"coherence", "protocol"}, {"coherence", "snoop"}, {"qpi", "links"}};
  const auto know = [&](std::string_view table, std::string_view key) {
    file.know(table);
    if (std::optional<TomlTable> found = file.has(table) ? file.find_table(table) : std::nullopt) found->know(key);
  };
  for (const std::string_view key : {"description", "microarchitecture"}) file.know(key);
  for (const MachineField& field : machine_fields()) know(field.table, field.key);
  for (const auto& [table, key] : kOthers) know(table, key);
}

/// A core's costs stand in the microarchitecture's file; the machine's own [core] takes precedence, key by key.
TomlTable load_microarchitecture(TomlTable& machine_file, const fs::path& machine_path, const std::string& name) {
  std::vector<std::string> known;
  for (const fs::path& folder : {machine_path.parent_path(), data_directory("topologies")}) {
    const fs::path microarchitectures = folder / "microarchitectures";
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(microarchitectures, ignored)) {
      if (entry.path().extension() != ".toml") continue;
      if (entry.path().stem() == name) return TomlTable::load(entry.path());
      known.push_back(entry.path().stem().string());
    }
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::vector<std::string_view> names(known.begin(), known.end());
  machine_file.choice("microarchitecture", names);  // throws: the name is none of them
  machine_file.fail("microarchitecture", "no such file", "a microarchitecture");
}

struct MachineFiles {
  TomlTable machine;
  TomlTable microarchitecture;
};

MachineFiles load_files(const fs::path& path, std::span<const MachineOverride> overrides) {
  TomlTable file = TomlTable::load(path);
  for (const MachineOverride& change : overrides) file.set(change.key, change.value, change.where);
  know_keys(file);
  TomlTable microarchitecture = load_microarchitecture(file, path, file.text("microarchitecture"));
  return {file, microarchitecture};
}

/// A machine of one socket needs no [qpi]. The fields of [shape] come first, so the sockets are known.
bool has_links(const TomlTable& file, const Machine& machine) { return machine.sockets > 1 || file.has("qpi"); }

void read_numbers(TomlTable& file, TomlTable& microarchitecture, Machine& machine) {
  TomlTable costs = microarchitecture.table("core");
  std::optional<TomlTable> own_costs = file.find_table("core");
  for (const MachineField& field : machine_fields()) {
    if (field.table != "core") {
      if (field.table == "qpi" && !has_links(file, machine)) continue;
      TomlTable table = file.table(field.table);
      read_field(table, field, machine);
      continue;
    }
    read_field(costs, field, machine);
    if (own_costs && own_costs->find_value(field.key) != nullptr) read_field(*own_costs, field, machine);
  }
}

void read_kinds(TomlTable& file, Machine& machine) {
  constexpr std::array<std::string_view, 2> kInterconnects = {"crossbar", "ring"};
  machine.interconnect = static_cast<Interconnect>(file.table("interconnect").choice("kind", kInterconnects));
  TomlTable coherence = file.table("coherence");
  machine.protocol = static_cast<Protocol>(coherence.choice("protocol", kProtocolNames));
  machine.snoop = static_cast<SnoopMode>(coherence.choice("snoop", kSnoopModeNames));
}

void read_qpi_links(TomlTable& file, Machine& machine) {
  constexpr std::string_view kPair = "pairs of sockets, such as [[0, 1], [1, 2]]";
  if (!has_links(file, machine)) return;
  TomlTable qpi = file.table("qpi");
  const TomlValue& links = qpi.value("links");
  if (links.kind != TomlValue::Kind::kArray) fail_input(links.where, fmt::format("links = {}", to_text(links)), kPair);
  for (const TomlValue& pair : links.items) {
    if (pair.kind != TomlValue::Kind::kArray || pair.items.size() != 2) {
      fail_input(pair.where, fmt::format("link {}", to_text(pair)), kPair);
    }
    std::array<int, 2> ends{};
    for (std::size_t i = 0; i < 2; ++i) {
      ends[i] = static_cast<int>(integer_of(pair.items[i], "socket", {0, machine.sockets - 1}));
    }
    const std::string text = fmt::format("link [{}, {}]", ends[0], ends[1]);
    if (ends[0] == ends[1]) fail_input(pair.where, text, "two different sockets");
    const bool known = std::any_of(machine.qpi_links.begin(), machine.qpi_links.end(), [&](const auto& link) {
      return link == std::pair(ends[0], ends[1]) || link == std::pair(ends[1], ends[0]);
    });
    if (known) fail_input(pair.where, text + " a second time", "each pair of sockets once");
    machine.qpi_links.emplace_back(ends[0], ends[1]);
  }
}

void check_connected(TomlTable& file, const Machine& machine) {
  std::vector<bool> reached(static_cast<std::size_t>(machine.sockets));
  reached[0] = true;
  for (int round = 0; round < machine.sockets; ++round) {
    for (const auto& [a, b] : machine.qpi_links) {
      const bool either = reached[static_cast<std::size_t>(a)] || reached[static_cast<std::size_t>(b)];
      reached[static_cast<std::size_t>(a)] = reached[static_cast<std::size_t>(b)] = either;
    }
  }
  const auto lost = std::find(reached.begin(), reached.end(), false);
  if (lost == reached.end()) return;
  file.table("qpi").fail("links", fmt::format("socket {} is disconnected", lost - reached.begin()),
                         "links that join all sockets");
}

void check_cache(const TomlTable& table, const CacheGeometry& cache) {
  const int lines = cache.kib * 16;
  if (lines % cache.ways == 0) return;
  table.fail("ways", fmt::format("ways = {}", cache.ways), fmt::format("a divisor of the cache's {} lines", lines));
}

/// What no single range says.
void check_shape(TomlTable& file, const Machine& machine) {
  check_cache(file.table("l1d"), machine.l1d);
  check_cache(file.table("l2"), machine.l2);
  check_cache(file.table("l3"), machine.l3_slice);
  if (machine.cores() > kMostCores) {
    file.table("shape").fail("cores_per_socket", fmt::format("{} cores in all", machine.cores()),
                             fmt::format("at most {}", kMostCores));
  }
  if (machine.l3_slices_per_socket > machine.cores_per_socket) {
    file.table("l3").fail("slices_per_socket", fmt::format("slices_per_socket = {}", machine.l3_slices_per_socket),
                          fmt::format("at most one slice a core, {}", machine.cores_per_socket));
  }
  if (machine.router > machine.agent_port * 2) {
    file.table("interconnect")
        .fail("router", fmt::format("router = {}", machine.router.count),
              fmt::format("at most twice agent_port, {}: the way over the ring", machine.agent_port.count * 2));
  }
  const bool crossbar = machine.interconnect == Interconnect::kCrossbar;
  const std::string columns = fmt::format("ring_columns = {}", machine.ring_columns);
  if (crossbar != (machine.ring_columns == 0)) {
    file.table("interconnect").fail("ring_columns", columns, crossbar ? "0 for a crossbar" : "1 to 3 for a ring");
  }
  if (!crossbar && machine.cores_per_socket % machine.ring_columns != 0) {
    file.table("interconnect")
        .fail("ring_columns", columns, fmt::format("a divisor of cores_per_socket = {}", machine.cores_per_socket));
  }
}

}  // namespace

fs::path machine_path(std::string_view name_or_path) {
  if (name_or_path.ends_with(".toml") || name_or_path.find('/') != std::string_view::npos) return name_or_path;
  const std::vector<std::string> shipped = shipped_machines();
  if (std::find(shipped.begin(), shipped.end(), name_or_path) != shipped.end()) {
    return data_directory("topologies") / fmt::format("{}.toml", name_or_path);
  }
  const std::vector<std::string_view> names(shipped.begin(), shipped.end());
  const std::string_view near = nearest(name_or_path, names);
  fail_input(fmt::format("machine '{}'", name_or_path), "no such machine",
             fmt::format("a path or one of {}{}", fmt::join(names, ", "),
                         near.empty() ? "" : fmt::format(" (nearest: '{}')", near)));
}

Machine load_machine(std::string_view name_or_path, std::span<const MachineOverride> overrides) {
  const fs::path path = machine_path(name_or_path);
  auto [file, microarchitecture] = load_files(path, overrides);
  Machine machine;
  machine.name = path.stem().string();
  machine.description = file.text("description");
  machine.core.name = file.text("microarchitecture");
  read_kinds(file, machine);
  read_numbers(file, microarchitecture, machine);
  read_qpi_links(file, machine);
  file.reject_unread();
  microarchitecture.reject_unread();
  check_shape(file, machine);
  check_connected(file, machine);
  return machine;
}

std::vector<std::optional<std::string>> number_comments(std::string_view name_or_path,
                                                        std::span<const MachineOverride> overrides) {
  auto [file, microarchitecture] = load_files(machine_path(name_or_path), overrides);
  const auto comment = [](TomlTable& from, const MachineField& field) -> std::optional<std::string> {
    std::optional<TomlTable> table = from.find_table(field.table);
    const TomlValue* value = table ? table->find_value(field.key) : nullptr;
    return value == nullptr ? std::nullopt : std::optional(value->comment);
  };
  std::vector<std::optional<std::string>> comments;
  for (const MachineField& field : machine_fields()) {
    std::optional<std::string> own = comment(file, field);
    comments.push_back(own || field.table != "core" ? std::move(own) : comment(microarchitecture, field));
  }
  return comments;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "sim/scenario_locks.hpp"

namespace linebounce {
namespace {

constexpr std::array<std::string_view, kWorkloadKinds> kKindNames = {
    "lock-loop", "list-churn", "atomic-loop", "rw-loop", "ping-pong", "message", "sembench", "lock-mix"};

std::string kinds_with(Kinds kinds) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (kinds >> i & 1U) names.push_back(kKindNames[i]);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

/// Hardware threads as they stand in the file; whether the machine has them is checked when it is known.
std::vector<std::int64_t> thread_list(const TomlValue& value) {
  std::vector<std::int64_t> threads;
  for (const TomlValue& item : value.items) threads.push_back(integer_of(item, "hardware thread", {0, 1'000'000}));
  if (threads.empty()) fail_input(value.where, "placement is an empty list", "hardware threads");
  return threads;
}

Value checked(const Parameter& p, const TomlValue& value) {
  switch (p.type) {
    case ValueType::kInteger: return integer_of(value, p.key, p.range);
    case ValueType::kBoolean: return boolean_of(value, p.key);
    case ValueType::kText:
      return p.choices.empty() ? text_of(value, p.key) : std::string(p.choices[choice_of(value, p.key, p.choices)]);
    case ValueType::kPlacement:
      if (value.kind == TomlValue::Kind::kArray) return thread_list(value);
      return std::string(p.choices[choice_of(value, p.key, p.choices)]);
    case ValueType::kLocks: return mixed_locks_of(value);
  }
  throw std::logic_error("a parameter without a type");
}

/// A number of the machine file: whoever loads the machine knows what it must be.
Value machine_number(const TomlValue& value, std::string_view key) {
  switch (value.kind) {
    case TomlValue::Kind::kBoolean: return value.boolean;
    case TomlValue::Kind::kInteger: return value.integer;
    case TomlValue::Kind::kNumber: return value.number;
    case TomlValue::Kind::kText: return value.text;
    case TomlValue::Kind::kDate:
    case TomlValue::Kind::kArray:
    case TomlValue::Kind::kTable: break;
  }
  fail_input(value.where, fmt::format("{} is {}", key, to_text(value)), "one number or name");
}

/// As a TOML file would have it.
std::string to_toml(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return to_text(value);
  std::string out = "\"";
  for (const char c : *text) {
    if (c == '"' || c == '\\') out += '\\';
    out +=
        static_cast<unsigned char>(c) < 0x20 ? fmt::format("\\u{:04x}", static_cast<unsigned>(c)) : std::string(1, c);
  }
  return out + '"';
}

void override_machine(Settings& settings, std::string_view key, const Value& value, const std::string& where) {
  const auto same = std::ranges::find(settings.overrides, key, &MachineOverride::key);
  if (same == settings.overrides.end()) {
    settings.overrides.push_back({std::string(key), to_toml(value), where});
  } else {
    *same = {std::string(key), to_toml(value), where};
  }
}

[[noreturn]] void unknown_key(const Assignment& a, WorkloadKind kind) {
  fail_input(a.value.key_where, fmt::format("unknown key '{}'", a.key), one_of(a.key, keys_of(kind)));
}

}  // namespace

std::string to_text(const Value& value) {
  struct Text {
    std::string operator()(std::int64_t n) const { return fmt::format("{}", n); }
    std::string operator()(double x) const { return fmt::format("{}", x); }
    std::string operator()(bool b) const { return b ? "true" : "false"; }
    std::string operator()(const std::string& s) const { return s; }
    std::string operator()(const std::vector<std::int64_t>& list) const {
      return fmt::format("{}", fmt::join(list, " "));
    }
    std::string operator()(const std::vector<MixedLock>& locks) const {
      std::string out;
      for (const MixedLock& lock : locks) out += (out.empty() ? "" : "; ") + linebounce::to_text(lock);
      return out;
    }
  };
  return std::visit(Text{}, value);
}

const Parameter* find_parameter(std::string_view key) {
  const std::span<const Parameter> table = scenario_parameters();
  const auto found = std::ranges::find(table, key, &Parameter::key);
  return found == table.end() ? nullptr : &*found;
}

std::string_view name_of(WorkloadKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::vector<std::string_view> keys_of(WorkloadKind kind) {
  std::vector<std::string_view> keys;
  for (const Parameter& p : scenario_parameters()) {
    if (p.kinds & only(kind)) keys.push_back(p.key);
  }
  keys.push_back("machine");
  keys.push_back("machine.<number of a machine file>");
  return keys;
}

std::string one_of(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest(word, candidates);
  return fmt::format("one of {}{}", fmt::join(candidates, ", "),
                     near.empty() ? "" : fmt::format(" (nearest: '{}')", near));
}

Value apply(Settings& settings, const Assignment& a) {
  constexpr std::string_view kMachinePrefix = "machine.";
  const WorkloadKind kind = settings.workload.kind;
  Value value;
  if (a.key == "machine") {
    value = settings.machine = text_of(a.value, a.key);
  } else if (a.key.starts_with(kMachinePrefix)) {
    value = machine_number(a.value, a.key);
    override_machine(settings, std::string_view(a.key).substr(kMachinePrefix.size()), value, a.value.where);
  } else {
    const Parameter* p = find_parameter(a.key);
    if (p == nullptr) unknown_key(a, kind);
    if (!(p->kinds & only(kind))) {
      fail_input(a.value.key_where, fmt::format("{} does not have '{}'", name_of(kind), a.key),
                 "it only with " + kinds_with(p->kinds));
    }
    value = checked(*p, a.value);
    p->apply(settings, value);
  }
  settings.where[a.key] = a.value.where;
  return value;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_locks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "sim/scenario_parameters.hpp"

namespace linebounce {
namespace {

struct Key {
  std::string_view name;
  void (*read)(MixedLock&, const TomlValue&);
};

constexpr std::int64_t kMostCycles = 1'000'000'000;
constexpr std::int64_t kMostWords = 4096;

constexpr std::array<Key, 4> kKeys = {{
    {"name", [](MixedLock& l, const TomlValue& v) { l.name = text_of(v, "name"); }},
    {"percent",
     [](MixedLock& l, const TomlValue& v) {
       l.percent = static_cast<int>(integer_of(v, "percent", {0, 100, "%"}));
     }},
    {"critical_section",
     [](MixedLock& l, const TomlValue& v) {
       l.critical_section = {integer_of(v, "critical_section", {0, kMostCycles, "cycles"})};
     }},
    {"words",
     [](MixedLock& l, const TomlValue& v) {
       l.words = static_cast<int>(integer_of(v, "words", {0, kMostWords, "words"}));
     }},
}};

MixedLock mixed_lock_of(const TomlValue& table) {
  if (table.kind != TomlValue::Kind::kTable) fail_input(table.where, to_text(table), "a table [[workload.locks]]");
  MixedLock lock;
  for (const TomlEntry& entry : table.entries) {
    const auto key = std::ranges::find(kKeys, entry.key, &Key::name);
    if (key == kKeys.end()) {
      std::array<std::string_view, kKeys.size()> names;
      std::ranges::transform(kKeys, names.begin(), &Key::name);
      fail_input(entry.value.key_where, fmt::format("unknown key '{}' of a lock", entry.key), one_of(entry.key, names));
    }
    key->read(lock, entry.value);
  }
  if (lock.name.empty()) fail_input(table.where, "a lock without a name", "name = what it is called");
  return lock;
}

}  // namespace

std::vector<MixedLock> mixed_locks_of(const TomlValue& value) {
  if (value.kind != TomlValue::Kind::kArray || value.items.empty()) {
    fail_input(value.where, fmt::format("locks is {}", to_text(value)), "tables [[workload.locks]], at least one");
  }
  std::vector<MixedLock> locks;
  for (const TomlValue& item : value.items) {
    MixedLock lock = mixed_lock_of(item);
    if (std::ranges::find(locks, lock.name, &MixedLock::name) != locks.end()) {
      fail_input(item.where, fmt::format("two locks are called '{}'", lock.name), "different names");
    }
    locks.push_back(std::move(lock));
  }
  return locks;
}

std::string to_text(const MixedLock& lock) {
  return fmt::format("{} {} % {} cycles {} words", lock.name, lock.percent, lock.critical_section.count, lock.words);
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_parameters.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace linebounce {
namespace {

constexpr std::int64_t kMostCycles = 1'000'000'000'000;
constexpr std::int64_t kMostIterations = 1'000'000'000;

std::int64_t integer(const Value& v) { return std::get<std::int64_t>(v); }
int small(const Value& v) { return static_cast<int>(integer(v)); }
const std::string& text(const Value& v) { return std::get<std::string>(v); }

void apply_placement(Settings& s, const Value& v) {
  if (const auto* list = std::get_if<std::vector<std::int64_t>>(&v)) {
    s.placement = PlacementPolicy::kExplicit;
    s.explicit_placement = *list;
    return;
  }
  s.placement = text(v) == "same-node"         ? PlacementPolicy::kSameNode
                : text(v) == "different-nodes" ? PlacementPolicy::kDifferentNodes
                                               : PlacementPolicy::kCompact;
}

constexpr Kinds kLock = only(WorkloadKind::kLockLoop);
constexpr Kinds kList = only(WorkloadKind::kListChurn);
constexpr Kinds kAtomic = only(WorkloadKind::kAtomicLoop);
constexpr Kinds kRw = only(WorkloadKind::kRwLoop);
constexpr Kinds kMessage = only(WorkloadKind::kMessage);
constexpr ValueType kInt = ValueType::kInteger;
constexpr ValueType kBool = ValueType::kBoolean;
constexpr ValueType kText = ValueType::kText;

constexpr std::string_view kLayouts[] = {"standalone", "embedded"};
constexpr std::string_view kConsumes[] = {"del-all", "del-first"};
constexpr std::string_view kOps[] = {"load",         "store",       "xchg", "xadd", "cmpxchg", "cmpxchg-alternate",
                                     "cmpxchg-loop", "test-and-set"};
constexpr std::string_view kSharings[] = {"one-line", "one-line-each"};
constexpr std::string_view kPlacements[] = {"same-node", "different-nodes", "compact"};

using S = Settings;
using V = const Value&;

constexpr Parameter kParameters[] = {
    // table, key, workloads, type, range, choices, description, effect
    {"workload", "lock", kLock | kRw, kText, {}, {}, "name of the lock", [](S& s, V v) { s.workload.lock = text(v); }},
    {"workload",
     "variant",
     kLock | kRw | kList,
     kText,
     {},
     {},
     "state of the code: of qspinlock q1 … q5, before, after; of the list s0 … s3; default: the newest",
     [](S& s, V v) { s.workload.variant = text(v); }},
    {"workload",
     "layout",
     kLock | kRw,
     kText,
     {},
     kLayouts,
     "protected data in cache lines of its own, or in the lock's line",
     [](S& s, V v) { s.workload.layout = text(v) == "embedded" ? DataLayout::kEmbedded : DataLayout::kStandalone; }},
    {"workload",
     "words",
     kLock | kRw,
     kInt,
     {0, 4096, "words"},
     {},
     "8-byte words updated in the critical section",
     [](S& s, V v) { s.workload.words = small(v); }},
    {"workload",
     "critical_section",
     kLock | kRw,
     kInt,
     {0, kMostIterations, "cycles"},
     {},
     "extra work in the critical section",
     [](S& s, V v) { s.workload.critical_section = {integer(v)}; }},
    {"workload",
     "local_work",
     kLock | kRw | kList | kAtomic,
     kInt,
     {0, kMostIterations, "cycles"},
     {},
     "work between operations, outside any lock",
     [](S& s, V v) { s.workload.local_work = {integer(v)}; }},
    {"workload",
     "producers",
     kList,
     kInt,
     {1, 4096},
     {},
     "tasks that add to a list",
     [](S& s, V v) { s.workload.producers = small(v); }},
    {"workload",
     "consumers",
     kList,
     kInt,
     {1, 4096},
     {},
     "tasks that take from a list",
     [](S& s, V v) { s.workload.consumers = small(v); }},
    {"workload",
     "lists",
     kList,
     kInt,
     {1, 4096},
     {},
     "producer p adds to list p % lists, consumer c takes from c % lists",
     [](S& s, V v) { s.workload.lists = small(v); }},
    {"workload",
     "consume",
     kList,
     kText,
     {},
     kConsumes,
     "how a consumer takes entries",
     [](S& s, V v) { s.workload.consume = text(v) == "del-first" ? Consume::kDelFirst : Consume::kDelAll; }},
    {"workload",
     "op",
     kAtomic,
     kText,
     {},
     kOps,
     "the operation that is repeated",
     [](S& s, V v) { s.workload.op = text(v); }},
    {"workload",
     "retry_pause",
     kAtomic,
     kBool,
     {},
     {},
     "cmpxchg-loop: PAUSE after a failed cmpxchg",
     [](S& s, V v) { s.workload.retry_pause = std::get<bool>(v); }},
    {"workload",
     "pauses",
     kAtomic,
     kInt,
     {0, 1'000'000},
     {},
     "PAUSEs between operations",
     [](S& s, V v) { s.workload.pauses = small(v); }},
    {"workload",
     "sharing",
     kAtomic,
     kText,
     {},
     kSharings,
     "all tasks on one line, or each on its own",
     [](S& s, V v) { s.workload.sharing = text(v) == "one-line" ? LineSharing::kOneLine : LineSharing::kOneLineEach; }},
    {"workload",
     "write_percent",
     kRw,
     kInt,
     {0, 100, "%"},
     {},
     "share of operations that take the lock for writing",
     [](S& s, V v) { s.workload.write_percent = small(v); }},
    {"workload",
     "message_lines",
     kMessage,
     kInt,
     {1, 2, "lines"},
     {},
     "flag and value in one line, or in two",
     [](S& s, V v) { s.workload.message_lines = small(v); }},
    {"workload",
     "round_trip",
     kMessage,
     kBool,
     {},
     {},
     "the receiver answers; one operation is there and back",
     [](S& s, V v) { s.workload.round_trip = std::get<bool>(v); }},
    {"workload",
     "home",
     kEveryKind,
     kInt,
     {0, 4095},
     {},
     "socket whose memory holds the shared objects",
     [](S& s, V v) { s.workload.home = static_cast<std::uint32_t>(integer(v)); }},

    {"run",
     "tasks",
     kLock | kRw | kAtomic,
     kInt,
     {1, 4096},
     {},
     "tasks, one a hardware thread (list-churn has producers + consumers, ping-pong and message have 2)",
     [](S& s, V v) { s.tasks = integer(v); }},
    {"run",
     "placement",
     kEveryKind,
     ValueType::kPlacement,
     {},
     kPlacements,
     "which hardware thread each task is pinned to",
     apply_placement},
    {"run",
     "iterations",
     kEveryKind,
     kInt,
     {0, kMostIterations},
     {},
     "measured operations, times tasks, all together; 0: `cycles` decides alone",
     [](S& s, V v) { s.length.iterations = integer(v); }},
    {"run",
     "cycles",
     kEveryKind,
     kInt,
     {0, kMostCycles, "cycles"},
     {},
     "measured time at most; 0: `iterations` decides alone",
     [](S& s, V v) { s.length.cycles = {integer(v)}; }},
    {"run",
     "warmup",
     kEveryKind,
     kInt,
     {0, kMostIterations},
     {},
     "operations of every task before measuring (an unfair lock may starve one: 10 times as many of all, then)",
     [](S& s, V v) { s.length.warmup = integer(v); }},
    {"run",
     "jitter",
     kEveryKind,
     kInt,
     {0, 1'000'000, "cycles"},
     {},
     "local work varies by 0 to this many cycles",
     [](S& s, V v) { s.jitter = {integer(v)}; }},
    {"run",
     "start_skew",
     kEveryKind,
     kInt,
     {0, 1'000'000'000, "cycles"},
     {},
     "each task starts up to this much later",
     [](S& s, V v) { s.start_skew = {integer(v)}; }},
    {"run",
     "limit",
     kEveryKind,
     kInt,
     {1, kMostCycles, "cycles"},
     {},
     "a run that is longer fails",
     [](S& s, V v) { s.limit = {integer(v)}; }},
};

constexpr std::array<std::string_view, kWorkloadKinds> kKindNames = {"lock-loop", "list-churn", "atomic-loop",
                                                                     "rw-loop",   "ping-pong",  "message"};

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
    case ValueType::kInteger:
      return integer_of(value, p.key, p.range);
    case ValueType::kBoolean:
      return boolean_of(value, p.key);
    case ValueType::kText:
      return p.choices.empty() ? text_of(value, p.key) : std::string(p.choices[choice_of(value, p.key, p.choices)]);
    case ValueType::kPlacement:
      if (value.kind == TomlValue::Kind::kArray) return thread_list(value);
      return std::string(p.choices[choice_of(value, p.key, p.choices)]);
  }
  throw std::logic_error("a parameter without a type");
}

/// A number of the machine file: whoever loads the machine knows what it must be.
Value machine_number(const TomlValue& value, std::string_view key) {
  switch (value.kind) {
    case TomlValue::Kind::kBoolean:
      return value.boolean;
    case TomlValue::Kind::kInteger:
      return value.integer;
    case TomlValue::Kind::kNumber:
      return value.number;
    case TomlValue::Kind::kText:
      return value.text;
    case TomlValue::Kind::kDate:
    case TomlValue::Kind::kArray:
    case TomlValue::Kind::kTable:
      break;
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
  };
  return std::visit(Text{}, value);
}

std::span<const Parameter> scenario_parameters() { return kParameters; }

const Parameter* find_parameter(std::string_view key) {
  const auto* found = std::ranges::find(kParameters, key, &Parameter::key);
  return found == std::end(kParameters) ? nullptr : found;
}

std::string_view name_of(WorkloadKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::vector<std::string_view> keys_of(WorkloadKind kind) {
  std::vector<std::string_view> keys;
  for (const Parameter& p : kParameters) {
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

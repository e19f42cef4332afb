// SPDX-License-Identifier: Apache-2.0
// The table itself. What reads it is in scenario_parameters.cpp.
#include "sim/scenario_parameters.hpp"

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
     "relax",
     kLock | kRw | kMessage,
     kBool,
     {},
     {},
     "waiting loops have a PAUSE (cpu_relax) in them",
     [](S& s, V v) { s.workload.relax = std::get<bool>(v); }},
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

}  // namespace

std::span<const Parameter> scenario_parameters() { return kParameters; }

}  // namespace linebounce

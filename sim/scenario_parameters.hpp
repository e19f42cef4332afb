// SPDX-License-Identifier: Apache-2.0
// Every number and name that a scenario may set, one row each: where it stands, which workloads have it, its type,
// range, unit and meaning. The loader, the errors, the help text and the expansion all read this one table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sim/experiment.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {

/// A checked value. A list of numbers is an explicit placement.
using Value = std::variant<std::int64_t, double, bool, std::string, std::vector<std::int64_t>, std::vector<MixedLock>>;

/// For people and for CSV: 3, 2.5, true, same-node, "0 2 4".
std::string to_text(const Value& value);

/// One key with one value; the value knows where it was asked for.
struct Assignment {
  std::string key;
  TomlValue value;
};

enum class PlacementPolicy : std::uint8_t { kSameNode, kDifferentNodes, kCompact, kExplicit };

/// All that the assignments of one point add up to; nothing is checked across keys yet.
struct Settings {
  std::string machine;
  std::vector<MachineOverride> overrides;
  Workload workload;
  std::int64_t tasks = 0;  ///< 0: not stated
  PlacementPolicy placement = PlacementPolicy::kSameNode;
  std::vector<std::int64_t> explicit_placement;
  Length length;
  Cycles start_skew = Experiment{}.start_skew;
  Cycles jitter = Experiment{}.jitter;
  Cycles limit = SystemOptions{}.limit;
  std::map<std::string, std::string, std::less<>> where;  ///< of every key that was set
};

enum class ValueType : std::uint8_t { kInteger, kBoolean, kText, kPlacement, kLocks };

/// A set of workload kinds.
using Kinds = std::uint16_t;
constexpr Kinds only(WorkloadKind kind) { return static_cast<Kinds>(1U << static_cast<unsigned>(kind)); }
inline constexpr std::size_t kWorkloadKinds = 8;
inline constexpr Kinds kEveryKind = static_cast<Kinds>((1U << kWorkloadKinds) - 1);

struct Parameter {
  std::string_view table;  ///< "workload" or "run"
  std::string_view key;
  Kinds kinds;  ///< workloads that have it
  ValueType type;
  IntegerRange range;  ///< integers only
  std::span<const std::string_view>
      choices;  ///< text only: the words allowed; none: checked by whoever knows the locks
  std::string_view description;
  void (*apply)(Settings&, const Value&);
};

std::span<const Parameter> scenario_parameters();
/// nullptr if there is no such key.
const Parameter* find_parameter(std::string_view key);

std::string_view name_of(WorkloadKind kind);

/// Keys that this workload may vary (its own, those of [run], "machine"), in table order.
std::vector<std::string_view> keys_of(WorkloadKind kind);

/// "one of a, b, c (nearest: 'b')": what an error about an unknown word expected instead.
std::string one_of(std::string_view word, std::span<const std::string_view> candidates);

/// Checks key, type, range and choice, and applies it. "machine" and "machine.<number of a machine file>" are keys too.
/// Returns the checked value. Throws InputError at the assignment's place.
Value apply(Settings& settings, const Assignment& assignment);

}  // namespace linebounce

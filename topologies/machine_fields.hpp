// SPDX-License-Identifier: Apache-2.0
// Every number of a machine file: where it stands, what it may be, what it means. One row drives reading, range checks,
// nearest-key hints, overrides and the printed description.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "topologies/machine.hpp"

namespace linebounce {

struct MachineField {
  /// Where the value lives in a Machine.
  using Member = std::variant<int& (*)(Machine&), std::int64_t& (*)(Machine&), Cycles& (*)(Machine&),
                              UncoreCycles& (*)(Machine&), Nanoseconds& (*)(Machine&), double& (*)(Machine&)>;

  std::string_view table;
  std::string_view key;
  Member member;
  double min;  ///< inclusive
  double max;  ///< inclusive
  std::string_view unit;
  std::string_view description;
  bool geometry = false;  ///< says how many or how large, not how long or how fast

  /// "core.pause"
  std::string name() const { return std::string(table) + '.' + std::string(key); }
  /// Whether only whole numbers are allowed.
  bool whole() const;
};

/// In the order in which a description prints them; the rows of one table stand together. Those of table "core" may
/// come from the microarchitecture's file.
std::span<const MachineField> machine_fields();

/// The field's value in `machine`, in its unit.
double value_of(const MachineField& field, const Machine& machine);
/// The same as a machine file says it, without its unit.
std::string value_text(const MachineField& field, const Machine& machine);

}  // namespace linebounce

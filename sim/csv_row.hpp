// SPDX-License-Identifier: Apache-2.0
// One row of a CSV document after RFC 4180.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/results.hpp"

namespace linebounce {

/// A column's heading: "window [core cycles]"; the name alone if there is no unit.
std::string with_unit(std::string_view name, std::string_view unit);

class CsvRow {
 public:
  /// Quoted if it holds a comma, a quote or a line break; a quote is doubled.
  void add(std::string_view text);
  void add(std::uint64_t n) { add(std::to_string(n)); }
  /// Ten significant digits; empty if it is no number.
  void add(double x);
  /// The row with its line break.
  std::string end() const { return line_ + "\r\n"; }

 private:
  std::string line_;
  bool begun_ = false;
};

/// A cell for each of these parameters: its name with its unit; its value in the point, empty if it has none there.
void add_parameter_names(CsvRow& row, std::span<const std::string> keys);
void add_parameters(CsvRow& row, const PointResult& point, std::span<const std::string> keys);

}  // namespace linebounce

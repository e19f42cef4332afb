// SPDX-License-Identifier: Apache-2.0
#include "sim/csv_row.hpp"

#include <fmt/format.h>

#include <cmath>

namespace linebounce {

std::string with_unit(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit);
}

void CsvRow::add(std::string_view text) {
  if (begun_) line_ += ',';
  begun_ = true;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line_ += text;
    return;
  }
  line_ += '"';
  for (const char c : text) {
    line_ += c;
    if (c == '"') line_ += c;
  }
  line_ += '"';
}

void CsvRow::add(double x) { add(std::isfinite(x) ? fmt::format("{:.10g}", x) : ""); }

void add_parameter_names(CsvRow& row, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    const Parameter* p = find_parameter(key);
    row.add(with_unit(key, p == nullptr ? "" : p->range.unit));
  }
}

void add_parameters(CsvRow& row, const PointResult& point, std::span<const std::string> keys) {
  for (const std::string& key : keys) {
    const Value* value = point.param(key);
    row.add(value == nullptr ? "" : to_text(*value));
  }
}

}  // namespace linebounce

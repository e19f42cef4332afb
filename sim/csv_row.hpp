// SPDX-License-Identifier: Apache-2.0
// One row of a CSV document after RFC 4180.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace linebounce {

class CsvRow {
 public:
  /// Quoted if it holds a comma, a quote or a line break; a quote is doubled.
  void add(std::string_view text) {
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
  void add(std::uint64_t n) { add(fmt::format("{}", n)); }
  /// Ten significant digits; empty if it is no number.
  void add(double x) { add(std::isfinite(x) ? fmt::format("{:.10g}", x) : ""); }
  /// The row with its line break.
  std::string end() const { return line_ + "\r\n"; }

 private:
  std::string line_;
  bool begun_ = false;
};

}  // namespace linebounce

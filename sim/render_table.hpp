// SPDX-License-Identifier: Apache-2.0
// Aligned columns of text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/statistics.hpp"

namespace linebounce {

inline constexpr std::size_t kTextColumns = 100;

/// The number with as many digits as a table needs: 12345, 123.4, 12.35, 0.012; "-" if there is none.
std::string figure(double x);
/// "144.2 ±0.5"; without the spread if there is none.
std::string figure(const Summary& summary);
/// "+3.1", "-0.4", "0.0": a difference with one decimal.
std::string signed_figure(double x);
/// Columns on a terminal of a UTF-8 text without combining or wide characters.
std::size_t text_width(std::string_view text);
/// The text, cut to 24 columns: a cell that may hold anything. Only for text without multi-byte characters.
std::string clipped(const std::string& text);
/// The text in lines of at most `columns` columns, broken at spaces, each beginning with `indent` spaces
/// and ending with a line break.
std::string wrapped(std::string_view text, std::size_t indent = 0, std::size_t columns = kTextColumns);

/// Rows of cells, the first `left` columns to the left, the others to the right, with a rule below the headings. If there
/// is one such column and the table would be wider than kTextColumns, its texts go on in lines of their own.
class TextTable {
 public:
  explicit TextTable(std::size_t left, std::size_t headings = 1) : left_(left), headings_(headings) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  /// A heading above the next `columns` columns that have none; "" leaves them without.
  void group(std::string heading, std::size_t columns) { groups_.push_back({std::move(heading), columns}); }
  /// Columns stand two spaces apart, or one if the table would be wider than kTextColumns.
  std::size_t width() const;
  std::string str() const;

 private:
  std::vector<std::size_t> widths() const;
  std::size_t gap() const;
  TextTable folded() const;
  std::string lines() const;

  std::size_t left_;
  std::size_t headings_;
  struct Group {
    std::string heading;
    std::size_t columns;
  };
  std::string group_line(const std::vector<std::size_t>& widths) const;

  std::vector<Group> groups_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace linebounce

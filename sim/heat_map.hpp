// SPDX-License-Identifier: Apache-2.0
// A table of numbers as a picture.
#pragma once

#include <string>
#include <vector>

namespace linebounce {

struct HeatMap {
  struct Row {
    std::string label;
    std::vector<double> values;  ///< one a column; none for a row that is a heading
  };
  std::string title;
  std::string column_axis;  ///< what the columns are
  std::string row_axis;     ///< what the rows are
  std::string unit;         ///< of the values, which are not negative
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// The same bytes for the same map. Values stand in the cells as whole numbers.
std::string render_svg(const HeatMap& map);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Stacked bars: where the cycles went, point by point or task by task.
#pragma once

#include <string>
#include <vector>

#include "sim/results.hpp"

namespace linebounce {

struct StackedBars {
  struct Part {
    double value = 0;
    std::string tip;  ///< what it consists of
  };
  struct Row {
    std::string label;
    std::vector<Part> parts;  ///< one a series
  };
  std::string title;
  std::string row_axis;    ///< what the rows are
  std::string value_axis;  ///< of the values, with its unit
  std::vector<std::string> series;
  std::vector<Row> rows;
};

std::string render_svg(const StackedBars& bars);

/// A row for each of the first `most` points: cycles of all tasks per operation.
StackedBars point_bars(const Results& results, std::size_t most);
/// A row for each task of the point: its share of the measured windows, in percent.
StackedBars task_bars(const PointResult& point, const std::string& what);

/// "same-node, 4, after": the point's values of what varies; its number from 1 if nothing does.
std::string point_label(const Results& results, std::size_t point);

}  // namespace linebounce

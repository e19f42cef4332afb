// SPDX-License-Identifier: Apache-2.0
// Curves over a numeric axis of a scenario, with bands of 95 % confidence: one line for every other combination.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/results.hpp"

namespace linebounce {

struct Curves {
  struct At {
    double x = 0;
    double y = 0;
    double ci95 = 0;  ///< half-width of the confidence interval; 0 if there is none
  };
  struct Line {
    std::string label;
    std::vector<At> points;  ///< by x
  };
  std::string title;
  std::string x_axis;
  std::string y_axis;
  std::vector<Line> lines;
  std::size_t left_out = 0;  ///< lines that there was no room for
};

std::string render_svg(const Curves& curves);

/// A metric over "tasks" if that varies, else over the numeric key with most values. None if no key has two numbers, or
/// the metric exists nowhere.
std::optional<Curves> curves_of(const Results& results, std::string_view metric);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/heat_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace linebounce {
namespace {

/// ColorBrewer's YlGnBu in nine classes (Brewer and Harrower, Apache-2.0), safe for colour-blind eyes; from the seventh
/// on, only white can be read on it.
constexpr std::array<std::string_view, 9> kColours = {"#ffffd9", "#edf8b1", "#c7e9b4", "#7fcdbb", "#41b6c4",
                                                      "#1d91c0", "#225ea8", "#253494", "#081d58"};
constexpr std::size_t kFirstDark = 6;
constexpr std::string_view kInk = "#111111";
constexpr std::string_view kPaper = "#ffffff";

// In pixels.
constexpr int kMargin = 16;
constexpr int kTop = 80;  ///< title, axis and column labels
constexpr int kLabelWidth = 190;
constexpr int kCellWidth = 104;
constexpr int kCellHeight = 20;
constexpr int kLegendWidth = 88;  ///< one class of the legend
constexpr int kLegendHeight = 60;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  }
  return out;
}

class Picture {
 public:
  Picture(int width, int height, std::string_view title) {
    add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
        "font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n<title>{2}</title>\n",
        width, height, escaped(title));
    box(0, 0, width, height, kPaper);
  }
  void box(int x, int y, int width, int height, std::string_view colour) {
    add("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y, width, height, colour);
  }
  void text(int x, int y, std::string_view text, std::string_view attributes = "", std::string_view colour = kInk) {
    add("<text x=\"{}\" y=\"{}\" fill=\"{}\"{}>{}</text>\n", x, y, colour, attributes, escaped(text));
  }
  /// A box with text in its middle.
  void cell(int x, int y, int width, std::size_t colour, std::string_view content) {
    box(x, y, width - 1, kCellHeight - 1, kColours[colour]);
    text(x + width / 2, y + 14, content, kMiddle, colour < kFirstDark ? kInk : kPaper);
  }
  std::string take() && { return std::move(text_) + "</svg>\n"; }

  static constexpr std::string_view kMiddle = " text-anchor=\"middle\"";
  static constexpr std::string_view kBold = " font-weight=\"bold\"";
  static constexpr std::string_view kTitle = " font-size=\"16\" font-weight=\"bold\"";

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  std::string text_;
};

double greatest(const HeatMap& map) {
  double most = 0;
  for (const HeatMap::Row& row : map.rows) {
    for (const double value : row.values) most = std::max(most, value);
  }
  return most;
}

}  // namespace

std::string render_svg(const HeatMap& map) {
  const int cells = std::max(static_cast<int>(map.columns.size()), 6);  // room for the title and the legend
  const int left = kMargin + kLabelWidth;
  const int legend = kTop + static_cast<int>(map.rows.size()) * kCellHeight + 24;
  Picture picture(left + cells * kCellWidth + kMargin, legend + kLegendHeight, map.title);
  picture.text(kMargin, 28, map.title, Picture::kTitle);
  picture.text(kMargin, kTop - 8, map.row_axis, Picture::kBold);
  picture.text(left, kTop - 28, map.column_axis, Picture::kBold);
  const auto column_at = [&](std::size_t column) { return left + static_cast<int>(column) * kCellWidth; };
  for (std::size_t c = 0; c < map.columns.size(); ++c) {
    picture.text(column_at(c) + kCellWidth / 2, kTop - 8, map.columns[c], Picture::kMiddle);
  }

  // Classes of equal width, a whole number of units.
  const double step = std::max(1.0, std::ceil((greatest(map) + 1) / kColours.size()));
  int y = kTop;
  for (const HeatMap::Row& row : map.rows) {
    picture.text(kMargin, y + 14, row.label, row.values.empty() ? Picture::kBold : "");
    for (std::size_t c = 0; c < row.values.size(); ++c) {
      picture.cell(column_at(c), y, kCellWidth, static_cast<std::size_t>(row.values[c] / step),
                   fmt::format("{:.0f}", row.values[c]));
    }
    y += kCellHeight;
  }

  picture.text(kMargin, legend, map.unit, Picture::kBold);
  for (std::size_t colour = 0; colour < kColours.size(); ++colour) {
    const double from = static_cast<double>(colour) * step;
    picture.cell(kMargin + static_cast<int>(colour) * kLegendWidth, legend + 10, kLegendWidth, colour,
                 fmt::format("{:.0f} to {:.0f}", from, from + step - 1));
  }
  return std::move(picture).take();
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Pictures as SVG text: shapes, scales, axes and legends that all figures share. The same calls give the same bytes.
// Every picture brings its own colours, for light and for dark surroundings; print is light. The colours of series are
// those of Okabe and Ito ("Color Universal Design", 2008), told apart by everyone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linebounce {

/// Text for an element or an attribute: &, <, >, " and ' replaced, control characters made spaces.
std::string escape_xml(std::string_view text);

/// ` name="value"`, escaped.
std::string attribute(std::string_view name, std::string_view value);

/// About how wide a text is, in pixels; rather too much than too little.
double text_pixels(std::string_view text, double font_size);
/// The text, its end cut off if it is wider than that; "" if not even three characters have room.
std::string fitted(std::string_view text, double pixels, double font_size);

inline constexpr std::size_t kSeriesColours = 8;
/// Classes of the fills "f0" … "f9" and of the strokes "s0" … "s7": eight colours of series, then two greys.
std::string fill_class(std::size_t series);
std::string stroke_class(std::size_t series);

/// ColorBrewer's YlGnBu in nine classes (Brewer and Harrower, Apache-2.0), fills "q0" … "q8" from little to much.
inline constexpr std::size_t kSteps = 9;
/// The fill, and the class of text that can be read on it.
std::string step_class(std::size_t step);
std::string text_on_step(std::size_t step);

enum class Anchor { kStart, kMiddle, kEnd };

struct PlotPoint {
  double x = 0;
  double y = 0;
};

/// Coordinates are pixels, written with one decimal. Classes: "paper", "ink" (text), "soft" (lesser text), "small",
/// "bold", "title", "axis", "grid", "faint", and those above. A tip is shown by whoever hovers over the shape.
class Svg {
 public:
  Svg(double width, double height, std::string_view title);

  void rect(double x, double y, double width, double height, std::string_view classes, std::string_view tip = "",
            std::string_view attributes = "");
  void line(PlotPoint from, PlotPoint to, std::string_view classes, std::string_view tip = "",
            std::string_view attributes = "");
  void circle(PlotPoint centre, double radius, std::string_view classes, std::string_view tip = "");
  void polyline(const std::vector<PlotPoint>& points, std::string_view classes);
  void polygon(const std::vector<PlotPoint>& points, std::string_view classes);
  void text(double x, double y, std::string_view text, std::string_view classes = "ink",
            Anchor anchor = Anchor::kStart);
  /// Upwards, its middle at that point.
  void text_upwards(double x, double y, std::string_view text, std::string_view classes = "ink");
  /// A line with a head at its end, in one group with the tip.
  void arrow(PlotPoint from, PlotPoint to, std::size_t series, std::string_view tip = "",
             std::string_view attributes = "");

  std::string take() && { return std::move(text_) + "</svg>\n"; }

 private:
  void shape(std::string_view element, const std::string& geometry, std::string_view classes, std::string_view tip,
             std::string_view attributes);
  std::string text_;
};

/// From values to pixels.
struct Scale {
  double from = 0;
  double to = 1;
  double first_pixel = 0;
  double last_pixel = 1;
  double operator()(double value) const {
    return to == from ? first_pixel : first_pixel + (value - from) / (to - from) * (last_pixel - first_pixel);
  }
};

struct LegendEntry {
  std::string label;
  std::string classes;  ///< of the box beside it
};
/// Boxes with labels, side by side, in as many lines as the width asks for.
void legend(Svg& svg, double x, double y, double width, const std::vector<LegendEntry>& entries);
double legend_height(double width, const std::vector<LegendEntry>& entries);

/// Round values between `from` and `to`, about `wanted` of them: 1, 2 or 5 times a power of ten apart.
std::vector<double> ticks(double from, double to, int wanted);
/// As short as a tick's label is read: 1200, 0.25, 3.
std::string tick_text(double value);

}  // namespace linebounce

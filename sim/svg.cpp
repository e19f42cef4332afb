// SPDX-License-Identifier: Apache-2.0
#include "sim/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/render_table.hpp"

namespace linebounce {
namespace {

constexpr std::string_view kStyle = R"(<style>
.lb{font:12px "DejaVu Sans",Verdana,Arial,sans-serif}
.lb .small{font-size:10px}.lb .legend{font-size:11px}.lb .tiny{font-size:9px}.lb .bold{font-weight:bold}.lb .title{font-size:15px;font-weight:bold}
.lb .paper{fill:#fff}.lb .ink{fill:#1a1a1a}.lb .soft{fill:#555}.lb .white{fill:#fff}.lb .black{fill:#111}
.lb .axis{stroke:#555;fill:none}.lb .grid{stroke:#ddd;fill:none}.lb .mark{stroke:#d55e00;stroke-width:1.5;stroke-dasharray:5 3}
.lb .rule{stroke:#fff;stroke-width:.7}.lb .outline{stroke:#555;stroke-width:.8}.lb .band{fill-opacity:.2}.lb .half{fill-opacity:.4}
.lb .half-stroke{stroke-opacity:.45}.lb .hollow{fill-opacity:.08}.lb .edge{stroke-width:.8}.lb .thick{stroke-width:2;fill:none}.lb .thin{stroke-width:1.2;fill:none}
.lb .dash1{stroke-dasharray:7 3}.lb .dash2{stroke-dasharray:2 3}.lb .halo{paint-order:stroke;stroke:#fff;stroke-width:3px}
.lb .f0{fill:#0072b2}.lb .f1{fill:#e69f00}.lb .f2{fill:#009e73}.lb .f3{fill:#d55e00}.lb .f4{fill:#cc79a7}.lb .f5{fill:#56b4e9}
.lb .f6{fill:#f0e442}.lb .f7{fill:#333}.lb .f8{fill:#999}.lb .f9{fill:#ddd}
.lb .s0{stroke:#0072b2}.lb .s1{stroke:#e69f00}.lb .s2{stroke:#009e73}.lb .s3{stroke:#d55e00}.lb .s4{stroke:#cc79a7}
.lb .s5{stroke:#56b4e9}.lb .s6{stroke:#b8a800}.lb .s7{stroke:#333}.lb .s8{stroke:#999}.lb .s9{stroke:#bbb}
.lb .q0{fill:#ffffd9}.lb .q1{fill:#edf8b1}.lb .q2{fill:#c7e9b4}.lb .q3{fill:#7fcdbb}.lb .q4{fill:#41b6c4}.lb .q5{fill:#1d91c0}
.lb .q6{fill:#225ea8}.lb .q7{fill:#253494}.lb .q8{fill:#081d58}
@media screen and (prefers-color-scheme:dark){
.lb .paper{fill:#16191d}.lb .ink{fill:#e8e8e8}.lb .soft{fill:#a8b0b8}.lb .axis{stroke:#a8b0b8}.lb .grid{stroke:#363c44}
.lb .rule{stroke:#16191d}.lb .outline{stroke:#a8b0b8}.lb .halo{stroke:#16191d}.lb .f0{fill:#2f94d6}.lb .s0{stroke:#2f94d6}
.lb .f7{fill:#e0e0e0}.lb .s7{stroke:#e0e0e0}.lb .f9{fill:#3c434c}.lb .s9{stroke:#59616b}.lb .s6{stroke:#f0e442}}
</style>
)";

/// The first class that only white can be read on.
constexpr std::size_t kFirstDarkStep = 5;

/// Tenths of a pixel, without a decimal that is 0.
std::string px(double value) {
  const auto tenths = std::llround(value * 10);
  const auto whole = std::llabs(tenths) / 10;
  const auto rest = std::llabs(tenths) % 10;
  return fmt::format("{}{}{}", tenths < 0 ? "-" : "", whole, rest == 0 ? "" : fmt::format(".{}", rest));
}

std::string points_of(const std::vector<PlotPoint>& points) {
  std::string out;
  for (const PlotPoint& p : points) out += fmt::format("{}{},{}", out.empty() ? "" : " ", px(p.x), px(p.y));
  return out;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += (static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f ? ' ' : c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, escape_xml(value));
}

double text_pixels(std::string_view text, double font_size) {
  return static_cast<double>(text_width(text)) * font_size * 0.62;
}

std::string fitted(std::string_view text, double pixels, double font_size) {
  if (text_pixels(text, font_size) <= pixels) return std::string(text);
  const auto room = static_cast<std::size_t>(std::max(0.0, pixels / (font_size * 0.62)));
  if (room < 4) return "";
  std::string cut(text);
  while (text_width(cut) > room - 1) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0x80);
    // What is left of a character of several bytes goes too.
    if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xc0) == 0xc0) cut.pop_back();
  }
  return cut + "…";
}

std::string fill_class(std::size_t series) { return fmt::format("f{}", series % 10); }
std::string stroke_class(std::size_t series) { return fmt::format("s{}", series % 10); }
std::string step_class(std::size_t step) { return fmt::format("q{}", std::min(step, kSteps - 1)); }
std::string text_on_step(std::size_t step) { return step < kFirstDarkStep ? "black" : "white"; }

Svg::Svg(double width, double height, std::string_view title) {
  text_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"lb\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\"{2}>\n",
      px(width), px(height), attribute("aria-label", title));
  text_ += kStyle;
  rect(0, 0, width, height, "paper");
  text(16, 26, title, "ink title");
}

void Svg::shape(std::string_view element, const std::string& geometry, std::string_view classes, std::string_view tip,
                std::string_view attributes) {
  text_ += fmt::format("<{} {} class=\"{}\"{}", element, geometry, classes, attributes);
  text_ += tip.empty() ? "/>\n" : fmt::format("><title>{}</title></{}>\n", escape_xml(tip), element);
}

void Svg::rect(double x, double y, double width, double height, std::string_view classes, std::string_view tip,
               std::string_view attributes) {
  shape("rect", fmt::format(R"(x="{}" y="{}" width="{}" height="{}")", px(x), px(y), px(width), px(height)), classes,
        tip, attributes);
}

void Svg::line(PlotPoint from, PlotPoint to, std::string_view classes, std::string_view tip,
               std::string_view attributes) {
  shape("line", fmt::format(R"(x1="{}" y1="{}" x2="{}" y2="{}")", px(from.x), px(from.y), px(to.x), px(to.y)), classes,
        tip, attributes);
}

void Svg::circle(PlotPoint centre, double radius, std::string_view classes, std::string_view tip) {
  shape("circle", fmt::format(R"(cx="{}" cy="{}" r="{}")", px(centre.x), px(centre.y), px(radius)), classes, tip, "");
}

void Svg::polyline(const std::vector<PlotPoint>& points, std::string_view classes) {
  shape("polyline", fmt::format("points=\"{}\"", points_of(points)), classes, "", "");
}

void Svg::polygon(const std::vector<PlotPoint>& points, std::string_view classes) {
  shape("polygon", fmt::format("points=\"{}\"", points_of(points)), classes, "", "");
}

void Svg::text(double x, double y, std::string_view text, std::string_view classes, Anchor anchor) {
  constexpr std::string_view kAnchors[] = {"", R"( text-anchor="middle")", R"( text-anchor="end")"};
  text_ += fmt::format("<text x=\"{}\" y=\"{}\" class=\"{}\"{}>{}</text>\n", px(x), px(y), classes,
                       kAnchors[static_cast<std::size_t>(anchor)], escape_xml(text));
}

void Svg::text_upwards(double x, double y, std::string_view text, std::string_view classes) {
  text_ += fmt::format(
      "<text x=\"{0}\" y=\"{1}\" class=\"{2}\" text-anchor=\"middle\" transform=\"rotate(-90 {0} {1})\">{3}</text>\n",
      px(x), px(y), classes, escape_xml(text));
}

void Svg::arrow(PlotPoint from, PlotPoint to, std::size_t series, std::string_view tip, std::string_view attributes) {
  const double length = std::sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
  text_ += fmt::format("<g class=\"arrow\"{}>", attributes);
  if (!tip.empty()) text_ += fmt::format("<title>{}</title>", escape_xml(tip));
  text_ += '\n';
  line(from, to, stroke_class(series) + " thin");
  if (length > 0) {
    const double ux = (to.x - from.x) / length;
    const double uy = (to.y - from.y) / length;
    const double head = std::min(7.0, length);
    const PlotPoint base{to.x - head * ux, to.y - head * uy};
    const double half = head / 2.5;
    polygon({to, {base.x - half * uy, base.y + half * ux}, {base.x + half * uy, base.y - half * ux}},
            fill_class(series));
  }
  text_ += "</g>\n";
}

namespace {

constexpr double kLegendLine = 18;

/// Calls `each` with the place of every entry; returns the height of all lines.
double lay_out(double width, const std::vector<LegendEntry>& entries, const auto& each) {
  double x = 0;
  double y = 0;
  for (const LegendEntry& entry : entries) {
    const double wide = 16 + text_pixels(entry.label, 12) + 14;
    if (x > 0 && x + wide > width) {
      x = 0;
      y += kLegendLine;
    }
    each(entry, x, y);
    x += wide;
  }
  return y + kLegendLine;
}

}  // namespace

void legend(Svg& svg, double x, double y, double width, const std::vector<LegendEntry>& entries) {
  lay_out(width, entries, [&](const LegendEntry& entry, double dx, double dy) {
    svg.rect(x + dx, y + dy + 2, 11, 11, entry.classes);
    svg.text(x + dx + 16, y + dy + 12, fitted(entry.label, width - 16, 12));
  });
}

double legend_height(double width, const std::vector<LegendEntry>& entries) {
  return lay_out(width, entries, [](const LegendEntry&, double, double) {});
}

std::vector<double> ticks(double from, double to, int wanted) {
  if (!(to > from)) return {from};
  const double rough = (to - from) / std::max(1, wanted);
  double step = 1;
  while (step > rough) step /= 10;
  while (step * 10 <= rough) step *= 10;
  for (const double factor : {10.0, 5.0, 2.0}) {
    if (step * factor <= rough * 1.5) {
      step *= factor;
      break;
    }
  }
  std::vector<double> values;
  for (double n = std::ceil(from / step - 1e-9); n * step <= to + step * 1e-9; ++n) values.push_back(n * step);
  return values;
}

std::string tick_text(double value) { return fmt::format("{:.6g}", value == 0 ? 0.0 : value); }

}  // namespace linebounce

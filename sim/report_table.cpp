// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/render_table.hpp"
#include "sim/report.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

/// Shown at first and in print; the others at a click.
constexpr std::string_view kFirst[] = {
    "cycles_per_op", "ns_per_op",     "ops_per_second",  "failed_cmpxchg_per_op",
    "pauses_per_op", "fairness_jain", "messages_per_op", "qpi_bytes_per_op",
};

std::string_view column_class(const Metric& metric) {
  return std::ranges::find(kFirst, metric.name) == std::end(kFirst) ? " class=\"more\"" : "";
}

std::string heading(std::string_view key, std::string_view label, std::string_view classes, std::string_view tip) {
  return fmt::format("<th scope=\"col\"{}{}{}><button type=\"button\">{}</button></th>\n", classes,
                     attribute("data-key", key), tip.empty() ? "" : attribute("title", tip), label);
}

std::string metric_heading(const Metric& metric) {
  std::string label = escape_xml(metric.name);
  // Long names may break.
  for (std::size_t at = label.find("_per_"); at != std::string::npos; at = label.find("_per_", at + 9)) {
    label.replace(at, 5, "<wbr>_per_");
  }
  if (!metric.unit.empty()) label += fmt::format("<br>[{}]", escape_xml(metric.unit));
  return heading(metric.name, label, column_class(metric), metric.definition);
}

std::string cell(const Metric& metric, const Summary& s) {
  const std::string classes(column_class(metric));
  if (!std::isfinite(s.mean)) return fmt::format("<td{} data-v=\"\">-</td>", classes);
  const std::string spread = s.has_spread() ? fmt::format(" <small>±{}</small>", figure(s.ci95)) : "";
  return fmt::format("<td{} data-v=\"{:.10g}\">{}{}</td>", classes, s.mean, figure(s.mean), spread);
}

}  // namespace

std::string points_table_html(const Results& results, std::size_t section) {
  std::string out = fmt::format(
      "<p class=\"screen\"><button type=\"button\" class=\"columns\" hidden aria-controls=\"table{0}\">all "
      "metrics</button> "
      "A click on a heading sorts.</p>\n"
      "<div class=\"wide\" id=\"table{0}\"><table class=\"points\">\n<thead><tr>\n",
      section);
  out += heading("#", "#", "", "number of the point");
  for (const std::string& key : results.varied) out += heading(key, escape_xml(key), " class=\"text\"", "");
  for (const Metric& metric : metrics()) out += metric_heading(metric);
  out += "</tr></thead>\n<tbody>\n";
  for (std::size_t i = 0; i < results.points.size(); ++i) {
    const PointResult& point = results.points[i];
    out += fmt::format("<tr data-n=\"{0}\"><td data-v=\"{0}\">{0}</td>", i + 1);
    for (const std::string& key : results.varied) {
      const Value* value = point.param(key);
      const std::string text = value == nullptr ? "" : to_text(*value);
      out += fmt::format("<td class=\"text\"{}>{}</td>", attribute("data-v", text), escape_xml(text));
    }
    for (std::size_t m = 0; m < metrics().size(); ++m) out += cell(metrics()[m], point.summaries[m]);
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string definitions_html() {
  std::string out = "<details><summary>What the metrics mean</summary><dl>\n";
  for (const Metric& metric : metrics()) {
    out += fmt::format("<dt>{}{}</dt><dd>{}</dd>\n", escape_xml(metric.name),
                       metric.unit.empty() ? "" : fmt::format(" [{}]", escape_xml(metric.unit)),
                       escape_xml(metric.definition));
  }
  return out + "</dl></details>\n";
}

}  // namespace linebounce

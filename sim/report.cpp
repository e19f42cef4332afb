// SPDX-License-Identifier: Apache-2.0
#include "sim/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "sim/category_groups.hpp"
#include "sim/figure_bars.hpp"
#include "sim/figure_curves.hpp"
#include "sim/figure_swim_lane.hpp"
#include "sim/figure_topology.hpp"
#include "sim/link_traffic.hpp"
#include "sim/report_assets.hpp"
#include "sim/rerun.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

constexpr std::size_t kMostBars = 64;
constexpr std::size_t kTimeBins = 120;
constexpr std::string_view kCurves[] = {"ns_per_op", "failed_cmpxchg_percent"};

/// Base64 of bytes that are given as hexadecimal digits; a policy names a script's hash so.
std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < hex.size(); at += 6) {
    const std::string_view digits = hex.substr(at, 6);
    const auto bits = static_cast<std::size_t>(std::strtoul(std::string(digits).c_str(), nullptr, 16))
                      << (4 * (6 - digits.size()));
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= digits.size() / 2 ? kDigits[(bits >> (18 - 6 * i)) & 63] : '=';
    }
  }
  return out;
}

std::string paragraph(std::string_view text, std::string_view classes = "") {
  if (text.empty()) return "";
  return fmt::format("<p{}>{}</p>\n", classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), escape_xml(text));
}

std::string figure_html(const std::string& svg, std::string_view caption, bool zoom = false) {
  std::string out =
      zoom ? "<figure class=\"zoom\"><div class=\"tools\" hidden>"
             "<button type=\"button\" data-zoom=\"in\" aria-label=\"zoom in\">+</button>"
             "<button type=\"button\" data-zoom=\"out\" aria-label=\"zoom out\">−</button>"
             "<button type=\"button\" data-zoom=\"fit\">whole</button> zoom; also the wheel with Ctrl held. "
             "What belongs to one operation stands out below the pointer.</div>\n"
           : "<figure>\n";
  out += "<div class=\"view\">\n" + svg + "</div>\n";
  if (!caption.empty()) out += fmt::format("<figcaption>{}</figcaption>\n", escape_xml(caption));
  return out + "</figure>\n";
}

std::string fixed_parameters(const Results& results) {
  std::vector<std::string> fixed;
  for (const auto& [key, value] : results.points.front().params) {
    if (std::ranges::find(results.varied, key) != results.varied.end()) continue;
    fixed.push_back(fmt::format("{} {}", key, to_text(value)));
  }
  return fmt::format("{}", fmt::join(fixed, ", "));
}

std::string facts(const Results& results) {
  std::string text = fmt::format("Scenario {}, machine {}, base seed {}, {} point{}", results.scenario, results.machine,
                                 results.seed, results.points.size(), results.points.size() == 1 ? "" : "s");
  if (!results.points.empty()) {
    const std::size_t seeds = results.points.front().replicas.size();
    text += fmt::format(" with {} seed{} each; {}", seeds, seeds == 1 ? "" : "s", fixed_parameters(results));
  }
  return text + ".";
}

std::string figures_of_results(const Results& results) {
  std::string out;
  for (const std::string_view metric : kCurves) {
    const auto any = [&](const PointResult& p) { return p.summary(metric).mean > 0; };
    if (std::ranges::none_of(results.points, any)) continue;
    if (const auto curves = curves_of(results, metric)) {
      out += figure_html(render_svg(*curves), "Means over the seeds; bands are 95 % confidence intervals of the mean.");
    }
  }
  std::string caption(kCategoryGroupLegend);
  if (results.points.size() > kMostBars) {
    caption += fmt::format(" The first {} of {} points.", kMostBars, results.points.size());
  }
  return out + figure_html(render_svg(point_bars(results, kMostBars)), caption);
}

/// "the measured window", or how much of it is in the recording.
std::string recorded_part(const Recording& recording) {
  if (recording.window_closed <= recording.end) return "the measured window";
  return fmt::format("the first {} cycles of the measured window",
                     (recording.end - std::max(recording.begin, recording.window_opened)).count);
}

/// Operations that tasks complete in the recorded part of the window.
std::uint64_t recorded_operations(const Recording& recording) {
  const Cycles end = std::min(recording.window_closed, recording.end);
  return static_cast<std::uint64_t>(std::ranges::count_if(
      recording.completions, [&](const Completion& c) { return c.at > recording.window_opened && c.at <= end; }));
}

std::string hand_off_figure(const RecordedRun& run, std::uint64_t seed, const std::string& what) {
  const std::vector<HandOff> hand_offs = hand_offs_in_window(run.recording);
  const auto median = median_hand_off(hand_offs);
  const std::string part = recorded_part(run.recording);
  if (!median) return paragraph(fmt::format("No hand-off of a lock is in {}.", part), "note");
  const auto [shortest, longest] = std::ranges::minmax(hand_offs, {}, &HandOff::length);
  return figure_html(
      render_swim_lane(run.recording, *median, what),
      fmt::format("The median one of {} hand-offs in {} of seed {}; the shortest took {} cycles, the longest {}.",
                  hand_offs.size(), part, seed, shortest.length().count, longest.length().count),
      true);
}

std::string details_of(const Results& results, const ReportedPoint& shown) {
  const PointResult& point = results.points[shown.point];
  const std::string label = point_label(results, shown.point);
  std::string out = fmt::format("<h3>Point {} in detail: {}</h3>\n", shown.point + 1, escape_xml(label));
  if (!shown.run) {
    return out + paragraph(fmt::format("No hand-off and no traffic over time: {}.", shown.note), "note") +
           figure_html(render_svg(task_bars(point, label)), kCategoryGroupLegend);
  }
  const Recording& recording = shown.run->recording;
  out += hand_off_figure(*shown.run, point.replicas[0].seed, label);
  out += figure_html(render_topology_svg(point, *recording.machine, label),
                     "Bytes of all links over all seeds, per operation.");
  const LinkTraffic traffic = link_traffic(recording, kTimeBins);
  if (!traffic.rows.empty()) {
    out += figure_html(render_svg(traffic, label),
                       fmt::format("Seed {}, {}; links between sockets and the busiest ones inside.",
                                   point.replicas[0].seed, recorded_part(recording)));
  }
  if (recording.machine->sockets > 1) {
    out += figure_html(render_socket_matrix(traffic, recorded_operations(recording), label),
                       fmt::format("Seed {}, from who sends to who receives, in {}.", point.replicas[0].seed,
                                   recorded_part(recording)));
  }
  return out + figure_html(render_svg(task_bars(point, label)), kCategoryGroupLegend);
}

std::string section_html(const ReportSection& section, std::size_t number) {
  const Results& results = section.results;
  std::string out = fmt::format("<section id=\"part{}\">\n<h2>{}</h2>\n", number,
                                escape_xml(results.title.empty() ? results.scenario : results.title));
  out += paragraph(results.question) + paragraph(facts(results), "facts");
  if (results.points.empty()) return out + paragraph("It has no points.", "note") + "</section>\n";
  out += figures_of_results(results) + points_table_html(results, number);
  for (const ReportedPoint& point : section.points) out += details_of(results, point);
  return out + "</section>\n";
}

std::string contents(const Report& report) {
  if (report.sections.size() < 2) return "";
  std::string out = "<nav><ul>\n";
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    const Results& results = report.sections[i].results;
    out += fmt::format("<li><a href=\"#part{}\">{}</a></li>\n", i,
                       escape_xml(results.title.empty() ? results.scenario : results.title));
  }
  return out + "</ul></nav>\n";
}

}  // namespace

std::string render_html(const Report& report) {
  std::string out = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'sha256-{}'; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<h1>{}</h1>\n",
      base64_of_hex(kReportScriptSha256), escape_xml(report.title), kReportStyle, escape_xml(report.title));
  out += paragraph(report.introduction) + contents(report);
  for (std::size_t i = 0; i < report.sections.size(); ++i) out += section_html(report.sections[i], i);
  for (const std::string& svg : report.figures) out += figure_html(svg, "");
  out += definitions_html();
  return out +
         fmt::format("<div id=\"tip\" role=\"status\"></div>\n<script>{}</script>\n</body>\n</html>\n", kReportScript);
}

ReportSection report_section(Results results, const std::optional<Scenario>& scenario,
                             const std::vector<std::size_t>& points, const std::string& why_not) {
  ReportSection section;
  for (const std::size_t point : points) {
    ReportedPoint& shown = section.points.emplace_back(ReportedPoint{point, {}, why_not});
    if (!scenario) continue;
    Rerun again = rerun_point(results, point, *scenario);
    shown.run = std::move(again.run);
    shown.note = again.why_not;
  }
  section.results = std::move(results);
  return section;
}

}  // namespace linebounce

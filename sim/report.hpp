// SPDX-License-Identifier: Apache-2.0
// Results as one page for a browser: figures, tables that sort, and the hand-offs of recorded points. The page needs
// nothing else, and its own policy forbids the browser to fetch anything. The same results give the same bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/recording.hpp"
#include "sim/results.hpp"
#include "sim/scenario.hpp"

namespace linebounce {

/// A point that is shown in detail.
struct ReportedPoint {
  std::size_t point = 0;           ///< index in the results
  std::optional<RecordedRun> run;  ///< the same run again, recorded
  std::string note;                ///< why there is no recording
};

/// One scenario's results.
struct ReportSection {
  Results results;
  std::vector<ReportedPoint> points;
};

struct Report {
  std::string title;
  std::string introduction;
  std::vector<ReportSection> sections;
  std::vector<std::string> figures;  ///< SVG, shown at the end
};

std::string render_html(const Report& report);

/// The sections' tables and definitions, for render_html.
std::string points_table_html(const Results& results, std::size_t section);
std::string definitions_html();

/// Shows these points (indices) of the results in detail. They are run again if there is a scenario; else `why_not` is
/// said beside them.
ReportSection report_section(Results results, const std::optional<Scenario>& scenario,
                             const std::vector<std::size_t>& points, const std::string& why_not = "");

}  // namespace linebounce

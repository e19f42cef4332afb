// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/csv_row.hpp"
#include "sim/render.hpp"

namespace linebounce {
namespace {

std::string header(const std::vector<std::string>& params) {
  CsvRow row;
  row.add("scenario");
  row.add("machine");
  row.add("core clock [MHz]");
  add_parameter_names(row, params);
  row.add("seeds");
  for (const Metric& m : metrics()) {
    row.add(with_unit(fmt::format("{} mean", m.name), m.unit));
    row.add(with_unit(fmt::format("{} ci95", m.name), m.unit));
  }
  for (const std::string_view category : kCategoryNames)
    row.add(fmt::format("{} [core cycles of all tasks and seeds]", category));
  for (const MessageTraits& kind : kMessageTraits) row.add(fmt::format("{} [messages of all seeds]", kind.name));
  return row.end();
}

}  // namespace

std::string render_csv(const Results& results) {
  const std::vector<std::string> params = parameter_keys(results);
  std::string out = header(params);
  for (const PointResult& point : results.points) {
    CsvRow row;
    row.add(results.scenario);
    row.add(point.machine);
    row.add(static_cast<std::uint64_t>(point.core_mhz));
    add_parameters(row, point, params);
    row.add(point.replicas.size());
    for (const Summary& s : point.summaries) {
      row.add(s.mean);
      s.has_spread() ? row.add(s.ci95) : row.add("");
    }
    for (std::size_t c = 0; c < kCategories; ++c) {
      row.add(static_cast<std::uint64_t>(point.account.of(static_cast<Category>(c)).count));
    }
    for (const std::uint64_t n : point.messages) row.add(n);
    out += row.end();
  }
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/render.hpp"

namespace linebounce {
namespace {

/// RFC 4180: quoted if it holds a comma, a quote or a line break; a quote is doubled.
std::string field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    out += c;
    if (c == '"') out += c;
  }
  return out + '"';
}

std::string number(double x) { return std::isfinite(x) ? fmt::format("{:.10g}", x) : ""; }

class Row {
 public:
  void add(std::string_view text) {
    if (!line_.empty() || begun_) line_ += ',';
    begun_ = true;
    line_ += field(text);
  }
  void add(std::uint64_t n) { add(fmt::format("{}", n)); }
  std::string end() const { return line_ + "\r\n"; }

 private:
  std::string line_;
  bool begun_ = false;
};

std::string in_unit(std::string_view name, std::string_view unit) {
  return unit.empty() ? std::string(name) : fmt::format("{} [{}]", name, unit);
}

/// Every key that some point has, those of the first point first.
std::vector<std::string> keys(const Results& results) {
  std::vector<std::string> out;
  for (const PointResult& point : results.points) {
    for (const auto& param : point.params) {
      if (std::find(out.begin(), out.end(), param.first) == out.end()) out.push_back(param.first);
    }
  }
  return out;
}

std::string header(const std::vector<std::string>& params) {
  Row row;
  row.add("scenario");
  row.add("machine");
  row.add("core clock [MHz]");
  for (const std::string& key : params) {
    const Parameter* p = find_parameter(key);
    row.add(in_unit(key, p == nullptr ? "" : p->range.unit));
  }
  row.add("seeds");
  for (const Metric& m : metrics()) {
    row.add(in_unit(fmt::format("{} mean", m.name), m.unit));
    row.add(in_unit(fmt::format("{} ci95", m.name), m.unit));
  }
  for (const std::string_view category : kCategoryNames)
    row.add(fmt::format("{} [core cycles of all tasks and seeds]", category));
  for (const MessageTraits& kind : kMessageTraits) row.add(fmt::format("{} [messages of all seeds]", kind.name));
  return row.end();
}

}  // namespace

std::string render_csv(const Results& results) {
  const std::vector<std::string> params = keys(results);
  std::string out = header(params);
  for (const PointResult& point : results.points) {
    Row row;
    row.add(results.scenario);
    row.add(point.machine);
    row.add(static_cast<std::uint64_t>(point.core_mhz));
    for (const std::string& key : params) {
      const Value* value = point.param(key);
      row.add(value == nullptr ? "" : to_text(*value));
    }
    row.add(point.replicas.size());
    for (const Summary& s : point.summaries) {
      row.add(number(s.mean));
      row.add(s.has_spread() ? number(s.ci95) : "");
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

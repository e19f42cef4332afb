// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "coherence/agent_map.hpp"
#include "sim/c2c_columns.hpp"
#include "sim/csv_row.hpp"
#include "sim/json_values.hpp"
#include "sim/render_c2c.hpp"

namespace linebounce {
namespace {

Json events_of(const C2cCounts& counts, bool zeros) {
  Json out = Json::object();
  for (const C2cColumn& column : c2c_columns()) {
    const std::uint64_t n = column.of(counts);
    if (zeros || n != 0) out[std::string(column.key)] = n;
  }
  return out;
}

Json access_of(const C2cAccess& access, const C2cPoint& point) {
  const C2cTask& task = point.tasks.at(static_cast<std::size_t>(access.task));
  return {{"offset", access.offset},
          {"phase", name_of(access.phase)},
          {"task", access.task},
          {"hardware_thread", task.thread.value},
          {"node", task.node.value},
          {"events", events_of(access.counts, false)},
          {"cycles",
           {{"rmt_hitm", access.cycles.rmt_hitm.count},
            {"lcl_hitm", access.cycles.lcl_hitm.count},
            {"load", access.cycles.load.count}}}};
}

Json point_of(const PointResult& result, const C2cPoint& point) {
  Json params = Json::object();
  for (const auto& [key, value] : result.params) params[key] = json_of(value);
  Json lines = Json::array();
  for (const C2cLine& line : point.lines) {
    Json accesses = Json::array();
    for (const C2cAccess& access : line.accesses) accesses.push_back(access_of(access, point));
    lines.push_back({{"line", line.name},
                     {"node", line.home.value},
                     {"events", events_of(line.counts, true)},
                     {"accesses", std::move(accesses)}});
  }
  return {{"params", std::move(params)},
          {"machine", result.machine},
          {"events", events_of(point.counts, true)},
          {"touched_lines", point.touched_lines},
          {"shared_lines", std::move(lines)}};
}

std::string header(const std::vector<std::string>& params) {
  CsvRow row;
  row.add("scenario");
  row.add("machine");
  for (const std::string& key : params) row.add(key);
  for (const char* name :
       {"seeds", "line", "home node", "offset [bytes]", "phase", "task", "hardware thread", "node"}) {
    row.add(name);
  }
  for (const C2cColumn& column : c2c_columns()) row.add(fmt::format("{} [all seeds]", column.key));
  for (const char* loads : {"rmt hitm", "lcl hitm", "load"})
    row.add(fmt::format("cycles {} [sum of core cycles]", loads));
  return row.end();
}

std::string access_row(CsvRow row, const C2cLine& line, const C2cAccess& access, const C2cPoint& point) {
  const C2cTask& task = point.tasks.at(static_cast<std::size_t>(access.task));
  row.add(line.name);
  row.add(std::uint64_t{line.home.value});
  row.add(std::uint64_t{access.offset});
  row.add(name_of(access.phase));
  row.add(static_cast<std::uint64_t>(access.task));
  row.add(std::uint64_t{task.thread.value});
  row.add(std::uint64_t{task.node.value});
  for (const C2cColumn& column : c2c_columns()) row.add(column.of(access.counts));
  for (const Cycles cycles : {access.cycles.rmt_hitm, access.cycles.lcl_hitm, access.cycles.load}) {
    row.add(static_cast<std::uint64_t>(cycles.count));
  }
  return row.end();
}

}  // namespace

std::string render_json(const C2cReport& report) {
  const Results& results = report.results;
  Json out = heading_of(kC2cSchema, results);
  Json definitions = Json::object();
  for (const C2cColumn& column : c2c_columns()) {
    definitions[std::string(column.key)] = {{"perf", column.event}, {"definition", column.definition}};
  }
  out["definitions"] = std::move(definitions);
  Json points = Json::array();
  for (std::size_t p = 0; p < report.points.size(); ++p) {
    points.push_back(point_of(results.points[p], report.points[p]));
  }
  out["points"] = std::move(points);
  return out.dump(1) + '\n';
}

std::string render_csv(const C2cReport& report) {
  const std::vector<std::string> params = parameter_keys(report.results);
  std::string out = header(params);
  for (std::size_t p = 0; p < report.points.size(); ++p) {
    const PointResult& result = report.results.points[p];
    CsvRow begin;
    begin.add(report.results.scenario);
    begin.add(result.machine);
    add_parameters(begin, result, params);
    begin.add(std::uint64_t{result.replicas.size()});
    for (const C2cLine& line : report.points[p].lines) {
      for (const C2cAccess& access : line.accesses) out += access_row(begin, line, access, report.points[p]);
    }
  }
  return out;
}

}  // namespace linebounce

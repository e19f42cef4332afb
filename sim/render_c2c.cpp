// SPDX-License-Identifier: Apache-2.0
#include "sim/render_c2c.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/c2c_columns.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

constexpr std::size_t kMostLines = 20;   ///< in the table of lines
constexpr std::size_t kMostPareto = 10;  ///< lines whose offsets are shown

constexpr std::string_view kLegend =
    "Every access of the measured window counts, all seeds together; nothing is sampled. A LOCKed operation is one "
    "load and one "
    "store. HITM: the line was modified in another core (Lcl: of the same socket, Rmt: of another one). FB: waited for "
    "a request "
    "that its core had made before; SB: the own store buffer. Phase, in the place of the code address, and Tid: which "
    "part of the "
    "algorithm, of which tasks. Cycles: mean core cycles of a load. M: millions; '.': none; '-': none of none. "
    "docs/c2c.md defines every column.";

std::string count(std::uint64_t n) {
  return n < 10'000'000 ? fmt::format("{}", n) : fmt::format("{:.1f}M", static_cast<double>(n) * 1e-6);
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0  ? "-"
         : part == 0 ? "."
                     : fmt::format("{:.1f}", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string mean(Cycles sum, std::uint64_t n) {
  return n == 0 ? "-" : fmt::format("{:.0f}", static_cast<double>(sum.count) / static_cast<double>(n));
}

std::string clipped(const std::string& text, std::size_t most) {
  return text_width(text) <= most ? text : text.substr(0, most - 1) + "…";
}

/// "0-3,7"
std::string ranges_of(const std::set<std::uint32_t>& numbers) {
  std::vector<std::string> out;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    out.push_back(first == last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last));
    first = std::next(last);
  }
  return fmt::format("{}", fmt::join(out, ","));
}

std::string trace_events(const C2cCounts& counts) {
  std::string out = "Trace Event Information\n";
  const auto row = [&](std::string_view name, const std::string& value) {
    out += fmt::format("  {:<34}: {:>12}\n", name, value);
  };
  for (const C2cColumn& column : c2c_columns()) {
    if (column.event != "Load HITM") row(column.event, fmt::format("{}", column.of(counts)));
  }
  const std::pair<std::string_view, LoadSource> shares[] = {
      {"LLC Misses to Local DRAM", LoadSource::kLclDram},
      {"LLC Misses to Remote DRAM", LoadSource::kRmtDram},
      {"LLC Misses to Remote cache (HIT)", LoadSource::kRmtHit},
      {"LLC Misses to Remote cache (HITM)", LoadSource::kRmtHitm}};
  for (const auto& [name, source] : shares) {
    const std::string share = percent(counts.of(source), counts.llc_misses());
    row(name, share.size() == 1 ? share : share + "%");
  }
  return out;
}

/// Columns of the groups that a table shows, in its order.
std::vector<const C2cColumn*> columns_of(std::span<const std::string_view> groups, TextTable& table) {
  std::vector<const C2cColumn*> out;
  for (const std::string_view group : groups) {
    const std::size_t before = out.size();
    for (const C2cColumn& column : c2c_columns()) {
      if (column.group == group) out.push_back(&column);
    }
    table.group(std::string(group), out.size() - before);
  }
  return out;
}

std::string line_table(const C2cPoint& point) {
  constexpr std::string_view kFirst[] = {"Load Hitm", "Total"};
  constexpr std::string_view kSecond[] = {"Store Refs", "Core Load Hit", "LLC Load Hit", "RMT Load Hit", "Load Dram"};
  TextTable first(3);
  TextTable second(1);
  first.group("", 3);
  first.group("Hitm %", 2);
  second.group("", 1);
  const auto hitms = columns_of(kFirst, first);
  const auto hits = columns_of(kSecond, second);
  std::vector<std::string> upper = {"Index", "Cacheline", "Node", "Rmt", "Lcl"};
  std::vector<std::string> lower = {"Index"};
  for (const C2cColumn* c : hitms) upper.emplace_back(c->column);
  for (const C2cColumn* c : hits) lower.emplace_back(c->column);
  first.add(std::move(upper));
  second.add(std::move(lower));
  for (std::size_t i = 0; i < std::min(point.lines.size(), kMostLines); ++i) {
    const C2cLine& line = point.lines[i];
    const auto share = [&](LoadSource source) { return percent(line.counts.of(source), point.counts.of(source)); };
    std::vector<std::string> a = {fmt::format("{}", i), clipped(line.name, 24), fmt::format("{}", line.home.value),
                                  share(LoadSource::kRmtHitm), share(LoadSource::kLclHitm)};
    std::vector<std::string> b = {fmt::format("{}", i)};
    for (const C2cColumn* c : hitms) a.push_back(count(c->of(line.counts)));
    for (const C2cColumn* c : hits) b.push_back(count(c->of(line.counts)));
    first.add(std::move(a));
    second.add(std::move(b));
  }
  std::string out =
      fmt::format("\nShared Data Cache Line Table: {} of {} lines\n", point.lines.size(), point.touched_lines);
  if (point.lines.empty()) return out;
  out += first.str() + '\n' + second.str();
  if (point.lines.size() > kMostLines) out += fmt::format("… {} lines more\n", point.lines.size() - kMostLines);
  return out;
}

std::string pareto_of(const C2cLine& line, std::size_t index, const C2cPoint& point) {
  TextTable table(3, 2);
  table.group("", 3);
  table.group("HITM %", 2);
  table.group("Store Refs %", 3);
  table.group("cycles", 3);
  table.group("", 3);
  table.add({"", "", "", "Rmt", "Lcl", "L1", "L1", "", "rmt", "lcl", "", "Total", "cpu", ""});
  table.add({"Offset", "Tid", "Phase", "Hitm", "Hitm", "Hit", "Miss", "N/A", "hitm", "hitm", "load", "records", "cnt",
             "Node"});
  const C2cCounts& all = line.counts;
  for (const C2cOffset& row : by_offset(line)) {
    const C2cCounts& c = row.counts;
    std::set<std::uint32_t> tasks;
    std::set<std::uint32_t> nodes;
    for (const int task : row.tasks) {
      tasks.insert(static_cast<std::uint32_t>(task));
      nodes.insert(point.tasks.at(static_cast<std::size_t>(task)).node.value);
    }
    std::vector<std::string> cells = {fmt::format("0x{:x}", row.offset), clipped(ranges_of(tasks), 10),
                                      std::string(name_of(row.phase))};
    for (const LoadSource s : {LoadSource::kRmtHitm, LoadSource::kLclHitm})
      cells.push_back(percent(c.of(s), all.of(s)));
    for (const StoreReference r : {StoreReference::kL1Hit, StoreReference::kL1Miss, StoreReference::kNotAvailable}) {
      cells.push_back(percent(c.of(r), all.of(r)));
    }
    cells.push_back(mean(row.cycles.rmt_hitm, c.of(LoadSource::kRmtHitm)));
    cells.push_back(mean(row.cycles.lcl_hitm, c.of(LoadSource::kLclHitm)));
    cells.push_back(mean(row.cycles.load, c.loads() - c.hitms()));
    cells.push_back(count(c.records()));
    cells.push_back(fmt::format("{}", row.tasks.size()));
    cells.push_back(ranges_of(nodes));
    table.add(std::move(cells));
  }
  return '\n' +
         wrapped(fmt::format("{} {}, node {}: {} RmtHitm, {} LclHitm; stores {} L1Hit, {} L1Miss, {} N/A", index,
                             line.name, line.home.value, all.of(LoadSource::kRmtHitm), all.of(LoadSource::kLclHitm),
                             all.of(StoreReference::kL1Hit), all.of(StoreReference::kL1Miss),
                             all.of(StoreReference::kNotAvailable))) +
         table.str();
}

std::string pareto(const C2cPoint& point) {
  if (point.lines.empty()) return "";
  std::string out = "\nShared Cache Line Distribution Pareto\n";
  for (std::size_t i = 0; i < std::min(point.lines.size(), kMostPareto); ++i)
    out += pareto_of(point.lines[i], i, point);
  if (point.lines.size() > kMostPareto) out += fmt::format("\n… {} lines more\n", point.lines.size() - kMostPareto);
  return out;
}

std::string parameters(const Parameters& params) {
  std::vector<std::string> out;
  for (const auto& [key, value] : params) out.push_back(fmt::format("{} {}", key, to_text(value)));
  return fmt::format("{}", fmt::join(out, ", "));
}

}  // namespace

std::string render_text(const C2cReport& report) {
  const Results& results = report.results;
  std::string out = results.title == results.scenario ? "" : wrapped(results.title);
  for (std::size_t p = 0; p < report.points.size(); ++p) {
    const PointResult& result = results.points[p];
    out +=
        (p == 0 ? "" : "\n") + wrapped(fmt::format("{}, machine {}, base seed {}, {} seed{}; {}", results.scenario,
                                                   result.machine, results.seed, result.replicas.size(),
                                                   result.replicas.size() == 1 ? "" : "s", parameters(result.params)));
    const C2cPoint& point = report.points[p];
    out += '\n' + trace_events(point.counts) + line_table(point) + pareto(point);
  }
  return out + '\n' + wrapped(kLegend);
}

}  // namespace linebounce

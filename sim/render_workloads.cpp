// SPDX-License-Identifier: Apache-2.0
#include "sim/render_workloads.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <vector>

#include "sim/demo_figures.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

struct Column {
  std::string_view upper;
  std::string_view lower;
  std::string (*cell)(const PointResult&);
};

std::string mean_of(const PointResult& point, std::string_view metric) { return figure(point.summary(metric).mean); }

/// A row a point: its number, what varies, and these columns.
std::string table_of(const Results& results, std::span<const Column> columns) {
  TextTable table(1 + results.varied.size(), 2);
  std::vector<std::string> upper(1 + results.varied.size());
  std::vector<std::string> lower = {"#"};
  lower.insert(lower.end(), results.varied.begin(), results.varied.end());
  for (const Column& column : columns) {
    upper.emplace_back(column.upper);
    lower.emplace_back(column.lower);
  }
  table.add(std::move(upper));
  table.add(std::move(lower));
  for (std::size_t p = 0; p < results.points.size(); ++p) {
    std::vector<std::string> row = {fmt::format("{}", p + 1)};
    for (const std::string& value : values_of(results.points[p], results.varied)) row.push_back(clipped(value));
    for (const Column& column : columns) row.push_back(column.cell(results.points[p]));
    table.add(std::move(row));
  }
  return table.str();
}

double elsewhere(const PointResult& p) {
  return 100 - p.summary("lock_percent").mean - p.summary("critical_section_percent").mean;
}

constexpr Column kLockColumns[] = {
    {"", "locks, %", [](const PointResult& p) { return figure(p.summary("lock_percent")); }},
    {"critical", "sections, %", [](const PointResult& p) { return mean_of(p, "critical_section_percent"); }},
    {"", "elsewhere, %", [](const PointResult& p) { return figure(elsewhere(p)); }},
};

constexpr Column kWakeColumns[] = {
    {"", "burns/s", [](const PointResult& p) { return figure(p.summary("ops_per_second")); }},
    {"failed", "cmpxchg", [](const PointResult& p) { return mean_of(p, "failed_cmpxchg_per_wake"); }},
    {"", "PAUSE", [](const PointResult& p) { return mean_of(p, "add_pauses_per_wake"); }},
    {"", "IPIs", [](const PointResult& p) { return mean_of(p, "ipis_per_wake"); }},
    {"workers", "an IPI", [](const PointResult& p) { return mean_of(p, "batch_per_ipi"); }},
};

/// Where the mean lies in [low, high]; if outside, whether its own interval still has a part inside.
std::string_view place_in(const Summary& s, double low, double high) {
  if (s.mean >= low && s.mean <= high) return "inside";
  if (s.high() >= low && s.low() <= high) return "overlaps";
  return s.mean < low ? "below" : "above";
}

std::string rate(double per_second) { return fmt::format("{:.0f}", per_second); }

}  // namespace

bool has_wakes(const Results& results) {
  return std::ranges::any_of(results.points,
                             [](const PointResult& p) { return std::isfinite(p.summary("listed_per_post").mean); });
}

std::string render_lock_shares(const Results& results) {
  if (results.points.empty() || results.points.front().param("locks") == nullptr) return "";
  return "\nShare of the locks in the cycles of all tasks\n" + table_of(results, kLockColumns);
}

std::string render_wakes(const Results& results) {
  if (!has_wakes(results)) return "";
  return "\nPer wake-up: cmpxchg and PAUSE in llist_add, and interprocessor interrupts\n" +
         table_of(results, kWakeColumns);
}

std::string compare_sembench(const Results& results, const Published& published) {
  const std::vector<Pair> all = pairs(results, "variant", "s1", "s2");
  if (all.empty()) return "";
  const std::vector<std::string> keys = varied_keys_but(results, "variant");
  const Summary with = summarise(published.with_cpu_relax);
  const Summary without = summarise(published.without_cpu_relax);
  const Change change = welch_change(published.with_cpu_relax, published.without_cpu_relax);

  TextTable table(1 + keys.size(), 2);
  std::vector<std::string> upper(1 + keys.size());
  std::vector<std::string> lower = {""};
  lower.insert(lower.end(), keys.begin(), keys.end());
  for (const char* text : {"with:", "without:", "removed:", "published"}) upper.emplace_back(text);
  for (const char* text : {"burns/s", "burns/s", "change, %", "interval"}) lower.emplace_back(text);
  table.add(std::move(upper));
  table.add(std::move(lower));
  std::vector<std::string> row(1 + keys.size());
  row[0] = "published";
  row.push_back(rate(with.mean));
  row.push_back(rate(without.mean));
  row.push_back(fmt::format("{:+.2f} ({:+.1f} to {:+.1f})", change.percent, change.low, change.high));
  row.emplace_back("");
  table.add(std::move(row));
  for (const Pair& pair : all) {
    const Summary simulated = change_percent(*pair.before, *pair.after, "ops_per_second");
    row = {"simulated"};
    for (const std::string& value : values_of(*pair.before, keys)) row.push_back(value);
    row.push_back(rate(pair.before->summary("ops_per_second").mean));
    row.push_back(rate(pair.after->summary("ops_per_second").mean));
    row.push_back(fmt::format("{:+.2f} ±{:.2f}", simulated.mean, simulated.ci95));
    row.emplace_back(place_in(simulated, change.low, change.high));
    table.add(std::move(row));
  }
  std::string out = "\nBeside the published runs, which nothing here was fitted to\n" + table.str();
  out += wrapped(fmt::format(
      "Published: {} runs each, sd {:.0f} and {:.0f} burns/s; in brackets Welch's 95 % confidence interval: {}. How "
      "many "
      "burns a second are simulated follows from guessed costs and is no prediction; the change follows from how often "
      "the cmpxchg fails.",
      with.n, with.sd, without.sd,
      change.low < 0 && change.high > 0 ? "not distinguishable from no change" : "distinguishable from no change"));
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/render_c2c.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "sim/c2c_columns.hpp"
#include "sim/render_table.hpp"
#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

std::uint64_t& at(C2cCounts& counts, LoadSource source) { return counts.by_source[static_cast<std::size_t>(source)]; }

/// One point: two tasks at two offsets of a lock, numbers as large as they get.
C2cReport report() {
  C2cReport out;
  out.results = testing::small_results();
  C2cPoint point;
  point.tasks = {{ThreadId{0}, SocketId{0}}, {ThreadId{21}, SocketId{1}}};
  point.touched_lines = 30;
  C2cLine line{"a_lock_with_a_name_that_is_much_too_long+0x40", SocketId{1}, {}, {}};
  for (const int task : {0, 1}) {
    C2cAccess access{static_cast<unsigned>(task) * 8, Phase::kCriticalSection, task, {}, {}};
    at(access.counts, LoadSource::kL1) = 123'456'789;
    at(access.counts, LoadSource::kRmtHitm) = 3'000'000 * (1 + static_cast<std::uint64_t>(task) * 2);
    at(access.counts, LoadSource::kLclHitm) = 9'999'999;
    access.counts.by_reference = {9'999'999, 9'999'999, 0};
    access.cycles = {{3'000'000'000}, {1'234'567'890}, {500'000'000}};
    line.counts += access.counts;
    line.accesses.push_back(access);
  }
  point.counts = line.counts;
  for (int i = 0; i < 25; ++i) point.lines.push_back(line);
  out.points = {point};
  return out;
}

TEST(RenderC2c, TextFitsIntoItsColumnsAndSaysWhatItLeavesOut) {
  const std::string text = render_text(report());
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), kTextColumns) << line;
  for (const char* part : {"Trace Event Information", "Shared Data Cache Line Table: 25 of 30 lines",
                           "Shared Cache Line Distribution Pareto", "… 5 lines more", "… 15 lines more", "LclHitm",
                           "RmtHitm", "LlcHit", "L1Miss", "critical_section"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(RenderC2c, TheParetoHasTheSharesAndMeansOfItsRows) {
  const std::string text = render_text(report());
  // 25 % and 75 % of the remote HITMs; 3e9 / 3e6 and 3e9 / 9e6 cycles.
  const std::size_t first = text.find("0x0 ");
  const std::size_t second = text.find("0x8 ");
  ASSERT_NE(first, std::string::npos);
  ASSERT_NE(second, std::string::npos);
  const std::string one = text.substr(first, text.find('\n', first) - first);
  const std::string two = text.substr(second, text.find('\n', second) - second);
  EXPECT_NE(one.find(" 25.0 "), std::string::npos) << one;
  EXPECT_NE(one.find(" 1000 "), std::string::npos) << one;
  EXPECT_NE(two.find(" 75.0 "), std::string::npos) << two;
  EXPECT_NE(two.find(" 333 "), std::string::npos) << two;
}

TEST(RenderC2c, JsonHasEveryEventAndItsDefinition) {
  const nlohmann::json document = nlohmann::json::parse(render_json(report()));
  EXPECT_EQ(document["schema"], "linebounce.c2c/1");
  const nlohmann::json& point = document["points"][0];
  for (const C2cColumn& column : c2c_columns()) {
    const std::string key(column.key);
    EXPECT_TRUE(point["events"].contains(key)) << key;
    EXPECT_EQ(document["definitions"][key]["definition"], std::string(column.definition));
  }
  EXPECT_EQ(point["events"]["rmt_hitm"], 12'000'000);
  EXPECT_EQ(point["shared_lines"].size(), 25U);
  const nlohmann::json& access = point["shared_lines"][0]["accesses"][1];
  EXPECT_EQ(access["offset"], 8);
  EXPECT_EQ(access["hardware_thread"], 21);
  EXPECT_EQ(access["node"], 1);
  EXPECT_EQ(access["cycles"]["rmt_hitm"], 3'000'000'000);
}

TEST(RenderC2c, CsvHasARowForEveryAccess) {
  const std::string csv = render_csv(report());
  std::istringstream lines(csv);
  std::size_t rows = 0;
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  std::ptrdiff_t columns = 0;
  for (std::string line; std::getline(lines, line); ++rows) {
    if (rows == 0) columns = commas(line);
    EXPECT_EQ(commas(line), columns + (rows == 0 ? 0 : 1)) << line;  // a parameter's value has a comma, in quotes
  }
  EXPECT_EQ(rows, 51U);
}

TEST(RenderC2c, TheDocumentationDefinesEveryColumn) {
  std::ifstream page(LINEBOUNCE_SOURCE "/docs/c2c.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  for (const C2cColumn& c : c2c_columns()) {
    EXPECT_NE(text.find(std::string(c.definition)), std::string::npos) << c.definition;
    EXPECT_NE(text.find("| " + std::string(c.event) + " |"), std::string::npos) << c.event;
  }
  for (const C2cTerm& t : c2c_terms()) {
    EXPECT_NE(text.find("| " + std::string(t.name) + " | " + std::string(t.definition) + " |"), std::string::npos)
        << t.name;
  }
}

}  // namespace
}  // namespace linebounce

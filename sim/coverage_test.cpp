// SPDX-License-Identifier: Apache-2.0
#include "sim/coverage.hpp"

#include <gtest/gtest.h>

#include "coherence/protocol_print.hpp"
#include "sim/render.hpp"
#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using testing::small_results;

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

/// Two points of one mode and one of another; the first row of the home agent's table fired `fired` times in each.
Results results_with(std::uint64_t fired) {
  Results results = small_results();
  results.points.resize(3, results.points.front());
  results.points[1].snoop = SnoopMode::kSource;
  for (PointResult& point : results.points) point.rows.home = {fired};
  return results;
}

TEST(Coverage, SumsTheSeedsOfAPoint) {
  const Machine machine = testing::small_machine();
  const Topology topology(machine);
  const std::vector<std::uint64_t> seeds = {1, 2};
  std::vector<RunResult> runs(2, testing::small_run(3, {400}, topology));
  runs[0].rows = {{1, 2}, {3}, {4}};
  runs[1].rows = {{10, 20}, {30}, {40}};
  const PointResult point = summarise_point({{}, machine, topology, {{0}, {1}}}, seeds, runs);
  EXPECT_EQ(point.rows, (RowsFired{{11, 22}, {33}, {44}}));
}

TEST(Coverage, SumsThePointsThatRunTheSameTables) {
  const std::vector<Coverage> coverage = coverage_of(results_with(5));
  ASSERT_EQ(coverage.size(), 2U);
  EXPECT_EQ(coverage[0].snoop, SnoopMode::kHome);
  EXPECT_EQ(coverage[0].rows.home.front(), 10U);
  EXPECT_EQ(coverage[1].snoop, SnoopMode::kSource);
  EXPECT_EQ(coverage[1].rows.home.front(), 5U);
}

TEST(Coverage, NamesEveryRowThatMayFireAndNoOther) {
  const Coverage coverage = coverage_of(results_with(5)).front();
  for (const Controller controller : kControllers) {
    std::size_t may_fire = 0;
    for (const PrintedRow& row : printed_rows(controller, tables_of(coverage.protocol, coverage.snoop))) {
      if (row.verdict != "impossible") ++may_fire;
    }
    EXPECT_EQ(coverage.of(controller).size(), may_fire);
  }
}

TEST(Coverage, AsTextListsWhatNeverFiredLast) {
  Results results = small_results();
  results.points.front().rows.home = {0, 7, 0, 1234567};
  const std::string text = render_coverage(coverage_of(results));
  EXPECT_EQ(text.find("\nmesi, home snoop: rows of the core, 0 of "), 0U) << text;
  const std::size_t home = text.find("\nmesi, home snoop: rows of the home, 2 of ");
  ASSERT_NE(home, std::string::npos) << text;
  const std::size_t seven = text.find("\n             7  ", home);
  const std::size_t many = text.find("\n       1234567  ", home);
  const std::size_t never = text.find("\n             0  ", home);
  EXPECT_LT(seven, many);
  EXPECT_LT(many, never);
  EXPECT_NE(never, std::string::npos);
}

TEST(Coverage, IsAMemberOfTheDocumentAndChangesNothingElse) {
  const Results results = results_with(5);
  const std::string without = render_json(results);
  const std::string with = render_json(results, coverage_of(results));
  EXPECT_EQ(without.find("\"coverage\""), std::string::npos);
  const std::size_t same = without.size() - 3;  // up to the line break before the last brace
  EXPECT_EQ(with.substr(0, same), without.substr(0, same));
  EXPECT_EQ(with.substr(same, 16), ",\n \"coverage\": [");
  EXPECT_EQ(count(with, "\"snoop\": \"home\""), 1U);
  EXPECT_EQ(count(with, "\"snoop\": \"source\""), 1U);
  EXPECT_EQ(count(with, "\"fired\": 10"), 1U);
}

}  // namespace
}  // namespace linebounce

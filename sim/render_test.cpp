// SPDX-License-Identifier: Apache-2.0
#include "sim/render.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/render_table.hpp"
#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using testing::small_results;

bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

/// Everything between two marks, the marks included.
std::string part(const std::string& text, std::string_view from, std::string_view to) {
  const std::size_t begin = text.find(from);
  const std::size_t end = text.find(to, begin);
  return begin == std::string::npos || end == std::string::npos ? "" : text.substr(begin, end + to.size() - begin);
}

TEST(Json, BeginsWithSchemaScenarioMachineAndSeed) {
  constexpr std::string_view kBeginning = R"({
 "schema": "linebounce.run/1",
 "scenario": "by-hand",
 "title": "A title, with \"quotes\"",
 "question": "",
 "machine": "two-cores",
 "seed": 1,
 "seeds": [
  1,
  2
 ],
 "definitions": {
  "cycles_per_op": {
)";
  EXPECT_EQ(render_json(small_results()).substr(0, kBeginning.size()), kBeginning);
}

TEST(Json, AMetricHasMeanSpreadAndInterval) {
  const std::string json = render_json(small_results());
  EXPECT_EQ(part(json, "\"metrics\": {\n    \"cycles_per_op\"", "}"), R"("metrics": {
    "cycles_per_op": {
     "mean": 110,
     "sd": 14.14213562,
     "ci95": 127.06205,
     "n": 2
    })");
}

TEST(Json, ParametersAndSumsAreIntegersWhereTheThingIsOne) {
  const std::string json = render_json(small_results());
  EXPECT_EQ(part(json, "\"params\"", "}"), R"("params": {
    "tasks": 2,
    "lock": "a,b",
    "local_work": 40
   })");
  EXPECT_TRUE(contains(json, "\"total\": 1760,"));
  EXPECT_TRUE(contains(json, "\"claim\": {\n      \"qpi\": 860\n     }"));
  EXPECT_TRUE(contains(json, "\"GetM\": 8,"));
  EXPECT_TRUE(contains(json, "\"s0>s1\": 160"));
  EXPECT_TRUE(contains(json, "\"digest\": \"0000000000000abc\""));
}

TEST(Json, ASingleSeedHasNoSpread) {
  Results results = small_results();
  for (Summary& s : results.points[0].summaries) s = {1, 3.0, 0, 0};
  EXPECT_TRUE(contains(render_json(results), "\"mean\": 3,\n     \"sd\": null,\n     \"ci95\": null,\n     \"n\": 1"));
}

TEST(Csv, HasUnitsInItsHeaderAndQuotesWhatNeedsIt) {
  const std::string csv = render_csv(small_results());
  EXPECT_EQ(csv.substr(0, 151),
            "scenario,machine,core clock [MHz],tasks,lock,local_work [cycles],seeds,"
            "cycles_per_op mean [core cycles],cycles_per_op ci95 [core cycles],ns_per_op mean");
  EXPECT_EQ(part(csv, "\r\nby-hand", "55,"), "\r\nby-hand,two-cores,2000,2,\"a,b\",40,2,110,127.06205,55,");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
  EXPECT_EQ(csv.substr(csv.size() - 2), "\r\n");
}

TEST(Csv, EveryRowHasAsManyFieldsAsTheHeader) {
  Results results = small_results();
  results.points[0].params[1].second = std::string("plain");
  const std::string csv = render_csv(results);
  const auto split = static_cast<std::ptrdiff_t>(csv.find("\r\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.begin() + split, ','), std::count(csv.begin() + split, csv.end(), ','));
}

TEST(Text, IsATableOfPointsAndAnAccount) {
  EXPECT_EQ(render_text(small_results()), R"(A title, with "quotes"
by-hand, machine two-cores, base seed 1, 2 seeds; ± is the 95 % confidence interval of the mean
lock a,b, local_work 40

                                          failed            fairness  messages
#  tasks     cycles/op  ns/op  Mop/s  cmpxchg/op  PAUSE/op   min/max    per op
------------------------------------------------------------------------------
1  2      110.0 ±127.1  55.00  18.33       0.250     1.750     0.333     1.000

Where the cycles of all tasks went, in percent
#  work  PAUSE  locked  stores  miss  socket   QPI  memory  queues  idle
------------------------------------------------------------------------
1   1.1   50.0     0.0     0.0   0.0     0.0  48.9     0.0     0.0   0.0
work: instructions and cache hits; locked: LOCKed operations and fences executing; stores: waiting
for the store buffer; miss: leaving and entering a core, snooped cores; socket: ring or crossbar and
L3; queues: something was busy; idle: no task.
)");
}

TEST(Text, StaysWithinAHundredColumnsHoweverMuchVaries) {
  Results results = small_results();
  for (const char* key : {"placement", "machine.qpi.crossing_of_some_kind", "layout", "variant"}) {
    results.varied.emplace_back(key);
    results.points[0].params.emplace_back(key, std::string("0 1 2 3 4 5 6 7 8 9 10 11 12 13 14"));
  }
  std::istringstream lines(render_text(results));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), 130U) << line;
}

TEST(Text, TheAccountOfAPointIsPerOperation) {
  EXPECT_EQ(render_account(small_results().points.front()), R"(                      queue         critical
cycles per operation   spin  claim   section    all
---------------------------------------------------
compute                   .      .       2.5    2.5
qpi                       .  107.5         .  107.5
pause                 110.0      .         .  110.0
all                   110.0  107.5       2.5  220.0
)");
}

TEST(Figures, HaveAsManyDigitsAsATableNeeds) {
  EXPECT_EQ(figure(0), "0");
  EXPECT_EQ(figure(0.01234), "0.012");
  EXPECT_EQ(figure(9.9999), "10.00");
  EXPECT_EQ(figure(144.25), "144.2");
  EXPECT_EQ(figure(12345.6), "12346");
  EXPECT_EQ(figure(std::nan("")), "-");
  EXPECT_EQ(figure(Summary{3, 144.25, 1, 0.52}), "144.2 ±0.5");
  EXPECT_EQ(signed_figure(-0.04), "0.0");
  EXPECT_EQ(signed_figure(3.14), "+3.1");
}

TEST(Figures, TextThatMakesATableTooWideGoesOnInTheNextLine) {
  TextTable table(1);
  table.add({"", "n"});
  table.add({"    " + std::string(60, 'a') + " " + std::string(60, 'b'), "1"});
  EXPECT_EQ(table.str(), std::string(68, ' ') + "n\n" + std::string(69, '-') + "\n    " + std::string(60, 'a') +
                             "    1\n      " + std::string(60, 'b') + "\n");
}

TEST(Figures, TextIsBrokenAtSpaces) {
  EXPECT_EQ(wrapped(""), "");
  EXPECT_EQ(wrapped("a b"), "a b\n");
  EXPECT_EQ(wrapped(std::string(99, 'x') + " yy"), std::string(99, 'x') + "\nyy\n");
}

}  // namespace
}  // namespace linebounce

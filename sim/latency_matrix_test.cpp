// SPDX-License-Identifier: Apache-2.0
#include "sim/latency_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/heat_map.hpp"
#include "sim/render_table.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::json;

LatencyMatrix measured(const char* name) {
  const Machine machine = load_machine(name);
  return measure_latency_matrix(machine, Topology(machine));
}

/// One row: a modified line on the same die.
LatencyMatrix one_row() {
  LatencyRow row{{LineState::kModified, HolderPlace::kSameDie, HomePlace::kThird}, 1, 1, {}};
  row.latency.fill({100, Cycles{100}, Cycles{100}});
  row.latency[0] = {82.25, Cycles{70}, Cycles{91}};
  return {"a<b", 2000, {row}};
}

TEST(LatencyMatrix, HasWhatTheMachineHas) {
  const LatencyMatrix two = measured("westmere-ep-2s");
  const auto at = [](HolderPlace place) {
    return [place](const LatencyRow& row) { return row.situation.holder == place; };
  };
  EXPECT_EQ(std::ranges::count_if(two.rows, at(HolderPlace::kSibling)), 12);
  EXPECT_EQ(std::ranges::count_if(two.rows, at(HolderPlace::kOneHop)), 9);
  EXPECT_EQ(std::ranges::count_if(two.rows, at(HolderPlace::kTwoHops)), 0);
  for (const LatencyRow& row : two.rows) {
    for (const OperationLatency& latency : row.latency) {
      EXPECT_GT(latency.min.count, 0);
      EXPECT_LE(latency.min.count, latency.mean);
      EXPECT_LE(latency.mean, latency.max.count);
    }
  }
}

TEST(LatencyMatrix, IsTheSameEveryTime) {
  EXPECT_EQ(render_json(measured("westmere-ep-2s")), render_json(measured("westmere-ep-2s")));
}

TEST(LatencyMatrix, FitsAPage) {
  std::istringstream text(render_text(measured("ivybridge-ex-4s")));
  for (std::string line; std::getline(text, line);) EXPECT_LE(text_width(line), kTextColumns) << line;
}

TEST(LatencyMatrix, SaysARangeOnlyWhereThereIsOne) {
  const std::string text = render_text(one_row());
  EXPECT_NE(text.find("same die\n M       third   82   70-91  100          100 "), std::string::npos) << text;
}

TEST(LatencyMatrix, IsOneDocumentOfJson) {
  const Json document = Json::parse(render_json(one_row()));
  EXPECT_EQ(document["schema"], "linebounce.matrix/1");
  EXPECT_EQ(document["machine"], "a<b");
  EXPECT_EQ(document["cells"].size(), kSingleOperations);
  EXPECT_EQ(document["cells"][0], Json::parse(R"({"operation": "load", "state": "M", "sharers": 1,
      "sharing_sockets": 1, "holder": "same die", "home": "third",
      "core_cycles": {"mean": 82.25, "min": 70, "max": 91}})"));
}

TEST(LatencyMatrix, IsARowOfCsvForEachOperation) {
  EXPECT_EQ(render_csv(one_row()).substr(0, 205),
            "machine,core clock [MHz],operation,state,sharers,sharing sockets,holder,home,mean [core cycles],"
            "min [core cycles],max [core cycles]\r\n"
            "a<b,2000,load,M,1,1,same die,third,82.25,70,91\r\na<b,2000,store+mfence,M,");
}

TEST(HeatMap, HasAColourForEveryValueAndTextThatCanBeReadOnIt) {
  const std::string svg = render_svg({.title = "a<b & c",
                                      .column_axis = "columns",
                                      .row_axis = "rows",
                                      .unit = "cycles",
                                      .columns = {"x", "y"},
                                      .rows = {{"heading", {}}, {"values", {0, 89}}}});
  EXPECT_NE(svg.find("aria-label=\"a&lt;b &amp; c\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("class=\"black\" text-anchor=\"middle\">0<"), std::string::npos) << svg;
  EXPECT_NE(svg.find("class=\"white\" text-anchor=\"middle\">89<"), std::string::npos) << svg;
  EXPECT_NE(svg.find(">80 to 89<"), std::string::npos) << svg;
}

}  // namespace
}  // namespace linebounce

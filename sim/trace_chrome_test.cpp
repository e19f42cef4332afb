// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "sim/trace_formats.hpp"
#include "sim/trace_testing.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::ordered_json;

class ChromeTrace : public testing::TraceTest {
 protected:
  ChromeTrace() : document_(Json::parse(render_chrome(tracks_, "this \"run\""))) {}
  const Json& events() const { return document_["traceEvents"]; }
  Json document_;
};

TEST_F(ChromeTrace, EventsComeFirstAndNothingElseThatOldReadersStopAt) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : document_.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"traceEvents", "displayTimeUnit", "otherData"}));
  EXPECT_EQ(document_["otherData"]["about"], "this \"run\"");
}

TEST_F(ChromeTrace, SlicesAreWholeNumbersThatNestOnTracksWithNames) {
  std::set<std::pair<int, int>> named;
  std::map<std::pair<int, int>, std::vector<std::int64_t>> open;
  std::size_t slices = 0;
  for (const Json& e : events()) {
    if (e["ph"] == "M" && e["name"] == "thread_name") named.emplace(e["pid"], e["tid"]);
    if (e["ph"] != "X") continue;
    ++slices;
    EXPECT_TRUE(e["ts"].is_number_integer() && e["dur"].is_number_integer());
    const std::pair<int, int> track(e["pid"], e["tid"]);
    EXPECT_TRUE(track.first > 0 && track.second > 0 && named.contains(track));
    const auto begin = e["ts"].get<std::int64_t>();
    const std::int64_t end = begin + e["dur"].get<std::int64_t>();
    EXPECT_LT(begin, end);
    std::vector<std::int64_t>& ends = open[track];
    while (!ends.empty() && ends.back() <= begin) ends.pop_back();
    if (!ends.empty()) {
      EXPECT_LE(end, ends.back());
    }
    ends.push_back(end);
  }
  EXPECT_EQ(slices, tracks_.slices.size());
}

TEST_F(ChromeTrace, TimeDoesNotGoBack) {
  std::int64_t last = 0;
  std::map<std::string, std::int64_t> counters;
  for (const Json& e : events()) {
    if (e["ph"] == "M") continue;
    std::int64_t& before = e["ph"] == "C" ? counters[e["name"]] : last;
    EXPECT_LE(before, e["ts"].get<std::int64_t>());
    before = e["ts"];
  }
  EXPECT_EQ(counters.size(), tracks_.counters.size());
}

TEST_F(ChromeTrace, AnArrowHasTwoEndsWithTheSameKeyEachInsideTheSliceBeforeIt) {
  std::map<std::tuple<std::int64_t, std::string, std::string>, std::vector<std::string>> arrows;
  const Json* before = nullptr;
  for (const Json& e : events()) {
    if (e["ph"] == "s" || e["ph"] == "f") {
      arrows[{e["id"], e["cat"], e["name"]}].push_back(e["ph"]);
      ASSERT_NE(before, nullptr);
      for (const char* key : {"pid", "tid", "ts", "name"}) EXPECT_EQ(e[key], (*before)[key]);
      if (e["ph"] == "f") {
        EXPECT_EQ(e["bp"], "e");
      }
    }
    before = &e;
  }
  EXPECT_GT(arrows.size(), 100U);
  for (const auto& [key, ends] : arrows) EXPECT_EQ(ends, (std::vector<std::string>{"s", "f"}));
}

}  // namespace
}  // namespace linebounce

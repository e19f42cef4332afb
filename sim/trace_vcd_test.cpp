// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "sim/trace_formats.hpp"
#include "sim/trace_testing.hpp"

namespace linebounce {
namespace {

/// Reads a value change dump.
struct Dump {
  std::map<std::string, std::string> signals;                                       ///< by id: "scope.scope.name"
  std::map<std::string, std::vector<std::pair<std::int64_t, std::string>>> values;  ///< by name
  std::vector<std::int64_t> times;
};

class VcdTrace : public testing::TraceTest {
 protected:
  VcdTrace() {
    std::vector<std::string> scopes;
    std::set<std::string> names;
    std::int64_t now = -1;
    for (const std::string& line : lines_of(render_vcd(tracks_, "this run"))) {
      const std::vector<std::string> words = fields_of(line, ' ');
      if (words[0] == "$scope") {
        scopes.push_back(words[2]);
      } else if (words[0] == "$upscope") {
        scopes.pop_back();
      } else if (words[0] == "$var") {
        std::string name;
        for (const std::string& scope : scopes) name += scope + ".";
        EXPECT_EQ(words.size(), 6U) << line;
        EXPECT_TRUE(std::ranges::all_of(words[3], [](char c) { return c >= 33 && c <= 126; }));
        EXPECT_TRUE(dump_.signals.emplace(words[3], name + words[4]).second) << line;
        EXPECT_TRUE(names.insert(name + words[4]).second) << line;
      } else if (words[0][0] == '#') {
        now = std::stoll(words[0].substr(1));
        dump_.times.push_back(now);
      } else if (words[0][0] == 's' || words[0][0] == 'b') {
        EXPECT_EQ(words.size(), 2U) << line;
        EXPECT_TRUE(dump_.signals.contains(words[1])) << line;
        dump_.values[dump_.signals[words[1]]].emplace_back(now, words[0].substr(1));
      } else {
        EXPECT_EQ(line[0], '$') << line;
      }
      EXPECT_EQ(line.find("$date"), std::string::npos);
    }
    EXPECT_TRUE(scopes.empty());
  }
  Dump dump_;
};

TEST_F(VcdTrace, TimeStrictlyIncreasesFromTheBeginToTheEnd) {
  EXPECT_EQ(dump_.times.front(), kBegin.count);
  EXPECT_EQ(dump_.times.back(), kEnd.count);
  EXPECT_EQ(std::ranges::adjacent_find(dump_.times, std::greater_equal<>()), dump_.times.end());
}

TEST_F(VcdTrace, EverySignalHasAValueAtTheBegin) {
  EXPECT_EQ(dump_.values.size(), dump_.signals.size());
  for (const auto& [name, values] : dump_.values) EXPECT_EQ(values.front().first, kBegin.count) << name;
}

TEST_F(VcdTrace, SignalsHaveTheValuesOfTheSlices) {
  const auto value_at = [&](const std::string& signal, Cycles at) {
    std::string value;
    for (const auto& [since, it] : dump_.values.at(signal)) {
      if (since <= at.count) value = it;
    }
    return value;
  };
  std::size_t checked = 0;
  for (std::size_t s = 0; s < tracks_.slices.size(); s += 7) {
    const TraceSlice& slice = tracks_.slices[s];
    if (tracks_.tracks[slice.track].name != "lock: s0.core0" &&
        tracks_.tracks[slice.track].name != "task 0: s0.core0") {
      continue;
    }
    static const std::map<SliceKind, std::string> signals = {
        {SliceKind::kPhase, "socket_0.task_0_s0_core0.phase"},
        {SliceKind::kOperation, "socket_0.task_0_s0_core0.operation"},
        {SliceKind::kSegment, "socket_0.task_0_s0_core0.cause"},
        {SliceKind::kState, "cache_lines.lock_s0_core0.state"}};
    const auto signal = signals.find(slice.kind);
    if (signal == signals.end()) continue;
    std::string expected = tracks_.name(slice);
    std::ranges::replace(expected, ' ', '_');
    EXPECT_EQ(value_at(signal->second, slice.begin), expected);
    EXPECT_EQ(value_at(signal->second, slice.end - Cycles{1}), expected);
    ++checked;
  }
  EXPECT_GT(checked, 20U);
}

TEST_F(VcdTrace, TheSaveFileShowsSignalsThatAreThereByNamesThatAreNot) {
  std::set<std::string> paths;
  for (const auto& [id, path] : dump_.signals) paths.insert(path);
  std::size_t shown = 0;
  std::size_t headings = 0;
  for (const std::string& line : lines_of(render_gtkw(tracks_, "this run"))) {
    if (line[0] == '-') ++headings;
    if (line[0] != '+') continue;
    const std::size_t end = line.find("} ");
    ASSERT_NE(end, std::string::npos) << line;
    EXPECT_TRUE(paths.contains(line.substr(end + 2))) << line;
    ++shown;
  }
  const auto lines_and_threads = std::ranges::count_if(
      tracks_.tracks, [](const TraceTrack& t) { return t.kind == TrackKind::kThread || t.kind == TrackKind::kLine; });
  EXPECT_GE(shown, headings);
  EXPECT_EQ(headings, static_cast<std::size_t>(lines_and_threads));
}

}  // namespace
}  // namespace linebounce

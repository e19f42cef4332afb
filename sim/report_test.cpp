// SPDX-License-Identifier: Apache-2.0
#include "sim/report.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "sim/cli_commands.hpp"
#include "sim/read_results.hpp"
#include "sim/render.hpp"
#include "sim/rerun.hpp"
#include "sim/results_testing.hpp"
#include "sim/run_pool.hpp"
#include "topologies/input_error.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

constexpr const char* kScenario =
    "title = \"</title><script>alert(1)</script>\"\nmachine = \"westmere-ep-2s\"\n[workload]\nkind = \"lock-loop\"\n"
    "lock = \"qspinlock\"\n[run]\nplacement = [0, 2, 12]\niterations = 20\nwarmup = 5\nseeds = 2\n[vary]\n"
    "variant = [\"before\", \"after\"]\ntasks = [2, 3]\n\"machine.core.pause\" = [9, 30]\n";

Scenario scenario() { return parse_scenario(kScenario, "hostile.toml"); }

Results results() {
  const Scenario s = scenario();
  return run_plan(s, make_plan(s, known_names()), {});
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

TEST(ReadResults, GivesBackWhatWasWritten) {
  const Results written = results();
  const Results read = read_results(render_json(written), "it");
  EXPECT_EQ(read.title, written.title);
  EXPECT_EQ(read.varied, written.varied);
  ASSERT_EQ(read.points.size(), written.points.size());
  for (std::size_t i = 0; i < read.points.size(); ++i) {
    EXPECT_EQ(read.points[i].params, written.points[i].params);
    EXPECT_EQ(read.points[i].placement, written.points[i].placement);
    EXPECT_EQ(read.points[i].account.cycles, written.points[i].account.cycles);
    EXPECT_EQ(read.points[i].messages, written.points[i].messages);
    EXPECT_EQ(read.points[i].link_bytes, written.points[i].link_bytes);
    EXPECT_EQ(read.points[i].replicas[1].digest, written.points[i].replicas[1].digest);
  }
}

TEST(ReadResults, RefusesWhatIsNoResult) {
  for (const char* text :
       {"", "{", "[]", "{}", R"({"schema": "linebounce.matrix/1"})", R"({"schema": "linebounce.run/1"})"}) {
    EXPECT_THROW(read_results(text, "file.json"), InputError) << text;
  }
}

TEST(ReadResults, SaysWhereAFileStopsBeingJson) {
  try {
    (void)read_results("{\"a\":\n [1,}", "file.json");
    FAIL();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()).find("file.json:2:5: no JSON, expected what"), 0U) << e.what();
  }
}

TEST(Rerun, IsTheSameRunForEveryPoint) {
  const Results r = read_results(render_json(results()), "it");
  for (std::size_t i = 0; i < r.points.size(); ++i) {
    const Rerun again = rerun_point(r, i, scenario());
    ASSERT_TRUE(again.run.has_value()) << again.why_not;
    EXPECT_EQ(again.run->result.digest, r.points[i].replicas[0].digest);
  }
}

TEST(Rerun, OfALongRunRecordsTheBeginningOfItsWindow) {
  Scenario slow = scenario();
  override_scenario(slow, "local_work=100000");
  override_scenario(slow, "warmup=30");
  override_scenario(slow, "iterations=40");
  slow.vary.clear();
  const Results r = read_results(render_json(run_plan(slow, make_plan(slow, known_names()), {.jobs = 1})), "it");
  const Rerun again = rerun_point(r, 0, slow);
  ASSERT_TRUE(again.run.has_value()) << again.why_not;
  const Recording& recording = again.run->recording;
  EXPECT_GT(recording.window_opened, kMostRecorded);
  EXPECT_EQ(recording.begin, recording.window_opened);
  EXPECT_LE(recording.end, recording.window_opened + kMostRecorded);
  EXPECT_LT(recording.end, recording.window_closed);
  EXPECT_GT(recording.completions.size(), 10U);
  Report report;
  report.sections.push_back(report_section(r, slow, {0}));
  EXPECT_NE(render_html(report).find("in the first 2000000 cycles of the measured window"), std::string::npos);
}

TEST(Rerun, OfAnotherScenarioIsNotShown) {
  Results r = results();
  r.points[0].replicas[0].digest ^= 1;
  const Rerun again = rerun_point(r, 0, scenario());
  EXPECT_FALSE(again.run.has_value());
  EXPECT_NE(again.why_not.find("another digest"), std::string::npos);
}

TEST(Report, HoldsEveryPointAndMetricAndNothingFromOutside) {
  Report report;
  report.title = "a <b>";
  report.sections.push_back(report_section(results(), scenario(), {0, 7}));
  const std::string page = render_html(report);
  EXPECT_EQ(page, render_html(report));
  EXPECT_EQ(count(page, "<tr data-n="), 8U);
  EXPECT_EQ(count(page, "<td"), 8 * (1 + 3 + metrics().size()));
  for (const Metric& metric : metrics()) {
    EXPECT_NE(page.find("data-key=\"" + std::string(metric.name) + "\""), std::string::npos) << metric.name;
  }
  EXPECT_EQ(count(page, "http://"), count(page, "http://www.w3.org/2000/svg"));
  EXPECT_EQ(count(page, "https://"), 0U);
  const std::string policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-";
  ASSERT_EQ(count(page, policy), 1U);
  const std::string hash = page.substr(page.find(policy) + policy.size(), 45);
  EXPECT_EQ(hash.substr(43), "='");
  EXPECT_TRUE(std::ranges::all_of(hash.substr(0, 43), [](unsigned char c) {
    return std::isalnum(c) || c == '+' || c == '/';
  })) << hash;
  EXPECT_EQ(count(page, "<script"), 1U) << "the title's is text";
  EXPECT_EQ(count(page, "class=\"zoom\""), 2U);
  EXPECT_EQ(count(page, "traffic of each link over time\""), 1U) << "two tasks on one crossbar use no link";
}

TEST(Report, SaysWhyAPointIsNotShownInDetail) {
  Report report;
  report.sections.push_back(report_section(testing::small_results(), {}, {0}, "it is <gone>"));
  EXPECT_NE(render_html(report).find("it is &lt;gone&gt;."), std::string::npos);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/render_workloads.hpp"

#include <gtest/gtest.h>

#include <array>

#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using testing::small_machine;
using testing::small_results;
using testing::small_run;

/// Points that differ in one key, each with two seeds.
using TwoRuns = std::array<RunResult, 2>;

Results results_of(const std::string& key, const std::vector<std::pair<Value, TwoRuns>>& points) {
  const Machine machine = small_machine();
  const Topology topology(machine);
  const std::vector<std::uint64_t> seeds = {1, 2};
  Results results;
  results.varied = {key};
  for (const auto& [value, runs] : points) {
    results.points.push_back(summarise_point({{{key, value}}, machine, topology, {{0}, {1}}}, seeds, runs));
  }
  return results;
}

Results results_with(const std::string& key, const std::vector<std::pair<Value, RunResult>>& points) {
  std::vector<std::pair<Value, TwoRuns>> twice;
  for (const auto& [value, run] : points) twice.push_back({value, {run, run}});
  return results_of(key, twice);
}

RunResult woken(std::uint64_t burns, std::uint64_t failed, std::uint64_t pauses) {
  const Machine machine = small_machine();
  RunResult run = small_run(burns - 1, {400}, Topology(machine));
  const auto set = [&](WakeEvent e, std::uint64_t n) { run.wakes.events[static_cast<std::size_t>(e)] = n; };
  set(WakeEvent::kPost, 10);
  set(WakeEvent::kListed, 8);
  set(WakeEvent::kFailedAdd, failed);
  set(WakeEvent::kAddPause, pauses);
  set(WakeEvent::kIpi, 4);
  set(WakeEvent::kInterrupt, 4);
  set(WakeEvent::kActivated, 10);
  return run;
}

Results sembench() {
  return results_with("variant", {{std::string("s1"), woken(4, 2, 2)}, {std::string("s2"), woken(8, 2, 0)}});
}

TEST(WorkloadText, SaysNothingAboutOtherWorkloads) {
  EXPECT_FALSE(has_wakes(small_results()));
  EXPECT_EQ(render_wakes(small_results()), "");
  EXPECT_EQ(render_lock_shares(small_results()), "");
}

TEST(WorkloadText, GivesWakeUpsPerWakeUp) {
  ASSERT_TRUE(has_wakes(sembench()));
  EXPECT_EQ(render_wakes(sembench()), R"(
Per wake-up: cmpxchg and PAUSE in llist_add, and interprocessor interrupts
                       failed                workers
#  variant   burns/s  cmpxchg  PAUSE   IPIs   an IPI
----------------------------------------------------
1  s1       20000000    0.250  0.250  0.500    2.500
2  s2       40000000    0.250      0  0.500    2.500
)");
}

TEST(WorkloadText, SetsSembenchBesideWhatWasPublished) {
  Published published;
  published.with_cpu_relax = {100, 110, 120};
  published.without_cpu_relax = {105, 115, 125};
  const std::string text = compare_sembench(sembench(), published);
  EXPECT_EQ(text, R"(
Beside the published runs, which nothing here was fitted to
              with:  without:                removed:  published
            burns/s   burns/s               change, %   interval
----------------------------------------------------------------
published       110       115  +4.55 (-16.1 to +25.2)
simulated  20000000  40000000           +100.00 ±0.00      above
Published: 3 runs each, sd 10 and 10 burns/s; in brackets Welch's 95 % confidence interval: not
distinguishable from no change. How many burns a second are simulated follows from guessed costs and
is no prediction; the change follows from how often the cmpxchg fails.
)");
  EXPECT_EQ(compare_sembench(results_with("variant", {{std::string("s1"), woken(4, 2, 2)}}), published), "");
}

TEST(WorkloadText, AnIntervalThatReachesThePublishedOneIsNotAboveIt) {
  Published published;
  published.with_cpu_relax = {100, 100.1, 99.9};
  published.without_cpu_relax = {101, 101.1, 100.9};
  const TwoRuns before = {woken(40, 0, 0), woken(60, 0, 0)};
  const TwoRuns after = {woken(70, 0, 0), woken(50, 0, 0)};
  const Results r = results_of("variant", {{std::string("s1"), before}, {std::string("s2"), after}});
  const std::string text = compare_sembench(r, published);
  // 50 and 60 in the mean: +20 %, not the mean of +75 % and -17 %
  EXPECT_NE(text.find("+20.00 ±508.25   overlaps"), std::string::npos) << text;
}

TEST(WorkloadText, GivesTheShareOfTheLocksInAMix) {
  const Machine machine = small_machine();
  const RunResult run = small_run(3, {400}, Topology(machine));
  const std::vector<MixedLock> locks = {{.name = "a"}};
  EXPECT_EQ(render_lock_shares(results_with("locks", {{locks, run}})), R"(
Share of the locks in the cycles of all tasks
                                          critical
#  locks                     locks, %  sections, %  elsewhere, %
----------------------------------------------------------------
1  a 100 % 0 cycles 1 words     98.75        1.250             0
)");
}

}  // namespace
}  // namespace linebounce

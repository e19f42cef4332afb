// SPDX-License-Identifier: Apache-2.0
#include "sim/run_pool.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>

#include "sim/render.hpp"
#include "sim/results_testing.hpp"

namespace linebounce {
namespace {

using testing::small_machine;
using testing::small_run;

/// Four points of two tasks.
Plan small_plan() {
  Plan plan;
  plan.machine = "two-cores";
  plan.seeds = {1, 2, 3};
  plan.varied = {"local_work"};
  const auto machine = std::make_shared<const Machine>(small_machine());
  const auto topology = std::make_shared<const Topology>(*machine);
  for (const std::int64_t work : {10, 20, 30, 40}) {
    Point point;
    point.params = {{"local_work", work}};
    point.machine = machine;
    point.topology = topology;
    point.experiment.machine = machine.get();
    point.experiment.topology = topology.get();
    point.experiment.placement = {{0}, {1}};
    point.experiment.workload.local_work = {work};
    plan.points.push_back(std::move(point));
  }
  return plan;
}

Scenario small_scenario() {
  Scenario scenario;
  scenario.name = "by-hand";
  return scenario;
}

RunResult fake(const Experiment& e) {
  return small_run(e.system.seed, {e.workload.local_work.count * 10}, *e.topology);
}

TEST(RunPool, AnyNumberOfProcessesGivesTheSameResult) {
  const std::string alone = render_json(run_plan(small_scenario(), small_plan(), {.run = fake}));
  for (const int jobs : {2, 3, 12, 100}) {
    EXPECT_EQ(render_json(run_plan(small_scenario(), small_plan(), {.jobs = jobs, .run = fake})), alone) << jobs;
  }
}

std::string failure_message(int jobs, const std::function<RunResult(const Experiment&)>& run) {
  try {
    run_plan(small_scenario(), small_plan(), {.jobs = jobs, .run = run});
  } catch (const BrokenModel& e) {
    return std::string("broken ") + e.what();
  } catch (const LimitReached& e) {
    return std::string("limit ") + e.what();
  }
  return "";
}

TEST(RunPool, OfSeveralFailuresTheFirstInOrderIsThrownWhoeverMeetsItFirst) {
  const auto run = [](const Experiment& e) -> RunResult {
    if (e.workload.local_work.count >= 30) throw BrokenModel("late");
    if (e.workload.local_work.count == 20 && e.system.seed >= 2) {
      usleep(5000);
      throw LimitReached("early");
    }
    return fake(e);
  };
  for (const int jobs : {1, 2, 5, 12}) {
    EXPECT_EQ(failure_message(jobs, run), "limit by-hand, local_work 20, seed 2: early") << jobs;
  }
}

TEST(RunPool, AProcessThatDiesIsReportedWithWhatItWasAt) {
  const auto run = [](const Experiment& e) -> RunResult {
    if (e.workload.local_work.count == 30) raise(SIGKILL);
    return fake(e);
  };
  EXPECT_EQ(failure_message(2, run), "broken by-hand, local_work 30, seed 1: the process ended by signal 9 (Killed)");
}

TEST(RunPool, ARunSurvivesPackingInFull) {
  const Topology topology(small_machine());
  RunResult run = small_run(5, {1000}, topology);
  run.rows = {{1, 2}, {3}, {4, 5, 6}};
  const RunResult back = unpack(pack(run));
  EXPECT_EQ(pack(back), pack(run));
  EXPECT_EQ(back.operations, run.operations);
  EXPECT_EQ(back.counting, run.counting);
  EXPECT_EQ(back.digest, run.digest);
  EXPECT_EQ(back.rows, run.rows);
  EXPECT_THROW(unpack(pack(run).substr(1)), std::runtime_error);
}

}  // namespace
}  // namespace linebounce

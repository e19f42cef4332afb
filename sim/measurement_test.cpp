// SPDX-License-Identifier: Apache-2.0
#include "sim/measurement.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace linebounce {
namespace {

/// A measurement whose ends are written down.
struct Fixture {
  Fixture(std::vector<bool> counting, Length length)
      : measurement(std::move(counting), length,
                    {[this](Cycles at) { ends += " open@" + std::to_string(at.count); },
                     [this](Cycles at) { ends += " close@" + std::to_string(at.count); }}) {
    measurement.start();
  }
  std::string ends;
  Measurement measurement;
};

constexpr Length length(std::int64_t warmup, std::int64_t iterations, std::int64_t cycles = 0) {
  return {warmup, iterations, Cycles{cycles}};
}

TEST(Measurement, OpensAtCycle0WithoutWarmup) {
  Fixture f({true}, length(0, 1));
  EXPECT_EQ(f.ends, " open@0");
}

TEST(Measurement, OpensWhenTheLastTaskHasDoneItsWarmup) {
  Fixture f({true, true}, length(2, 5));
  f.measurement.completed(0, {10});
  f.measurement.completed(0, {20});
  f.measurement.completed(0, {30});
  f.measurement.completed(1, {35});
  EXPECT_EQ(f.ends, "");
  f.measurement.completed(1, {40});
  EXPECT_EQ(f.ends, " open@40");
}

TEST(Measurement, OpensWithoutATaskThatStarves) {
  Fixture f({true, true}, length(2, 5));
  for (std::int64_t now = 1; now < 2 + 10 * 2 * 2; ++now) f.measurement.completed(0, {now});
  EXPECT_EQ(f.ends, "");
  f.measurement.completed(0, {42});
  EXPECT_EQ(f.ends, " open@42");
}

TEST(Measurement, TasksThatDoNotCountNeedNoWarmup) {
  Fixture f({true, false}, length(1, 5));
  f.measurement.completed(0, {10});
  EXPECT_EQ(f.ends, " open@10");
}

TEST(Measurement, ClosesWhenTheTasksTogetherHaveDoneTheirIterations) {
  Fixture f({true, true}, length(0, 2));
  EXPECT_TRUE(f.measurement.completed(0, {10}));
  EXPECT_TRUE(f.measurement.completed(0, {20}));
  EXPECT_TRUE(f.measurement.completed(0, {30}));
  EXPECT_EQ(f.ends, " open@0");
  EXPECT_TRUE(f.measurement.completed(1, {31}));
  EXPECT_EQ(f.ends, " open@0 close@31");
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{3, 1}));
}

TEST(Measurement, EveryTaskStopsAfterTheCloseAndItsLastOperationDoesNotCount) {
  Fixture f({true, true}, length(0, 1));
  f.measurement.completed(0, {10});
  EXPECT_TRUE(f.measurement.completed(1, {12}));
  EXPECT_TRUE(f.measurement.running({12}));
  EXPECT_FALSE(f.measurement.running({13}));
  EXPECT_FALSE(f.measurement.completed(0, {13}));
  EXPECT_FALSE(f.measurement.completed(1, {14}));
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{1, 1}));
}

TEST(Measurement, CompletionsInTheClosingCycleCountInWhateverOrderTheyAreSeen) {
  Fixture f({true, true}, length(0, 1, 0));
  f.measurement.completed(0, {9});
  EXPECT_TRUE(f.measurement.completed(0, {10}));
  EXPECT_TRUE(f.measurement.completed(1, {10}));
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{2, 1}));
}

TEST(Measurement, CompletionsInTheOpeningCycleDoNotCount) {
  Fixture f({true, true}, length(1, 9));
  f.measurement.completed(0, {5});
  f.measurement.completed(1, {10});
  f.measurement.completed(0, {10});
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{0, 0}));
}

TEST(Measurement, ClosesAfterSoManyCyclesIfThatComesFirst) {
  Fixture f({true}, length(1, 100, 50));
  f.measurement.completed(0, {10});
  EXPECT_EQ(f.ends, " open@10 close@60");
  EXPECT_TRUE(f.measurement.completed(0, {60}));
  EXPECT_FALSE(f.measurement.completed(0, {61}));
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{1}));
}

TEST(Measurement, IterationsMayCloseBeforeTheCyclesAreOver) {
  Fixture f({true}, length(0, 1, 50));
  f.measurement.completed(0, {10});
  EXPECT_EQ(f.ends, " open@0 close@50 close@10");
}

TEST(Measurement, RunsByCyclesAlone) {
  Fixture f({true}, length(0, 0, 50));
  for (std::int64_t now = 1; now <= 50; ++now) EXPECT_TRUE(f.measurement.completed(0, {now}));
  EXPECT_FALSE(f.measurement.completed(0, {51}));
  EXPECT_EQ(f.measurement.operations(), (std::vector<std::uint64_t>{50}));
}

TEST(Measurement, ATaskCatchesUpOnlyWhereOthersCouldChangeTheAnswer) {
  Fixture f({true, true}, length(2, 50));
  EXPECT_FALSE(f.measurement.must_catch_up(0, {10})) << "early in the warm-up";
  f.measurement.completed(0, {10});
  EXPECT_TRUE(f.measurement.must_catch_up(0, {20})) << "its warm-up ends, the window may open";
  f.measurement.completed(0, {20});
  f.measurement.completed(1, {30});
  f.measurement.completed(1, {100});
  EXPECT_FALSE(f.measurement.must_catch_up(0, {198})) << "1 + 98 operations at most, of 100";
  EXPECT_TRUE(f.measurement.must_catch_up(0, {199})) << "the other task may have done 99";
}

TEST(Measurement, ALoneTaskNeverWaitsForOthersUntilItsLastOperation) {
  Fixture f({true}, length(0, 3));
  f.measurement.completed(0, {1000});
  EXPECT_FALSE(f.measurement.must_catch_up(0, {2000}));
  f.measurement.completed(0, {2000});
  EXPECT_TRUE(f.measurement.must_catch_up(0, {3000}));
}

TEST(Measurement, RefusesARunWithoutEnd) {
  EXPECT_THROW(Fixture({true}, length(1, 0)), std::invalid_argument);
  EXPECT_THROW(Fixture({false}, length(1, 1)), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce

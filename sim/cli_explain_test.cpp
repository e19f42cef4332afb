// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce explain` and `linebounce diff`: exit codes, what is printed, and what is refused.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <utility>

#include "sim/command_testing.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

using testing::Finished;

class ExplainVerbs : public testing::CommandTest {
 protected:
  std::string scenario() const {
    return write("t.toml",
                 "title = 't'\nquestion = 'q'\nmachine = 'westmere-ex-4s'\n[workload]\nkind = 'lock-loop'\n"
                 "lock = 'qspinlock'\n[run]\niterations = 20\nwarmup = 5\nseeds = 3\ntasks = 3\n"
                 "placement = 'different-nodes'\n");
  }
  std::string lone() const {
    return write("lone.toml",
                 "title = 't'\nquestion = 'q'\nmachine = 'westmere-ex-4s'\n[workload]\nkind = 'atomic-loop'\n"
                 "op = 'xadd'\n[run]\niterations = 20\nwarmup = 5\ntasks = 1\nplacement = 'same-node'\n");
  }
};

void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), kTextColumns) << line;
}

TEST_F(ExplainVerbs, ExplainTellsTheStackThePathAndTheStoryInAHundredColumns) {
  const Finished f = run("explain " + scenario() + " --worst");
  EXPECT_EQ(f.code, 0) << f.err;
  for (const char* part : {"A hand-off: from", "An operation of a task", "cmpxchg\n", "In words",
                           "The critical path of the longest", "Cycle by cycle", " over s"}) {
    EXPECT_NE(f.out.find(part), std::string::npos) << part;
  }
  expect_narrow(f.out);
}

TEST_F(ExplainVerbs, AHandOffIsChosenByNumberOrByCycle) {
  const std::string begin = "explain " + scenario();
  const Finished by_number = run(begin + " --op 7");
  ASSERT_EQ(by_number.code, 0) << by_number.err;
  const std::size_t at = by_number.out.find("seed 1: cycle ");
  ASSERT_NE(at, std::string::npos);
  const std::string cycle = by_number.out.substr(at + 14, by_number.out.find(',', at) - at - 14);
  EXPECT_EQ(run(begin + " --at " + cycle).out, by_number.out);
}

TEST_F(ExplainVerbs, WhatCannotBeExplainedIsAnErrorThatSaysWhatCan) {
  for (const auto& [arguments, message] :
       {std::pair{scenario() + " --op 100000", "1 to "}, std::pair{scenario() + " --at 1", "such as"},
        std::pair{lone() + " --median", "a scenario with a lock"}, std::pair{scenario() + " --at abc", "in range 0"},
        std::pair{std::string("--statistic pauze"), "pause"}, std::pair{std::string(""), "the name of a scenario"}}) {
    const Finished f = run("explain " + arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(f.out, "");
    EXPECT_NE(f.err.find(message), std::string::npos) << f.err;
  }
}

TEST_F(ExplainVerbs, EveryStatisticHasOneDefinitionWithAUnit) {
  const Finished one = run("explain --statistic slice_queue");
  EXPECT_EQ(one.out, "slice_queue [cycles]: queued at the L3 slice behind another request\n");
  const Finished all = run("explain --statistic all");
  EXPECT_NE(all.out.find("cycles_per_op ["), std::string::npos);
  EXPECT_NE(all.out.find(one.out), std::string::npos);
  expect_narrow(all.out);
}

TEST_F(ExplainVerbs, DiffComparesTwoValuesOfAKeyOrTwoScenarios) {
  const std::string file = scenario();
  const Finished varied = run("diff " + file + " --vary variant=before,after");
  EXPECT_EQ(varied.code, 0) << varied.err;
  EXPECT_NE(varied.out.find("The first operation that differs"), std::string::npos);
  expect_narrow(varied.out);
  const Finished same = run("diff " + file + " " + file);
  EXPECT_NE(same.out.find("every operation is the same in both runs"), std::string::npos) << same.out;
  for (const std::string& bad :
       {file, file + " --vary variant=before", file + " --vary variant", file + " --vary seeds=2,3"}) {
    const Finished f = run("diff " + bad);
    EXPECT_EQ(f.code, 2) << bad;
    EXPECT_EQ(f.err.find("linebounce: "), 0U) << f.err;
  }
}

TEST_F(ExplainVerbs, DiffGivesNanosecondsIfTheClocksDiffer) {
  const Finished f = run("diff " + scenario() + " --vary machine.clock.core_mhz=2000,3000");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("cores of 2000 and of 3000 MHz, so in ns\n"), std::string::npos) << f.out;
  EXPECT_NE(f.out.find("a hand-off, in ns"), std::string::npos);
  EXPECT_NE(f.out.find("all tasks together, ns per operation"), std::string::npos);
}

TEST_F(ExplainVerbs, TextFitsAHundredColumnsAlsoWhereASpinLoopHasNoPause) {
  const Finished f = run("explain " + scenario() + " --set relax=false --worst");
  EXPECT_EQ(f.code, 0) << f.err;
  EXPECT_NE(f.out.find("machine clear"), std::string::npos);
  expect_narrow(f.out);
  expect_narrow(run("diff " + scenario() + " --vary relax=true,false").out);
  expect_narrow(run("explain " + scenario() + " --set tasks=24 --set lock=ticket --worst").out);
}

TEST_F(ExplainVerbs, DiffTakesListsAndAKeyCanBeTakenAwayForBothSides) {
  const std::string file = scenario();
  EXPECT_EQ(run("diff " + file + " --vary 'placement=[0,2,4],[0,20,40]' --set tasks=").code, 0);
  const std::string variant = " --set variant=before";
  EXPECT_NE(run("diff " + file + variant + " --vary lock=ticket,qspinlock").code, 0) << "ticket has no variant";
  EXPECT_EQ(run("diff " + file + variant + " --set variant= --vary lock=ticket,qspinlock").code, 0);
}

TEST_F(ExplainVerbs, BothSpeakJson) {
  EXPECT_EQ(run("explain " + scenario() + " --json").out.find("{\n  \"schema\": \"linebounce.explain/2\",\n"), 0U);
  EXPECT_EQ(
      run("diff " + scenario() + " --vary words=1,2 --json").out.find("{\n  \"schema\": \"linebounce.diff/2\",\n"), 0U);
}

}  // namespace
}  // namespace linebounce

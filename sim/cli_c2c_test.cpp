// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce run SCENARIO --c2c`: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

using testing::Finished;

class C2cCommand : public testing::CommandTest {
 protected:
  C2cCommand() : CommandTest("run") {
    scenario_ = write("s.toml",
                      "machine = \"westmere-ep-2s\"\n[workload]\nkind = \"lock-loop\"\nlock = \"ticket\"\n[run]\n"
                      "iterations = 20\nseeds = 2\n[vary]\ntasks = [2, 3, 4]\n") +
                " ";
  }
  std::string scenario_;
};

TEST_F(C2cCommand, PrintsItsThreeFormsTheSameEveryTime) {
  for (const char* form : {"--c2c --set tasks=2", "--c2c --json", "--c2c --csv"}) {
    const Finished first = run(scenario_ + form);
    EXPECT_EQ(first.code, 0) << first.err;
    EXPECT_EQ(first.err, "") << form;
    EXPECT_EQ(run(scenario_ + form + " --jobs 2").out, first.out) << form;
    EXPECT_EQ(run(scenario_ + form + " -o " + path("result")).out, "") << form;
    EXPECT_EQ(content("result"), first.out) << form;
  }
  EXPECT_EQ(run(scenario_ + "--c2c --json").out.substr(0, 34), "{\n \"schema\": \"linebounce.c2c/1\",\n ");
}

TEST_F(C2cCommand, OfManyPointsTextHasTheFirstAndSaysSo) {
  const Finished all = run(scenario_ + "--c2c");
  EXPECT_EQ(all.code, 0);
  EXPECT_EQ(std::count(all.err.begin(), all.err.end(), '\n'), 1) << all.err;
  EXPECT_NE(all.err.find("first of 3 points"), std::string::npos) << all.err;
  const auto tables = [](const std::string& out) { return out.substr(std::min(out.size(), out.find("Trace Event"))); };
  EXPECT_EQ(tables(run(scenario_ + "--c2c --set tasks=2").out), tables(all.out));
}

TEST_F(C2cCommand, OptionsThatDoNotGoTogetherAreOneError) {
  for (const char* options : {"--c2c --coverage", "--c2c --sensitivity", "--c2c --json --csv", "--c2c=no"}) {
    const Finished f = run(scenario_ + options);
    EXPECT_EQ(f.code, 2) << options;
    EXPECT_EQ(f.out, "") << options;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 2) << f.err;  // what is wrong, and how to get help
  }
}

TEST_F(C2cCommand, AWrongScenarioIsOneLineAndALimitSaysWhere) {
  const Finished wrong = run(scenario_ + "--c2c --set lock=tickets");
  EXPECT_EQ(wrong.code, 3);
  EXPECT_EQ(wrong.out, "");
  EXPECT_EQ(std::count(wrong.err.begin(), wrong.err.end(), '\n'), 1) << wrong.err;
  const Finished limit = run(scenario_ + "--c2c --set tasks=2 --set limit=500");
  EXPECT_EQ(limit.code, 5);
  EXPECT_EQ(limit.out, "");
  EXPECT_NE(limit.err.find("seed 1"), std::string::npos) << limit.err;
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce run --trace`: exit codes, files, and what goes to standard output and standard error.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

using testing::Finished;

constexpr const char* kScenario = R"(machine = "westmere-ep-2s"
[workload]
kind = "lock-loop"
lock = "ticket"
[run]
iterations = 300
seeds = 2
[vary]
tasks = [2, 3]
)";

class TraceCommand : public testing::CommandTest {
 protected:
  TraceCommand() : CommandTest("run") {}
  /// Runs the scenario with its trace in `file`.
  Finished trace(const std::string& file, const std::string& more = "") const {
    return run(write("s.toml", kScenario) + " --trace " + path(file) + more);
  }
};

TEST_F(TraceCommand, TheEndingChoosesTheFormatUnlessToldOtherwise) {
  for (const auto& [file, begin] : {std::pair{"t.pftrace", "\x0a"},
                                    {"t.json", "{\"traceEvents\":["},
                                    {"t.vcd", "$comment s, tasks 2, seed 1"},
                                    {"t.kanata", "Kanata\t0004\n"},
                                    {"t.folded", "task 0: s0.core0;"}}) {
    const Finished f = trace(file);
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(content(file).find(begin), 0U) << file;
  }
  EXPECT_EQ(trace("t", " --trace-format kanata").code, 0);
  EXPECT_EQ(content("t"), content("t.kanata"));
}

TEST_F(TraceCommand, ThePointIsTheFirstAndItsResultsAreThoseOfThatPointAlone) {
  const Finished traced = trace("t.folded");
  EXPECT_NE(traced.err.find("traced: s, tasks 2, seed 1, cycles "), std::string::npos) << traced.err;
  EXPECT_NE(traced.err.find("the first of 2 points (--set"), std::string::npos) << traced.err;
  EXPECT_NE(trace("t.vcd", " --set tasks=3 --seed 7").err.find("seed 7, cycles "), std::string::npos);
  const auto row_of = [](const std::string& csv) {
    const std::size_t second = csv.find('\n') + 1;
    return csv.substr(second, csv.find('\n', second) - second);
  };
  const std::string all = run(path("s.toml") + " --csv").out;
  const std::string one = trace("t.folded", " --csv").out;
  EXPECT_EQ(row_of(one), row_of(all));
  EXPECT_EQ(std::count(one.begin(), one.end(), '\n'), 2);
}

TEST_F(TraceCommand, WithoutAWindowTheFirstCyclesOfTheMeasuredWindowAreTraced) {
  trace("t.folded");
  std::int64_t cycles = 0;
  const std::string text = content("t.folded");
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    cycles += std::stoll(text.substr(text.rfind(' ', text.find('\n', at))));
  }
  EXPECT_EQ(cycles, 2 * 20'000);
}

TEST_F(TraceCommand, AWindowAndAnObjectMakeItSmaller) {
  const Finished window = trace("t.vcd", " --window 5000:6000");
  EXPECT_EQ(window.code, 0);
  EXPECT_NE(content("t.vcd").find("\n#5000\n"), std::string::npos);
  EXPECT_NE(content("t.vcd").find("\n#6000\n"), std::string::npos);
  const std::size_t whole = content("t.vcd").size();
  EXPECT_EQ(trace("t.vcd", " --window 5000:6000 --line lock").code, 0);
  EXPECT_LT(content("t.vcd").size(), whole);
}

TEST_F(TraceCommand, AWrongCommandLineIsUsage) {
  for (const char* more :
       {" --window 5", " --window 6:5", " --window 5:5", " --window -1:5", " --window 1:2x", " --trace-format html",
        " --line ''", " --c2c", " --sensitivity", " --window 1:99999999999999999999"}) {
    const Finished f = trace("t.json", more);
    EXPECT_EQ(f.code, 2) << more;
    EXPECT_EQ(f.out, "");
    EXPECT_NE(f.err, "");
  }
  const Finished ending = trace("t.png");
  EXPECT_EQ(ending.code, 2);
  for (const char* known : {".pftrace", ".json", ".vcd", ".gtkw", ".kanata", ".folded"}) {
    EXPECT_NE(ending.err.find(known), std::string::npos) << ending.err;
  }
  for (const char* alone : {" --window 1:2", " --line lock", " --trace-format vcd"}) {
    EXPECT_EQ(run(path("s.toml") + alone).code, 2) << alone;
  }
}

TEST_F(TraceCommand, WhatTheRunHasNotIsOneLineOfUsageAndNoFile) {
  for (const char* more : {" --line lokc", " --window 900000000:900000001", " --window 0:2000001"}) {
    const Finished f = trace("t.json", more);
    EXPECT_EQ(f.code, 2) << more;
    EXPECT_EQ(f.out, "");
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
  }
  EXPECT_NE(trace("t.json", " --line lokc").err.find("(nearest: 'lock')"), std::string::npos);
  EXPECT_NE(trace("t.json", " --window 0:2000001").err.find("at most 2000000"), std::string::npos);
  for (const auto& entry : std::filesystem::directory_iterator(directory_)) {
    EXPECT_EQ(entry.path().filename().string().find("t.json"), std::string::npos);
  }
}

TEST_F(TraceCommand, ATraceThatCannotBeWrittenIsCodeSix) {
  EXPECT_EQ(run(write("s.toml", kScenario) + " --trace /no/such/folder/t.json").code, 6);
  EXPECT_EQ(run(path("s.toml") + " --trace /dev/full --trace-format json").code, 2);
  EXPECT_EQ(run(path("s.toml") + " --trace /dev/full --trace-format chrome").code, 6);
}

TEST_F(TraceCommand, ResultsAndTraceMayBothGoToFiles) {
  EXPECT_EQ(trace("t.json", " --json -o " + path("r.json")).code, 0);
  EXPECT_EQ(content("t.json").find("{\"traceEvents\""), 0U);
  EXPECT_EQ(content("r.json").find("{\n \"schema\": \"linebounce.run/"), 0U);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The verb of the command line: exit codes, and what goes where.
#include <gtest/gtest.h>

#include <string>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

class LitmusCommandLine : public testing::CommandTest {
 protected:
  LitmusCommandLine() : CommandTest("litmus") {}
  /// The exit code; the streams are in the files "out" and "err".
  int run(const std::string& arguments) const { return CommandTest::run(arguments).code; }
};

constexpr const char* kStoreBuffering =
    "X86 SB\n{}\nP0|P1;\nMOV [x],$1|MOV [y],$1;\nMOV EAX,[y]|MOV EAX,[x];\n~exists (0:EAX=0 /\\ 1:EAX=0)\n";

TEST_F(LitmusCommandLine, RunsShippedTestsByName) {
  EXPECT_EQ(run("MP SB+mfences --runs 100 --machine ivybridge-ex-4s"), 0) << content("err");
  const std::string out = content("out");
  EXPECT_TRUE(out.starts_with("Test MP Forbidden\nStates ")) << out;
  EXPECT_NE(out.find("\nTest SB+mfences Forbidden\n"), std::string::npos);
  EXPECT_NE(out.find("\nTests 2: 2 passed, 0 showed a forbidden state; 200 runs\n"), std::string::npos);
  EXPECT_EQ(content("err"), "");
}

TEST_F(LitmusCommandLine, EndsWithOneIfWhatTheTestForbidsWasSeen) {
  EXPECT_EQ(run(write("sb.litmus", kStoreBuffering)), 1);
  EXPECT_NE(content("out").find("\nNo\nWitnesses\n"), std::string::npos);
}

TEST_F(LitmusCommandLine, SaysInOneLineWhatIsWrongWithAFile) {
  const std::string file = write("wrong.litmus", "X86 t\n{}\nP0;\nINC [x];\nexists (x=1)\n");
  EXPECT_EQ(run("MP " + file), 3);
  EXPECT_EQ(content("out"), "");
  EXPECT_EQ(content("err"), file + ":4:1: 'INC', expected mov, mfence, xchg, lock xadd or lock cmpxchg\n");
  EXPECT_EQ(run("no-such-test"), 3);
  EXPECT_EQ(run("MP --machine none"), 3);
  EXPECT_EQ(run(""), 2);
  EXPECT_EQ(run("MP --runs 0"), 2);
}

TEST_F(LitmusCommandLine, PrintsOneDocumentThatTheSeedDetermines) {
  EXPECT_EQ(run("MP SB --runs 200 --json --seed 3"), 0);
  const std::string first = content("out");
  EXPECT_TRUE(first.starts_with("{\n \"schema\": \"linebounce.litmus/1\",")) << first;
  EXPECT_EQ(run("MP SB --runs 200 --json --seed 3"), 0);
  EXPECT_EQ(content("out"), first);
}

}  // namespace
}  // namespace linebounce

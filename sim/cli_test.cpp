// SPDX-License-Identifier: Apache-2.0
// Runs the program itself: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

using testing::Finished;

class Program : public testing::CommandTest {};

constexpr const char* kScenario = R"(machine = "westmere-ep-2s"
[workload]
kind = "lock-loop"
lock = "ticket"
[run]
iterations = 20
seeds = 2
[vary]
tasks = [1, 2]
)";

TEST_F(Program, VersionAndHelpGoToStandardOutput) {
  EXPECT_EQ(run("version").code, 0);
  EXPECT_EQ(run("version").out.substr(0, 11), "linebounce ");
  EXPECT_EQ(run("run --help").code, 0);
  EXPECT_NE(run("run --help").out.find("qspinlock"), std::string::npos);
  EXPECT_EQ(run("run --help").err, "");
}

TEST_F(Program, AWrongCommandLineIsUsage) {
  for (const char* arguments :
       {"", "rum", "run", "run a b", "run x.toml --json --csv", "run x.toml --seed -1", "run x.toml --seed 1.5",
        "run x.toml --jobs 0", "run x.toml --csv --coverage", "run x.toml --sensitivity --coverage",
        "run x.toml --sensitivity=no", "version --json", "run x.toml --json=no", "run x.toml --set tasks",
        "topology import", "topology import x.xml --dot", "topology --dot import x.xml",
        "topology westmere-ep-2s import x.xml"}) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 2) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_NE(f.err, "") << arguments;
  }
}

TEST_F(Program, WrongInputIsOneLineAndNoOutput) {
  const std::string scenario = write("s.toml", kScenario);
  for (const std::string& arguments :
       {"run " + (directory_ / "none.toml").string(), "run " + directory_.string() + "/",
        std::string("run no-such-name"), "run " + write("binary.toml", std::string("\0\xff\x01", 3)),
        "run " + write("empty.toml", ""),
        "run " + write("lock.toml",
                       "machine = \"westmere-ep-2s\"\n[workload]\nkind = \"lock-loop\"\nlock = \"x\"\n[run]\ntasks = "
                       "1\niterations = 1\n"),
        "run " + scenario + " --set tasks=99", "run " + scenario + " --set machine=none",
        "run " + scenario + " --set lock=qspinlok", "run " + scenario + " --set layout=embedded --set words=4000",
        "run " + scenario + " --set machine.core.pauses=1", std::string("topology no-such-machine")}) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 3) << arguments << f.err;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
    if (arguments.starts_with("run")) {
      EXPECT_EQ(run(arguments + " -o " + (directory_ / "result").string()).code, 3);
      EXPECT_FALSE(fs::exists(directory_ / "result")) << arguments;
    }
  }
}

TEST_F(Program, ARunPrintsOneDocumentWhateverTheNumberOfProcesses) {
  const std::string scenario = write("s.toml", kScenario);
  const Finished one = run("run " + scenario + " --json --jobs 1");
  EXPECT_EQ(one.code, 0) << one.err;
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(one.out.substr(0, 34), "{\n \"schema\": \"linebounce.run/1\",\n ");
  EXPECT_EQ(run("run " + scenario + " --json --jobs 3").out, one.out);
  EXPECT_EQ(run("run " + scenario + " --json --seed 1").out, one.out);
  EXPECT_NE(run("run " + scenario + " --json --seed 2").out, one.out);
  EXPECT_EQ(run("run " + scenario + " --json -o " + (directory_ / "result").string()).out, "");
  EXPECT_EQ(content("result"), one.out);
}

TEST_F(Program, CoverageFollowsTheResultsWhateverTheNumberOfProcesses) {
  const std::string scenario = write("s.toml", kScenario);
  const std::string text = run("run " + scenario).out;
  const Finished covered = run("run " + scenario + " --coverage --jobs 1");
  EXPECT_EQ(covered.code, 0) << covered.err;
  EXPECT_EQ(covered.out.substr(0, text.size()), text);
  EXPECT_NE(covered.out.find(" snoop: rows of the core, ", text.size()), std::string::npos) << covered.out;
  EXPECT_EQ(run("run " + scenario + " --coverage --jobs 3").out, covered.out);
  EXPECT_NE(run("run " + scenario + " --coverage --json").out.find("\n \"coverage\": [\n"), std::string::npos);
}

TEST_F(Program, ARunsSensitivityIsTheSameWhateverTheNumberOfProcesses) {
  const std::string arguments =
      "run " + write("s.toml", kScenario) + " --set tasks=1 --set machine=ivybridge-4c --sensitivity";
  for (const auto& [form, begin] : {std::pair{"", "s, machine ivybridge-4c, base seed 1, 2 seeds; "},
                                    {" --json", "{\n \"schema\": \"linebounce.run-sensitivity/1\",\n"},
                                    {" --csv", "scenario,machine,core clock [MHz],"}}) {
    const Finished one = run(arguments + " --jobs 1" + form);
    EXPECT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(one.err, "");
    EXPECT_EQ(one.out.find(begin), 0U) << one.out;
    EXPECT_EQ(run(arguments + " --jobs 3" + form).out, one.out);
  }
  // One task alone: its LOCK XADD, and nobody to snoop.
  const std::string text = run(arguments).out;
  EXPECT_NE(text.find(" core.xadd "), std::string::npos) << text;
  EXPECT_EQ(text.find("core.snoop_lookup"), std::string::npos) << text;
  EXPECT_EQ(run(arguments + " -o " + path("result")).out, "");
  EXPECT_EQ(content("result"), text);
}

TEST_F(Program, ASensitivityOfWhatDoesNotRunIsAnError) {
  const std::string scenario = write("s.toml", kScenario);
  EXPECT_EQ(run("run " + scenario + " --sensitivity --set tasks=99").code, 3);
  EXPECT_EQ(run("run " + scenario + " --sensitivity --set limit=500").code, 5);
  EXPECT_EQ(run("run " + scenario + " --sensitivity -o /no/such/folder/x").code, 6);
}

TEST_F(Program, ALimitIsCodeFive) {
  const std::string scenario = write("s.toml", kScenario);
  for (const char* jobs : {" --jobs 1", " --jobs 2"}) {
    const Finished f = run("run " + scenario + " --set limit=500" + jobs);
    EXPECT_EQ(f.code, 5) << f.err;
    EXPECT_EQ(f.out, "");
  }
}

TEST_F(Program, OutputThatCannotBeWrittenIsCodeSix) {
  EXPECT_EQ(run("version >/dev/full").code, 6);
  EXPECT_EQ(run("version >&-").code, 6);
  EXPECT_EQ(run("version 2>&-").code, 0);
  EXPECT_EQ(run("run --help >/dev/full").code, 6);
  const std::string scenario = write("s.toml", kScenario);
  EXPECT_EQ(run("run " + scenario + " >/dev/full").code, 6);
  EXPECT_EQ(run("run " + scenario + " -o /no/such/folder/x").code, 6);
  EXPECT_EQ(run("run " + scenario + " -o /dev/full").code, 6);
}

TEST_F(Program, AnImportedMachineIsOneLikeAnyOther) {
  const auto sets = [](const std::string& set) {
    return " cpuset=\"" + set + "\" complete_cpuset=\"" + set + "\" nodeset=\"" + set + "\" complete_nodeset=\"" + set +
           "\"";
  };
  const auto socket = [&](const char* index, const char* set) {
    const std::string attributes = " os_index=\"" + std::string(index) + "\"" + sets(set);
    return "<object type=\"Package\"" + attributes + "><object type=\"NUMANode\"" + attributes +
           "/><object type=\"Core\"" + attributes + "><object type=\"PU\"" + attributes + "/></object></object>";
  };
  const std::string file = write("m.xml", "<topology version=\"2.0\"><object type=\"Machine\"" + sets("0x3") + ">" +
                                              socket("0", "0x1") + socket("1", "0x2") + "</object></topology>");
  const std::string result = (directory_ / "m.toml").string();
  const Finished imported = run("topology import " + file + " --base westmere-ep-2s");
  EXPECT_EQ(imported.code, 0) << imported.err;
  EXPECT_NE(imported.out.find("cores_per_socket = 1    # XML: "), std::string::npos) << imported.out;
  EXPECT_EQ(run("topology import " + file + " --base westmere-ep-2s -o " + result).out, "");
  EXPECT_EQ(content(result), imported.out);
  EXPECT_EQ(run("topology " + result).code, 0);
  EXPECT_EQ(run("run " + write("s.toml", kScenario) + " --set 'machine=\"" + result + "\"' --set tasks=1").code, 0);
}

TEST_F(Program, AnImportThatFailsLeavesNothing) {
  const std::string result = (directory_ / "m.toml").string();
  for (const std::string& file :
       {std::string("none.xml"), directory_.string(), write("empty.xml", ""),
        write("truncated.xml", R"(<topology version="2.0"><object type="Machine")"),
        write("binary.xml", std::string("\0\xff\x01", 3)), write("m.toml.in", "sockets = 2\n")}) {
    for (const std::string& output : {std::string(), " -o " + result}) {
      const Finished f = run("topology import " + file + output);
      EXPECT_EQ(f.code, 3) << file << f.err;
      EXPECT_EQ(f.out, "") << file;
      EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
      EXPECT_FALSE(fs::exists(result)) << file;
    }
  }
}

TEST_F(Program, AnInterruptEndsItWithoutARest) {
  const std::string scenario = write("s.toml", std::string(kScenario));
  const std::string result = (directory_ / "result").string();
  const int status =
      std::system(("timeout --preserve-status -s INT 0.3 " LINEBOUNCE_PROGRAM " run " + scenario +
                   " --set iterations=100000000 --set limit=1000000000000 --jobs 2 -o " + result + " 2>/dev/null")
                      .c_str());
  EXPECT_EQ(WEXITSTATUS(status), 130);
  for (const auto& entry : fs::directory_iterator(directory_)) EXPECT_EQ(entry.path().filename(), "s.toml");
}

}  // namespace
}  // namespace linebounce

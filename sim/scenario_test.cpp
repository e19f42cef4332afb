// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario.hpp"

#include <gtest/gtest.h>

#include <string>

#include "sim/scenario_plan.hpp"

namespace linebounce {
namespace {

constexpr std::string_view kValid = R"(title = "A title"
question = "What?"

[machine]
name = "westmere-ex-4s"
override.clock.core_mhz = 2400

[workload]
kind = "lock-loop"
lock = "qspinlock"
local_work = 20

[run]
tasks = 4
placement = "same-node"
iterations = 100
seeds = 10

[[points]]
tasks = [3, 4]
[[points]]
placement = "different-nodes"
tasks = 2

[vary]
variant = ["before", "after"]
"machine.core.pause" = [9, 10]
)";

std::string error_of(std::string_view text) {
  try {
    parse_scenario(text, "dir/s.toml");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Scenario, ReadsWhatItSays) {
  const Scenario s = parse_scenario(kValid, "dir/s.toml");
  EXPECT_EQ(s.name, "s");
  EXPECT_EQ(s.directory, "dir");
  EXPECT_EQ(s.title, "A title");
  EXPECT_EQ(s.question, "What?");
  EXPECT_EQ(s.kind, WorkloadKind::kLockLoop);
  EXPECT_EQ(s.seed_count, 10U);
  ASSERT_EQ(s.fixed.size(), 7U);
  EXPECT_EQ(s.fixed[0].key, "machine");
  EXPECT_EQ(s.fixed[1].key, "machine.clock.core_mhz");
  ASSERT_EQ(s.rows.size(), 2U);
  EXPECT_EQ(s.rows[0].front().values.size(), 2U);
  ASSERT_EQ(s.vary.size(), 2U);
  EXPECT_EQ(s.vary[1].key, "machine.core.pause");
}

/// The valid scenario with one piece of text replaced.
std::string with(std::string_view what, std::string_view by) {
  std::string text(kValid);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

struct Wrong {
  const char* what;
  const char* by;
  const char* error;
};

TEST(Scenario, EveryMistakeIsOneLineWithPlaceFindingAndExpectation) {
  const Wrong rows[] = {
      // a key that does not exist, in each of the tables
      {"local_work", "local_wrok",
       "dir/s.toml:11:1: unknown key 'local_wrok', expected one of lock, variant, layout, words"},
      {"iterations", "iteration", "dir/s.toml:16:1: unknown key 'iteration', expected one of "},
      {"tasks = [3, 4]", "task = [3, 4]", "dir/s.toml:20:1: unknown key 'task', expected one of "},
      {"variant = [", "varaint = [", "dir/s.toml:26:1: unknown key 'varaint', expected one of "},
      {"question", "qestion", "dir/s.toml:2:1: unknown key 'qestion', expected one of "},
      {"core_mhz = 2400", "core_mhz = [2400, 2670]",
       "dir/s.toml:6:28: several values of 'machine.clock.core_mhz', expected one, or them in [vary]"},
      {"override", "overide", "dir/s.toml:6:1: unknown key 'overide' in [machine], expected name or override"},
      // a key in the wrong place
      {"local_work", "tasks", "dir/s.toml:11:1: 'tasks' in [workload], expected it in [run]"},
      {"local_work = 20", "producers = 2",
       "dir/s.toml:11:1: lock-loop does not have 'producers', expected it only with list-churn"},
      // a value out of range or of another type
      {"tasks = 4", "tasks = 0", "dir/s.toml:14:9: tasks = 0, expected a whole number from 1 to 4096"},
      {"tasks = 4", "tasks = 4.5", "dir/s.toml:14:9: tasks = 4.5, expected a whole number"},
      {"tasks = 4", "tasks = \"four\"", "dir/s.toml:14:9: tasks = 'four', expected a whole number"},
      {"\"same-node\"", "\"some-node\"",
       "dir/s.toml:15:13: placement = 'some-node', expected one of 'same-node', 'different-nodes', 'compact' (nearest: "
       "'same-node')"},
      {"\"same-node\"", "[]", "dir/s.toml:15:13: placement is an empty list, expected hardware threads"},
      {"seeds = 10", "seeds = 0", "dir/s.toml:17:9: seeds = 0, expected a whole number from 1 to 10000"},
      {"seeds = 10", "seeds = []", "dir/s.toml:17:9: seeds is a list of 0, expected 1 to 10000"},
      {"seeds = 10", "seeds = [4, 4]", "dir/s.toml:17:13: seed 4 is listed twice, expected different seeds"},
      {"\"lock-loop\"", "\"lock-lop\"", "dir/s.toml:9:8: kind = 'lock-lop', expected one of 'lock-loop', 'list-churn'"},
      // what is varied
      {"[\"before\", \"after\"]", "[]", "dir/s.toml:26:11: variant is an empty list, expected at least one value"},
      {"\"after\"", "\"before\"", "dir/s.toml:26:22: variant takes 'before' twice, expected different values"},
      {"variant = [\"before\", \"after\"]", "tasks = [1]", "dir/s.toml:26:1: 'tasks' is set twice, expected it once"},
      {"variant = [\"before\", \"after\"]", "seeds = [1, 2]",
       "dir/s.toml:26:1: seeds cannot vary, every point runs with all of them, expected it in [run]"},
      {"iterations = 100", "iterations = 99999999999999999999", "dir/s.toml:16:"},
  };
  for (const Wrong& row : rows) {
    const std::string error = error_of(with(row.what, row.by));
    EXPECT_EQ(error.substr(0, std::string_view(row.error).size()), row.error) << row.by << " gives\n" << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(Scenario, WhatIsMissingIsNamed) {
  EXPECT_EQ(error_of(with("name = \"westmere-ex-4s\"\n", "")).substr(0, 14), "dir/s.toml:4:1");
  EXPECT_NE(error_of(with("kind = \"lock-loop\"\n", "")).find("kind"), std::string::npos);
  EXPECT_NE(error_of("[workload]\nkind = \"ping-pong\"\n[run]\n").find("no machine"), std::string::npos);
  EXPECT_NE(error_of("machine = \"westmere-ex-4s\"\n[workload]\nkind = \"ping-pong\"\n").find("run"),
            std::string::npos);
}

TEST(Scenario, NoBeginningOfAScenarioDoesAnyHarm) {
  for (std::size_t n = 0; n < kValid.size(); ++n) {
    const std::string error = error_of(kValid.substr(0, n));
    if (!error.empty()) {
      EXPECT_EQ(error.substr(0, 11), "dir/s.toml:") << error;
      EXPECT_EQ(error.find('\n'), std::string::npos) << error;
    }
  }
}

TEST(Scenario, NoSingleWrongByteDoesAnyHarm) {
  for (std::size_t n = 0; n < kValid.size(); ++n) {
    for (const char c : {'\0', '\xff', '"', '[', '=', '\n', '9'}) {
      std::string text(kValid);
      text[n] = c;
      const std::string error = error_of(text);
      EXPECT_TRUE(error.empty() || error.starts_with("dir/s.toml:")) << error;
    }
  }
}

TEST(Scenario, TheCommandLineReplacesWhatTheFileSays) {
  Scenario s = parse_scenario(kValid, "s.toml");
  override_scenario(s, "local_work=7");
  override_scenario(s, "variant=after");    // quotes may be left out, and it does not vary any more
  override_scenario(s, "tasks=[5, 6, 7]");  // now it varies, and no row says otherwise
  override_scenario(s, "seeds=2");
  override_scenario(s, "machine.clock.core_mhz=2130");
  EXPECT_EQ(s.seed_count, 2U);
  EXPECT_TRUE(s.rows[0].empty());
  ASSERT_EQ(s.vary.size(), 2U);
  EXPECT_EQ(s.vary[0].key, "machine.core.pause");
  EXPECT_EQ(s.vary[1].key, "tasks");
  EXPECT_EQ(s.fixed.back().key, "machine.clock.core_mhz");
}

TEST(Scenario, TheCommandLineTakesAwayWhatIsSetToNothing) {
  Scenario s = parse_scenario(kValid, "s.toml");
  const std::size_t varied = s.vary.size();
  override_scenario(s, s.vary.front().key + "=");
  EXPECT_EQ(s.vary.size(), varied - 1);
  EXPECT_THROW(override_scenario(s, "words="), InputError) << "it says nothing about words";
}

TEST(Scenario, AMachineFileNamedOnTheCommandLineIsRelativeToTheCurrentFolder) {
  Scenario s = parse_scenario(kValid, "dir/s.toml");
  override_scenario(s, "machine=./my.toml");
  EXPECT_EQ(s.fixed.back().values.front().text, std::filesystem::absolute("./my.toml").string());
  override_scenario(s, "machine=westmere-ep-2s");
  EXPECT_EQ(s.fixed.back().values.front().text, "westmere-ep-2s");
}

std::string override_error(std::string_view argument) {
  Scenario s = parse_scenario(kValid, "s.toml");
  try {
    override_scenario(s, argument);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Scenario, AWrongSettingOnTheCommandLineIsNamed) {
  EXPECT_EQ(override_error("tsks=3"),
            "--set tsks=3: unknown key 'tsks', expected one of lock, variant, layout, words, critical_section, "
            "local_work, relax, home, "
            "tasks, placement, iterations, cycles, warmup, jitter, start_skew, limit, machine, "
            "machine.<number of a machine file> (nearest: 'tasks')");
  EXPECT_EQ(override_error("tasks=0"), "--set tasks=0: tasks = 0, expected a whole number from 1 to 4096");
  EXPECT_EQ(override_error("tasks=[]"), "--set tasks=[]: tasks is an empty list, expected at least one value");
  EXPECT_EQ(override_error("tasks"), "--set tasks: no '=', expected key=value");
  EXPECT_EQ(override_error("tasks=three"),
            "--set tasks=three: tasks = 'three', expected a whole number from 1 to 4096");
}

}  // namespace
}  // namespace linebounce

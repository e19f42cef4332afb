// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/report.hpp"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/litmus/parser.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce::litmus {
namespace {

Program store_buffering(const std::string& question) {
  return parse("X86 SB\n{}\nP0|P1;\nMOV [x],$1|MOV [y],$1;\nMOV EAX,[y]|MOV EAX,[x];\n" + question, "SB.litmus");
}

Report with_two_states(const std::string& question) {
  Report report{"SB.litmus", store_buffering(question), {}};
  report.verdict.seen = {{{0, 1}, "0:EAX=0; 1:EAX=1;", 30, false, false, false},
                         {{1, 1}, "0:EAX=1; 1:EAX=1;", 4, false, false, false}};
  report.verdict.never_seen = {{{0, 0}, "0:EAX=0; 1:EAX=0;", 0, true, true, false}};
  report.verdict.negative = 34;
  report.verdict.allowed = true;
  return report;
}

TEST(LitmusReport, IsHerds) {
  EXPECT_EQ(
      render_text(with_two_states("exists (0:EAX=0 /\\ 1:EAX=0)")),
      "Test SB Allowed\n"
      "States 2\n"
      "30      :>0:EAX=0; 1:EAX=1;\n"
      "4       :>0:EAX=1; 1:EAX=1;\n"
      "No\n"
      "Witnesses\n"
      "Positive: 0 Negative: 34\n"
      "Condition exists (0:EAX=0 /\\ 1:EAX=0)\n"
      "Observation SB Never 0 34\n"
      "x86-TSO allows the condition, by its store buffers only; of the 3 states that it allows, 1 were never seen\n"
      "never   *>0:EAX=0; 1:EAX=0;\n");
}

TEST(LitmusReport, SaysWhatIsForbiddenWithAllRegistersAndVariables) {
  Report report = with_two_states("~exists (0:EAX=0 /\\ 1:EAX=0)");
  EXPECT_TRUE(report.verdict.passes(Quantifier::kNotExists));
  report.verdict.forbidden[{1, 2, 3, 4}] = 7;
  EXPECT_FALSE(report.verdict.passes(Quantifier::kNotExists));
  EXPECT_FALSE(report.verdict.passes(Quantifier::kExists));
  EXPECT_NE(render_text(report).find("FORBIDDEN by x86-TSO, seen 7 times: 0:EAX=1; 1:EAX=2; x=3; y=4;\n"),
            std::string::npos);
  EXPECT_EQ(render_summary(std::array{report}),
            "Tests 1: 0 passed, 1 showed a forbidden state; 34 runs\n"
            "Relaxed states (that need a store buffer): 0 of 1 seen\n");
}

TEST(LitmusVerdict, TellsRelaxedAndForbiddenStatesFromTheRest) {
  const Program program = store_buffering("locations [x;] exists (0:EAX=0 /\\ 1:EAX=0)");
  const Verdict verdict = judge(program, {{{0, 0, 1, 1}, 5}, {{1, 1, 1, 1}, 7}, {{1, 1, 0, 1}, 2}, {{1, 1, 1, 0}, 3}});
  std::string seen;
  for (const Outcome& o : verdict.seen) {
    seen += o.text + " " + std::to_string(o.count) + (o.satisfies ? " satisfies" : "") + (o.relaxed ? " relaxed" : "") +
            (o.forbidden ? " forbidden" : "") + "\n";
  }
  // The fourth differs from the second only in y, which the test does not look at; forbidden all the same.
  EXPECT_EQ(seen,
            "0:EAX=0; 1:EAX=0; x=1; 5 satisfies relaxed\n"
            "0:EAX=1; 1:EAX=1; x=0; 2 forbidden\n"
            "0:EAX=1; 1:EAX=1; x=1; 10\n");
  EXPECT_EQ(verdict.forbidden, (std::map<FinalState, std::uint64_t>{{{1, 1, 0, 1}, 2}, {{1, 1, 1, 0}, 3}}));
  EXPECT_EQ(verdict.never_seen.size(), 2U);
  EXPECT_EQ(verdict.positive, 5U);
  EXPECT_EQ(verdict.negative, 12U);
  EXPECT_TRUE(verdict.allowed);
  EXPECT_FALSE(verdict.allowed_without);
  EXPECT_FALSE(verdict.passes(Quantifier::kExists));
}

TEST(LitmusReport, IsTheSameForTheSameSeedAndAnotherForAnother) {
  const Machine machine = load_machine("westmere-ep-2s");
  const Topology topology(machine);
  const auto report = [&](std::uint64_t seed) {
    const RunOptions options{seed, 300};
    Report one{"SB.litmus", store_buffering("exists (0:EAX=0 /\\ 1:EAX=0)"), {}};
    one.verdict = run(one.program, machine, topology, options);
    return render_json(std::array{one}, machine.name, options);
  };
  EXPECT_EQ(report(1), report(1));
  EXPECT_NE(report(1), report(2));
  const auto document = nlohmann::json::parse(report(1));
  EXPECT_EQ(document.at("schema"), "linebounce.litmus/1");
  EXPECT_EQ(document.at("seed"), 1);
  const auto& test = document.at("tests").at(0);
  EXPECT_EQ(test.at("columns"), (nlohmann::json{"0:EAX", "1:EAX"}));
  EXPECT_EQ(test.at("model").at("allowed"), true);
  EXPECT_EQ(test.at("model").at("allowed_sequentially"), false);
  EXPECT_EQ(test.at("states").size() + test.at("never_seen").size(), 4U);
}

TEST(LitmusRun, OfATestWithTooManyThreadsForTheMachineIsAnError) {
  Machine machine = load_machine("westmere-ep-2s");
  const Topology topology(machine);
  machine.threads_per_core = 1;
  machine.cores_per_socket = 1;
  machine.sockets = 1;
  EXPECT_THROW(run(store_buffering("exists (x=1)"), machine, topology, {1, 10}), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
// The simulated cores follow x86-TSO: they show no state that it forbids, and they do reorder.
#include "cpus/testing/litmus.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

using testing::Litmus;
using testing::LitmusState;
using testing::LitmusStates;

struct Case {
  Litmus test;
  LitmusStates forbidden;  ///< known from the literature, a check of the abstract machine
  LitmusStates relaxed;    ///< needs a store buffer; must be seen
};

std::vector<Case> cases() {
  return {
      {Litmus("SB").thread("store x 1; load rax y").thread("store y 1; load rax x").observe("0:rax 1:rax"),
       {},
       {{0, 0}}},
      {Litmus("SB with MFENCEs")
           .thread("store x 1; mfence; load rax y")
           .thread("store y 1; mfence; load rax x")
           .observe("0:rax 1:rax"),
       {{0, 0}},
       {}},
      {Litmus("SB with one MFENCE")
           .thread("store x 1; mfence; load rax y")
           .thread("store y 1; load rax x")
           .observe("0:rax 1:rax"),
       {},
       {{0, 0}}},
      {Litmus("SB with XCHG")
           .thread("movi rbx 1; xchg rbx x; load rax y")
           .thread("movi rbx 1; xchg rbx y; load rax x")
           .observe("0:rax 1:rax"),
       {{0, 0}},
       {}},
      {Litmus("SB with XADD elsewhere")
           .thread("store x 1; movi rbx 1; xadd rbx z; load rax y")
           .thread("store y 1; movi rbx 1; xadd rbx w; load rax x")
           .observe("0:rax 1:rax"),
       {{0, 0}},
       {}},
      {Litmus("SB with a failing CMPXCHG")
           .thread("store x 1; movi rax 7; cmpxchg rbx z; load rcx y")
           .thread("store y 1; movi rax 7; cmpxchg rbx w; load rcx x")
           .observe("0:rcx 1:rcx"),
       {{0, 0}},
       {}},
      {Litmus("SB that reads its own stores")
           .thread("store x 1; load rax x; load rbx y")
           .thread("store y 1; load rax y; load rbx x")
           .observe("0:rax 0:rbx 1:rax 1:rbx"),
       {},
       {{1, 0, 1, 0}}},
      {Litmus("MP").thread("store x 1; store y 1").thread("load rax y; load rbx x").observe("1:rax 1:rbx"),
       {{1, 0}},
       {}},
      {Litmus("LB").thread("load rax x; store y 1").thread("load rax y; store x 1").observe("0:rax 1:rax"),
       {{1, 1}},
       {}},
      {Litmus("IRIW")
           .thread("store x 1")
           .thread("store y 1")
           .thread("load rax x; load rbx y")
           .thread("load rax y; load rbx x")
           .observe("2:rax 2:rbx 3:rax 3:rbx"),
       {{1, 0, 1, 0}},
       {}},
      {Litmus("n6").thread("store x 1; load rax x; load rbx y").thread("store y 2; store x 2").observe("0:rax 0:rbx x"),
       {},
       {{1, 0, 1}}},
      {Litmus("n5").thread("store x 1; load rax x").thread("store x 2; load rax x").observe("0:rax 1:rax"),
       {{2, 1}},
       {}},
      {Litmus("n4")
           .thread("load rax x; store x 1; load rbx x")
           .thread("load rax x; store x 2; load rbx x")
           .observe("0:rax 0:rbx 1:rax 1:rbx"),
       {{2, 1, 1, 2}},
       {}},
      {Litmus("2+2W").thread("store x 1; store y 2").thread("store y 1; store x 2").observe("x y"), {{1, 1}}, {}},
      {Litmus("R").thread("store x 1; store y 1").thread("store y 2; load rax x").observe("1:rax y"), {}, {{0, 2}}},
      {Litmus("S").thread("store x 2; store y 1").thread("load rax y; store x 1").observe("1:rax x"), {{1, 2}}, {}},
      {Litmus("WRC")
           .thread("store x 1")
           .thread("load rax x; store y 1")
           .thread("load rax y; load rbx x")
           .observe("1:rax 2:rax 2:rbx"),
       {{1, 1, 0}},
       {}},
      {Litmus("RWC")
           .thread("store x 1")
           .thread("load rax x; load rbx y")
           .thread("store y 1; load rax x")
           .observe("1:rax 1:rbx 2:rax"),
       {},
       {{1, 0, 0}}},
      {Litmus("CoRR").thread("store x 1; store x 2").thread("load rax x; load rbx x").observe("1:rax 1:rbx"),
       {{2, 1}, {1, 0}, {2, 0}},
       {}},
      {Litmus("CoRR of two writers")
           .thread("store x 1")
           .thread("store x 2")
           .thread("load rax x; load rbx x")
           .thread("load rax x; load rbx x")
           .observe("2:rax 2:rbx 3:rax 3:rbx"),
       {{1, 2, 2, 1}},
       {}},
      {Litmus("XADD is atomic")
           .thread("movi rax 1; xadd rax x")
           .thread("movi rax 1; xadd rax x")
           .thread("movi rax 1; xadd rax x")
           .observe("0:rax 1:rax 2:rax x"),
       {{0, 0, 1, 2}},
       {}},
  };
}

class LitmusTests : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LitmusTests, AreShownNothingForbiddenAndEverythingThatAStoreBufferIsFor) {
  const Case c = cases()[GetParam()];
  SCOPED_TRACE(c.test.name());
  const LitmusStates allowed = c.test.allowed();
  const LitmusStates sequential = c.test.allowed(false);
  for (const LitmusState& state : c.forbidden) EXPECT_FALSE(allowed.contains(state));
  for (const LitmusState& state : c.relaxed) EXPECT_TRUE(allowed.contains(state) && !sequential.contains(state));

  LitmusStates seen;
  for (const std::string_view machine : {"westmere-ep-2s", "ivybridge-ex-4s"}) {
    seen.merge(testing::observed_everywhere(c.test, testing::shipped(machine), 150));
  }
  EXPECT_TRUE(std::includes(allowed.begin(), allowed.end(), seen.begin(), seen.end()))
      << "seen " << testing::describe(seen) << "allowed " << testing::describe(allowed);
  for (const LitmusState& state : c.relaxed) {
    EXPECT_TRUE(seen.contains(state)) << testing::describe({state}) << "not among " << testing::describe(seen);
  }
}

INSTANTIATE_TEST_SUITE_P(EachOne, LitmusTests, ::testing::Range(std::size_t{0}, cases().size()), [](const auto& one) {
  std::string name = cases()[one.param].test.name();
  std::erase_if(name, [](unsigned char c) { return std::isalnum(c) == 0; });
  return name;
});

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "cpus/lone_loop.hpp"

#include <gtest/gtest.h>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

TEST(LoneLoop, CostsWhatTheMicroarchitectureSaysOfTheInstruction) {
  Machine machine = load_machine("ivybridge-4c");
  const Topology topology(machine);
  CoreCosts& c = machine.core;
  c.cmpxchg = Cycles{31};
  c.xadd = Cycles{32};
  const auto round = [&](LoopBody body) { return measure_lone_loop(machine, topology, body); };
  const auto cost = [](Cycles cycles) { return static_cast<double>(cycles.count); };
  EXPECT_EQ(round(LoopBody::kPause), cost(c.pause));
  EXPECT_EQ(round(LoopBody::kMfence), cost(c.mfence));
  EXPECT_EQ(round(LoopBody::kXchg), cost(c.xchg));
  EXPECT_EQ(round(LoopBody::kXadd), 32);
  EXPECT_EQ(round(LoopBody::kCmpxchg), 31);
  EXPECT_EQ(round(LoopBody::kBts), cost(c.bts));
  EXPECT_EQ(round(LoopBody::kLoadAndCmpxchg), 31 + cost(c.l1_load));
  EXPECT_GE(round(LoopBody::kXchgAndStore), cost(c.xchg + c.issue)) << "the next xchg waits for the store";
}

}  // namespace
}  // namespace linebounce

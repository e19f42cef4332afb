// SPDX-License-Identifier: Apache-2.0
// Lines are where they are said to be before an operation on them is measured.
#include "cpus/single_operation.hpp"

#include <gtest/gtest.h>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using enum LineState;
using enum HolderPlace;
using enum SingleOperation;

struct Simulated {
  explicit Simulated(const char* name) : machine(load_machine(name)), topology(machine) {}

  bool has(LineState state, HolderPlace place, HomePlace home = HomePlace::kRequester) const {
    return arrange(machine, topology, {state, place, home}).has_value();
  }
  double mean(SingleOperation operation, LineState state, HolderPlace place,
              HomePlace home = HomePlace::kRequester) const {
    return measure_latency(machine, topology, arrange(machine, topology, {state, place, home}).value(), operation).mean;
  }

  Machine machine;
  Topology topology;
};

double cost(Cycles cycles) { return static_cast<double>(cycles.count); }

TEST(SingleOperation, SituationsThatAMachineDoesNotHaveAreNone) {
  const Simulated two("westmere-ep-2s");
  EXPECT_TRUE(two.has(kModified, kSibling));
  EXPECT_TRUE(two.has(kModified, kOneHop, HomePlace::kHolder));
  EXPECT_FALSE(two.has(kModified, kOneHop, HomePlace::kThird));
  EXPECT_FALSE(two.has(kSharedAcross, kOneHop));
  EXPECT_FALSE(two.has(kModified, kTwoHops));
  EXPECT_FALSE(two.has(kModified, kSameDie, HomePlace::kHolder)) << "it is the requester's";
  EXPECT_FALSE(two.has(kMemory, kOneHop, HomePlace::kRequester)) << "the memory's socket is the home";
  EXPECT_FALSE(two.has(kMemory, kOwnL1));
  EXPECT_FALSE(Simulated("ivybridge-4c").has(kForward, kSameDie)) << "one socket forwards to nobody";
  const Simulated eight("westmere-ex-8s");
  EXPECT_FALSE(eight.has(kModified, kSibling));
  EXPECT_TRUE(eight.has(kSharedAcross, kTwoHops, HomePlace::kThird));
}

TEST(SingleOperation, ALineThatIsPushedOutOfBothCachesOfItsCoreIsInTheL3) {
  const Simulated m("ivybridge-4c");
  Arrangement a = arrange(m.machine, m.topology, {kExclusive, kOwnL1, HomePlace::kRequester}).value();
  a.steps.push_back({a.requester, PreparationStep::Action::kPushOutOfL2});
  const double l3 = measure_latency(m.machine, m.topology, a, kLoad).mean;
  EXPECT_EQ(l3, m.mean(kLoad, kSharedByTwo, kSameDie));
  EXPECT_GT(l3, cost(m.machine.core.l2_load));
}

TEST(SingleOperation, TheMeasuredLinesLieInEverySliceOfTheSocket) {
  const Simulated m("ivybridge-4c");
  const Arrangement a = arrange(m.machine, m.topology, {kSharedByTwo, kSameDie, HomePlace::kRequester}).value();
  const std::vector<LineLatency> lines = measure_lines(m.machine, m.topology, a, kLoad);
  ASSERT_EQ(lines.size(), static_cast<std::size_t>(kMeasuredLines));
  const OperationLatency all = summarise(lines);
  // Three stops there and three back, a clock each: core 2's slice stands beyond the agents' stop.
  EXPECT_EQ((all.max - all.min).count, 6);
  EXPECT_LT(cost(all.min), all.mean);
}

TEST(SingleOperation, SmallDiesHaveFewSharersOrNone) {
  Simulated small("westmere-ep-2s");
  small.machine.cores_per_socket = 2;
  EXPECT_TRUE(small.has(kModified, kSameDie));
  EXPECT_FALSE(small.has(kSharedByTwo, kSameDie)) << "only the requester is left";
  EXPECT_TRUE(small.has(kSharedByTwo, kOneHop));
  EXPECT_FALSE(small.has(kSharedByDie, kOneHop)) << "the same two";
  small.machine.cores_per_socket = 1;
  EXPECT_FALSE(small.has(kModified, kSameDie));
  EXPECT_TRUE(small.has(kModified, kOneHop));
}

TEST(SingleOperation, AForwarderIsTheNewestReaderASharerIsNot) {
  Simulated eight("westmere-ex-8s");
  eight.machine.protocol = Protocol{1};  // any with a forwarder
  const auto steps = [&](LineState state) {
    return arrange(eight.machine, eight.topology, {state, kOneHop, HomePlace::kHolder}).value().steps;
  };
  const auto shared = steps(kSharedAcross);
  const auto forward = steps(kForward);
  ASSERT_EQ(shared.size(), 2U);
  ASSERT_EQ(forward.size(), 2U);
  EXPECT_EQ(shared[0].thread, ThreadId{13}) << "the holder is on socket 1";
  EXPECT_EQ(forward[1].thread, shared[0].thread);
  EXPECT_EQ(forward[0].thread, shared[1].thread);
}

TEST(SingleOperation, OwnCachesCostWhatTheMachineFileSays) {
  for (const std::string& name : shipped_machines()) {
    const Simulated m(name.c_str());
    const CoreCosts& costs = m.machine.core;
    EXPECT_EQ(m.mean(kLoad, kModified, kOwnL1), cost(costs.l1_load)) << name;
    EXPECT_EQ(m.mean(kLoad, kExclusive, kOwnL2), cost(costs.l2_load)) << name;
    EXPECT_EQ(m.mean(kXadd, kModified, kOwnL1), cost(costs.xadd)) << name;
    EXPECT_EQ(m.mean(kXchg, kExclusive, kOwnL1), cost(costs.xchg)) << name;
    EXPECT_EQ(m.mean(kFailingCmpxchg, kModified, kOwnL1), cost(costs.cmpxchg)) << name;
  }
}

TEST(SingleOperation, WhatIsFartherAwayCostsMore) {
  const Simulated m("westmere-ex-8s");
  for (const SingleOperation operation : {kLoad, kStoreAndFence, kCmpxchg}) {
    const double own = m.mean(operation, kModified, kOwnL1);
    const double die = m.mean(operation, kModified, kSameDie);
    const double one = m.mean(operation, kModified, kOneHop, HomePlace::kHolder);
    const double two = m.mean(operation, kModified, kTwoHops, HomePlace::kHolder);
    EXPECT_TRUE(own < die && die < one && one < two) << own << ' ' << die << ' ' << one << ' ' << two;
  }
}

TEST(SingleOperation, ASharersOwnReadIsFreeButItsWriteWaitsForTheOthers) {
  const Simulated m("westmere-ex-4s");
  EXPECT_EQ(m.mean(kLoad, kSharedByDie, kOwnL1), m.mean(kLoad, kExclusive, kOwnL1));
  const double alone = m.mean(kStoreAndFence, kExclusive, kOwnL1);
  const double two = m.mean(kStoreAndFence, kSharedByTwo, kOwnL1);
  const double die = m.mean(kStoreAndFence, kSharedByDie, kOwnL1);
  const double across = m.mean(kStoreAndFence, kSharedAcross, kOwnL1);
  EXPECT_TRUE(alone < two && two < die && die < across) << alone << ' ' << two << ' ' << die << ' ' << across;
}

TEST(SingleOperation, SlicesAtDifferentStopsSpreadTheLatency) {
  const Simulated m("westmere-ex-4s");
  const auto arrangement = arrange(m.machine, m.topology, {kExclusive, kSameDie, HomePlace::kRequester}).value();
  const OperationLatency latency = measure_latency(m.machine, m.topology, arrangement, kLoad);
  EXPECT_LT(cost(latency.min), latency.mean);
  EXPECT_LT(latency.mean, cost(latency.max));
}

}  // namespace
}  // namespace linebounce

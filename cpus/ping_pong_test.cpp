// SPDX-License-Identifier: Apache-2.0
#include "cpus/ping_pong.hpp"

#include <gtest/gtest.h>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

TEST(PingPong, TakesLongerTheFartherTheThreadsAreApart) {
  const Machine machine = load_machine("nehalem-ep-2s");
  const Topology topology(machine);
  const auto other_socket = static_cast<std::uint32_t>(machine.cores_per_socket * machine.threads_per_core);
  for (const PingPongKind kind : {PingPongKind::kCmpxchg, PingPongKind::kTwoLines}) {
    const auto cycles = [&](std::uint32_t second) { return measure_ping_pong(machine, topology, {0}, {second}, kind); };
    EXPECT_LT(2 * cycles(1), cycles(2)) << "siblings share the L1";
    EXPECT_LT(cycles(2), cycles(other_socket));
  }
}

TEST(PingPong, ByTwoLinesTakesALoadAndAnUpgradeWhereCmpxchgTakesOneRequest) {
  const Machine machine = load_machine("ivybridge-4c");
  const Topology topology(machine);
  const double one = measure_ping_pong(machine, topology, {0}, {2}, PingPongKind::kCmpxchg);
  const double two = measure_ping_pong(machine, topology, {0}, {2}, PingPongKind::kTwoLines);
  EXPECT_GT(two, 1.3 * one);
}

}  // namespace
}  // namespace linebounce

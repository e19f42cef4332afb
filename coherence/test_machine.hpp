// SPDX-License-Identifier: Apache-2.0
// Machines small enough for a test to know every line of every cache.
#pragma once

#include <cstdint>

#include "coherence/agent_map.hpp"
#include "topologies/machine.hpp"
#include "units/address.hpp"

namespace linebounce {

struct TestShape {
  int sockets = 1;
  int cores = 1;  ///< per socket
  int l2_ways = 2;
  int l3_ways = 2;
  int trackers = 4;
  int fill_buffers = 2;
  int slices = 1;  ///< per socket
  int homes = 1;   ///< per socket
  Protocol protocol = Protocol::kMesi;
  SnoopMode snoop = SnoopMode::kHome;
  int broadcast_below = 0;
};

/// No latencies: for the pure controllers. The caches have up to 16 sets, of which test_line() uses one.
inline Machine test_machine(const TestShape& shape) {
  Machine machine;
  machine.sockets = shape.sockets;
  machine.cores_per_socket = shape.cores;
  machine.threads_per_core = 2;
  machine.l1d = {1, shape.l2_ways};
  machine.l2 = {1, shape.l2_ways};
  machine.l3_slice = {1, shape.l3_ways};
  machine.l3_slices_per_socket = shape.slices;
  machine.home_agents_per_socket = shape.homes;
  machine.home_trackers = shape.trackers;
  machine.protocol = shape.protocol;
  machine.snoop = shape.snoop;
  machine.opportunistic_broadcast_below = shape.broadcast_below;
  machine.core.fill_buffers = shape.fill_buffers;
  return machine;
}

/// The n-th line of set 0 of every cache of up to four ways (16, 8, 5 or 4 sets), with its home in the given socket.
inline LineAddress test_line(std::uint64_t n, std::uint64_t home_socket = 0) {
  constexpr std::uint64_t kAllSets = 640;  // a multiple of 16, 8, 5 and 4
  const std::uint64_t first = home_socket << AgentMap::kHomeShift;
  return {(first + kAllSets - 1) / kAllSets * kAllSets + n * kAllSets};
}

}  // namespace linebounce

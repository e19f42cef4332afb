// SPDX-License-Identifier: Apache-2.0
// Single-operation latencies of the simulated machines against published ones. Within 15 %, until the machines are
// calibrated one by one.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "cpus/single_operation.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using enum SingleOperation;
using enum LineState;

struct Published {
  const char* machine;
  SingleOperation operation;
  LineState state;
  int distance;   ///< QPI links between the requester and the holder, whose socket is also the line's home
  double cycles;  ///< at the machine's own clock
};

/// David, Guerraoui, Trigonakis, SOSP 2013, table 2 (8 x E7-8867L); Levinthal's guide and 7-cpu.com's X5650 page.
constexpr std::array<Published, 36> kPublished = {{
    {"westmere-ex-8s", kLoad, kModified, 0, 109},
    {"westmere-ex-8s", kLoad, kModified, 1, 289},
    {"westmere-ex-8s", kLoad, kModified, 2, 400},
    {"westmere-ex-8s", kLoad, kExclusive, 0, 92},
    {"westmere-ex-8s", kLoad, kExclusive, 1, 273},
    {"westmere-ex-8s", kLoad, kExclusive, 2, 383},
    {"westmere-ex-8s", kLoad, kSharedByTwo, 0, 44},
    {"westmere-ex-8s", kLoad, kSharedByTwo, 1, 223},
    {"westmere-ex-8s", kLoad, kSharedByTwo, 2, 334},
    {"westmere-ex-8s", kLoad, kMemory, 0, 355},
    {"westmere-ex-8s", kLoad, kMemory, 1, 492},
    {"westmere-ex-8s", kLoad, kMemory, 2, 601},
    {"westmere-ex-8s", kStoreAndFence, kModified, 0, 115},
    {"westmere-ex-8s", kStoreAndFence, kModified, 1, 320},
    {"westmere-ex-8s", kStoreAndFence, kModified, 2, 431},
    {"westmere-ex-8s", kStoreAndFence, kExclusive, 0, 115},
    {"westmere-ex-8s", kStoreAndFence, kExclusive, 1, 315},
    {"westmere-ex-8s", kStoreAndFence, kExclusive, 2, 425},
    {"westmere-ex-8s", kStoreAndFence, kSharedByTwo, 0, 116},
    {"westmere-ex-8s", kStoreAndFence, kSharedByTwo, 1, 318},
    {"westmere-ex-8s", kStoreAndFence, kSharedByTwo, 2, 428},
    {"westmere-ex-8s", kCmpxchg, kModified, 0, 120},
    {"westmere-ex-8s", kCmpxchg, kModified, 1, 324},
    {"westmere-ex-8s", kCmpxchg, kModified, 2, 430},
    {"westmere-ex-8s", kCmpxchg, kSharedByTwo, 0, 113},
    {"westmere-ex-8s", kCmpxchg, kSharedByTwo, 1, 312},
    {"westmere-ex-8s", kCmpxchg, kSharedByTwo, 2, 423},
    {"westmere-ep-2s", kLoad, kModified, 0, 75},
    {"westmere-ep-2s", kLoad, kExclusive, 0, 65},
    {"westmere-ep-2s", kLoad, kSharedByTwo, 0, 42},
    {"westmere-ep-2s", kLoad, kMemory, 0, 40 + 67 * 2.67},
    {"westmere-ep-2s", kLoad, kMemory, 1, 40 + 105 * 2.67},
    {"westmere-ex-4s", kLoad, kMemory, 0, 135 * 2.26},
    {"westmere-ex-4s", kLoad, kMemory, 1, 197 * 2.26},
    {"westmere-ex-4s", kLoad, kSharedByTwo, 0, 44},
    {"westmere-ex-4s", kLoad, kModified, 0, 109},
}};

/// The holder stands that many links away.
constexpr std::array<HolderPlace, 3> kPlaces = {HolderPlace::kSameDie, HolderPlace::kOneHop, HolderPlace::kTwoHops};

TEST(Latency, EverySingleOperationIsWithinFifteenPercentOfWhatWasPublished) {
  for (const Published& row : kPublished) {
    const Machine machine = load_machine(row.machine);
    const Topology topology(machine);
    const HomePlace home = row.distance == 0 ? HomePlace::kRequester : HomePlace::kHolder;
    const HolderPlace holder = kPlaces[static_cast<std::size_t>(row.distance)];
    const auto arrangement = arrange(machine, topology, {row.state, holder, home});
    ASSERT_TRUE(arrangement.has_value());
    const double cycles = measure_latency(machine, topology, *arrangement, row.operation).mean;
    EXPECT_LT(std::abs(cycles / row.cycles - 1.0), 0.15)
        << row.machine << ", " << kSingleOperationNames[static_cast<std::size_t>(row.operation)] << " "
        << kLineStateNames[static_cast<std::size_t>(row.state)] << " at " << row.distance << " hops: published "
        << row.cycles << ", simulated " << cycles;
  }
}

}  // namespace
}  // namespace linebounce

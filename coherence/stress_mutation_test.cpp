// SPDX-License-Identifier: Apache-2.0
// The random tester must see nearly every fault of the catalogue.
#include <gtest/gtest.h>

#include <exception>
#include <string>

#include "coherence/mutation.hpp"
#include "coherence/stress_test_world.hpp"

namespace linebounce {
namespace {

constexpr TestShape kShapes[] = {
    {.sockets = 1, .cores = 3, .l2_ways = 1, .l3_ways = 2, .trackers = 2, .fill_buffers = 2},
    {.sockets = 2, .cores = 2, .l2_ways = 1, .l3_ways = 2, .trackers = 2, .fill_buffers = 1},
    {.sockets = 3, .cores = 1, .l2_ways = 1, .l3_ways = 1, .trackers = 1, .fill_buffers = 2},
};

/// Whether random wishes on small machines show the fault.
bool is_caught(const Mutation& mutation, CoherenceMode mode) {
  const ProtocolTables tables = mutated(mutation, mode.protocol, mode.snoop);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    for (TestShape shape : kShapes) {
      shape.protocol = mode.protocol;
      shape.snoop = mode.snoop;
      shape.broadcast_below = static_cast<int>(seed % 2);
      StressWorld world(shape, 2, seed, tables);
      try {
        world.run(400);
      } catch (const std::exception&) {
        return true;
      }
    }
  }
  return false;
}

class StressMutations : public testing::TestWithParam<CoherenceMode> {};

TEST_P(StressMutations, AtLeastNineInTenAreCaughtByRandomTests) {
  const CoherenceMode mode = GetParam();
  std::string missed;
  std::size_t caught = 0;
  std::size_t all = 0;
  for (const Mutation& mutation : mutations()) {
    if (!mutation.fits(mode.protocol, mode.snoop)) continue;
    ++all;
    if (is_caught(mutation, mode)) {
      ++caught;
    } else {
      missed += ' ' + std::string(mutation.name);
    }
  }
  EXPECT_GE(caught * 10, all * 9) << "missed:" << missed;
  RecordProperty("caught", static_cast<int>(caught));
  RecordProperty("missed", missed);
}

INSTANTIATE_TEST_SUITE_P(Each, StressMutations, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

}  // namespace
}  // namespace linebounce

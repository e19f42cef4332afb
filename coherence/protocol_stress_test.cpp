// SPDX-License-Identifier: Apache-2.0
// Random wishes on small machines whose messages arrive in every order that the fabric allows. LINEBOUNCE_STRESS_SEEDS
// in the environment makes it run longer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "coherence/protocol_print.hpp"
#include "coherence/stress_test_world.hpp"

namespace linebounce {
namespace {

constexpr std::uint32_t kSteps = 400;

std::uint64_t seeds() {
  const char* wanted = std::getenv("LINEBOUNCE_STRESS_SEEDS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 120;
}

/// Shapes of machines, each with few ways, so that evictions rage.
constexpr TestShape kShapes[] = {
    {.sockets = 1, .cores = 3, .l2_ways = 1, .l3_ways = 2, .trackers = 1, .fill_buffers = 2},
    {.sockets = 1, .cores = 3, .l2_ways = 2, .l3_ways = 3, .trackers = 3, .fill_buffers = 1},
    {.sockets = 2, .cores = 2, .l2_ways = 1, .l3_ways = 2, .trackers = 2, .fill_buffers = 1},
    {.sockets = 2, .cores = 2, .l2_ways = 2, .l3_ways = 3, .trackers = 1, .fill_buffers = 2},
    {.sockets = 2, .cores = 2, .l2_ways = 2, .l3_ways = 1, .trackers = 3, .fill_buffers = 2, .slices = 2, .homes = 2},
    {.sockets = 2, .cores = 3, .l2_ways = 1, .l3_ways = 3, .trackers = 2, .fill_buffers = 1},
    {.sockets = 3, .cores = 1, .l2_ways = 1, .l3_ways = 2, .trackers = 1, .fill_buffers = 2},
    {.sockets = 4, .cores = 1, .l2_ways = 2, .l3_ways = 2, .trackers = 2, .fill_buffers = 2},
    {.sockets = 4, .cores = 1, .l2_ways = 1, .l3_ways = 1, .trackers = 1, .fill_buffers = 1},
};

/// Runs one machine; true if the oracle had nothing to say.
bool run(const TestShape& shape, std::uint32_t lines, std::uint64_t seed, RowsFired& fired) {
  StressWorld world(shape, lines, seed, tables_of(shape.protocol, shape.snoop));
  try {
    world.run(kSteps);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << '\n'
                  << name_of(shape.protocol) << ", " << name_of(shape.snoop) << " snoop, seed " << seed << ", " << shape.sockets << "x" << shape.cores << ", " << lines
                  << " lines, L2 " << shape.l2_ways << " ways, L3 " << shape.l3_ways << " ways, " << shape.trackers
                  << " trackers, " << shape.fill_buffers << " fill buffers\n"
                  << world.dump();
    return false;
  }
  world.add_rows_fired(fired);
  return true;
}

/// Rows that may fire and have not.
void expect_all_fired(Controller controller, const ProtocolTables& tables, const std::vector<std::uint64_t>& fired) {
  const std::vector<PrintedRow> rows = printed_rows(controller, tables);
  ASSERT_EQ(fired.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].verdict == "impossible") {
      EXPECT_EQ(fired[i], 0U) << one_line(rows[i]);
    } else {
      EXPECT_GT(fired[i], 0U) << name_of(controller) << ", never fired: " << one_line(rows[i]);
    }
  }
}

class ProtocolStress : public testing::TestWithParam<CoherenceMode> {};

TEST_P(ProtocolStress, ServesEveryWishWithTheLastWriteAndFiresEveryRowWhateverTheOrderOfMessages) {
  const auto [protocol, snoop] = GetParam();
  RowsFired fired;
  for (TestShape shape : kShapes) {
    shape.protocol = protocol;
    shape.snoop = snoop;
    for (std::uint32_t lines = 1; lines <= 3; ++lines) {
      for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
        shape.broadcast_below = static_cast<int>(seed % 3);
        if (!run(shape, lines, seed, fired)) return;
      }
    }
  }
  const ProtocolTables& tables = tables_of(protocol, snoop);
  expect_all_fired(Controller::kCore, tables, fired.cache);
  expect_all_fired(Controller::kSlice, tables, fired.slice);
  expect_all_fired(Controller::kHome, tables, fired.home);
}

INSTANTIATE_TEST_SUITE_P(Each, ProtocolStress, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Random wishes on small machines whose messages arrive in every order that the fabric allows. LINEBOUNCE_STRESS_SEEDS
// in the environment makes it run longer.
#include <gtest/gtest.h>

#include <cstdlib>
#include <exception>
#include <string>

#include "coherence/stress_test_world.hpp"

namespace linebounce {
namespace {

constexpr std::uint32_t kSteps = 400;

std::uint64_t seeds() {
  const char* wanted = std::getenv("LINEBOUNCE_STRESS_SEEDS");
  return wanted != nullptr ? std::strtoull(wanted, nullptr, 10) : 50;
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
  StressWorld world(shape, lines, seed);
  try {
    world.run(kSteps);
  } catch (const std::exception& error) {
    ADD_FAILURE() << error.what() << "\nseed " << seed << ", " << shape.sockets << "x" << shape.cores << ", " << lines
                  << " lines, L2 " << shape.l2_ways << " ways, L3 " << shape.l3_ways << " ways, " << shape.trackers
                  << " trackers, " << shape.fill_buffers << " fill buffers\n"
                  << world.dump();
    return false;
  }
  world.add_rows_fired(fired);
  return true;
}

/// Everything, once for all tests of this file.
const RowsFired& rows_fired() {
  static const RowsFired everything = [] {
    RowsFired fired;
    for (const TestShape& shape : kShapes) {
      for (std::uint32_t lines = 1; lines <= 3; ++lines) {
        for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
          if (!run(shape, lines, seed, fired)) return fired;
        }
      }
    }
    return fired;
  }();
  return everything;
}

template <class Protocol>
std::string row_text(const Row<Protocol>& row) {
  std::string text;
  for (std::size_t s = 0; s < Protocol::kStateNames.size(); ++s) {
    if (row.states.has(static_cast<typename Protocol::State>(s))) text += std::string(Protocol::kStateNames[s]) + ' ';
  }
  text += "|";
  for (std::size_t e = 0; e < Protocol::kEventNames.size(); ++e) {
    if (row.events.has(static_cast<typename Protocol::Event>(e))) text += ' ' + std::string(Protocol::kEventNames[e]);
  }
  const auto guard = Protocol::kGuardNames[static_cast<std::size_t>(row.guard)];
  if (!guard.empty()) text += " [" + std::string(guard) + "]";
  return text + ": " + row.why;
}

/// Rows that may fire and have not.
template <class Protocol, std::size_t kRows>
void expect_all_fired(const ProtocolTable<Protocol, kRows>& table, const std::vector<std::uint64_t>& fired) {
  ASSERT_EQ(fired.size(), kRows);
  for (std::size_t i = 0; i < kRows; ++i) {
    if (table.rows[i].verdict == Verdict::kImpossible) {
      EXPECT_EQ(fired[i], 0U) << row_text(table.rows[i]);
    } else {
      EXPECT_GT(fired[i], 0U) << "never fired: " << row_text(table.rows[i]);
    }
  }
}

TEST(ProtocolStress, EveryLoadReadsTheLastWriteAndEveryWishIsServedWhateverTheOrderOfMessages) { (void)rows_fired(); }

TEST(ProtocolStress, EveryRowOfThePrivateCacheFires) { expect_all_fired(private_cache::kTable, rows_fired().cache); }
TEST(ProtocolStress, EveryRowOfTheSliceFires) { expect_all_fired(slice::kTable, rows_fired().slice); }
TEST(ProtocolStress, EveryRowOfTheHomeAgentFires) { expect_all_fired(home::kTable, rows_fired().home); }

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Random guests on random machines: nothing that may not matter matters, and every value can be explained.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "cpus/testing/random_guest.hpp"

namespace linebounce {
namespace {

using testing::Chance;
using testing::RandomGuest;

class RandomGuests : public ::testing::TestWithParam<std::uint64_t> {};

/// How many seeds one test tries.
constexpr std::uint64_t kBatch = 25;

TEST_P(RandomGuests, ReadOnlyWhatCanBeAndLookAlikeUnderEveryVariation) {
  for (std::uint64_t seed = GetParam() * kBatch; seed < (GetParam() + 1) * kBatch; ++seed) {
    Chance chance(seed + 1000);
    const Machine machine = testing::random_machine(chance);
    const std::size_t tasks = 2 + chance.below(7);
    const RandomGuest guest(seed, tasks);
    const auto threads = testing::random_placement(machine, chance, tasks);
    SystemOptions options;
    options.seed = seed;
    options.limit = Cycles{50'000'000};
    const auto make = [&](testing::Plan& plan) { guest.plan(plan, threads); };
    ASSERT_EQ(guest.unexplained(testing::run(machine, options, make)), "") << "seed " << seed << " on " << machine.name;
    ASSERT_EQ(testing::compare_variations(machine, options, make), "") << "seed " << seed << " on " << machine.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGuests, ::testing::Range(std::uint64_t{0}, std::uint64_t{8}));

}  // namespace
}  // namespace linebounce

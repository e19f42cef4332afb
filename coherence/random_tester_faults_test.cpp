// SPDX-License-Identifier: Apache-2.0
// The random tester must see nearly every fault of the catalogue.
#include <gtest/gtest.h>

#include <string>

#include "coherence/random_tester.hpp"

namespace linebounce {
namespace {

/// Whether random wishes on small machines show the fault.
bool is_caught(const Mutation& mutation, CoherenceMode mode) {
  RandomTest test;
  test.mode = mode;
  test.inject = &mutation;
  test.operations = 100'000;
  return run_random_test(test).failure.has_value();
}

class RandomTesterFaults : public testing::TestWithParam<CoherenceMode> {};

TEST_P(RandomTesterFaults, AtLeastNineInTenAreCaught) {
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

INSTANTIATE_TEST_SUITE_P(Each, RandomTesterFaults, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

}  // namespace
}  // namespace linebounce

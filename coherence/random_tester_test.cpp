// SPDX-License-Identifier: Apache-2.0
#include "coherence/random_tester.hpp"

#include <gtest/gtest.h>

#include <string>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// Operations of each test; all of them together do more than a million.
constexpr std::uint64_t kShare = 100'000;

void expect_no_failure(const RandomTestResult& result) {
  EXPECT_GE(result.operations, kShare);
  if (result.failure)
    ADD_FAILURE() << "seed " << result.failure->seed << ": " << result.failure->what << '\n' << result.failure->dump;
}

class RandomTesterOfSmallMachines : public testing::TestWithParam<CoherenceMode> {};

TEST_P(RandomTesterOfSmallMachines, ServesEveryWishWithTheLastWriteAndFiresEveryRowWhateverTheOrderOfMessages) {
  RandomTest test;
  test.mode = GetParam();
  test.operations = kShare;
  const RandomTestResult result = run_random_test(test);
  expect_no_failure(result);
  for (const Controller controller : kControllers) {
    for (const RowCount& row : row_counts(controller, tables_of(test.mode.protocol, test.mode.snoop), result.rows)) {
      EXPECT_GT(row.fired, 0U) << name_of(controller) << ", never fired: " << row.row;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Each, RandomTesterOfSmallMachines, testing::ValuesIn(kCoherenceModes), [](const auto& mode) {
  return std::string(name_of(mode.param.protocol)) + '_' + std::string(name_of(mode.param.snoop));
});

class RandomTesterOfShippedMachines : public testing::TestWithParam<std::string> {};

TEST_P(RandomTesterOfShippedMachines, ServesEveryWishWithTheLastWrite) {
  const Machine machine = load_machine(GetParam());
  RandomTest test;
  test.machine = &machine;
  test.mode = {machine.protocol, machine.snoop};
  test.operations = kShare;
  expect_no_failure(run_random_test(test));
}

INSTANTIATE_TEST_SUITE_P(Each, RandomTesterOfShippedMachines, testing::ValuesIn(shipped_machines()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(RandomTester, FindsTheSameFaultAgainFromItsSeed) {
  RandomTest test;
  test.mode = {Protocol::kMesif, SnoopMode::kHome};
  test.inject = find_mutation("core-drops-ack");
  const RandomTestResult first = run_random_test(test);
  ASSERT_TRUE(first.failure);
  test.seed = first.failure->seed;
  test.operations = 1;
  const RandomTestResult again = run_random_test(test);
  ASSERT_TRUE(again.failure);
  EXPECT_EQ(again.failure->seed, first.failure->seed);
  EXPECT_EQ(again.failure->what, first.failure->what);
  EXPECT_EQ(again.failure->dump, first.failure->dump);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/workloads/list_churn.hpp"
#include "sim/workloads/native_run.hpp"

namespace linebounce {
namespace {

template <LlistState S>
void run(const ListChurnShape& shape) {
  const int tasks = shape.producers + shape.consumers;
  NativeMemory memory;
  NativeRun native(tasks, 1000);
  ListChurn<S> workload(memory, shape, std::vector<std::uint32_t>(static_cast<std::size_t>(tasks)), 0);
  native.run(workload);
}

TEST(ListChurn, LosesNothingInAnyStateOfTheList) {
  const ListChurnShape shape{.producers = 2, .consumers = 1};
  run<LlistState::kS0>(shape);
  run<LlistState::kS1>(shape);
  run<LlistState::kS2>(shape);
  run<LlistState::kS3>(shape);
}

TEST(ListChurn, ConsumersOfOneListAllEnd) { run<LlistState::kS3>({.producers = 2, .consumers = 3}); }

TEST(ListChurn, EveryListHasItsProducersAndConsumers) {
  run<LlistState::kS3>({.producers = 3, .consumers = 2, .lists = 2, .local_work = {20}});
}

TEST(ListChurn, ASingleConsumerMayTakeEntriesOneByOne) {
  run<LlistState::kS3>({.producers = 2, .consumers = 1, .consume = Consume::kDelFirst});
  run<LlistState::kS3>({.producers = 2, .consumers = 2, .lists = 2, .consume = Consume::kDelFirst});
}

TEST(ListChurn, OnlyProducersComplete) {
  NativeMemory memory;
  const ListChurn<LlistState::kS3> workload(memory, {.producers = 2, .consumers = 1}, {0, 0, 0}, 0);
  EXPECT_TRUE(workload.counts(0));
  EXPECT_TRUE(workload.counts(1));
  EXPECT_FALSE(workload.counts(2));
}

TEST(ListNodes, AnEntryIsFreeOnlyAfterTheCycleThatFreedIt) {
  NativeMemory memory;
  ListNodes nodes(memory, {0}, 1, 0);
  ListNode* first = nodes.take(0, {0});
  ASSERT_NE(first, nullptr);
  for (int i = 1; i < ListNodes::kPerProducer; ++i) ASSERT_NE(nodes.take(0, {0}), nullptr);
  EXPECT_EQ(nodes.take(0, {100}), nullptr);
  ListNodes::release(*first, {100});
  EXPECT_EQ(nodes.take(0, {100}), nullptr);
  EXPECT_EQ(nodes.take(0, {101}), first);
}

TEST(ListNodes, NoticesAnEntryThatComesOffAListTwice) {
  NativeMemory memory;
  ListNodes nodes(memory, {0}, 1, 0);
  ListNode* node = nodes.take(0, {0});
  ListNodes::release(nodes.at(node->address), {5});
  EXPECT_THROW(ListNodes::release(*node, {6}), BrokenModel);
  EXPECT_THROW(nodes.at({12345}), BrokenModel);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/workloads/native_run.hpp"
#include "sim/workloads/sembench.hpp"

namespace linebounce {
namespace {

template <LlistState S>
void run(int tasks, const SembenchShape& shape) {
  NativeMemory memory;
  NativeRun native(tasks, 300);
  Sembench<S> workload(memory, shape, std::vector<std::uint32_t>(static_cast<std::size_t>(tasks)), 0);
  native.run(workload);
}

TEST(SembenchNative, EveryWakeUpIsOneBurnInAnyStateOfTheList) {
  const SembenchShape shape{.workers = 20, .max_wake = 7};
  run<LlistState::kS0>(3, shape);
  run<LlistState::kS1>(3, shape);
  run<LlistState::kS2>(3, shape);
  run<LlistState::kS3>(3, shape);
}

TEST(SembenchNative, OneProcessorAndMoreThanOneSetOfSemaphores) {
  run<LlistState::kS2>(2, {.workers = 260, .max_wake = 256, .costs = {.ipi_latency = {100}}});
}

TEST(SembenchNative, OnlyProcessorsWithWorkersComplete) {
  NativeMemory memory;
  const Sembench<LlistState::kS2> workload(memory, {.workers = 4}, {0, 0, 0}, 0);
  EXPECT_FALSE(workload.counts(0));
  EXPECT_TRUE(workload.counts(1));
  EXPECT_TRUE(workload.counts(2));
}

TEST(WakeLog, CountsWhatLiesInTheWindow) {
  WakeLog log;
  log.note(WakeEvent::kIpi, {10});
  log.note(WakeEvent::kIpi, {11}, 2);
  log.note(WakeEvent::kFailedAdd, {12}, 0);
  log.note(WakeEvent::kIpi, {20}, 4);
  log.note(WakeEvent::kIpi, {21}, 8);
  WakeCounts counts;
  log.add_to(counts, {10}, {20});
  EXPECT_EQ(counts.of(WakeEvent::kIpi), 6U);
  EXPECT_EQ(counts.of(WakeEvent::kFailedAdd), 0U);
}

}  // namespace
}  // namespace linebounce

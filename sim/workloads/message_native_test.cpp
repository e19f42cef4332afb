// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/workloads/message.hpp"
#include "sim/workloads/native_run.hpp"
#include "sim/workloads/ping_pong.hpp"

namespace linebounce {
namespace {

TEST(MessagePassing, DeliversEveryValueOnHostThreads) {
  for (const int lines : {1, 2}) {
    for (const bool round_trip : {false, true}) {
      NativeMemory memory;
      NativeRun native(2, 300);
      MessagePassing workload(memory, {.lines = lines, .round_trip = round_trip}, 0);
      EXPECT_NO_THROW(native.run(workload)) << lines << " lines, round trip " << round_trip;
    }
  }
}

TEST(MessagePassing, TheTaskThatSeesAnOperationEndCountsIt) {
  NativeMemory memory;
  const MessagePassing one_way(memory, {.round_trip = false}, 0);
  EXPECT_FALSE(one_way.counts(0));
  EXPECT_TRUE(one_way.counts(1));
  const MessagePassing round_trip(memory, {.round_trip = true}, 0);
  EXPECT_TRUE(round_trip.counts(0));
  EXPECT_FALSE(round_trip.counts(1));
}

TEST(PingPong, EndsWithBothTasksHavingHadTheirTurnsOnHostThreads) {
  NativeMemory memory;
  NativeRun native(2, 300);
  PingPong workload(memory, 0);
  EXPECT_NO_THROW(native.run(workload));
}

}  // namespace
}  // namespace linebounce

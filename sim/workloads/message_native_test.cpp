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
      for (const bool relax : {true, false}) {
        NativeMemory memory;
        NativeRun native(2, 300);
        MessagePassing workload(memory, {.lines = lines, .round_trip = round_trip, .relax = relax}, 0);
        EXPECT_NO_THROW(native.run(workload)) << lines << " lines, round trip " << round_trip << ", relax " << relax;
      }
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

/// A task of a run that is over.
class LateTask : public TaskIdentity {
 public:
  explicit LateTask(int index) : TaskIdentity(1, index, {0}) {}
  static bool completed(NativeCpu&) { return false; }
  static bool running(NativeCpu&) { return false; }
  static Cycles now(NativeCpu&) { return {0}; }
  static void catch_up(NativeCpu&) {}
};

TEST(PingPong, ATaskDoesNotWaitForABallThatWillNotComeBack) {
  NativeMemory memory;
  PingPong workload(memory, 0);
  NativeCpu cpu(1);
  LateTask second(1);  // waits for task 0, which has stopped
  workload.run(cpu, second);
  EXPECT_NO_THROW(workload.verify(&NativeMemory::peek));
}

}  // namespace
}  // namespace linebounce

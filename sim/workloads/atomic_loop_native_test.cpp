// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "sim/workloads/atomic_loop.hpp"
#include "sim/workloads/native_run.hpp"

namespace linebounce {
namespace {

using Ops = AtomicOps<NativeCpu>;

/// One operation after the other on one word, as a single task.
struct OneTask {
  explicit OneTask(std::string_view op) : row(*Ops::find(op)), task{.word = memory.allocate("word", 64, 0)} {}
  std::uint64_t perform() {
    ++task.tag;
    row.perform(cpu, task);
    return NativeMemory::peek(task.word, 8);
  }
  NativeMemory memory;
  NativeCpu cpu{0};
  const Ops::Row& row;
  AtomicTask task;
};

TEST(AtomicOps, DoWhatTheirNamesSay) {
  struct Case {
    std::string_view op;
    std::uint64_t first, second, third;  ///< the word after one, two and three operations
  };
  for (const Case& c : {Case{"load", 0, 0, 0}, Case{"store", 1, 2, 3}, Case{"xchg", 1, 2, 3}, Case{"xadd", 1, 2, 3},
                        Case{"cmpxchg", 1, 2, 3}, Case{"cmpxchg-alternate", 1, 0, 1}, Case{"cmpxchg-loop", 1, 2, 3},
                        Case{"test-and-set", 0, 0, 0}}) {
    OneTask one(c.op);
    EXPECT_EQ(one.perform(), c.first) << c.op;
    EXPECT_EQ(one.perform(), c.second) << c.op;
    EXPECT_EQ(one.perform(), c.third) << c.op;
  }
}

TEST(AtomicOps, ACmpxchgThatFailsLearnsTheValueForTheNext) {
  OneTask one("cmpxchg");
  one.cpu.store<std::uint64_t>(one.task.word, 40);
  EXPECT_EQ(one.perform(), 40U);
  EXPECT_EQ(one.perform(), 41U);
}

TEST(AtomicOps, TestAndSetLeavesAWordAloneThatOthersHold) {
  OneTask one("test-and-set");
  one.cpu.store<std::uint64_t>(one.task.word, 1);
  EXPECT_EQ(one.perform(), 1U);
}

TEST(AtomicOps, KnowNoOthers) { EXPECT_EQ(Ops::find("swap"), nullptr); }

TEST(AtomicLoop, EveryOperationAddsUpOnHostThreads) {
  for (const Ops::Row& row : Ops::rows()) {
    for (const LineSharing sharing : {LineSharing::kOneLine, LineSharing::kOneLineEach}) {
      NativeMemory memory;
      NativeRun native(3, 2000);
      AtomicLoop workload(memory, {.op = std::string(row.name), .retry_pause = true, .pauses = 1, .sharing = sharing},
                          3, 0);
      EXPECT_NO_THROW(native.run(workload)) << row.name;
    }
  }
}

}  // namespace
}  // namespace linebounce

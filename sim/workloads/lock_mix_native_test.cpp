// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "locks/qspinlock.hpp"
#include "locks/ticket.hpp"
#include "sim/workloads/lock_loop.hpp"
#include "sim/workloads/lock_mix.hpp"
#include "sim/workloads/native_run.hpp"

namespace linebounce {
namespace {

template <class L>
void run(int tasks) {
  NativeMemory memory;
  NativeRun native(tasks, 500);
  L hot(memory, native.lock_plan());
  L cold(memory, native.lock_plan());
  SharedUse<L> shared_hot(hot);
  SharedUse<L> shared_cold(cold);
  LockMix<SharedUse<L>> mix({20}, tasks);
  mix.add(shared_hot, memory.allocate("hot.data", 64, 0), {.name = "hot", .words = 3});
  mix.add(shared_cold, {}, {.name = "cold", .percent = 30, .critical_section = {10}, .words = 0});
  native.run(mix);
}

TEST(LockMixNative, CountsEveryCriticalSectionOfEveryLock) {
  for (const int tasks : {1, 3}) {
    run<TicketLock>(tasks);
    run<QspinlockAfter>(tasks);
  }
}

}  // namespace
}  // namespace linebounce

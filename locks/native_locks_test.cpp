// SPDX-License-Identifier: Apache-2.0
// Every lock on host threads. What it protects is plain memory, so ThreadSanitizer sees whether the lock orders it.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "locks/native_memory.hpp"
#include "locks/testing/every_lock.hpp"
#include "locks/testing/native_tasks.hpp"

namespace linebounce {
namespace {

using testing::run_native_tasks;

constexpr std::uint32_t kTasks = 4;
constexpr std::uint64_t kIterations = 4000;
constexpr std::uint64_t kIterationsPerYield = 32;

LockPlan plan_for(std::uint32_t cpus) { return {.cpu_homes = std::vector<std::uint32_t>(cpus)}; }

static_assert(Cpu<NativeCpu>);
static_assert(Memory<NativeMemory>);
static_assert(ReaderWriterLock<QrwLock, NativeCpu>);

/// Two plain counters: a lost update or a second task inside shows in either.
struct Protected {
  std::uint64_t up = 0;
  std::uint64_t down = 0;
  bool same_distance = true;

  void update() {
    same_distance = same_distance && up + down == 0;
    ++up;
    --down;
  }
};

template <class L>
void expect_exclusion(L& lock, std::uint32_t tasks, std::uint64_t iterations) {
  Protected data;
  run_native_tasks(tasks, [&](NativeCpu& cpu) {
    for (std::uint64_t i = 0; i < iterations; ++i) {
      lock.acquire(cpu);
      data.update();
      // Gives the host's processor away inside, so that others do queue up behind even where there is only one.
      if (i % kIterationsPerYield == 0) std::this_thread::yield();
      lock.release(cpu);
    }
  });
  EXPECT_EQ(data.up, tasks * iterations);
  EXPECT_TRUE(data.same_distance);
  EXPECT_EQ(lock.check_idle(NativeMemory::peek), "");
}

template <class L>
class NativeLock : public ::testing::Test {
 public:
  static_assert(MutexLock<L, NativeCpu>);
};
TYPED_TEST_SUITE(NativeLock, testing::EveryLock);

TYPED_TEST(NativeLock, ExcludesAndEndsClean) {
  for (const std::uint32_t tasks : {1U, 2U, 3U, kTasks}) {
    NativeMemory memory;
    TypeParam lock(memory, plan_for(tasks));
    expect_exclusion(lock, tasks, kIterations);
  }
}

TEST(NativeTicketLock, ExcludesWithWideTickets) {
  NativeMemory memory;
  TicketLock lock(memory, plan_for(300));
  expect_exclusion(lock, kTasks, kIterations);
}

template <class L>
class NativeTrylock : public ::testing::Test {};
using TryLocks = ::testing::Types<QspinlockBefore, QspinlockAfter, TicketLock>;
TYPED_TEST_SUITE(NativeTrylock, TryLocks);

TYPED_TEST(NativeTrylock, MixesWithAcquire) {
  NativeMemory memory;
  TypeParam lock(memory, plan_for(kTasks));
  Protected data;
  std::array<std::uint64_t, kTasks> done{};
  run_native_tasks(kTasks, [&](NativeCpu& cpu) {
    for (std::uint64_t i = 0; i < kIterations; ++i) {
      if (i % 2 == 0) {
        lock.acquire(cpu);
      } else if (!lock.try_acquire(cpu)) {
        continue;
      }
      data.update();
      ++done[cpu.cpu_number()];
      lock.release(cpu);
    }
  });
  std::uint64_t total = 0;
  for (const std::uint64_t count : done) total += count;
  EXPECT_EQ(data.up, total);
  EXPECT_TRUE(data.same_distance);
  EXPECT_EQ(lock.check_idle(NativeMemory::peek), "");
}

TEST(NativeQspinlock, TwoLocksNestOnTheSameNodes) {
  NativeMemory memory;
  const QspinlockNodes nodes(memory, plan_for(kTasks));
  QspinlockAfter outer(memory.allocate("outer", kLineBytes, 0), nodes);
  QspinlockAfter inner(memory.allocate("inner", kLineBytes, 0), nodes);
  Protected outer_data;
  Protected inner_data;
  run_native_tasks(kTasks, [&](NativeCpu& cpu) {
    for (std::uint64_t i = 0; i < kIterations; ++i) {
      const bool both = i % 2 == cpu.cpu_number() % 2;
      if (both) {
        outer.acquire(cpu);
        outer_data.update();
      }
      inner.acquire(cpu);
      inner_data.update();
      inner.release(cpu);
      if (both) outer.release(cpu);
    }
  });
  EXPECT_EQ(outer_data.up, kTasks * kIterations / 2);
  EXPECT_EQ(inner_data.up, kTasks * kIterations);
  EXPECT_EQ(outer.check_idle(NativeMemory::peek), "");
  EXPECT_EQ(inner.check_idle(NativeMemory::peek), "");
}

TEST(NativeQrwLock, ReadersSeeOnlyWholeUpdates) {
  NativeMemory memory;
  QrwLock lock(memory, plan_for(kTasks));
  Protected data;
  std::array<std::uint64_t, kTasks> torn{};
  run_native_tasks(kTasks, [&](NativeCpu& cpu) {
    for (std::uint64_t i = 0; i < kIterations; ++i) {
      if (i % 4 == cpu.cpu_number() % 4) {
        lock.acquire_write(cpu);
        data.update();
        lock.release_write(cpu);
      } else {
        lock.acquire_read(cpu);
        if (data.up + data.down != 0) ++torn[cpu.cpu_number()];
        lock.release_read(cpu);
      }
    }
  });
  EXPECT_EQ(data.up, kTasks * kIterations / 4);
  for (const std::uint64_t count : torn) EXPECT_EQ(count, 0U);
  EXPECT_EQ(lock.check_idle(NativeMemory::peek), "");
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Pins what each step of the queued spinlock does to memory, operation by operation, on each of its paths.
#include "locks/qspinlock.hpp"

#include <gtest/gtest.h>

#include "locks/testing/lock_script.hpp"

namespace linebounce {
namespace {

using testing::LockScript;
using testing::Log;

// Tails of layout LA (cpu + 1 from bit 18): ours is cpu1's.
constexpr std::uint32_t kTail0 = 0x40000;
constexpr std::uint32_t kTail2 = 0xc0000;

template <class L>
class EveryQspinlock : public ::testing::Test {};
using Variants = ::testing::Types<QspinlockQ1, QspinlockQ2, QspinlockQ3, QspinlockBefore, QspinlockAfter>;
TYPED_TEST_SUITE(EveryQspinlock, Variants);

TYPED_TEST(EveryQspinlock, UncontendedIsOneBareCmpxchgAndOneByteStore) {
  LockScript<TypeParam> s;
  EXPECT_EQ(s.acquire(), (Log{"fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x0"}));
  EXPECT_EQ(s.release(), (Log{"release: store8 lock <- 0x0"}));
  EXPECT_EQ(s.cpu.locked(), 1);
  EXPECT_EQ(s.check_idle(), "");
}

TYPED_TEST(EveryQspinlock, TrylockReadsFirstAndGivesUpOnAnythingButZero) {
  LockScript<TypeParam> s;
  EXPECT_TRUE(s.lock.try_acquire(s.cpu));
  EXPECT_EQ(s.cpu.take_log(), (Log{"fast_path: load32 lock = 0x0", "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x0"}));
  EXPECT_FALSE(s.lock.try_acquire(s.cpu));
  EXPECT_EQ(s.cpu.take_log(), (Log{"fast_path: load32 lock = 0x1"}));
}

TYPED_TEST(EveryQspinlock, SaysWhatIsNotCleanAboutAnIdleLock) {
  LockScript<TypeParam> s;
  s.poke32(1);
  EXPECT_EQ(s.check_idle(), "idle lock word is 1, not 0");
  s.poke32(0);
  s.memory.poke(s.node(2) + 12, 4, 1);
  EXPECT_EQ(s.check_idle(), "cpu2 still has 1 queue nodes in use");
}

TYPED_TEST(EveryQspinlock, RefusesALockWordThatCannotBe) {
  LockScript<TypeParam> s;
  s.poke32(2);
  EXPECT_THROW(s.lock.acquire(s.cpu), LockBroken);
}

template <class L>
class PendingBitQspinlock : public ::testing::Test {};
using PendingBitVariants = ::testing::Types<QspinlockQ2, QspinlockQ3>;
TYPED_TEST_SUITE(PendingBitQspinlock, PendingBitVariants);

TYPED_TEST(PendingBitQspinlock, SecondContenderWaitsOnTheWordAndTakesOverByCmpxchg) {
  LockScript<TypeParam> s;
  s.poke32(0x1);
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x1",
                             "pending_wait: cmpxchg32 lock 0x1 -> 0x101 found 0x1",
                             "pending_wait: load32 lock = 0x101",
                             "pending_wait: pause",
                             "pending_wait: load32 lock = 0x100",
                             "pending_wait: cmpxchg32 lock 0x100 -> 0x1 found 0x100",
                         }));
}

template <class L>
class PendingByteQspinlock : public ::testing::Test {};
using PendingByteVariants = ::testing::Types<QspinlockBefore, QspinlockAfter>;
TYPED_TEST_SUITE(PendingByteQspinlock, PendingByteVariants);

TYPED_TEST(PendingByteQspinlock, SecondContenderWaitsOnTheWordAndTakesOverByStore) {
  LockScript<TypeParam> s;
  s.poke32(0x1);
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x1",
                             "pending_wait: cmpxchg32 lock 0x1 -> 0x101 found 0x1",
                             "pending_wait: load32 lock = 0x101",
                             "pending_wait: pause",
                             "pending_wait: load32 lock = 0x100",
                             "pending_wait: store16 lock <- 0x1",
                         }));
  EXPECT_EQ(s.cpu.locked(), 2);
}

TYPED_TEST(PendingByteQspinlock, TakeOverKeepsATailThatCameMeanwhile) {
  LockScript<TypeParam> s;
  s.poke32(0x1);
  s.cpu.before("pause", [&] { s.poke32(kTail2 | 0x100); });
  s.lock.acquire(s.cpu);
  EXPECT_EQ(s.memory.peek(s.lock.word(), 4), kTail2 | 1);
}

TYPED_TEST(PendingByteQspinlock, WaitsOutAHandOverFromOwnerToPending) {
  LockScript<TypeParam> s;
  s.poke32(0x100);
  s.cpu.before("pause", [&] { s.poke32(1); });
  s.cpu.before("cmpxchg", [&] { s.poke32(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x100",
                             "pending_wait: load32 lock = 0x100",
                             "pending_wait: pause",
                             "pending_wait: load32 lock = 0x1",
                             "pending_wait: cmpxchg32 lock 0x1 -> 0x101 found 0x0",
                             "pending_wait: cmpxchg32 lock 0x0 -> 0x1 found 0x0",
                         }));
}

TYPED_TEST(PendingByteQspinlock, SlowPathTrylockWins) {
  LockScript<TypeParam> s;
  s.poke32(0x101);
  s.cpu.before("load", [] {});
  s.cpu.before("load", [&] { s.poke32(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x101",
                             "tail_exchange: load32 node[cpu1]+12 = 0x0",
                             "tail_exchange: store32 node[cpu1]+12 <- 0x1",
                             "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                             "tail_exchange: store64 node[cpu1] <- 0x0",
                             "fast_path: load32 lock = 0x0",
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x0",
                             "hand_off: load32 node[cpu1]+12 = 0x1",
                             "hand_off: store32 node[cpu1]+12 <- 0x0",
                         }));
  EXPECT_EQ(s.cpu.locked(), 2);
}

TYPED_TEST(PendingByteQspinlock, LastInTheQueueClearsTheTailWithOneCmpxchg) {
  LockScript<TypeParam> s;
  s.poke32(kTail0 | 1);
  s.cpu.before("pause", [&] { s.memory.poke(s.node(1) + 8, 4, 1); });
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x40001",
                             "tail_exchange: load32 node[cpu1]+12 = 0x0",
                             "tail_exchange: store32 node[cpu1]+12 <- 0x1",
                             "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                             "tail_exchange: store64 node[cpu1] <- 0x0",
                             "fast_path: load32 lock = 0x40001",
                             "tail_exchange: xchg16 lock+2 <- 0x8 found 0x4",
                             "link: store64 node[cpu0] <- node[cpu1]",
                             "queue_spin: load32 node[cpu1]+8 = 0x0",
                             "queue_spin: pause",
                             "queue_spin: load32 node[cpu1]+8 = 0x1",
                             "head_wait: load32 lock = 0x80001",
                             "head_wait: pause",
                             "head_wait: load32 lock = 0x80000",
                             "claim: cmpxchg32 lock 0x80000 -> 0x1 found 0x80000",
                             "hand_off: load32 node[cpu1]+12 = 0x1",
                             "hand_off: store32 node[cpu1]+12 <- 0x0",
                         }));
  EXPECT_EQ(s.cpu.locked(), 3);
}

TYPED_TEST(PendingByteQspinlock, ASecondContextOfACpuUsesItsSecondNode) {
  LockScript<TypeParam> s;
  s.poke32(0x101);
  s.memory.poke(s.node(1) + 12, 4, 1);
  s.cpu.before("pause", [&] { s.poke16(0); });
  const Log log = s.acquire();
  ASSERT_GT(log.size(), 6U);
  EXPECT_EQ(log[2], "tail_exchange: store32 node[cpu1]+12 <- 0x2");
  EXPECT_EQ(log[3], "tail_exchange: store32 node[cpu1]+24 <- 0x0");
  EXPECT_EQ(log[4], "tail_exchange: store64 node[cpu1]+16 <- 0x0");
  EXPECT_EQ(log[6], "tail_exchange: xchg16 lock+2 <- 0x9 found 0x0");
  EXPECT_EQ(s.memory.peek(s.node(1) + 12, 4), 1U);
}

TYPED_TEST(PendingByteQspinlock, AFifthContextOfACpuIsRefused) {
  LockScript<TypeParam> s;
  s.poke32(0x101);
  s.memory.poke(s.node(1) + 12, 4, 4);
  EXPECT_THROW(s.lock.acquire(s.cpu), LockBroken);
}

/// Head of the queue behind a pending waiter; when both have gone, cpu2 is queued behind.
template <class L>
Log queued_with_others_behind(LockScript<L>& s) {
  s.poke32(0x101);
  s.cpu.before("pause", [&] {
    s.poke32(kTail2);
    s.memory.poke(s.node(1), 8, s.node(2).value);
  });
  return s.acquire();
}

TEST(QspinlockBefore, ClaimsByCmpxchgThoughOthersAreQueuedBehind) {
  LockScript<QspinlockBefore> s;
  EXPECT_EQ(queued_with_others_behind(s), (Log{
                                              "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x101",
                                              "tail_exchange: load32 node[cpu1]+12 = 0x0",
                                              "tail_exchange: store32 node[cpu1]+12 <- 0x1",
                                              "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                                              "tail_exchange: store64 node[cpu1] <- 0x0",
                                              "fast_path: load32 lock = 0x101",
                                              "tail_exchange: xchg16 lock+2 <- 0x8 found 0x0",
                                              "head_wait: load32 lock = 0x80101",
                                              "head_wait: pause",
                                              "head_wait: load32 lock = 0xc0000",
                                              "claim: cmpxchg32 lock 0xc0000 -> 0xc0001 found 0xc0000",
                                              "hand_off: load64 node[cpu1] = node[cpu2]",
                                              "hand_off: store32 node[cpu2]+8 <- 0x1",
                                              "hand_off: load32 node[cpu1]+12 = 0x1",
                                              "hand_off: store32 node[cpu1]+12 <- 0x0",
                                          }));
  EXPECT_EQ(s.cpu.locked(), 3);
}

TEST(QspinlockAfter, ClaimsByByteStoreWhenOthersAreQueuedBehind) {
  LockScript<QspinlockAfter> s;
  EXPECT_EQ(queued_with_others_behind(s), (Log{
                                              "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x101",
                                              "tail_exchange: load32 node[cpu1]+12 = 0x0",
                                              "tail_exchange: store32 node[cpu1]+12 <- 0x1",
                                              "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                                              "tail_exchange: store64 node[cpu1] <- 0x0",
                                              "fast_path: load32 lock = 0x101",
                                              "tail_exchange: xchg16 lock+2 <- 0x8 found 0x0",
                                              "head_wait: load32 lock = 0x80101",
                                              "head_wait: pause",
                                              "head_wait: load32 lock = 0xc0000",
                                              "claim: store8 lock <- 0x1",
                                              "hand_off: load64 node[cpu1] = node[cpu2]",
                                              "hand_off: store32 node[cpu2]+8 <- 0x1",
                                              "hand_off: load32 node[cpu1]+12 = 0x1",
                                              "hand_off: store32 node[cpu1]+12 <- 0x0",
                                          }));
  EXPECT_EQ(s.cpu.locked(), 2);
}

/// Sees itself last in the queue, but cpu2 joins before the claim's cmpxchg, and links itself later.
template <class L>
Log overtaken_at_claim(LockScript<L>& s) {
  s.poke32(0x101);
  s.cpu.before("cmpxchg", [] {});
  s.cpu.before("pause", [&] { s.poke16(0); });
  s.cpu.before("cmpxchg", [&] { s.poke16(kTail2 >> 16, 2); });
  s.cpu.before("pause", [&] { s.memory.poke(s.node(1), 8, s.node(2).value); });
  Log log = s.acquire();
  return {log.begin() + 9, log.end() - 2};
}

TEST(QspinlockBefore, RepeatsTheClaimsCmpxchgWhenATailArrives) {
  LockScript<QspinlockBefore> s;
  EXPECT_EQ(overtaken_at_claim(s), (Log{
                                       "head_wait: load32 lock = 0x80000",
                                       "claim: cmpxchg32 lock 0x80000 -> 0x1 found 0xc0000",
                                       "claim: cmpxchg32 lock 0xc0000 -> 0xc0001 found 0xc0000",
                                       "hand_off: load64 node[cpu1] = 0x0",
                                       "hand_off: pause",
                                       "hand_off: load64 node[cpu1] = node[cpu2]",
                                       "hand_off: store32 node[cpu2]+8 <- 0x1",
                                   }));
}

TEST(QspinlockAfter, ClaimsByByteStoreOnceATailArrives) {
  LockScript<QspinlockAfter> s;
  EXPECT_EQ(overtaken_at_claim(s), (Log{
                                       "head_wait: load32 lock = 0x80000",
                                       "claim: cmpxchg32 lock 0x80000 -> 0x1 found 0xc0000",
                                       "claim: store8 lock <- 0x1",
                                       "hand_off: load64 node[cpu1] = 0x0",
                                       "hand_off: pause",
                                       "hand_off: load64 node[cpu1] = node[cpu2]",
                                       "hand_off: store32 node[cpu2]+8 <- 0x1",
                                   }));
}

TEST(QspinlockQ1, SecondContenderQueuesAtOnce) {
  LockScript<QspinlockQ1> s;
  s.poke32(0x1);
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: cmpxchg32 lock 0x0 -> 0x1 found 0x1",
                             "tail_exchange: load32 node[cpu1]+12 = 0x0",
                             "tail_exchange: store32 node[cpu1]+12 <- 0x1",
                             "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                             "tail_exchange: store64 node[cpu1] <- 0x0",
                             "tail_exchange: cmpxchg32 lock 0x1 -> 0x801 found 0x1",
                             "head_wait: load32 lock = 0x801",
                             "head_wait: pause",
                             "head_wait: load32 lock = 0x800",
                             "claim: cmpxchg32 lock 0x800 -> 0x1 found 0x800",
                             "hand_off: load32 node[cpu1]+12 = 0x1",
                             "hand_off: store32 node[cpu1]+12 <- 0x0",
                         }));
}

TEST(QspinlockQ1, TakesALockThatItFindsFreeWhileJoining) {
  LockScript<QspinlockQ1> s;
  s.poke32(0x1);
  s.cpu.before("store", [&] { s.poke32(0); });
  const Log log = s.acquire();
  ASSERT_EQ(log.size(), 9U);
  EXPECT_EQ(log[5], "tail_exchange: cmpxchg32 lock 0x1 -> 0x801 found 0x0");
  EXPECT_EQ(log[6], "tail_exchange: cmpxchg32 lock 0x0 -> 0x1 found 0x0");
}

TEST(QspinlockQ2, JoinsByCmpxchgAndKeepsLockedAndPending) {
  LockScript<QspinlockQ2> s;
  s.poke32(0x101);
  s.cpu.before("pause", [&] { s.memory.poke(s.lock.word(), 4, 0x1000); });
  const Log log = s.acquire();
  ASSERT_EQ(log.size(), 12U);
  EXPECT_EQ(log[5], "tail_exchange: cmpxchg32 lock 0x101 -> 0x1101 found 0x101");
  EXPECT_EQ(log[9], "claim: cmpxchg32 lock 0x1000 -> 0x1 found 0x1000");
}

TEST(QspinlockQ3, TriesTheLockThenSwapsTheTailByCmpxchg) {
  LockScript<QspinlockQ3> s;
  s.poke32(0x101);
  s.cpu.before("pause", [&] { s.poke32(0x1000); });
  const Log log = s.acquire();
  ASSERT_EQ(log.size(), 14U);
  EXPECT_EQ(log[5], "fast_path: load32 lock = 0x101");
  EXPECT_EQ(log[6], "tail_exchange: load32 lock = 0x101");
  EXPECT_EQ(log[7], "tail_exchange: cmpxchg32 lock 0x101 -> 0x1101 found 0x101");
}

TEST(Qspinlock, PutsTheWordAtHomeAndTheNodesAtTheirCpus) {
  testing::TestMemory memory;
  const QspinlockAfter lock(memory, LockPlan{.cpu_homes = {0, 1, 2}, .home = 3});
  EXPECT_EQ(memory.home_of("lock"), 3U);
  EXPECT_EQ(memory.home_of("node[cpu2]"), 2U);
  EXPECT_EQ(offset_in_line(lock.nodes().node(1, 0)), 0U);
  EXPECT_EQ(line_of(lock.nodes().node(1, 0)), line_of(lock.nodes().node(1, 3)));
  EXPECT_EQ(embedded_data(lock), lock.word() + 8);
}

TEST(Qspinlock, RefusesMoreCpusThanFitIntoTheWord) {
  testing::TestMemory memory;
  EXPECT_NO_THROW(QspinlockAfter(memory, LockPlan{.cpu_homes = std::vector<std::uint32_t>(16383)}));
  EXPECT_THROW(QspinlockAfter(memory, LockPlan{.cpu_homes = std::vector<std::uint32_t>(16384)}), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce

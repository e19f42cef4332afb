// SPDX-License-Identifier: Apache-2.0
// Pins what ticket, MCS, CLH and the test-and-set locks do to memory.
#include <gtest/gtest.h>

#include "locks/clh.hpp"
#include "locks/mcs.hpp"
#include "locks/tas.hpp"
#include "locks/testing/lock_script.hpp"
#include "locks/ticket.hpp"

namespace linebounce {
namespace {

using testing::LockScript;
using testing::Log;

TEST(TicketLock, UncontendedIsOneXaddAndAPlainAdd) {
  LockScript<TicketLock> s;
  s.poke16(0x0707);
  EXPECT_EQ(s.acquire(), (Log{"fast_path: xadd16 lock += 0x100 found 0x707"}));
  EXPECT_EQ(s.release(), (Log{"release: load8 lock = 0x7", "release: store8 lock <- 0x8"}));
  EXPECT_EQ(s.check_idle(), "");
}

TEST(TicketLock, WaitsUntilTheHeadReachesItsTicket) {
  LockScript<TicketLock> s;
  s.poke16(0x0907);
  s.cpu.before("pause", [&] { s.poke8(8); });
  s.cpu.before("pause", [&] { s.poke8(9); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: xadd16 lock += 0x100 found 0x907",
                             "head_wait: load8 lock = 0x7",
                             "head_wait: pause",
                             "head_wait: load8 lock = 0x8",
                             "head_wait: pause",
                             "head_wait: load8 lock = 0x9",
                         }));
  EXPECT_EQ(s.check_idle(), "idle ticket lock has head 9 but tail 10");
}

TEST(TicketLock, TicketsWrapAround) {
  LockScript<TicketLock> s;
  s.poke16(0xffff);
  s.acquire();
  s.release();
  EXPECT_EQ(s.memory.peek(s.lock.word(), 4), 0U);
}

TEST(TicketLock, TicketsAreWideFrom256CpusOn) {
  LockScript<TicketLock> narrow(255);
  EXPECT_EQ(narrow.acquire().front(), "fast_path: xadd16 lock += 0x100 found 0x0");
  LockScript<TicketLock> s(256);
  s.poke32(0x20001);
  s.cpu.before("pause", [&] { s.poke16(2); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: xadd32 lock += 0x10000 found 0x20001",
                             "head_wait: load16 lock = 0x1",
                             "head_wait: pause",
                             "head_wait: load16 lock = 0x2",
                         }));
  EXPECT_EQ(s.release(), (Log{"release: load16 lock = 0x2", "release: store16 lock <- 0x3"}));
  EXPECT_EQ(s.check_idle(), "");
}

TEST(TicketLock, TrylockTakesATicketOnlyIfItIsServedAtOnce) {
  LockScript<TicketLock> s;
  s.poke16(0x0707);
  EXPECT_TRUE(s.lock.try_acquire(s.cpu));
  EXPECT_EQ(s.cpu.take_log(),
            (Log{"fast_path: load16 lock = 0x707", "fast_path: cmpxchg16 lock 0x707 -> 0x807 found 0x707"}));
  EXPECT_FALSE(s.lock.try_acquire(s.cpu));
  EXPECT_EQ(s.cpu.take_log(), (Log{"fast_path: load16 lock = 0x807"}));
}

TEST(McsLock, UncontendedIsOneXchgAndOneCmpxchg) {
  LockScript<McsLock> s;
  EXPECT_EQ(s.acquire(), (Log{
                             "tail_exchange: store32 node[cpu1]+8 <- 0x0",
                             "tail_exchange: store64 node[cpu1] <- 0x0",
                             "tail_exchange: xchg64 lock <- node[cpu1] found 0x0",
                         }));
  EXPECT_EQ(s.check_idle(), "idle MCS lock still has a tail");
  EXPECT_EQ(s.release(), (Log{
                             "release: load64 node[cpu1] = 0x0",
                             "release: cmpxchg64 lock node[cpu1] -> 0x0 found node[cpu1]",
                         }));
  EXPECT_EQ(s.check_idle(), "");
}

TEST(McsLock, LinksItselfAndSpinsOnItsOwnNode) {
  LockScript<McsLock> s;
  s.poke64(s.node(0).value);
  s.cpu.before("pause", [&] { s.memory.poke(s.node(1) + 8, 4, 1); });
  Log log = s.acquire();
  log.erase(log.begin(), log.begin() + 2);
  EXPECT_EQ(log, (Log{
                     "tail_exchange: xchg64 lock <- node[cpu1] found node[cpu0]",
                     "link: store64 node[cpu0] <- node[cpu1]",
                     "queue_spin: load32 node[cpu1]+8 = 0x0",
                     "queue_spin: pause",
                     "queue_spin: load32 node[cpu1]+8 = 0x1",
                 }));
}

TEST(McsLock, HandsOverByStoreToAKnownSuccessor) {
  LockScript<McsLock> s;
  s.acquire();
  s.memory.poke(s.node(1), 8, s.node(2).value);
  EXPECT_EQ(s.release(), (Log{"release: load64 node[cpu1] = node[cpu2]", "hand_off: store32 node[cpu2]+8 <- 0x1"}));
}

TEST(McsLock, WaitsForASuccessorThatHasNotLinkedYet) {
  LockScript<McsLock> s;
  s.acquire();
  s.poke64(s.node(2).value);
  s.cpu.before("pause", [&] { s.memory.poke(s.node(1), 8, s.node(2).value); });
  EXPECT_EQ(s.release(), (Log{
                             "release: load64 node[cpu1] = 0x0",
                             "release: cmpxchg64 lock node[cpu1] -> 0x0 found node[cpu2]",
                             "release: load64 node[cpu1] = 0x0",
                             "release: pause",
                             "release: load64 node[cpu1] = node[cpu2]",
                             "hand_off: store32 node[cpu2]+8 <- 0x1",
                         }));
}

TEST(ClhLock, SpinsOnItsPredecessorsNodeAndInheritsIt) {
  LockScript<ClhLock> s;
  EXPECT_EQ(s.acquire(), (Log{
                             "tail_exchange: store32 node[cpu1] <- 0x1",
                             "tail_exchange: xchg64 lock <- node[cpu1] found 0x0",
                             "queue_spin: load32 node[free] = 0x0",
                         }));
  EXPECT_EQ(s.check_idle(), "the last node of an idle CLH lock is still locked");
  EXPECT_EQ(s.release(), (Log{"hand_off: store32 node[cpu1] <- 0x0"}));
  EXPECT_EQ(s.check_idle(), "");
  s.memory.poke(s.node(1), 4, 1);
  s.cpu.before("pause", [&] { s.memory.poke(s.node(1), 4, 0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "tail_exchange: store32 node[free] <- 0x1",
                             "tail_exchange: xchg64 lock <- node[free] found node[cpu1]",
                             "queue_spin: load32 node[cpu1] = 0x1",
                             "queue_spin: pause",
                             "queue_spin: load32 node[cpu1] = 0x0",
                         }));
  EXPECT_EQ(s.release(), (Log{"hand_off: store32 node[free] <- 0x0"}));
}

TEST(TestAndSetLock, SwapsUntilItWins) {
  LockScript<TestAndSetLock> s;
  s.poke8(1);
  s.cpu.before("pause", [] {});
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "fast_path: xchg8 lock <- 0x1 found 0x1",
                             "head_wait: pause",
                             "head_wait: xchg8 lock <- 0x1 found 0x1",
                             "head_wait: pause",
                             "head_wait: xchg8 lock <- 0x1 found 0x0",
                         }));
  EXPECT_EQ(s.check_idle(), "tas lock is still taken");
  EXPECT_EQ(s.release(), (Log{"release: store8 lock <- 0x0"}));
}

TEST(TestAndTestAndSetLock, SwapsOnlyWhenItSawTheLockFree) {
  LockScript<TestAndTestAndSetLock> s;
  s.poke8(1);
  s.cpu.before("pause", [&] { s.poke8(0); });
  s.cpu.before("xchg", [&] { s.poke8(1); });
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire(), (Log{
                             "head_wait: load8 lock = 0x1",
                             "head_wait: pause",
                             "head_wait: load8 lock = 0x0",
                             "claim: xchg8 lock <- 0x1 found 0x1",
                             "head_wait: load8 lock = 0x1",
                             "head_wait: pause",
                             "head_wait: load8 lock = 0x0",
                             "claim: xchg8 lock <- 0x1 found 0x0",
                         }));
  EXPECT_EQ(s.release(), (Log{"release: store8 lock <- 0x0"}));
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Pins what the queued reader-writer lock does to memory.
#include "locks/qrwlock.hpp"

#include <gtest/gtest.h>

#include "locks/testing/lock_script.hpp"

namespace linebounce {
namespace {

using testing::LockScript;
using testing::Log;

struct RwScript : LockScript<QrwLock> {
  Log acquire_read() {
    lock.acquire_read(cpu);
    return cpu.take_log();
  }
  Log acquire_write() {
    lock.acquire_write(cpu);
    return cpu.take_log();
  }
};

TEST(QrwLock, UncontendedReaderIsTwoXadds) {
  RwScript s;
  EXPECT_EQ(s.acquire_read(), (Log{"fast_path: xadd32 lock += 0x100 found 0x0"}));
  s.lock.release_read(s.cpu);
  EXPECT_EQ(s.cpu.take_log(), (Log{"release: xadd32 lock += 0xffffff00 found 0x100"}));
  EXPECT_EQ(s.check_idle(), "");
}

TEST(QrwLock, UncontendedWriterIsOneCmpxchgAndOneByteStore) {
  RwScript s;
  EXPECT_EQ(s.acquire_write(), (Log{"fast_path: cmpxchg32 lock 0x0 -> 0xff found 0x0"}));
  EXPECT_EQ(s.check_idle(), "idle reader-writer lock is 255, not 0");
  s.lock.release_write(s.cpu);
  EXPECT_EQ(s.cpu.take_log(), (Log{"release: store8 lock <- 0x0"}));
}

TEST(QrwLock, ReaderStepsBackQueuesAndWaitsForTheWriter) {
  RwScript s;
  s.poke32(0xff);
  s.cpu.before("pause", [&] { s.poke8(0); });
  EXPECT_EQ(s.acquire_read(), (Log{
                                  "fast_path: xadd32 lock += 0x100 found 0xff",
                                  "tail_exchange: xadd32 lock += 0xffffff00 found 0x1ff",
                                  "fast_path: cmpxchg32 lock+4 0x0 -> 0x1 found 0x0",
                                  "head_wait: load32 lock = 0xff",
                                  "head_wait: pause",
                                  "head_wait: load32 lock = 0x0",
                                  "claim: xadd32 lock += 0x100 found 0x0",
                                  "release: store8 lock+4 <- 0x0",
                              }));
}

TEST(QrwLock, ReaderAtTheHeadWaitsOutAWriterThatSlippedIn) {
  RwScript s;
  s.poke32(0x01);
  s.cpu.before("load", [&] { s.poke8(0); });
  s.cpu.before("xadd", [&] { s.poke8(0xff); });
  s.cpu.before("pause", [] {});
  s.cpu.before("pause", [&] { s.poke8(0); });
  Log log = s.acquire_read();
  log.erase(log.begin(), log.begin() + 4);
  EXPECT_EQ(log, (Log{
                     "claim: xadd32 lock += 0x100 found 0xff",
                     "head_wait: pause",
                     "head_wait: load32 lock = 0x1ff",
                     "head_wait: pause",
                     "head_wait: load32 lock = 0x100",
                     "release: store8 lock+4 <- 0x0",
                 }));
}

TEST(QrwLock, WriterTriesAgainAsQueueHead) {
  RwScript s;
  s.poke32(0x100);
  s.cpu.before("load", [&] { s.poke32(0); });
  EXPECT_EQ(s.acquire_write(), (Log{
                                   "fast_path: cmpxchg32 lock 0x0 -> 0xff found 0x100",
                                   "fast_path: cmpxchg32 lock+4 0x0 -> 0x1 found 0x0",
                                   "claim: load32 lock = 0x0",
                                   "claim: cmpxchg32 lock 0x0 -> 0xff found 0x0",
                                   "release: store8 lock+4 <- 0x0",
                               }));
}

TEST(QrwLock, WriterAnnouncesItselfAndWaitsForTheReaders) {
  RwScript s;
  s.poke32(0x100);
  s.cpu.before("pause", [&] { s.poke32(0x01); });
  EXPECT_EQ(s.acquire_write(), (Log{
                                   "fast_path: cmpxchg32 lock 0x0 -> 0xff found 0x100",
                                   "fast_path: cmpxchg32 lock+4 0x0 -> 0x1 found 0x0",
                                   "claim: load32 lock = 0x100",
                                   "head_wait: load32 lock = 0x100",
                                   "head_wait: cmpxchg32 lock 0x100 -> 0x101 found 0x100",
                                   "head_wait: load32 lock = 0x101",
                                   "head_wait: pause",
                                   "head_wait: load32 lock = 0x1",
                                   "claim: cmpxchg32 lock 0x1 -> 0xff found 0x1",
                                   "release: store8 lock+4 <- 0x0",
                               }));
}

TEST(QrwLock, WriterPausesAfterAFailedAttempt) {
  RwScript s;
  s.poke32(0x100);
  s.cpu.before("cmpxchg", [] {});
  s.cpu.before("cmpxchg", [] {});
  s.cpu.before("cmpxchg", [&] { s.poke32(0x200); });  // another reader came before the announcement
  s.cpu.before("pause", [&] { s.poke32(0x0); });      // both left
  s.cpu.before("cmpxchg", [] {});                     // announced
  s.cpu.before("cmpxchg", [&] { s.poke32(0x101); });  // a reader passes by while the writer claims
  s.cpu.before("pause", [&] { s.poke32(0x01); });
  Log log = s.acquire_write();
  log.erase(log.begin(), log.begin() + 3);
  EXPECT_EQ(log, (Log{
                     "head_wait: load32 lock = 0x100",
                     "head_wait: cmpxchg32 lock 0x100 -> 0x101 found 0x200",
                     "head_wait: pause",
                     "head_wait: load32 lock = 0x0",
                     "head_wait: cmpxchg32 lock 0x0 -> 0x1 found 0x0",
                     "head_wait: load32 lock = 0x1",
                     "claim: cmpxchg32 lock 0x1 -> 0xff found 0x101",
                     "claim: pause",
                     "head_wait: load32 lock = 0x1",
                     "claim: cmpxchg32 lock 0x1 -> 0xff found 0x1",
                     "release: store8 lock+4 <- 0x0",
                 }));
}

}  // namespace
}  // namespace linebounce

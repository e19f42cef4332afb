// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "locks/clh.hpp"
#include "locks/mcs.hpp"
#include "locks/qrwlock.hpp"
#include "locks/qspinlock.hpp"
#include "locks/tas.hpp"
#include "locks/ticket.hpp"
#include "sim/workloads/lock_loop.hpp"
#include "sim/workloads/native_run.hpp"

namespace linebounce {
namespace {

template <class L>
class LockLoopNative : public testing::Test {};

using Locks = testing::Types<QspinlockQ1, QspinlockQ2, QspinlockQ3, QspinlockBefore, QspinlockAfter, TicketLock,
                             McsLock, ClhLock, TestAndSetLock, TestAndTestAndSetLock, QrwLock>;
TYPED_TEST_SUITE(LockLoopNative, Locks);

template <class L>
void run(int tasks, const LockLoopShape& shape, bool embedded = false) {
  NativeMemory memory;
  NativeRun native(tasks, 500);
  L lock(memory, native.lock_plan());
  SharedUse<L> shared(lock);
  const Address data = embedded ? embedded_data(lock) : memory.allocate("data", 64, 0);
  LockLoop<SharedUse<L>> workload(shared, data, shape, tasks);
  native.run(workload);
}

TYPED_TEST(LockLoopNative, CountsEveryCriticalSection) {
  for (const int tasks : {1, 2, 3}) run<TypeParam>(tasks, {.words = 3});
}

TYPED_TEST(LockLoopNative, UpdatesDataInTheLocksOwnLine) { run<TypeParam>(2, {.words = 4}, true); }

TYPED_TEST(LockLoopNative, NeedsNoData) { run<TypeParam>(2, {.words = 0, .critical_section = {5}, .local_work = {5}}); }

TEST(RwLoopNative, ReadersAndWritersKeepOutOfEachOthersWay) {
  for (const int percent : {0, 30, 100}) run<QrwLock>(3, {.words = 4, .write_percent = percent});
}

TEST(RwLoopNative, ALockThatOnlyExcludesServesReadersToo) { run<TicketLock>(2, {.words = 2, .write_percent = 50}); }

/// A lock that lets everybody in.
class NoLock {
 public:
  static constexpr std::string_view kName = "none";
  static constexpr unsigned kWordBytes = 8;
  template <Memory M>
  NoLock(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
  template <Cpu C>
  void acquire(C& cpu) {
    // Waits until the other task is here too, so that both are in the critical section together.
    cpu.template xadd<std::uint64_t>(word_, 1);
    cpu.template poll_until<std::uint64_t>(word_, [](auto here) { return here >= 2; });
  }
  template <Cpu C>
  void release(C&) {}
  Address word() const { return word_; }
  std::string check_idle(const Peek&) const { return {}; }

 private:
  Address word_;
};

TEST(LockLoopNative, NoticesALockThatDoesNotExclude) {
  EXPECT_THROW(run<NoLock>(2, {.words = 1, .critical_section = {50'000'000}}), BrokenModel);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Thousands of random schedules of each lock, operation by operation, with and without store buffers: nobody else
// inside, no lost update, first come first served where promised, everybody ends, and the lock is clean afterwards.
// And the same net must catch locks that are wrong.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "locks/llist.hpp"
#include "locks/testing/every_lock.hpp"
#include "locks/testing/stepper.hpp"

namespace linebounce {
namespace {

using testing::SteppedCpu;
using testing::Stepper;
using testing::Stores;
using testing::TestMemory;

// All of this is one host thread: ThreadSanitizer has little to find, and is slow at changing stacks.
constexpr std::uint64_t kSchedules = testing::kUnderThreadSanitizer ? 20 : 500;
constexpr int kIterations = 2;

LockPlan plan_for(std::uint32_t cpus) { return {.cpu_homes = std::vector<std::uint32_t>(cpus)}; }

/// What is wrong with one schedule; empty: nothing.
template <class L>
class Schedule {
 public:
  Schedule(std::uint32_t tasks, std::uint64_t seed, Stores stores)
      : lock_(memory_, plan_for(tasks)), stepper_(memory_, seed, stores), arriving_(tasks) {
    stepper_.on_locked_change([this](std::uint32_t cpu, Address) {
      if (!arriving_[cpu]) return;
      arriving_[cpu] = false;
      arrivals_.push_back(cpu);
    });
    for (std::uint32_t i = 0; i < tasks; ++i) stepper_.spawn([this](SteppedCpu& cpu) { run_task(cpu); });
  }

  std::string run() {
    try {
      stepper_.run();
    } catch (const std::exception& error) {
      return error.what();
    }
    if (memory_.peek(data_, 8) != arriving_.size() * kIterations) wrong_ = "an update was lost";
    if (wrong_.empty()) wrong_ = lock_.check_idle([this](Address a, unsigned bytes) { return memory_.peek(a, bytes); });
    return wrong_;
  }

  /// A task arrives with its first locked operation that changes memory: taking the lock, setting pending, drawing a
  /// ticket, swapping the tail.
  bool first_come_first_served() const { return arrivals_ == entries_; }

 private:
  void run_task(SteppedCpu& cpu) {
    for (int i = 0; i < kIterations; ++i) {
      arriving_[cpu.cpu_number()] = true;
      lock_.acquire(cpu);
      entries_.push_back(cpu.cpu_number());
      if (inside_++ != 0) wrong_ = "two tasks inside";
      cpu.store<std::uint64_t>(data_, cpu.load<std::uint64_t>(data_) + 1);
      --inside_;
      lock_.release(cpu);
    }
  }

  TestMemory memory_;
  L lock_;
  Address data_ = memory_.allocate("data", 8, 0);
  Stepper stepper_;
  std::vector<bool> arriving_;
  std::vector<std::uint32_t> arrivals_;
  std::vector<std::uint32_t> entries_;
  int inside_ = 0;
  std::string wrong_;
};

/// The first thing found wrong in many schedules.
template <class L>
std::string first_fault(bool fifo) {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    for (const Stores stores : {Stores::kAtOnce, Stores::kBuffered}) {
      for (const std::uint32_t tasks : {2U, 3U, 4U}) {
        Schedule<L> schedule(tasks, seed, stores);
        std::string fault = schedule.run();
        if (fault.empty() && fifo && !schedule.first_come_first_served()) fault = "not first come, first served";
        if (!fault.empty()) return fault;
      }
    }
  }
  return {};
}

template <class L>
class ScheduledLock : public ::testing::Test {};
TYPED_TEST_SUITE(ScheduledLock, testing::UnorderedLocks);
TYPED_TEST(ScheduledLock, IsRightInEverySchedule) { EXPECT_EQ(first_fault<TypeParam>(false), ""); }

template <class L>
class ScheduledFifoLock : public ::testing::Test {};
TYPED_TEST_SUITE(ScheduledFifoLock, testing::FifoLocks);
TYPED_TEST(ScheduledFifoLock, IsRightAndServesInOrderOfArrival) { EXPECT_EQ(first_fault<TypeParam>(true), ""); }

/// Looks, then takes, in two steps.
class LookThenTake {
 public:
  static constexpr std::string_view kName = "look-then-take";
  static constexpr unsigned kWordBytes = 4;
  template <Memory M>
  LookThenTake(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
  template <Cpu C>
  void acquire(C& cpu) {
    cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return v == 0; });
    cpu.template store<std::uint32_t>(word_, 1);
  }
  template <Cpu C>
  void release(C& cpu) {
    cpu.template store<std::uint32_t>(word_, 0);
  }
  Address word() const { return word_; }
  std::string check_idle(const Peek& peek) const { return peek(word_, 4) == 0 ? "" : "still taken"; }

 private:
  Address word_;
};
static_assert(MutexLock<LookThenTake, SteppedCpu>);

/// Peterson's lock for two without its fence: right if stores are visible at once, wrong with store buffers.
class PetersonWithoutFence {
 public:
  static constexpr std::string_view kName = "peterson";
  static constexpr unsigned kWordBytes = 12;
  template <Memory M>
  PetersonWithoutFence(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
  template <Cpu C>
  void acquire(C& cpu) {
    const std::uint32_t me = cpu.cpu_number();
    cpu.template store<std::uint32_t>(word_ + std::uint64_t{4} * me, 1);
    cpu.template store<std::uint32_t>(word_ + 8, me);
    while (cpu.template load<std::uint32_t>(word_ + std::uint64_t{4} * (1 - me)) != 0 &&
           cpu.template load<std::uint32_t>(word_ + 8) == me) {
    }
  }
  template <Cpu C>
  void release(C& cpu) {
    cpu.template store<std::uint32_t>(word_ + std::uint64_t{4} * cpu.cpu_number(), 0);
  }
  Address word() const { return word_; }
  std::string check_idle(const Peek& peek) const { return peek(word_, 8) == 0 ? "" : "still taken"; }

 private:
  Address word_;
};
static_assert(MutexLock<PetersonWithoutFence, SteppedCpu>);

template <class L>
std::string fault_with_two(Stores stores) {
  for (std::uint64_t seed = 0; seed < 10 * kSchedules; ++seed) {
    if (std::string fault = Schedule<L>(2, seed, stores).run(); !fault.empty()) return fault;
  }
  return {};
}

TEST(Schedules, CatchALockThatLooksAndThenTakes) { EXPECT_NE(first_fault<LookThenTake>(false), ""); }

TEST(Schedules, CatchAStoreThatWaitsInItsBuffer) {
  EXPECT_EQ(fault_with_two<PetersonWithoutFence>(Stores::kAtOnce), "");
  EXPECT_NE(fault_with_two<PetersonWithoutFence>(Stores::kBuffered), "");
}

TEST(Schedules, CatchAQueueHeadThatDoesNotWaitForPending) {
  constexpr QspinlockDesign kBroken{QspinlockPatch::kQ5, kLayoutPendingByte, QspinlockJoin::kTrylockThenTail,
                                    QspinlockClaim::kStore, 0xff};
  EXPECT_NE(first_fault<Qspinlock<kBroken>>(false), "");
}

TEST(Schedules, CatchALockThatLetsALaterOneIn) {
  // Behind its queue, writers still get in by the fast path.
  EXPECT_EQ(first_fault<QrwLock>(true), "not first come, first served");
}

/// Two producers of three entries, two consumers: each entry is taken exactly once in every schedule.
template <LlistState S>
std::string list_fault(std::uint64_t seed, Stores stores) {
  constexpr std::uint64_t kEach = 3;
  TestMemory memory;
  Llist<S> list(memory, "list", 0);
  const Address entries = memory.allocate("entries", 2 * kEach * 8, 0);
  std::vector<int> taken(2 * kEach);
  int was_empty = 0;
  int emptied = 0;
  Stepper stepper(memory, seed, stores);
  for (int producer = 0; producer < 2; ++producer) {
    stepper.spawn([&](SteppedCpu& cpu) {
      for (std::uint64_t i = 0; i < kEach; ++i) {
        was_empty += list.add(cpu, entries + 8 * (cpu.cpu_number() * kEach + i)) ? 1 : 0;
      }
    });
  }
  const auto consume = [&](SteppedCpu& cpu) {
    Address chain = list.del_all(cpu);
    emptied += chain ? 1 : 0;
    for (; chain; chain = list.next(cpu, chain)) ++taken.at((chain.value - entries.value) / 8);
  };
  for (int consumer = 0; consumer < 2; ++consumer) {
    stepper.spawn([&](SteppedCpu& cpu) {
      for (int i = 0; i < 3; ++i) consume(cpu);
    });
  }
  stepper.run();
  Stepper rest(memory, seed, stores);
  rest.spawn(consume);
  rest.run();
  if (taken != std::vector<int>(2 * kEach, 1)) return "an entry was lost or taken twice";
  if (was_empty != emptied) return "adds that found the list empty and emptyings differ in number";
  return {};
}

TEST(Schedules, LoseNothingOfAList) {
  for (std::uint64_t seed = 0; seed < kSchedules; ++seed) {
    for (const Stores stores : {Stores::kAtOnce, Stores::kBuffered}) {
      ASSERT_EQ(list_fault<LlistState::kS0>(seed, stores), "");
      ASSERT_EQ(list_fault<LlistState::kS3>(seed, stores), "");
    }
  }
}

}  // namespace
}  // namespace linebounce

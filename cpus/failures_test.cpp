// SPDX-License-Identifier: Apache-2.0
// Guests that hang, loop for ever or throw, and callers that ask for the impossible.
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

/// A machine with what a test asks of it.
class Failures : public ::testing::Test {
 protected:
  static const Machine& machine() { return testing::shipped("westmere-ep-2s"); }
  static SystemOptions with_limit(std::int64_t cycles) {
    SystemOptions options;
    options.limit = Cycles{cycles};
    return options;
  }
  static std::string broken(System& system) {
    try {
      system.run();
    } catch (const BrokenModel& error) {
      return error.what();
    }
    return "nothing is wrong";
  }
  /// A System built now works.
  static void expect_another_system_to_work() {
    System system(machine(), testing::topology_of(machine()));
    const Address word = system.allocate("word", 8, 0);
    for (const std::uint32_t thread : {0U, 1U, 12U}) {
      system.spawn({thread}, "adder", [word](SimCpu& cpu) {
        for (int i = 0; i < 5; ++i) cpu.xadd<std::uint64_t>(word, 1);
      });
    }
    system.run();
    EXPECT_EQ(system.peek(word, 8), 15U);
  }
};

TEST_F(Failures, ADeadlockNamesEveryTaskWhatItWaitsForAndInWhichPhase) {
  System system(machine(), testing::topology_of(machine()));
  const Address flag = system.allocate("flag", 64, 0);
  const Address other = system.allocate("other", 64, 1);
  system.spawn({0}, "waiter", [flag](SimCpu& cpu) {
    cpu.phase(Phase::kQueueSpin);
    cpu.poll_until<std::uint32_t>(flag + 4, [](auto v) { return v != 0; });
  });
  system.spawn({14}, "second", [other](SimCpu& cpu) {
    cpu.store<std::uint64_t>(other, 7);
    const Phase before = cpu.phase(Phase::kHeadWait);
    try {
      cpu.poll_until<std::uint64_t>(other, [](auto v) { return v != 7; });
    } catch (...) {
      cpu.phase(before);
      throw;
    }
  });
  system.spawn({5}, "finisher", [flag](SimCpu& cpu) { cpu.store<std::uint32_t>(flag, 1); });
  const std::string dump = broken(system);
  EXPECT_NE(dump.find("deadlock"), std::string::npos) << dump;
  EXPECT_NE(dump.find("task waiter on thread 0: spin loop on flag+0x4 (value 0) in phase queue_spin"),
            std::string::npos)
      << dump;
  EXPECT_NE(dump.find("task second on thread 14: spin loop on other (value 7) in phase head_wait"), std::string::npos)
      << dump;
  EXPECT_EQ(dump.find("finisher"), std::string::npos) << dump;
  expect_another_system_to_work();
}

TEST_F(Failures, ADeadlockIsFoundHoweverItIsRun) {
  for (const testing::Variation& variation : testing::kVariations) {
    SystemOptions options = with_limit(100'000);
    variation.apply(options);
    System system(machine(), testing::topology_of(machine()), options);
    const Address flag = system.allocate("flag", 4, 0);
    system.spawn({3}, "waiter",
                 [flag](SimCpu& cpu) { cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v != 0; }); });
    // A loop that is simulated round by round never stands still: it reaches the limit instead.
    if (options.step_polls)
      EXPECT_THROW(system.run(), LimitReached) << variation.name;
    else
      EXPECT_THROW(system.run(), BrokenModel) << variation.name;
  }
}

TEST_F(Failures, ALivelockReachesTheLimit) {
  for (const bool run_ahead : {true, false}) {
    SystemOptions options = with_limit(200'000);
    options.run_ahead = run_ahead;
    System alone(machine(), testing::topology_of(machine()), options);
    const Address flag = alone.allocate("flag", 4, 0);
    alone.spawn({0}, "looper", [flag](SimCpu& cpu) {
      while (cpu.load<std::uint32_t>(flag) == 0) {
      }
    });
    EXPECT_THROW(alone.run(), LimitReached);
  }
  System pair(machine(), testing::topology_of(machine()), with_limit(200'000));
  const Address word = pair.allocate("word", 4, 0);
  for (const std::uint32_t thread : {0U, 13U}) {
    pair.spawn({thread}, "swapper", [word](SimCpu& cpu) {
      while (cpu.xchg<std::uint32_t>(word, 1) < 2) cpu.pause();
    });
  }
  try {
    pair.run();
    ADD_FAILURE() << "the livelock ended";
  } catch (const LimitReached& error) {
    EXPECT_NE(std::string(error.what()).find("task swapper on thread 13"), std::string::npos) << error.what();
  }
  expect_another_system_to_work();
}

TEST_F(Failures, OnlyPausesAndRegisterWorkReachTheLimitToo) {
  System system(machine(), testing::topology_of(machine()), with_limit(50'000));
  system.spawn({0}, "sleeper", [](SimCpu& cpu) {
    for (;;) cpu.pause();
  });
  EXPECT_THROW(system.run(), LimitReached);
}

TEST_F(Failures, WhatATaskThrowsComesOutOfRunAndTheOthersAreUnwound) {
  int unwound = 0;
  {
    System system(machine(), testing::topology_of(machine()));
    const Address word = system.allocate("word", 8, 0);
    struct Watch {
      int& count;
      ~Watch() { ++count; }
    };
    system.spawn({0}, "thrower", [&](SimCpu& cpu) {
      const Watch watch{unwound};
      for (int i = 0; i < 10; ++i) cpu.xadd<std::uint64_t>(word, 1);
      throw std::domain_error("the guest's own");
    });
    system.spawn({2}, "waiter", [&](SimCpu& cpu) {
      const Watch watch{unwound};
      cpu.poll_until<std::uint64_t>(word, [](auto v) { return v == 1000; });
    });
    system.spawn({13}, "adder", [&](SimCpu& cpu) {
      const Watch watch{unwound};
      for (;;) cpu.xadd<std::uint64_t>(word + 0, 0);
    });
    EXPECT_THROW(system.run(), std::domain_error);
    EXPECT_EQ(unwound, 3);
  }
  expect_another_system_to_work();
}

/// Releases its lock however its scope ends.
class Guard {
 public:
  Guard(SimCpu& cpu, Address lock) : cpu_(cpu), lock_(lock) {
    while (cpu.xchg<std::uint32_t>(lock, 1) != 0) cpu.pause();
  }
  ~Guard() {
    cpu_.mfence();
    cpu_.store<std::uint32_t>(lock_, 0);
    cpu_.xadd<std::uint32_t>(lock_ + kLineBytes, 1);
    cpu_.load<std::uint32_t>(lock_ + std::uint64_t{2} * kLineBytes);
  }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  SimCpu& cpu_;
  Address lock_;
};

TEST_F(Failures, DestructorsThatUseTheCpuDoNoHarmWhileAGuestIsUnwound) {
  for (const bool thrown : {false, true}) {
    for (const bool run_ahead : {true, false}) {
      SystemOptions options = with_limit(100'000);
      options.run_ahead = run_ahead;
      System system(machine(), testing::topology_of(machine()), options);
      const Address lock = system.allocate("lock", std::uint64_t{4} * kLineBytes, 0);
      const Address flag = system.allocate("flag", 4, 1);
      system.spawn({0}, "holder", [=](SimCpu& cpu) {
        const Guard guard(cpu, lock);
        if (thrown) throw std::domain_error("the guest's own");
        cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v != 0; });
      });
      system.spawn({1}, "waiter", [=](SimCpu& cpu) {
        const Guard guard(cpu, lock + std::uint64_t{3} * kLineBytes);
        cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v != 0; });
      });
      if (thrown)
        EXPECT_THROW(system.run(), std::domain_error);
      else
        EXPECT_THROW(system.run(), BrokenModel);
    }
  }
  expect_another_system_to_work();
}

TEST_F(Failures, AThreadTakesOneTaskAndOnlyThreadsOfTheMachineDo) {
  System system(machine(), testing::topology_of(machine()));
  system.spawn({23}, "last", [](SimCpu& cpu) { cpu.pause(); });
  EXPECT_THROW(system.spawn({23}, "again", [](SimCpu&) {}), std::invalid_argument);
  EXPECT_THROW(system.spawn({24}, "beyond", [](SimCpu&) {}), std::out_of_range);
  system.run();
  EXPECT_EQ(system.operations_completed(), 1U);
}

TEST_F(Failures, AMisalignedOperandIsTheGuestsError) {
  const auto throws = [](void (*use)(SimCpu&, Address)) {
    System system(machine(), testing::topology_of(machine()));
    const Address word = system.allocate("word", 64, 0);
    system.spawn({0}, "guest", [=](SimCpu& cpu) { use(cpu, word); });
    EXPECT_THROW(system.run(), std::invalid_argument);
  };
  throws([](SimCpu& cpu, Address a) { cpu.xadd<std::uint32_t>(a + 2, 1); });
  throws([](SimCpu& cpu, Address a) { cpu.cmpxchg<std::uint64_t>(a + 4, 0, 1); });
  throws([](SimCpu& cpu, Address a) { cpu.xchg<std::uint16_t>(a + 1, 1); });
  throws([](SimCpu& cpu, Address a) { cpu.bts<std::uint32_t>(a + 1, 0); });
  throws([](SimCpu& cpu, Address a) { cpu.load<std::uint64_t>(a + 1); });
  throws([](SimCpu& cpu, Address a) { cpu.store<std::uint16_t>(a + 63, 1); });
  throws([](SimCpu& cpu, Address a) { cpu.poll_until<std::uint32_t>(a + 3, [](auto) { return true; }); });
  expect_another_system_to_work();
}

TEST_F(Failures, AnEmptySystemRunsAndEndsAtOnce) {
  System system(machine(), testing::topology_of(machine()));
  system.open_window(Cycles{0});
  system.run();
  EXPECT_EQ(system.window_length(), Cycles{0});
  EXPECT_EQ(system.messages_delivered(), 0U);
}

TEST_F(Failures, WhatIsDueBeyondTheLimitDoesNotMatterOnceItMeansNothing) {
  System system(machine(), testing::topology_of(machine()), with_limit(1'500));
  system.open_window(Cycles{10});
  system.close_window(Cycles{1'000'000});
  // Beside each other both would need until cycle 2000; the short one ends at 200, and the long one at 1100.
  system.spawn({0}, "long", [](SimCpu& cpu) { cpu.compute(1'000); });
  system.spawn({1}, "short", [](SimCpu& cpu) { cpu.compute(100); });
  system.run();
  EXPECT_EQ(system.window_length(), Cycles{1'090});
}

TEST_F(Failures, ALivelockEndsWithWhatEveryTaskDoes) {
  SystemOptions options;
  options.patience = Cycles{20'000};
  System system(machine(), testing::topology_of(machine()), options);
  const Address flag = system.allocate("flag", 8, 0);
  for (const std::uint32_t thread : {0U, 12U}) {
    system.spawn({thread}, "looper", [&system, flag](SimCpu& cpu) {
      system.progress(cpu.thread(), cpu.now());
      while (cpu.cmpxchg<std::uint64_t>(flag, 1, 2) != 1) cpu.pause();
    });
  }
  const std::string dump = broken(system);
  EXPECT_NE(dump.find("livelock"), std::string::npos) << dump;
  EXPECT_NE(dump.find("looper"), std::string::npos) << dump;
  EXPECT_NE(dump.find("flag"), std::string::npos) << dump;
}

TEST_F(Failures, ALoneTaskThatAchievesNothingIsALivelockToo) {
  SystemOptions options;
  options.patience = Cycles{20'000};
  System system(machine(), testing::topology_of(machine()), options);
  const Address flag = system.allocate("flag", 8, 0);
  system.spawn({0}, "looper", [flag](SimCpu& cpu) {
    while (cpu.load<std::uint64_t>(flag) == 0) cpu.pause();
  });
  EXPECT_NE(broken(system).find("livelock"), std::string::npos);
}

}  // namespace
}  // namespace linebounce

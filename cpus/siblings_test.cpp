// SPDX-License-Identifier: Apache-2.0
// Two tasks on one core, and tasks that spin: issue slots alternate exactly, and waiting costs no events.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

using testing::Diary;
using testing::Plan;
using testing::RunRecord;

const Machine& machine() { return testing::shipped("westmere-ep-2s"); }
const CoreCosts& costs() { return machine().core; }

/// Two tasks of register work on one core; when each of them ends. The second one begins `later` PAUSEs later.
struct Pair {
  std::int64_t first;
  std::int64_t second;
  int later;
  std::int64_t first_ends;
  std::int64_t second_ends;
};

TEST(Siblings, TakeTheIssueSlotsInTurnWhileBothExecute) {
  const std::int64_t pause = costs().pause.count;
  const Pair pairs[] = {
      {100, 100, 0, 200, 200},  // all the way
      {100, 50, 0, 150, 100},   // the longer one has 50 left for itself
      {10, 3, 0, 13, 6},
      {3, 10, 0, 6, 13},
      {1, 1, 0, 2, 2},
      {100, 100, 2, 200 - 2 * pause, 200},  // both from 2 PAUSEs on, until the first has done its rest
      {5, 100, 1, 5, 100 + pause},          // never at once
      {100, 7, 3, 107, 3 * pause + 14},     // the short one lies inside the long one
  };
  for (const Pair& pair : pairs) {
    for (const bool swapped : {false, true}) {
      const RunRecord record = testing::run(machine(), {}, [&](Plan& plan) {
        plan.task({swapped ? 1U : 0U}, [&](SimCpu& cpu, Diary& diary) { cpu.compute(pair.first), diary.note(cpu); });
        plan.task({swapped ? 0U : 1U}, [&](SimCpu& cpu, Diary& diary) {
          for (int i = 0; i < pair.later; ++i) cpu.pause();
          cpu.compute(pair.second);
          diary.note(cpu);
        });
      });
      EXPECT_EQ(record.diaries[0].sights()[0].at.count, pair.first_ends) << pair.first << " beside " << pair.second;
      EXPECT_EQ(record.diaries[1].sights()[0].at.count, pair.second_ends) << pair.second << " beside " << pair.first;
      const std::size_t first = swapped ? 1 : 0;
      EXPECT_EQ(record.accounts[first].of(Category::kCompute).count, pair.first);
      EXPECT_EQ(record.accounts[first].of(Category::kSmtSlot).count, pair.first_ends - pair.first);
    }
  }
}

TEST(Siblings, LeaveTheirSlotsInPauseAndWhileTheyWaitForMemory) {
  const RunRecord record = testing::run(machine(), {}, [](Plan& plan) {
    const Address lines = plan.system().allocate("lines", std::uint64_t{64} * kLineBytes, 1);
    plan.task({0}, [](SimCpu& cpu, Diary& diary) { cpu.compute(5'000), diary.note(cpu); });
    plan.task({1}, [lines](SimCpu& cpu, Diary&) {
      for (std::uint64_t i = 0; i < 16; ++i) {
        cpu.pause();
        cpu.load<std::uint32_t>(lines + i * kLineBytes);
      }
    });
  });
  EXPECT_EQ(record.diaries[0].sights()[0].at, Cycles{5'000});
}

TEST(Siblings, ASpinLoopsTestTakesTwiceAsLongBesideRegisterWork) {
  // The flag is written long after the sibling's work has ended; how many rounds there were tells how long one took.
  const auto rounds = [](std::int64_t work) {
    return testing::run(machine(), {},
                        [work](Plan& plan) {
                          const Address flag = plan.system().allocate("flag", 4, 0);
                          plan.task({0}, [flag](SimCpu& cpu, Diary&) {
                            cpu.load<std::uint32_t>(flag);
                            cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v != 0; });
                          });
                          plan.task({1}, [work](SimCpu& cpu, Diary&) { cpu.compute(work); });
                          plan.task({4}, [flag](SimCpu& cpu, Diary&) {
                            cpu.compute(200'000), cpu.store<std::uint32_t>(flag, 1);
                          });
                        })
        .counters[0]
        .pauses;
  };
  const std::int64_t alone = (costs().l1_load + costs().poll_test + costs().pause).count;
  const std::int64_t beside = alone + costs().poll_test.count;
  const auto idle = static_cast<double>(rounds(1));
  const auto busy = static_cast<double>(rounds(100'000));
  const double expected = 100'000.0 / static_cast<double>(alone) - 100'000.0 / static_cast<double>(beside);
  EXPECT_NEAR(idle - busy, expected, 2.0);
}

TEST(Siblings, DoNotForwardFromEachOthersStores) {
  // The store waits for its line; the sibling reads the old value meanwhile, the task itself the new one.
  const RunRecord record = testing::run(machine(), {}, [](Plan& plan) {
    const Address word = plan.system().allocate("word", 4, 1);
    plan.task({12}, [word](SimCpu& cpu, Diary&) { cpu.xadd<std::uint32_t>(word, 5); });
    plan.task({0}, [word](SimCpu& cpu, Diary& diary) {
      cpu.load<std::uint32_t>(word);
      cpu.compute(4'000);
      cpu.store<std::uint32_t>(word, 9);
      diary.note(cpu, cpu.load<std::uint32_t>(word));
    });
    plan.task({1}, [word](SimCpu& cpu, Diary& diary) {
      cpu.load<std::uint32_t>(word);
      for (int i = 0; i < 800; ++i) diary.note(cpu, cpu.load<std::uint32_t>(word)), cpu.pause();
    });
  });
  const testing::Sight own = record.diaries[1].sights()[0];
  EXPECT_EQ(own.value, 9U);
  int old_values_after = 0;
  for (const testing::Sight& sight : record.diaries[2].sights()) {
    if (sight.at > own.at && sight.value == 5) ++old_values_after;
  }
  EXPECT_GT(old_values_after, 1);
  EXPECT_EQ(record.diaries[2].sights().back().value, 9U);
}

TEST(Siblings, DoLockedOperationsOnOneLineOneAfterTheOther) {
  constexpr int kEach = 200;
  const RunRecord record = testing::run(machine(), {}, [](Plan& plan) {
    const Address word = plan.system().allocate("word", 8, 0);
    plan.peek_after(word, 8);
    for (const std::uint32_t thread : {0U, 1U}) {
      plan.task({thread}, [word](SimCpu& cpu, Diary&) {
        for (int i = 0; i < kEach; ++i) cpu.xadd<std::uint64_t>(word, 1);
      });
    }
  });
  EXPECT_EQ(record.peeks[0], 2U * kEach);
  EXPECT_GE(record.window, costs().xadd * (2 * kEach));
  EXPECT_LE(record.window, costs().xadd * (2 * kEach) + Cycles{1'000});
  EXPECT_GT(record.accounts[0].of(Category::kHeldByLock), costs().xadd * (kEach - 10));
}

enum class Spin : std::uint8_t { kWithPause, kWithoutPause };
constexpr Spin kSpins[] = {Spin::kWithPause, Spin::kWithoutPause};

template <class Predicate>
std::uint32_t spin(SimCpu& cpu, Spin how, Address flag, Predicate&& predicate) {
  return how == Spin::kWithPause ? cpu.poll_until<std::uint32_t>(flag, predicate)
                                 : cpu.spin_until<std::uint32_t>(flag, predicate);
}

/// One task on each given thread spins on a flag that another sets after a while.
RunRecord wait_for(std::int64_t cycles, const std::vector<std::uint32_t>& waiters, Spin how) {
  SystemOptions options;
  options.limit = Cycles{20'000'000'000};
  return testing::run(machine(), options, [&](Plan& plan) {
    const Address flag = plan.system().allocate("flag", 4, 0);
    for (const std::uint32_t waiter : waiters) {
      plan.task({waiter}, [flag, how](SimCpu& cpu, Diary& diary) {
        diary.note(cpu, spin(cpu, how, flag, [](auto v) { return v != 0; }));
      });
    }
    plan.task({23}, [flag, cycles](SimCpu& cpu, Diary&) { cpu.compute(cycles), cpu.store<std::uint32_t>(flag, 1); });
  });
}

TEST(SpinLoops, CostNoEventsHoweverLongTheySpin) {
  const std::vector<std::uint32_t> waiters = {0, 1, 4, 12};
  for (const Spin how : kSpins) {
    const RunRecord brief = wait_for(10'000, waiters, how);
    const RunRecord lengthy = wait_for(10'000'000'000, waiters, how);
    EXPECT_EQ(brief.messages, lengthy.messages);
    EXPECT_EQ(brief.operations, lengthy.operations);
    for (const std::uint32_t waiter : waiters) {
      const bool beside = how == Spin::kWithoutPause && waiter < 2;  // two that keep their slots
      const Cycles round = how == Spin::kWithPause ? costs().l1_load + costs().poll_test + costs().pause
                                                   : (costs().issue + costs().poll_test) * (beside ? 2 : 1);
      EXPECT_NEAR(static_cast<double>(lengthy.counters[waiter].loads), 1e10 / static_cast<double>(round.count), 1000.0);
      EXPECT_EQ(lengthy.counters[waiter].pauses, how == Spin::kWithPause ? lengthy.counters[waiter].loads - 1 : 0);
      EXPECT_EQ(brief.counters[waiter].misses, lengthy.counters[waiter].misses);
    }
  }
}

TEST(Siblings, BothGetTheirTurnWithALineThatOtherCoresWantToo) {
  for (const std::vector<std::uint32_t>& threads :
       {std::vector<std::uint32_t>{0, 1, 2}, {0, 1, 2, 3}, {0, 1, 12, 13}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
    std::vector<int> swaps(threads.size());
    System system(machine(), testing::topology_of(machine()));
    const Address word = system.allocate("word", 8, 0);
    for (std::size_t i = 0; i < threads.size(); ++i) {
      system.spawn({threads[i]}, "swapper", [&swaps, i, word](SimCpu& cpu) {
        while (cpu.now() < Cycles{200'000}) {
          cpu.xchg<std::uint64_t>(word, i);
          ++swaps[i];
        }
      });
    }
    system.run();
    const auto [least, most] = std::minmax_element(swaps.begin(), swaps.end());
    EXPECT_GE(*least * 2, *most) << threads.size() << " threads";
  }
}

TEST(SpinLoops, HaveTheSameCycleStampsForEveryPhaseOfTheRound) {
  // One cycle later each time, so that the write meets every point of the spinner's round.
  for (const Spin how : kSpins) {
    for (std::int64_t wait = 3'000; wait < 3'020; ++wait) {
      const auto make = [how, wait](Plan& plan) {
        const Address flag = plan.system().allocate("flag", 4, 0);
        for (const std::uint32_t waiter : {0U, 2U, 3U, 12U}) {
          plan.task({waiter}, [flag, how](SimCpu& cpu, Diary& diary) {
            for (std::uint32_t turn = 1; turn < 4; ++turn) {
              diary.note(cpu, spin(cpu, how, flag, [turn](auto v) { return v >= turn; }));
            }
          });
        }
        plan.task({1}, [flag, wait](SimCpu& cpu, Diary&) {
          for (std::uint32_t turn = 1; turn < 4; ++turn) {
            cpu.compute(wait);
            cpu.store(flag, turn);
          }
        });
      };
      ASSERT_EQ(testing::compare_variations(machine(), {}, make), "") << wait;
    }
  }
}

TEST(SpinLoops, OfTwoSiblingsOnLinesOfTheirOwnHaveTheSameCycleStampsToo) {
  for (const Spin first : kSpins) {
    for (std::int64_t wait = 3'000; wait < 3'007; ++wait) {
      const auto make = [first, wait](Plan& plan) {
        const Address flags = plan.system().allocate("flags", std::uint64_t{2} * kLineBytes, 0);
        const Address mine[] = {flags, flags + kLineBytes};
        for (const std::uint32_t i : {0U, 1U}) {
          plan.task({i}, [flag = mine[i], how = i == 0 ? first : Spin::kWithoutPause](SimCpu& cpu, Diary& diary) {
            for (std::uint32_t turn = 1; turn < 4; ++turn) {
              diary.note(cpu, spin(cpu, how, flag, [turn](auto v) { return v >= turn; }));
              cpu.compute(50);
            }
          });
        }
        plan.task({4}, [mine = std::vector<Address>{mine[0], mine[1]}, wait](SimCpu& cpu, Diary&) {
          for (std::uint32_t turn = 1; turn < 4; ++turn) {
            for (const Address flag : mine) cpu.compute(wait), cpu.store(flag, turn);
          }
        });
      };
      ASSERT_EQ(testing::compare_variations(machine(), {}, make), "") << wait;
    }
  }
}

}  // namespace
}  // namespace linebounce

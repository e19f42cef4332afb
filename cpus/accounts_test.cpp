// SPDX-License-Identifier: Apache-2.0
// The measured window: wherever it opens and closes, every cycle has its category, and windows that meet add up.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cpus/testing/random_guest.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

using testing::Chance;
using testing::Diary;
using testing::Plan;
using testing::RandomGuest;
using testing::RunRecord;

/// A guest with spin loops, siblings, LOCKed operations and full store buffers.
class Windows : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  /// The same run, measured in (open, close].
  RunRecord measure(Cycles open, Cycles close) const {
    return testing::run(testing::shipped("westmere-ep-2s"), {}, [&](Plan& plan) {
      guest_.plan(plan, threads_);
      plan.leave_the_window_to_the_tasks();
      plan.system().open_window(open);
      plan.system().close_window(close);
    });
  }
  static Cycles end_of(const RunRecord& all) { return all.window; }

  RandomGuest guest_{GetParam() + 7'000, 5};
  std::vector<ThreadId> threads_ = {{0}, {1}, {2}, {12}, {13}};
};

constexpr Cycles kFarAway{1'000'000'000};

TEST_P(Windows, ThatMeetAddUpToTheWholeRun) {
  const RunRecord all = measure(Cycles{0}, kFarAway);
  Chance chance(GetParam());
  for (int i = 0; i < 12; ++i) {
    const Cycles cut{static_cast<std::int64_t>(chance.below(static_cast<std::uint32_t>(all.window.count)))};
    RunRecord sum = measure(Cycles{0}, cut);
    const RunRecord rest = measure(cut, kFarAway);
    ASSERT_EQ(sum.window, cut);
    ASSERT_EQ(rest.window, all.window - cut);
    for (std::size_t t = 0; t < all.accounts.size(); ++t) {
      EXPECT_EQ(sum.accounts[t].total(), sum.window);
      EXPECT_EQ(rest.accounts[t].total(), rest.window);
      sum.accounts[t] += rest.accounts[t];
      sum.counters[t] += rest.counters[t];
    }
    sum.window += rest.window;
    for (std::size_t k = 0; k < kMessageKinds; ++k) sum.machine.messages[k] += rest.machine.messages[k];
    for (std::size_t l = 0; l < sum.machine.link_bytes.size(); ++l) {
      sum.machine.link_bytes[l] += rest.machine.link_bytes[l];
    }
    for (std::size_t d = 0; d < 3; ++d) sum.machine.ownership_transfers[d] += rest.machine.ownership_transfers[d];
    sum.machine.l3_hits += rest.machine.l3_hits;
    sum.machine.l3_misses += rest.machine.l3_misses;
    sum.machine.dram_reads += rest.machine.dram_reads;
    sum.machine.dram_writes += rest.machine.dram_writes;
    ASSERT_EQ(testing::difference(all, sum), "") << "cut at " << cut.count << " of " << all.window.count;
  }
}

INSTANTIATE_TEST_SUITE_P(Guests, Windows, ::testing::Range(std::uint64_t{0}, std::uint64_t{6}));

/// One task of 1000 cycles of work, beside which nothing happens.
RunRecord thousand(const std::function<void(System&)>& set_window) {
  return testing::run(testing::shipped("westmere-ex-4s"), {}, [&](Plan& plan) {
    plan.leave_the_window_to_the_tasks();
    const Address word = plan.system().allocate("word", 4, 0);
    plan.task({0}, [word](SimCpu& cpu, Diary&) {
      cpu.compute(500);
      cpu.xadd<std::uint32_t>(word, 1);
      cpu.synchronise();
      cpu.compute(1'000 - cpu.now().count);
    });
    set_window(plan.system());
  });
}

TEST(Window, ThatNobodyOpensCountsNothing) {
  const RunRecord record = thousand([](System&) {});
  EXPECT_EQ(record.window, Cycles{0});
  EXPECT_GT(record.messages, 0U);
  for (const std::uint64_t n : record.machine.messages) EXPECT_EQ(n, 0U);
  for (const Bytes bytes : record.machine.link_bytes) EXPECT_EQ(bytes, Bytes{0});
  EXPECT_EQ(record.counters[0].other_locked, 0U);
  EXPECT_EQ(record.accounts[0].total(), Cycles{0});
}

TEST(Window, ClosesWithTheRunAtTheLatest) {
  EXPECT_EQ(thousand([](System& s) { s.open_window(Cycles{0}); }).window, Cycles{1'000});
  EXPECT_EQ(thousand([](System& s) { s.open_window(Cycles{10}), s.close_window(Cycles{5'000}); }).window, Cycles{990});
  const RunRecord late = thousand([](System& s) { s.open_window(Cycles{2'000}); });
  EXPECT_EQ(late.window, Cycles{0});
  for (const std::uint64_t n : late.machine.messages) EXPECT_EQ(n, 0U);
}

TEST(Window, TakesTheEarliestOfSeveralCloses) {
  const RunRecord record = thousand([](System& s) {
    s.open_window(Cycles{100});
    s.close_window(Cycles{700});
    s.close_window(Cycles{300});
    s.close_window(Cycles{500});
  });
  EXPECT_EQ(record.window, Cycles{200});
  EXPECT_EQ(record.accounts[0].of(Category::kCompute), Cycles{200});
  EXPECT_EQ(record.accounts[5].of(Category::kIdle), Cycles{200});
}

TEST(Window, CountsAnOperationThatEndsExactlyAsItCloses) {
  const auto counted = [](std::int64_t open, std::int64_t close) {
    return testing::run(testing::shipped("westmere-ep-2s"), {},
                        [=](Plan& plan) {
                          plan.leave_the_window_to_the_tasks();
                          plan.system().open_window(Cycles{open});
                          plan.system().close_window(Cycles{close});
                          plan.task({0}, [](SimCpu& cpu, Diary&) {
                            cpu.pause();
                            cpu.compute(1'000);
                          });
                        })
        .counters[0]
        .pauses;
  };
  const std::int64_t pause = testing::shipped("westmere-ep-2s").core.pause.count;
  EXPECT_EQ(counted(0, pause), 1U);
  EXPECT_EQ(counted(0, pause - 1), 0U);
  EXPECT_EQ(counted(pause - 1, 500), 1U);
  EXPECT_EQ(counted(pause, 500), 0U);
}

TEST(Counters, CountWhatATaskDid) {
  const RunRecord record = testing::run(testing::shipped("westmere-ep-2s"), {}, [](Plan& plan) {
    const Address word = plan.system().allocate("word", 64, 0);
    plan.task({0}, [word](SimCpu& cpu, Diary&) {
      cpu.load<std::uint32_t>(word);      // a miss
      cpu.load<std::uint32_t>(word + 4);  // L1
      cpu.store<std::uint8_t>(word, 1);
      cpu.mfence();
      cpu.cmpxchg<std::uint32_t>(word, 1, 2);  // L1
      cpu.cmpxchg<std::uint32_t>(word, 1, 2);  // L1, fails
      cpu.xchg<std::uint32_t>(word, 3);
      cpu.xadd<std::uint32_t>(word, 3);
      cpu.bts<std::uint32_t>(word, 3);
      cpu.pause();
      cpu.pause();
      cpu.compute(5);
    });
  });
  const ThreadCounters& c = record.counters[0];
  EXPECT_EQ(c.loads, 2U);
  EXPECT_EQ(c.stores, 1U);
  EXPECT_EQ(c.cmpxchgs, 2U);
  EXPECT_EQ(c.failed_cmpxchgs, 1U);
  EXPECT_EQ(c.other_locked, 3U);
  EXPECT_EQ(c.fences, 1U);
  EXPECT_EQ(c.pauses, 2U);
  EXPECT_EQ(c.l1_hits, 6U);
  EXPECT_EQ(c.l2_hits, 0U);
  EXPECT_EQ(c.misses, 1U);
  EXPECT_EQ(record.operations, 12U);
}

TEST(Counters, ChargeCyclesToThePhaseInWhichTheyPass) {
  const RunRecord record = testing::run(testing::shipped("westmere-ep-2s"), {}, [](Plan& plan) {
    plan.task({0}, [](SimCpu& cpu, Diary&) {
      EXPECT_EQ(cpu.phase(Phase::kClaim), Phase::kNone);
      cpu.compute(30);
      EXPECT_EQ(cpu.phase(Phase::kHandOff), Phase::kClaim);
      cpu.compute(4);
    });
  });
  EXPECT_EQ(record.accounts[0].of(Phase::kClaim), Cycles{30});
  EXPECT_EQ(record.accounts[0].at(Phase::kHandOff, Category::kCompute), Cycles{4});
  EXPECT_EQ(record.accounts[0].of(Phase::kNone), Cycles{0});
}

}  // namespace
}  // namespace linebounce

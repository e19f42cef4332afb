// SPDX-License-Identifier: Apache-2.0
// What a spin loop costs when its line is taken away: with PAUSE the rest of a round, without a machine clear.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

using testing::Diary;
using testing::Plan;
using testing::RunRecord;

constexpr std::size_t kSpinner = 0;
constexpr std::uint64_t kMemory = std::uint64_t{32} * 1024;

/// A spinner on thread 0, and what another thread does to the flag's line after `wait` cycles.
struct Scene {
  Machine machine = testing::shipped("westmere-ep-2s");
  bool relaxed = false;
  std::uint32_t other = 4;
  std::int64_t wait = 3'000;
  /// Writes the flag in the end.
  void (*act)(SimCpu&, Address) = [](SimCpu& cpu, Address flag) { cpu.store<std::uint32_t>(flag, 1); };

  RunRecord run() const {
    return testing::run(machine, {}, [this](Plan& plan) {
      const Address flag = plan.system().allocate("flag", kMemory, 0);
      plan.task({0}, [flag, this](SimCpu& cpu, Diary& diary) {
        const auto set = [](auto v) { return v != 0; };
        diary.note(cpu, relaxed ? cpu.poll_until<std::uint32_t>(flag, set) : cpu.spin_until<std::uint32_t>(flag, set));
      });
      plan.task({other}, [flag, this](SimCpu& cpu, Diary&) { cpu.compute(wait), act(cpu, flag); });
    });
  }
};

Cycles leaves(const RunRecord& record) { return record.diaries[kSpinner].sights()[0].at; }

TEST(MachineClear, DelaysTheLoadThatSeesTheWriteByExactlyItsCost) {
  Scene scene;
  scene.machine.core.machine_clear = Cycles{0};
  const RunRecord free = scene.run();
  EXPECT_EQ(free.counters[kSpinner].machine_clears, 1U);
  for (const std::int64_t cost : {1, 25, 400}) {
    scene.machine.core.machine_clear = Cycles{cost};
    const RunRecord record = scene.run();
    EXPECT_EQ(leaves(record) - leaves(free), Cycles{cost});
    EXPECT_EQ(record.accounts[kSpinner].of(Category::kMachineClear), Cycles{cost});
    EXPECT_EQ(record.accounts[kSpinner].of(Category::kMispredict), scene.machine.core.mispredict);
    EXPECT_EQ(record.accounts[kSpinner].of(Category::kPause), Cycles{0});
    EXPECT_EQ(record.counters[kSpinner].machine_clears, 1U);
  }
}

TEST(MachineClear, IsWhatPauseAvoids) {
  Scene scene;
  scene.relaxed = true;
  const RunRecord record = scene.run();
  EXPECT_EQ(record.counters[kSpinner].machine_clears, 0U);
  EXPECT_EQ(record.accounts[kSpinner].of(Category::kMachineClear), Cycles{0});
}

/// Leaves the issue slots to the sibling.
void rest(SimCpu& cpu) {
  for (int i = 0; i < 100; ++i) cpu.pause();
}

TEST(MachineClear, ComesWithEveryWriteToTheLineWhetherOrNotTheLoopIsLeft) {
  Scene scene;
  scene.act = [](SimCpu& cpu, Address flag) {
    rest(cpu);
    cpu.store<std::uint32_t>(flag + 32, 1);  // another word
    rest(cpu);
    cpu.xchg<std::uint32_t>(flag, 0);  // the value that it has
    rest(cpu);
    cpu.store<std::uint32_t>(flag, 1);
  };
  EXPECT_EQ(scene.run().counters[kSpinner].machine_clears, 3U);
  scene.other = 1;
  EXPECT_EQ(scene.run().counters[kSpinner].machine_clears, 3U) << "a sibling's stores hit the load buffer too";
}

TEST(MachineClear, DoesNotComeWithAReader) {
  Scene scene;
  scene.act = [](SimCpu& cpu, Address flag) {
    cpu.load<std::uint32_t>(flag);
    rest(cpu);
    cpu.store<std::uint32_t>(flag, 1);
  };
  EXPECT_EQ(scene.run().counters[kSpinner].machine_clears, 1U) << "only the write";
}

TEST(MachineClear, DoesNotComeWithAReplacementOfTheLine) {
  Scene scene;
  scene.machine.l1d = scene.machine.l2 = {16, 1};
  scene.other = 1;
  scene.act = [](SimCpu& cpu, Address flag) {
    cpu.load<std::uint32_t>(flag + std::uint64_t{16} * 1024);  // the same set
    rest(cpu);
    cpu.store<std::uint32_t>(flag, 1);
  };
  const RunRecord record = scene.run();
  EXPECT_EQ(record.counters[kSpinner].misses, 2U);
  EXPECT_EQ(record.counters[kSpinner].machine_clears, 1U) << "only the write";
}

TEST(MachineClear, NeedsALoadThatHasReadTheLineBeforeAnOlderOneRetires) {
  // A round takes 3 cycles, a load retires l1_load + 2 after it has read: it is overtaken for l1_load - 1 cycles.
  for (const std::int64_t l1_load : {1, 2, 3, 4, 5}) {
    int cleared = 0;
    for (std::int64_t wait = 3'000; wait < 3'003; ++wait) {
      Scene scene;
      scene.machine.core.l1_load = Cycles{l1_load};
      scene.wait = wait;
      cleared += static_cast<int>(scene.run().counters[kSpinner].machine_clears);
    }
    EXPECT_EQ(cleared, std::min<std::int64_t>(l1_load - 1, 3)) << l1_load;
  }
}

/// The shortest and the longest time from a write to the end of the loop, over all points of a round.
struct Delays {
  Cycles least{1'000'000};
  Cycles most;
};

Delays delays(Scene scene, Cycles round) {
  Delays delays;
  for (std::int64_t i = 0; i < round.count; ++i) {
    scene.wait = 5'000 + i;
    const Cycles delay = leaves(scene.run()) - Cycles{scene.wait};
    delays.least = std::min(delays.least, delay);
    delays.most = std::max(delays.most, delay);
  }
  return delays;
}

TEST(Pause, OfAnyLengthIsHowMuchLaterAWriteCanBeSeen) {
  Scene scene;
  const CoreCosts& costs = scene.machine.core;
  const Cycles ahead = costs.issue + costs.poll_test;
  const Delays without = delays(scene, ahead);
  EXPECT_EQ(without.most - without.least, ahead - Cycles{1});
  scene.relaxed = true;
  for (const std::int64_t pause : {1, 9, 43, 140, 400}) {
    scene.machine.core.pause = Cycles{pause};
    const Cycles round = costs.l1_load + costs.poll_test + costs.pause;
    const Delays with = delays(scene, round);
    EXPECT_EQ(with.most - with.least, round - Cycles{1}) << pause;
    EXPECT_EQ(with.least, without.least - costs.machine_clear) << pause;
  }
}

TEST(SlotsOfASpinLoop, AreTheSiblingsInPauseAndAreKeptWithoutIt) {
  const auto ends = [](bool relaxed) {
    return testing::run(testing::shipped("westmere-ep-2s"), {}, [relaxed](Plan& plan) {
      const Address flag = plan.system().allocate("flag", 4, 0);
      plan.task({0}, [flag, relaxed](SimCpu& cpu, Diary& diary) {
        const auto set = [](auto v) { return v != 0; };
        relaxed ? cpu.poll_until<std::uint32_t>(flag, set) : cpu.spin_until<std::uint32_t>(flag, set);
        diary.note(cpu);
      });
      plan.task({1}, [](SimCpu& cpu, Diary& diary) { cpu.compute(5'000), diary.note(cpu); });
      plan.task({4}, [flag](SimCpu& cpu, Diary&) { cpu.compute(50'000), cpu.store<std::uint32_t>(flag, 1); });
    });
  };
  EXPECT_EQ(ends(true).diaries[1].sights()[0].at, Cycles{5'000});
  // From when the flag's line has come, the work takes twice as long.
  const Cycles comes = testing::run(testing::shipped("westmere-ep-2s"), {},
                                    [](Plan& plan) {
                                      const Address flag = plan.system().allocate("flag", 4, 0);
                                      plan.task({0}, [flag](SimCpu& cpu, Diary& diary) {
                                        cpu.load<std::uint32_t>(flag);
                                        diary.note(cpu);
                                      });
                                    })
                           .diaries[0]
                           .sights()[0]
                           .at;
  EXPECT_EQ(ends(false).diaries[1].sights()[0].at, comes + (Cycles{5'000} - comes) * 2);
}

}  // namespace
}  // namespace linebounce

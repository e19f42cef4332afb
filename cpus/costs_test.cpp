// SPDX-License-Identifier: Apache-2.0
// What one task alone pays for each kind of operation: the machine's own numbers, to the cycle.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coherence/agent_map.hpp"
#include "cpus/testing/run_record.hpp"
#include "topologies/core_cycles.hpp"

namespace linebounce {
namespace {

using testing::Diary;
using testing::Plan;
using testing::RunRecord;

class Costs : public ::testing::TestWithParam<std::string> {
 protected:
  const Machine& machine() const { return testing::shipped(GetParam()); }
  const CoreCosts& costs() const { return machine().core; }

  /// Runs one task on its own with `lines` lines of memory.
  RunRecord run(const std::function<void(SimCpu&, Address, Diary&)>& body) const {
    return testing::run(machine(), {}, [&](Plan& plan) {
      const Address lines = plan.system().allocate("lines", std::uint64_t{8192} * kLineBytes, 0);
      plan.task({0}, [&, lines](SimCpu& cpu, Diary& diary) { body(cpu, lines, diary); });
    });
  }
  /// How long `operation` takes when `prepare` has gone before it and the store buffer has drained.
  Cycles cost(const std::function<void(SimCpu&, Address)>& prepare,
              const std::function<void(SimCpu&, Address)>& operation) const {
    const RunRecord record = run([&](SimCpu& cpu, Address lines, Diary& diary) {
      prepare(cpu, lines);
      cpu.mfence();
      diary.note(cpu);
      operation(cpu, lines);
      diary.note(cpu);
    });
    return record.diaries[0].sights()[1].at - record.diaries[0].sights()[0].at;
  }
};

void nothing(SimCpu&, Address) {}
void own(SimCpu& cpu, Address a) { cpu.store<std::uint64_t>(a, 5); }

TEST_P(Costs, OfPauseAndRegisterWorkAndAFenceWithNothingToWaitFor) {
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address) { cpu.pause(); }), costs().pause);
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address) { cpu.compute(123); }), Cycles{123});
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address) { cpu.compute(0); }), Cycles{0});
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address) { cpu.mfence(); }), costs().mfence);
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address) { cpu.synchronise(); }), Cycles{0});
}

TEST_P(Costs, OfALoadFromEachCacheOfTheCore) {
  const auto load = [](SimCpu& cpu, Address a) { cpu.load<std::uint32_t>(a); };
  EXPECT_EQ(cost(load, load), costs().l1_load);
  // As many other lines of its L1 set as the set has ways push the line out of the L1, but not out of the L2.
  const auto sets = static_cast<std::uint64_t>(machine().l1d.sets());
  const auto crowd = [&, sets](SimCpu& cpu, Address a) {
    for (int i = 0; i <= machine().l1d.ways; ++i)
      cpu.load<std::uint32_t>(a + static_cast<std::uint64_t>(i) * sets * kLineBytes);
  };
  EXPECT_EQ(cost(crowd, load), costs().l2_load);
  const auto nearly = [&, sets](SimCpu& cpu, Address a) {
    for (int i = 0; i < machine().l1d.ways; ++i)
      cpu.load<std::uint32_t>(a + static_cast<std::uint64_t>(i) * sets * kLineBytes);
  };
  EXPECT_EQ(cost(nearly, load), costs().l1_load);
}

TEST_P(Costs, OfALoadFromTheSocketsOwnL3) {
  const auto sets = static_cast<std::uint64_t>(machine().l2.sets());
  const RunRecord record = run([&](SimCpu& cpu, Address a, Diary& diary) {
    for (int i = 0; i <= machine().l2.ways; ++i)
      cpu.load<std::uint32_t>(a + static_cast<std::uint64_t>(i) * sets * kLineBytes);
    diary.note(cpu, a.value);
    cpu.load<std::uint32_t>(a);
    diary.note(cpu);
  });
  const auto& sights = record.diaries[0].sights();
  const Topology& topology = testing::topology_of(machine());
  const AgentMap map(machine());
  const NodeId slice = topology.slice(map.slice_of(line_of(Address{sights[0].value}), {0}));
  const NodeId core = topology.core({0});
  const Cycles there = core_cycles(machine(), topology.route(core, slice), machine().slice_lookup);
  const Cycles back = core_cycles(machine(), topology.route(slice, core), machine().slice_read);
  EXPECT_EQ(sights[1].at - sights[0].at, costs().l2_miss + there + back + costs().fill);
}

TEST_P(Costs, OfLockedOperationsOnTheOwnLineAreTheirExecution) {
  EXPECT_EQ(cost(own, [](SimCpu& cpu, Address a) { cpu.cmpxchg<std::uint64_t>(a, 5, 6); }), costs().cmpxchg);
  EXPECT_EQ(cost(own, [](SimCpu& cpu, Address a) { cpu.cmpxchg<std::uint64_t>(a, 9, 6); }), costs().cmpxchg);
  EXPECT_EQ(cost(own, [](SimCpu& cpu, Address a) { cpu.xchg<std::uint8_t>(a, 6); }), costs().xchg);
  EXPECT_EQ(cost(own, [](SimCpu& cpu, Address a) { cpu.xadd<std::uint16_t>(a, 6); }), costs().xadd);
  EXPECT_EQ(cost(own, [](SimCpu& cpu, Address a) { cpu.bts<std::uint32_t>(a, 3); }), costs().bts);
}

TEST_P(Costs, AStoreIsFreeForItsOwnerWhereALockedOperationWaits) {
  const Cycles store = cost(nothing, own);
  EXPECT_EQ(store, costs().issue);
  const Cycles xchg = cost(nothing, [](SimCpu& cpu, Address a) { cpu.xchg<std::uint64_t>(a, 5); });
  EXPECT_GT(xchg, costs().xchg + costs().l2_miss + costs().fill);
  // Another line's load passes the store.
  const auto warm = [](SimCpu& cpu, Address a) { cpu.load<std::uint64_t>(a + kLineBytes); };
  const Cycles both = cost(warm, [](SimCpu& cpu, Address a) {
    cpu.store<std::uint64_t>(a, 5);
    cpu.load<std::uint64_t>(a + kLineBytes);
  });
  EXPECT_EQ(both, costs().issue + costs().l1_load);
}

TEST_P(Costs, LockedOperationsAndFencesWaitUntilTheStoreBufferIsEmpty) {
  const auto warm = [](SimCpu& cpu, Address a) { cpu.store<std::uint64_t>(a + kLineBytes, 1); };
  const auto after_cold_store = [&](const std::function<void(SimCpu&, Address)>& last) {
    return cost(warm, [&](SimCpu& cpu, Address a) {
      cpu.store<std::uint64_t>(a, 5);
      last(cpu, a + kLineBytes);
    });
  };
  const Cycles fence = after_cold_store([](SimCpu& cpu, Address) { cpu.mfence(); });
  const Cycles xadd = after_cold_store([](SimCpu& cpu, Address a) { cpu.xadd<std::uint64_t>(a, 1); });
  const Cycles failed = after_cold_store([](SimCpu& cpu, Address a) { cpu.cmpxchg<std::uint64_t>(a, 99, 1); });
  EXPECT_GT(fence, costs().mfence + costs().l2_miss + costs().fill);
  EXPECT_EQ(xadd - costs().xadd, fence - costs().mfence);
  EXPECT_EQ(failed - costs().cmpxchg, fence - costs().mfence);
}

TEST_P(Costs, TheStoreBufferIsFullAtItsCapacityAndNotBefore) {
  for (const bool sibling : {false, true}) {
    const RunRecord record = testing::run(machine(), {}, [&](Plan& plan) {
      const Address lines = plan.system().allocate("lines", std::uint64_t{2} * kLineBytes, 0);
      plan.task({0}, [this, lines](SimCpu& cpu, Diary& diary) {
        cpu.xadd<std::uint64_t>(lines + kLineBytes, 1);
        diary.note(cpu);
        cpu.store<std::uint64_t>(lines, 1);
        for (int i = 0; i < costs().store_buffer; ++i) {
          diary.note(cpu);
          cpu.store<std::uint64_t>(lines + kLineBytes, 2);
        }
        diary.note(cpu);
      });
      if (sibling)
        plan.task({1}, [](SimCpu& cpu, Diary&) {
          for (int i = 0; i < 1000; ++i) cpu.pause();
        });
    });
    const auto& sights = record.diaries[0].sights();
    const int capacity = sibling ? costs().store_buffer / 2 : costs().store_buffer;
    for (int i = 0; i < capacity; ++i) {
      const auto at = static_cast<std::size_t>(i);
      EXPECT_EQ(sights[at + 1].at - sights[at].at, costs().issue) << "store " << i;
    }
    const auto full = static_cast<std::size_t>(capacity);
    EXPECT_GT(sights[full + 1].at - sights[full].at, costs().issue + costs().fill);
    EXPECT_GT(record.accounts[0].of(Category::kStoreBufferFull), Cycles{0});
  }
}

TEST_P(Costs, AFullyCoveredLoadIsForwarded) {
  const RunRecord record = run([](SimCpu& cpu, Address a, Diary& diary) {
    cpu.store<std::uint64_t>(a, 0x1122334455667788U);
    cpu.store<std::uint8_t>(a + 7, 0xaa);
    diary.note(cpu);
    diary.note(cpu, cpu.load<std::uint8_t>(a + 7));
    diary.note(cpu, cpu.load<std::uint32_t>(a));
    diary.note(cpu, cpu.load<std::uint16_t>(a + 4));
  });
  const auto& sights = record.diaries[0].sights();
  EXPECT_EQ(sights[1].value, 0xaaU);
  EXPECT_EQ(sights[2].value, 0x55667788U);
  EXPECT_EQ(sights[3].value, 0x3344U);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(sights[i].at - sights[i - 1].at, costs().store_forward);
}

TEST_P(Costs, ALoadThatIsNotFullyCoveredWaitsForThatStoreToCommit) {
  // Three stores; the load overlaps the last one, which waits behind the others.
  const auto stores = [](SimCpu& cpu, Address a) {
    cpu.store<std::uint64_t>(a, 1);
    cpu.store<std::uint64_t>(a + kLineBytes, 2);
    cpu.store<std::uint8_t>(a + kLineBytes + 9, 3);
  };
  const auto load = [](SimCpu& cpu, Address a) { EXPECT_EQ(cpu.load<std::uint64_t>(a + kLineBytes + 8), 0x300U); };
  const auto warm = [](SimCpu& cpu, Address a) { cpu.xadd<std::uint64_t>(a + kLineBytes, 1); };
  const Cycles fence = cost(warm, [&](SimCpu& cpu, Address a) { stores(cpu, a), cpu.mfence(); });
  const Cycles partial = cost(warm, [&](SimCpu& cpu, Address a) { stores(cpu, a), load(cpu, a); });
  EXPECT_EQ(partial - costs().store_forward_fail - costs().l1_load, fence - costs().mfence);
}

TEST_P(Costs, LeavingASpinLoopIsMispredictedOnlyAfterARound) {
  const auto warm = [](SimCpu& cpu, Address a) { cpu.load<std::uint32_t>(a); };
  const auto polling = [&](std::uint32_t rounds) {
    return cost(warm, [rounds](SimCpu& cpu, Address a) {
      std::uint32_t tests = 0;
      // Nobody writes: the predicate itself ends the loop, so every round has to be simulated.
      cpu.poll_until<std::uint32_t>(a, [&tests, rounds](auto) { return ++tests > rounds; });
    });
  };
  EXPECT_EQ(polling(0), costs().l1_load + costs().poll_test);
  const RunRecord record = testing::run(machine(), {}, [](Plan& plan) {
    const Address flag = plan.system().allocate("flag", 4, 0);
    plan.task({0}, [flag](SimCpu& cpu, Diary&) { cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v == 0; }); });
    plan.task({2}, [flag](SimCpu& cpu, Diary&) { cpu.poll_until<std::uint32_t>(flag, [](auto v) { return v == 1; }); });
    plan.task({4}, [flag](SimCpu& cpu, Diary&) { cpu.compute(3000), cpu.store<std::uint32_t>(flag, 1); });
  });
  EXPECT_EQ(record.accounts[0].of(Category::kMispredict), Cycles{0});
  EXPECT_EQ(record.accounts[2].of(Category::kMispredict), costs().mispredict);
}

TEST_P(Costs, ALoadBehindALockedOperationWaitsForItsEndAndBehindAStoreDoesNot) {
  const auto both = [](SimCpu& cpu, Address a) {
    cpu.store<std::uint64_t>(a, 5), cpu.load<std::uint64_t>(a + kLineBytes);
  };
  const auto load = [](SimCpu& cpu, Address a) { cpu.load<std::uint64_t>(a + kLineBytes); };
  EXPECT_EQ(cost(both, [&](SimCpu& cpu, Address a) { cpu.xadd<std::uint64_t>(a, 1), load(cpu, a); }),
            costs().xadd + costs().l1_load);
  EXPECT_EQ(cost(both, [&](SimCpu& cpu, Address a) { cpu.cmpxchg<std::uint64_t>(a, 9, 1), load(cpu, a); }),
            costs().cmpxchg + costs().l1_load);
  EXPECT_EQ(cost(both, [&](SimCpu& cpu, Address a) { cpu.mfence(), load(cpu, a); }), costs().mfence + costs().l1_load);
  EXPECT_EQ(cost(both, [&](SimCpu& cpu, Address a) { cpu.store<std::uint64_t>(a, 1), load(cpu, a); }),
            costs().issue + costs().l1_load);
}

/// How long it takes until `stores` stores to lines that nobody has are all done.
Cycles cold_stores(const Machine& machine, std::uint64_t stores) {
  const RunRecord record = testing::run(machine, {}, [stores](Plan& plan) {
    const Address lines = plan.system().allocate("lines", stores * kLineBytes, 0);
    plan.task({0}, [lines, stores](SimCpu& cpu, Diary& diary) {
      for (std::uint64_t i = 0; i < stores; ++i) cpu.store<std::uint64_t>(lines + i * kLineBytes, 1);
      cpu.mfence();
      diary.note(cpu);
    });
  });
  EXPECT_EQ(record.counters[0].stores, stores);
  return record.diaries[0].sights()[0].at - machine.core.mfence;
}

TEST_P(Costs, YoungerStoresAskForTheirLinesWhileTheOldestWaitsForItsOwn) {
  Machine one = machine();
  one.core.fill_buffers = 1;
  const Cycles alone = cold_stores(machine(), 1);
  EXPECT_LT(cold_stores(machine(), 4), alone + alone * 1 - Cycles{alone.count / 2});
  EXPECT_GT(cold_stores(one, 4), alone * 3) << "one fill buffer: one line after the other";
}

TEST_P(Costs, YoungerStoresThatMayNotAskAheadGetTheirLinesOneAfterTheOther) {
  Machine none = machine();
  none.core.ownership_ahead = 0;
  const Cycles alone = cold_stores(machine(), 1);
  EXPECT_GT(cold_stores(none, 4), alone * 3);
  Machine one = machine();
  one.core.ownership_ahead = 1;
  EXPECT_LT(cold_stores(one, 2), alone * 2 - Cycles{alone.count / 2});
}

TEST_P(Costs, AsManyMissesAreOutAtOnceAsThereAreFillBuffersAndNoMore) {
  const auto buffers = static_cast<std::uint64_t>(costs().fill_buffers);
  const Cycles alone = cold_stores(machine(), 1);
  EXPECT_LT(cold_stores(machine(), buffers), alone * 2);
  EXPECT_GT(cold_stores(machine(), buffers + 1), alone + Cycles{alone.count / 2});
  EXPECT_GT(cold_stores(machine(), buffers + 1) - cold_stores(machine(), buffers), Cycles{alone.count / 2});
}

TEST_P(Costs, APrefetchWaitsForNothingAndBringsTheLine) {
  EXPECT_EQ(cost(nothing, [](SimCpu& cpu, Address a) { cpu.prefetchw(a); }), costs().issue);
  const auto prefetch = [](SimCpu& cpu, Address a) { cpu.prefetchw(a), cpu.compute(5'000); };
  EXPECT_EQ(cost(prefetch, [](SimCpu& cpu, Address a) { cpu.load<std::uint32_t>(a); }), costs().l1_load);
}

INSTANTIATE_TEST_SUITE_P(Machines, Costs, ::testing::Values("westmere-ep-2s", "ivybridge-ex-4s"),
                         [](const auto& one) { return std::string(one.param, 0, one.param.find('-')); });

}  // namespace
}  // namespace linebounce

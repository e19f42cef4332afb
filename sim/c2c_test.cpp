// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

std::pair<std::shared_ptr<const Machine>, std::shared_ptr<const Topology>> machine_of(const std::string& name) {
  auto machine = std::make_shared<const Machine>(load_machine(name));
  auto topology = std::make_shared<const Topology>(*machine);
  return {machine, topology};
}

RecordedRun record(const std::string& machine_name, const Workload& workload, std::vector<ThreadId> placement,
                   std::int64_t iterations = 40) {
  const auto [machine, topology] = machine_of(machine_name);
  Experiment e;
  e.machine = machine.get();
  e.topology = topology.get();
  e.workload = workload;
  e.placement = std::move(placement);
  e.length = {.warmup = 5, .iterations = iterations, .cycles = {0}};
  return record_run(e, machine, topology);
}

C2cPoint count(const RecordedRun& run) {
  C2cCollector collector;
  collector.add(run);
  return collector.finish();
}

/// Runs tasks of a test's own on westmere-ex-4s and records them from the first cycle on.
class Bodies {
 public:
  Bodies() : Bodies(machine_of("westmere-ex-4s")) {}

  Address allocate(const char* name, std::uint64_t bytes) { return system_.allocate(name, bytes, 0); }
  void spawn(ThreadId thread, std::function<void(SimCpu&)> body) {
    placement_.push_back(thread);
    system_.spawn(thread, "task", std::move(body));
  }
  C2cPoint count() {
    system_.open_window({0});
    system_.run();
    RecordedRun run{{}, recorder_.take()};
    for (const ThreadId thread : placement_) run.result.counters.push_back(system_.counters(thread));
    run.recording.machine = machine_;
    run.recording.topology = topology_;
    run.recording.placement = placement_;
    return linebounce::count(run);
  }

 private:
  explicit Bodies(std::pair<std::shared_ptr<const Machine>, std::shared_ptr<const Topology>> machine)
      : machine_(machine.first), topology_(machine.second), system_(*machine_, *topology_, options()) {}
  SystemOptions options() {
    SystemOptions options;
    options.observer = &recorder_;
    return options;
  }

  std::shared_ptr<const Machine> machine_;
  std::shared_ptr<const Topology> topology_;
  Recorder recorder_{RecordingOptions{}};
  System system_;
  std::vector<ThreadId> placement_;
};

Workload lock_loop(const std::string& lock) {
  Workload w;
  w.kind = WorkloadKind::kLockLoop;
  w.lock = lock;
  return w;
}

TEST(C2c, CountsTheOverlappingLoadsOfLoopsWithoutPause) {
  for (const char* machine : {"westmere-ep-2s", "westmere-ex-4s"}) {
    const std::uint32_t per_socket = std::string(machine) == "westmere-ep-2s" ? 12 : 20;
    for (const char* lock : {"qspinlock", "ticket", "mcs", "clh", "ttas"}) {
      Workload w = lock_loop(lock);
      w.relax = false;
      EXPECT_NO_THROW(count(record(machine, w, {{0}, {1}, {2}, {per_socket}, {per_socket + 2}}))) << machine << lock;
    }
  }
}

/// The collector itself compares with the counters of the run; these runs have everything in them that it can get wrong.
TEST(C2c, CountsWhatTheRunCounts) {
  for (const char* machine : {"westmere-ep-2s", "westmere-ex-4s", "ivybridge-ex-4s"}) {
    const std::uint32_t per_socket = std::string(machine) == "westmere-ep-2s" ? 12 : 20;
    const std::vector<ThreadId> threads = {{0}, {1}, {2}, {per_socket}, {per_socket + 2}};
    for (const char* lock : {"qspinlock", "ticket", "mcs", "clh", "tas", "ttas"}) {
      EXPECT_NO_THROW(count(record(machine, lock_loop(lock), threads))) << machine << ' ' << lock;
    }
    Workload list;
    list.kind = WorkloadKind::kListChurn;
    list.producers = 4;
    EXPECT_NO_THROW(count(record(machine, list, threads))) << machine;
    Workload message;
    message.kind = WorkloadKind::kMessage;
    EXPECT_NO_THROW(count(record(machine, message, {{1}, {per_socket}}))) << machine;
    for (const char* op : {"load", "store", "xchg", "xadd", "cmpxchg-loop", "test-and-set"}) {
      Workload atomics;
      atomics.kind = WorkloadKind::kAtomicLoop;
      atomics.op = op;
      EXPECT_NO_THROW(count(record(machine, atomics, threads))) << machine << ' ' << op;
    }
  }
}

TEST(C2c, ARunThatCountedSomethingElseIsABrokenModel) {
  RecordedRun run = record("westmere-ex-4s", lock_loop("ticket"), {{0}, {20}});
  ++run.result.counters[1].l2_hits;
  EXPECT_THROW(count(run), BrokenModel);
}

TEST(C2c, EveryWayOfABallIsOneHitm) {
  Workload w;
  w.kind = WorkloadKind::kPingPong;
  const C2cPoint near = count(record("westmere-ex-4s", w, {{0}, {2}}));
  EXPECT_EQ(near.counts.of(LoadSource::kLclHitm), 80U);
  EXPECT_EQ(near.counts.hitms(), 80U);
  const C2cPoint far = count(record("westmere-ex-4s", w, {{0}, {20}}));
  EXPECT_EQ(far.counts.of(LoadSource::kRmtHitm), 80U);
  EXPECT_EQ(far.counts.hitms(), 80U);
  ASSERT_EQ(far.lines.size(), 1U);
  EXPECT_EQ(far.lines[0].name, "word");
  EXPECT_EQ(far.counts.locked, far.counts.loads());
  EXPECT_EQ(far.counts.locked, far.counts.stores());
}

TEST(C2c, FalseSharingIsTwoOffsetsOfOneLine) {
  Bodies bodies;
  const Address pair = bodies.allocate("pair", 64);
  const Address alone = bodies.allocate("alone", 128);
  for (const std::uint32_t task : {0U, 1U}) {
    bodies.spawn(ThreadId{task * 20}, [=](SimCpu& cpu) {
      cpu.xadd<std::uint64_t>(alone + task * 64, 1);
      cpu.compute(1000 * task);  // they take turns, far enough apart for the line to get to the other socket
      for (int i = 0; i < 50; ++i) {
        cpu.xadd<std::uint64_t>(pair + task * 32, 1);
        cpu.compute(2000);
      }
    });
  }
  const C2cPoint point = bodies.count();
  EXPECT_EQ(point.touched_lines, 3U);
  ASSERT_EQ(point.lines.size(), 1U) << "a line of one task alone is not shared";
  const std::vector<C2cOffset> offsets = by_offset(point.lines[0]);
  ASSERT_EQ(offsets.size(), 2U);
  EXPECT_EQ(offsets[0].offset, 0U);
  EXPECT_EQ(offsets[0].tasks, std::vector<int>{0});
  EXPECT_EQ(offsets[1].offset, 32U);
  EXPECT_EQ(offsets[1].tasks, std::vector<int>{1});
  // The first of all finds it in DRAM, everybody else with the other task.
  EXPECT_EQ(point.lines[0].counts.of(LoadSource::kRmtHitm), 99U);
  EXPECT_EQ(point.lines[0].counts.of(LoadSource::kLclDram) + point.lines[0].counts.of(LoadSource::kRmtDram), 1U);
}

TEST(C2c, AFlagThatIsPassedToAndFroIsOneHitmAndOneStoreMissAWay) {
  constexpr std::uint64_t kWays = 60;
  Bodies bodies;
  const Address flag = bodies.allocate("flag", 8);
  for (const std::uint32_t task : {0U, 1U}) {
    bodies.spawn(ThreadId{task * 2}, [=](SimCpu& cpu) {
      for (std::uint64_t way = task; way < kWays; way += 2) {
        cpu.poll_until<std::uint64_t>(flag, [way](std::uint64_t value) { return value == way; });
        cpu.store<std::uint64_t>(flag, way + 1);
      }
    });
  }
  const C2cPoint point = bodies.count();
  EXPECT_EQ(point.counts.stores(), kWays);
  // Task 0 may be the first owner and then writes its first way without asking; every other way has a reader before it.
  EXPECT_EQ(point.counts.of(StoreReference::kL1Miss) + point.counts.of(StoreReference::kL1Hit), kWays);
  EXPECT_GE(point.counts.of(StoreReference::kL1Miss), kWays - 1);
  EXPECT_GE(point.counts.of(LoadSource::kLclHitm), kWays - 1) << "the last way has no reader";
  EXPECT_LE(point.counts.of(LoadSource::kLclHitm), kWays);
  EXPECT_GT(point.counts.of(LoadSource::kL1), kWays) << "the loads of the spin loops";
}

TEST(C2c, OwnStoresServeLoadsFromTheStoreBufferAndFromOpenRequests) {
  Bodies bodies;
  const Address line = bodies.allocate("line", 64);
  bodies.spawn(ThreadId{0}, [=](SimCpu& cpu) {
    cpu.store<std::uint64_t>(line, 1);
    cpu.load<std::uint64_t>(line);
    cpu.load<std::uint64_t>(line + 8);
    cpu.load<std::uint64_t>(line + 8);
  });
  const C2cPoint point = bodies.count();
  EXPECT_EQ(point.counts.of(LoadSource::kStoreBuffer), 1U);
  EXPECT_EQ(point.counts.of(LoadSource::kFillBuffer), 1U) << "it waited for the store's line";
  EXPECT_EQ(point.counts.of(LoadSource::kL1), 1U);
  EXPECT_EQ(point.counts.of(StoreReference::kL1Miss), 1U);
}

TEST(C2c, ALoopWithoutPauseReadsItsOwnStoreUntilThatLeaves) {
  Bodies bodies;
  const Address flag = bodies.allocate("flag", 8);
  bodies.spawn(ThreadId{0}, [=](SimCpu& cpu) {
    cpu.store<std::uint64_t>(flag, 1);  // its line is in DRAM
    cpu.spin_until<std::uint64_t>(flag, [](std::uint64_t value) { return value == 2; });
  });
  bodies.spawn(ThreadId{2}, [=](SimCpu& cpu) {
    cpu.compute(3000);
    cpu.store<std::uint64_t>(flag, 2);
  });
  const C2cPoint point = bodies.count();
  EXPECT_GT(point.counts.of(LoadSource::kStoreBuffer), 10U);
  EXPECT_GT(point.counts.of(LoadSource::kL1), 10U);
  EXPECT_EQ(point.counts.of(LoadSource::kLclHitm), 1U);
}

TEST(C2c, SeedsAddUpLineByLineWhereverTheyLie) {
  C2cCollector collector;
  std::uint64_t records = 0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const auto [machine, topology] = machine_of("westmere-ex-4s");
    Experiment e;
    e.machine = machine.get();
    e.topology = topology.get();
    e.workload = lock_loop("ticket");
    e.placement = {ThreadId{0}, ThreadId{20}};
    e.length = {.warmup = 5, .iterations = 20, .cycles = {0}};
    e.system.seed = seed;
    const RecordedRun run = record_run(e, machine, topology);
    records += count(run).counts.records();
    collector.add(run);
  }
  const C2cPoint all = collector.finish();
  EXPECT_EQ(all.touched_lines, 2U);
  EXPECT_EQ(all.counts.records(), records);
}

}  // namespace
}  // namespace linebounce

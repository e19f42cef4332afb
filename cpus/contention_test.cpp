// SPDX-License-Identifier: Apache-2.0
// Many cores that want the same line, link or home agent: where their requests wait, and which parts of one hand-over the
// next one hides.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "cpus/observer.hpp"
#include "cpus/testing/run_record.hpp"
#include "topologies/core_cycles.hpp"

namespace linebounce {
namespace {

using testing::Diary;
using testing::Plan;
using testing::RunRecord;

/// A LOCKed operation, and where its time went.
struct Locked {
  ThreadId thread;
  Cycles begin;
  Cycles end;
  std::vector<Segment> segments;
  Cycles of(Category category) const {
    Cycles sum;
    Cycles from = begin;
    for (const Segment& s : segments) {
      if (s.category == category) sum += s.until - from;
      from = s.until;
    }
    return sum;
  }
};

/// Keeps every LOCKed operation, and when stores became visible.
class LockedOperations final : public Observer {
 public:
  void operation_closed(const OperationRecord& o) override {
    if (o.kind == OpKind::kLocked) all.push_back({o.thread, o.begin, o.end, {o.segments.begin(), o.segments.end()}});
  }
  void store_committed(const OperationRecord& o) override { stores.push_back(o.end); }
  void run_ended(const System&) override { std::ranges::stable_sort(all, {}, &Locked::end); }

  std::vector<Locked> all;  ///< in the order in which they end
  std::vector<Cycles> stores;
};

constexpr int kRounds = 60;

/// Every thread adds to one word, as fast as it can; the operations in the order of the word's values.
std::vector<Locked> add_to_one_word(const Machine& machine, const std::vector<ThreadId>& threads) {
  LockedOperations watched;
  SystemOptions options;
  options.observer = &watched;
  testing::run(machine, options, [&](Plan& plan) {
    const Address word = plan.system().allocate("word", 8, 0);
    for (const ThreadId thread : threads) {
      plan.task(thread, [word](SimCpu& cpu, Diary&) {
        for (int i = 0; i < kRounds; ++i) cpu.xadd<std::uint64_t>(word, 1);
      });
    }
  });
  return watched.all;
}

std::vector<ThreadId> cores_of(const Machine& machine, int socket, int count) {
  std::vector<ThreadId> threads;
  for (int core = 0; core < count; ++core) {
    threads.push_back(
        {static_cast<std::uint32_t>((socket * machine.cores_per_socket + core) * machine.threads_per_core)});
  }
  return threads;
}

/// Cycles in which a word that four cores of one die add to has been round all of them, when all of them wait for it.
Cycles round_on_one_die(const Machine& machine) {
  const std::vector<Locked> adds = add_to_one_word(machine, cores_of(machine, 0, 4));
  const std::size_t middle = adds.size() / 2;
  for (std::size_t i = middle; i < middle + 4; ++i) EXPECT_NE(adds[i].thread, adds[i + 1].thread);
  EXPECT_EQ(adds[middle].thread, adds[middle + 4].thread);
  return adds[middle + 4].end - adds[middle].end;
}

const Machine& westmere_ex() { return testing::shipped("westmere-ex-4s"); }

TEST(ContendedLine, ItsNextRequestHasComeAsFarAsTheHolderWhenTheHoldersOperationEnds) {
  const std::vector<Locked> adds = add_to_one_word(westmere_ex(), cores_of(westmere_ex(), 0, 4));
  for (std::size_t i = adds.size() / 2; i < adds.size() / 2 + 20; ++i) {
    const auto held = std::ranges::find(adds[i].segments, Category::kHeldByLock, &Segment::category);
    ASSERT_NE(held, adds[i].segments.end());
    EXPECT_EQ(held->until, adds[i - 1].end) << "it waits for the operation before it and leaves as that one ends";
    EXPECT_GT(adds[i].of(Category::kSliceQueue).count, 0) << "and behind those that came before it, at the slice";
  }
}

TEST(ContendedLine, GoesRoundAtThePaceOfTheHoldAndTheWayBackNotOfWholeLatencies) {
  const Cycles base = round_on_one_die(westmere_ex());
  const auto grows_by = [&](auto&& change) {
    Machine machine = westmere_ex();
    change(machine);
    return (round_on_one_die(machine) - base).count;
  };
  EXPECT_EQ(grows_by([](Machine& m) { m.core.xadd += Cycles{10}; }), 4 * 10) << "the hold is in every hand-over";
  EXPECT_EQ(grows_by([](Machine& m) { m.core.fill += Cycles{10}; }), 4 * 10) << "and so is the fill";
  EXPECT_EQ(grows_by([](Machine& m) { m.core.l2_miss += Cycles{10}; }), 0)
      << "requests leave while others have the line";
}

TEST(ContendedLine, IsWorkedOnByItsHolderUntilTheNextSnoopArrives) {
  const Machine& machine = westmere_ex();
  std::vector<ThreadId> threads = cores_of(machine, 0, 1);
  threads.push_back(cores_of(machine, 1, 1).front());
  const std::vector<Locked> adds = add_to_one_word(machine, threads);
  int hits = 0;
  for (std::size_t i = 1; i < adds.size(); ++i) {
    EXPECT_LE(adds[i].of(Category::kHeldByLock), machine.core.xadd) << "a snoop waits for one operation, not for more";
    if (adds[i].thread == adds[i - 1].thread && adds[i].end - adds[i].begin == machine.core.xadd) ++hits;
  }
  EXPECT_GT(hits, 20) << "while a request crosses QPI, the holder goes on";
}

TEST(ContendedLine, StaysInASocketLongerThanItsTurn) {
  const Machine& machine = westmere_ex();
  std::vector<ThreadId> threads = cores_of(machine, 0, 4);
  std::ranges::copy(cores_of(machine, 1, 4), std::back_inserter(threads));
  const auto socket_of = [&](const Locked& o) {
    return static_cast<int>(o.thread.value) / (machine.threads_per_core * machine.cores_per_socket);
  };
  int inside = 0;
  int across = 0;
  const std::vector<Locked> adds = add_to_one_word(machine, threads);
  for (std::size_t i = 1; i < adds.size(); ++i) {
    if (adds[i].thread == adds[i - 1].thread) continue;
    ++(socket_of(adds[i]) == socket_of(adds[i - 1]) ? inside : across);
  }
  EXPECT_GT(across, 10);
  EXPECT_GT(inside, 2 * across) << "a random order would have 3 inside for 4 across";
}

TEST(ContendedLine, ASiblingsStoreWaitsForTheEndOfALockedOperationOnItsLine) {
  const Machine& machine = westmere_ex();
  LockedOperations watched;
  SystemOptions options;
  options.observer = &watched;
  testing::run(machine, options, [](Plan& plan) {
    const Address word = plan.system().allocate("word", 16, 0);
    plan.task({0}, [word](SimCpu& cpu, Diary&) {
      for (int i = 0; i < kRounds; ++i) cpu.xadd<std::uint64_t>(word, 1);
    });
    plan.task({1}, [word](SimCpu& cpu, Diary&) {
      for (int i = 0; i < kRounds; ++i) cpu.store<std::uint64_t>(word + 8, 1), cpu.compute(7);
    });
  });
  ASSERT_GE(watched.stores.size(), 20U);
  for (const Cycles at : watched.stores) {
    for (const Locked& add : watched.all) {
      EXPECT_FALSE(at > add.end - machine.core.xadd && at < add.end)
          << at.count << " within one until " << add.end.count;
    }
  }
}

/// Cores of `socket` write `lines` lines each that are at home in socket 0 and that nobody has.
RunRecord cold_stores(const Machine& machine, int socket, int cores, std::uint64_t lines) {
  return testing::run(machine, {}, [&](Plan& plan) {
    for (const ThreadId thread : cores_of(machine, socket, cores)) {
      const Address own = plan.system().allocate("lines", lines * kLineBytes, 0);
      plan.task(thread, [own, lines](SimCpu& cpu, Diary& diary) {
        for (std::uint64_t i = 0; i < lines; ++i) cpu.store<std::uint64_t>(own + i * kLineBytes, 1);
        cpu.mfence();
        diary.note(cpu);
      });
    }
  });
}

Cycles time_of(const RunRecord& record) {
  Cycles last;
  for (const Diary& diary : record.diaries) last = std::max(last, diary.sights().back().at);
  return last;
}

TEST(Saturation, ALinkCarriesWhatItCanAndNoMore) {
  Machine machine = westmere_ex();
  machine.dram_occupancy = Nanoseconds{0};  // as memory would be the first to be busy
  const RunRecord record = cold_stores(machine, 1, 10, 100);
  const std::int64_t busiest = std::ranges::max_element(record.machine.link_bytes, {}, &Bytes::count)->count;
  // 2 bytes a transfer
  const double bytes_per_cycle = machine.qpi_gigatransfers * 2 * 1000 / static_cast<double>(machine.core_mhz);
  const double used = static_cast<double>(busiest) / (bytes_per_cycle * static_cast<double>(time_of(record).count));
  EXPECT_GT(used, 0.8);
  EXPECT_LE(used, 1.0);
  const double per_line_of_one = static_cast<double>(time_of(cold_stores(machine, 1, 1, 100)).count) / 100;
  EXPECT_GT(static_cast<double>(time_of(record).count) / 1000, 0.1 * per_line_of_one)
      << "ten cores are not ten times as fast";
}

TEST(Saturation, AStreamOfStoresKeepsEveryFillBufferAtWork) {
  const auto time_with = [](int fill_buffers, int ownership_ahead) {
    Machine machine = westmere_ex();
    machine.core.fill_buffers = fill_buffers;
    machine.core.ownership_ahead = ownership_ahead;
    return static_cast<double>(time_of(cold_stores(machine, 1, 1, 100)).count);
  };
  const double one = time_with(1, 32);
  for (const int n : {2, 4, 10}) {
    EXPECT_NEAR(one / time_with(n, 32), n, 0.08 * n)
        << n << " fill buffers, fewer of them in use at the beginning and at the end";
    EXPECT_NEAR(one / time_with(10, n - 1), n, 0.08 * n) << "the oldest and " << n - 1 << " younger ones ask";
  }
}

TEST(Saturation, AHomeAgentServesAsManyRequestsAtOnceAsItHasTrackers) {
  const auto time_with = [](int trackers) {
    Machine machine = testing::shipped("westmere-ep-2s");
    machine.home_trackers = trackers;
    return time_of(cold_stores(machine, 0, 4, 50)).count;
  };
  const auto one = static_cast<double>(time_with(1));
  EXPECT_NEAR(one / static_cast<double>(time_with(2)), 2, 0.1);
  EXPECT_NEAR(one / static_cast<double>(time_with(4)), 4, 0.4);
}

}  // namespace
}  // namespace linebounce

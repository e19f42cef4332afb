// SPDX-License-Identifier: Apache-2.0
// One guest program, one digest: run again, with and without run-ahead, with every poll simulated, observed, built in
// another order. Chosen programs; random_guests_test.cpp has random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cpus/testing/run_record.hpp"
#include "locks/llist.hpp"
#include "locks/mcs.hpp"
#include "locks/qspinlock.hpp"
#include "locks/ticket.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using testing::Diary;
using testing::Plan;
using testing::RunRecord;

constexpr int kRounds = 12;

/// Puts its tasks onto the threads.
using Program = void (*)(Plan&, const std::vector<ThreadId>&);

void add_to_one_word(Plan& plan, const std::vector<ThreadId>& threads) {
  const Address word = plan.system().allocate("word", 8, 0);
  plan.peek_after(word, 8);
  for (const ThreadId thread : threads) {
    plan.task(thread, [word](SimCpu& cpu, Diary& diary) {
      for (int i = 0; i < kRounds; ++i) diary.note(cpu, cpu.xadd<std::uint64_t>(word, 1));
    });
  }
}

/// Each task has words of its own, in lines that it shares with others.
void share_lines_falsely(Plan& plan, const std::vector<ThreadId>& threads) {
  const Address words = plan.system().allocate("words", 16 * threads.size(), 1);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    plan.task(threads[t], [words, t](SimCpu& cpu, Diary& diary) {
      const Address own = words + std::uint64_t{16} * t;
      for (std::uint32_t i = 1; i <= kRounds; ++i) {
        cpu.store(own, i);
        cpu.store(own + 4, static_cast<std::uint16_t>(i));
        diary.note(cpu, cpu.load<std::uint8_t>(own + 4));
        cpu.compute(std::int64_t{7} * (t + 1));
        diary.note(cpu, cpu.load<std::uint64_t>(own));
        cpu.pause();
        cpu.store(own + 8, std::uint64_t{i} << 40);
        diary.note(cpu, cpu.load<std::uint32_t>(own + 12));
        if (i % 4 == t % 4) cpu.mfence();
        diary.note(cpu);
      }
    });
  }
}

/// Hands a token round: each task polls for its turn, most of the time in vain; the first of every `kOutOf` without PAUSE.
template <std::uint32_t kOutOf>
void pass_a_token(Plan& plan, const std::vector<ThreadId>& threads) {
  const Address token = plan.system().allocate("token", 4, 0);
  const auto tasks = static_cast<std::uint32_t>(threads.size());
  for (std::uint32_t t = 0; t < tasks; ++t) {
    plan.task(threads[t], [token, t, tasks](SimCpu& cpu, Diary& diary) {
      for (std::uint32_t i = 0; i < kRounds; ++i) {
        const std::uint32_t mine = i * tasks + t;
        const auto turn = [mine](auto v) { return v == mine; };
        const bool relaxed = kOutOf == 0 || t % std::max(kOutOf, 1U) != 0;
        diary.note(cpu,
                   relaxed ? cpu.poll_until<std::uint32_t>(token, turn) : cpu.spin_until<std::uint32_t>(token, turn));
        cpu.compute(300);
        cpu.store(token, mine + 1);
      }
    });
  }
}

template <class Lock>
void lock_and_count(Plan& plan, const std::vector<ThreadId>& threads) {
  LockPlan lock_plan;
  const Machine& machine = plan.system().machine();
  for (int t = 0; t < machine.threads(); ++t) {
    lock_plan.cpu_homes.push_back(
        static_cast<std::uint32_t>(t / (machine.cores_per_socket * machine.threads_per_core)));
  }
  const auto lock = std::make_shared<Lock>(plan.system(), lock_plan);
  const Address data = plan.system().allocate("data", 8, 1);
  plan.peek_after(data, 8);
  plan.peek_after(lock->word(), 4);
  for (const ThreadId thread : threads) {
    plan.task(thread, [lock, data](SimCpu& cpu, Diary& diary) {
      for (int i = 0; i < kRounds; ++i) {
        lock->acquire(cpu);
        const auto before = cpu.load<std::uint64_t>(data);
        cpu.store(data, before + 1);
        diary.note(cpu, before);
        lock->release(cpu);
        cpu.compute(40);
      }
    });
  }
}

template <LlistState S>
void push_to_a_list(Plan& plan, const std::vector<ThreadId>& threads) {
  const Address head = plan.system().allocate("head", 8, 0);
  const Address nodes = plan.system().allocate("nodes", threads.size() * kRounds * kLineBytes, 1);
  plan.peek_after(head, 8);
  for (std::uint32_t t = 0; t < threads.size(); ++t) {
    plan.task(threads[t], [head, nodes, t](SimCpu& cpu, Diary& diary) {
      Llist<S> list(head);
      for (std::uint32_t i = 0; i < kRounds; ++i) {
        diary.note(cpu, list.add(cpu, nodes + (std::uint64_t{t} * kRounds + i) * kLineBytes) ? 1 : 0);
        if (t == 0 && i % 5 == 4) diary.note(cpu, list.del_all(cpu).value);
      }
    });
  }
}

struct NamedProgram {
  std::string_view name;
  Program program;
};

constexpr NamedProgram kPrograms[] = {
    {"AddToOneWord", add_to_one_word},
    {"ShareLinesFalsely", share_lines_falsely},
    {"PassAToken", pass_a_token<0>},
    {"PassATokenWithoutPause", pass_a_token<1>},
    {"PassATokenEverySecondWithoutPause", pass_a_token<2>},
    {"Ticket", lock_and_count<TicketLock>},
    {"QspinlockBefore", lock_and_count<QspinlockBefore>},
    {"QspinlockAfter", lock_and_count<QspinlockAfter>},
    {"Mcs", lock_and_count<McsLock>},
    {"PushAndPause", push_to_a_list<LlistState::kS1>},
    {"PushWithoutPause", push_to_a_list<LlistState::kS2>},
};

/// Where the tasks run: siblings of neighbouring cores, cores of one socket, all sockets in turn, siblings in all
/// sockets; on a small machine fewer of them.
std::vector<std::vector<ThreadId>> placements(const Machine& machine) {
  const auto smt = static_cast<std::uint32_t>(machine.threads_per_core);
  const auto socket = smt * static_cast<std::uint32_t>(machine.cores_per_socket);
  const auto sockets = static_cast<std::uint32_t>(machine.sockets);
  std::vector<std::vector<ThreadId>> all(5);
  all[0] = {{3}};
  for (std::uint32_t t = 0; t < 5; ++t) all[1].push_back({t});
  for (std::uint32_t t = 0; t < 5; ++t) all[2].push_back({t * smt});
  for (std::uint32_t t = 0; t < 8; ++t) all[3].push_back({t % sockets * socket + t / sockets * smt});
  for (std::uint32_t t = 0; t < 6; ++t) all[4].push_back({t / 2 % sockets * socket + t / 2 / sockets * smt + t % 2});
  for (std::vector<ThreadId>& threads : all) {
    std::erase_if(threads, [&](ThreadId t) { return t.value >= static_cast<std::uint32_t>(machine.threads()); });
  }
  return all;
}

class Determinism : public ::testing::TestWithParam<std::tuple<std::size_t, std::string>> {};

TEST_P(Determinism, ARunLooksAlikeUnderEveryVariation) {
  const Program program = kPrograms[std::get<0>(GetParam())].program;
  const Machine& machine = testing::shipped(std::get<1>(GetParam()));
  std::uint64_t seed = 0;
  for (const auto& threads : placements(machine)) {
    SystemOptions options;
    options.seed = ++seed;
    const auto make = [&](Plan& plan) { program(plan, threads); };
    EXPECT_EQ(testing::compare_variations(machine, options, make), "") << threads.size() << " tasks, seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, Determinism,
                         ::testing::Combine(::testing::Range(std::size_t{0}, std::size(kPrograms)),
                                            ::testing::ValuesIn(shipped_machines())),
                         [](const auto& one) {
                           std::string text(kPrograms[std::get<0>(one.param)].name);
                           for (const char c : std::get<1>(one.param)) text += c == '-' ? '_' : c;
                           return text;
                         });

TEST(Determinism, ASeedMovesTheMemoryAndThusTheDigest) {
  const Machine& machine = testing::shipped("westmere-ex-4s");
  const auto make = [](Plan& plan) { add_to_one_word(plan, {{0}, {20}, {40}}); };
  SystemOptions other;
  other.seed = 2;
  EXPECT_NE(testing::run(machine, {}, make).digest, testing::run(machine, other, make).digest);
}

TEST(Determinism, SystemsOneAfterTheOtherDoNotKnowOfEachOther) {
  const Machine& small = testing::shipped("westmere-ep-2s");
  const Machine& large = testing::shipped("ivybridge-ex-4s");
  const auto first = [](Plan& plan) { pass_a_token<2>(plan, {{0}, {1}, {12}}); };
  const auto second = [](Plan& plan) { add_to_one_word(plan, {{2}, {4}}); };
  const RunRecord a = testing::run(small, {}, first);
  const RunRecord b = testing::run(large, {}, second);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(testing::difference(a, testing::run(small, {}, first)), "");
    EXPECT_EQ(testing::difference(b, testing::run(large, {}, second)), "");
  }
}

TEST(Determinism, AnEventFarAwayDoesNotBringTheNearOnesIntoDisorder) {
  // While nothing else is due for more than 4096 cycles, a task that runs ahead asks how far it may go.
  const auto make = [](Plan& plan) {
    const Address lines = plan.system().allocate("lines", std::uint64_t{64} * kLineBytes, 0);
    plan.system().close_window(Cycles{30'000});
    plan.task({0}, [lines](SimCpu& cpu, Diary& diary) {
      for (std::uint32_t i = 0; i < 40; ++i) {
        cpu.load<std::uint32_t>(lines);
        cpu.store(lines + std::uint64_t{i} * kLineBytes, i);
        diary.note(cpu);
      }
    });
    plan.task({4}, [lines](SimCpu& cpu, Diary& diary) {
      cpu.compute(10'000);
      diary.note(cpu, cpu.load<std::uint32_t>(lines));
    });
  };
  EXPECT_EQ(testing::compare_variations(testing::shipped("westmere-ep-2s"), {}, make), "");
}

TEST(Determinism, NobodyRunsPastTheStoresOfASiblingThatHasEnded) {
  const auto make = [](Plan& plan) {
    const Address lines = plan.system().allocate("lines", std::uint64_t{2} * kLineBytes, 1);
    plan.task({1}, [lines](SimCpu& cpu, Diary&) {
      cpu.store<std::uint32_t>(lines + kLineBytes, 1);
      cpu.mfence();
      // The first store waits for its line; the others leave one a cycle after it, when the task is long gone.
      cpu.store<std::uint32_t>(lines, 1);
      for (std::uint32_t i = 2; i < 15; ++i) cpu.store(lines + kLineBytes, i);
    });
    plan.task({0}, [lines](SimCpu& cpu, Diary& diary) {
      for (int i = 0; i < 2'000; ++i) diary.note(cpu, cpu.load<std::uint32_t>(lines + kLineBytes));
    });
  };
  Machine machine = testing::shipped("ivybridge-ex-4s");
  machine.core.l1_load = Cycles{1};  // several loads fit into the time that nothing outside can reach the core
  EXPECT_EQ(testing::compare_variations(machine, {}, make), "");
}

TEST(Determinism, AWindowThatTasksOpenAndCloseAtTheirOwnTimeIsTheSameUnderEveryVariation) {
  for (const std::uint32_t when : {1U, 3U, 7U}) {
    const auto make = [when](Plan& plan) {
      System& system = plan.system();
      plan.leave_the_window_to_the_tasks();
      const Address words = system.allocate("words", std::uint64_t{2} * kLineBytes, 0);
      for (const std::uint32_t thread : {0U, 1U, 6U, 13U}) {
        plan.task({thread}, [&system, words, thread, when](SimCpu& cpu, Diary& diary) {
          for (std::uint32_t i = 0; i < 20; ++i) {
            diary.note(cpu, cpu.xadd<std::uint32_t>(words, 1));
            cpu.store(words + kLineBytes + std::uint64_t{thread} * 4, i);
            cpu.load<std::uint32_t>(words + kLineBytes);
            cpu.pause();
            if (thread == 1 && i == when) system.open_window(cpu.now());
            if (thread == 6 && i == 10 + when) system.close_window(cpu.now());
            if (thread == 13 && i == 12) system.close_window(cpu.now());
          }
        });
      }
    };
    EXPECT_EQ(testing::compare_variations(testing::shipped("westmere-ep-2s"), {}, make), "") << when;
  }
}

}  // namespace
}  // namespace linebounce

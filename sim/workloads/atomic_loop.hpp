// SPDX-License-Identifier: Apache-2.0
// atomic-loop: one operation on one 8-byte word, over and over, on a line that all tasks share or on one each. One
// operation is one load, store, xchg, xadd or cmpxchg (successful or not), one test-and-set attempt, or one cmpxchg-loop
// from its load to its success; the PAUSEs and local work between operations do not belong to it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cpus/system.hpp"
#include "locks/cpu.hpp"
#include "locks/lock.hpp"
#include "sim/experiment.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

/// One task's side of the loop: where it works and what it has learnt.
struct AtomicTask {
  Address word;
  bool retry_pause = false;
  std::uint64_t tag = 0;    ///< value that only this task and iteration write
  std::uint64_t seen = 0;   ///< value last found in the word
  std::uint64_t added = 0;  ///< what the task's operations added to the word in sum, modulo 2^64
  std::optional<std::uint64_t> stored =
      {};  ///< what the task's last plain store left there, if such stores are its operations
};

/// The operations, by name; each performs one on the task's word.
template <Cpu C>
class AtomicOps {
 public:
  struct Row {
    std::string_view name;
    void (*perform)(C&, AtomicTask&);
  };

  static std::span<const Row> rows() { return kRows; }
  /// nullptr if there is no such operation.
  static const Row* find(std::string_view name) {
    for (const Row& row : kRows) {
      if (row.name == name) return &row;
    }
    return nullptr;
  }

 private:
  static void load(C& cpu, AtomicTask& t) { t.seen = cpu.template load<std::uint64_t>(t.word); }
  static void store(C& cpu, AtomicTask& t) {
    cpu.template store<std::uint64_t>(t.word, t.tag);
    t.stored = t.tag;
  }
  static void xchg(C& cpu, AtomicTask& t) {
    t.seen = cpu.template xchg<std::uint64_t>(t.word, t.tag);
    t.added += t.tag - t.seen;
  }
  static void xadd(C& cpu, AtomicTask& t) {
    t.seen = cpu.template xadd<std::uint64_t>(t.word, 1);
    ++t.added;
  }
  /// Adds 1 if the word still holds what the task saw last.
  static void cmpxchg(C& cpu, AtomicTask& t) {
    const bool done = replace(cpu, t, t.seen, t.seen + 1);
    if (done) ++t.seen;
  }
  /// By turns 0 → 1 and 1 → 0, whether the turn before succeeded or not.
  static void cmpxchg_alternate(C& cpu, AtomicTask& t) {
    const std::uint64_t expected = 1 - (t.tag & 1);
    replace(cpu, t, expected, 1 - expected);
  }
  static void cmpxchg_loop(C& cpu, AtomicTask& t) {
    for (;;) {
      const auto value = cpu.template load<std::uint64_t>(t.word);
      if (replace(cpu, t, value, value + 1)) return;
      if (t.retry_pause) cpu.pause();
    }
  }
  static void test_and_set(C& cpu, AtomicTask& t) {
    if (cpu.template xchg<std::uint8_t>(t.word, 1) == 0) cpu.template store<std::uint8_t>(t.word, 0);
  }

  static bool replace(C& cpu, AtomicTask& t, std::uint64_t expected, std::uint64_t desired) {
    t.seen = cpu.template cmpxchg<std::uint64_t>(t.word, expected, desired);
    if (t.seen != expected) return false;
    t.added += desired - expected;
    return true;
  }

  static constexpr std::array<Row, 8> kRows = {{
      {"load", &load},
      {"store", &store},
      {"xchg", &xchg},
      {"xadd", &xadd},
      {"cmpxchg", &cmpxchg},
      {"cmpxchg-alternate", &cmpxchg_alternate},
      {"cmpxchg-loop", &cmpxchg_loop},
      {"test-and-set", &test_and_set},
  }};
};

struct AtomicLoopShape {
  std::string op;
  bool retry_pause = false;
  int pauses = 0;
  LineSharing sharing = LineSharing::kOneLine;
  Cycles local_work{0};
};

class AtomicLoop {
 public:
  /// `op` must be one of AtomicOps.
  template <Memory M>
  AtomicLoop(M& memory, const AtomicLoopShape& shape, int tasks, std::uint32_t home) : shape_(shape) {
    const bool shared = shape.sharing == LineSharing::kOneLine;
    Address word = shared ? memory.allocate("word", kLineBytes, home) : Address{};
    for (int t = 0; t < tasks; ++t) {
      if (!shared) word = memory.allocate(("word[" + std::to_string(t) + "]").c_str(), kLineBytes, home);
      tasks_.push_back({.word = word, .retry_pause = shape.retry_pause});
    }
  }

  bool counts(int /*task*/) const { return true; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    const auto* op = AtomicOps<C>::find(shape_.op);
    AtomicTask mine = tasks_[static_cast<std::size_t>(task.index())];
    for (std::uint64_t iteration = 0;; ++iteration) {
      mine.tag = (static_cast<std::uint64_t>(task.index()) << 40) + iteration + 1;
      op->perform(cpu, mine);
      if (!task.completed(cpu)) break;
      for (int i = 0; i < shape_.pauses; ++i) cpu.pause();
      work_locally(cpu, task, shape_.local_work, iteration);
    }
    tasks_[static_cast<std::size_t>(task.index())] = mine;
  }

  /// Every word holds what the tasks' operations add up to (for plain stores: the last one of some task).
  /// Throws BrokenModel.
  void verify(const Peek& peek) const;

 private:
  AtomicLoopShape shape_;
  std::vector<AtomicTask> tasks_;
};

}  // namespace linebounce

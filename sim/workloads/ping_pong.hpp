// SPDX-License-Identifier: Apache-2.0
// ping-pong: two tasks pass one line to and fro by cmpxchg alone, as public core-to-core latency tools do: task 0 tries 0 → 1
// until it succeeds, task 1 tries 1 → 0 until it succeeds. One operation is one successful cmpxchg: one way of the ball.
#pragma once

#include <cstdint>
#include <string>

#include "cpus/system.hpp"
#include "locks/cpu.hpp"
#include "locks/lock.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

/// A task that waits for a ball that will not come back, because the other one has stopped, sees that the run is over.
class PingPong {
 public:
  template <Memory M>
  PingPong(M& memory, std::uint32_t home) : word_(memory.allocate("word", kLineBytes, home)) {}

  bool counts(int /*task*/) const { return true; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    const auto expected = static_cast<std::uint64_t>(task.index());
    const PhaseScope<C> scope(cpu, Phase::kRetryLoop);
    do {
      while (cpu.template cmpxchg<std::uint64_t>(word_, expected, 1 - expected) != expected) {
        if (!task.running(cpu)) return;
      }
    } while (task.completed(cpu));
  }

  void verify(const Peek& peek) const {
    if (const auto value = peek(word_, 8); value > 1)
      throw BrokenModel("ping-pong: the word ended as " + std::to_string(value));
  }

 private:
  Address word_;
};

}  // namespace linebounce

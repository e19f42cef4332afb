// SPDX-License-Identifier: Apache-2.0
// A lock, four cpus' nodes and one scripted cpu: put memory into a state, run one operation, compare what it did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "locks/lock.hpp"
#include "locks/testing/scripted_cpu.hpp"
#include "locks/testing/test_memory.hpp"

namespace linebounce::testing {

using Log = std::vector<std::string>;

/// The scripted cpu is cpu1.
template <class L>
struct LockScript {
  explicit LockScript(std::uint32_t cpus = 4) : lock(memory, LockPlan{.cpu_homes = std::vector<std::uint32_t>(cpus)}) {}

  Log acquire() {
    lock.acquire(cpu);
    return cpu.take_log();
  }
  Log release() {
    lock.release(cpu);
    return cpu.take_log();
  }
  void poke8(std::uint64_t value, unsigned offset = 0) { memory.poke(lock.word() + offset, 1, value); }
  void poke16(std::uint64_t value, unsigned offset = 0) { memory.poke(lock.word() + offset, 2, value); }
  void poke32(std::uint64_t value) { memory.poke(lock.word(), 4, value); }
  void poke64(std::uint64_t value) { memory.poke(lock.word(), 8, value); }
  Address node(int number) const { return memory.find("node[cpu" + std::to_string(number) + "]"); }
  std::string check_idle() const {
    return lock.check_idle([this](Address a, unsigned bytes) { return memory.peek(a, bytes); });
  }

  TestMemory memory;
  L lock;
  ScriptedCpu cpu{memory, 1};
};

}  // namespace linebounce::testing

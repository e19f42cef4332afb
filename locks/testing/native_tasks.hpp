// SPDX-License-Identifier: Apache-2.0
// Runs tasks on host threads, all started together.
#pragma once

#include <barrier>
#include <cstdint>
#include <thread>
#include <vector>

#include "locks/native_cpu.hpp"

namespace linebounce::testing {

/// body(cpu) on `tasks` threads, with cpu numbers from 0; returns when all have ended.
template <class Body>
void run_native_tasks(std::uint32_t tasks, Body body) {
  std::barrier start(static_cast<std::ptrdiff_t>(tasks));
  std::vector<std::thread> threads;
  for (std::uint32_t number = 0; number < tasks; ++number) {
    threads.emplace_back([&, number] {
      NativeCpu cpu(number);
      start.arrive_and_wait();
      body(cpu);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
// For tests: a workload on host threads, so that its own logic is tried without any model of a machine.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

#include "locks/lock.hpp"
#include "locks/native_cpu.hpp"
#include "locks/native_memory.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

/// Runs until the counting tasks together have done so many operations each.
class NativeRun {
 public:
  NativeRun(int tasks, std::int64_t operations) : tasks_(tasks), operations_(operations) {}

  template <class W>
  void run(W& workload) {
    for (int t = 0; t < tasks_; ++t) left_ += workload.counts(t) ? operations_ : 0;
    std::vector<std::exception_ptr> failures(static_cast<std::size_t>(tasks_));
    std::vector<std::thread> threads;
    threads.reserve(static_cast<std::size_t>(tasks_));
    for (int t = 0; t < tasks_; ++t) {
      threads.emplace_back([&, t] {
        try {
          NativeCpu cpu(static_cast<std::uint32_t>(t));
          Task task(*this, t);
          workload.run(cpu, task);
        } catch (...) {
          failures[static_cast<std::size_t>(t)] = std::current_exception();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::exception_ptr& failure : failures) {
      if (failure) std::rethrow_exception(failure);
    }
    workload.verify(&NativeMemory::peek);
  }

  /// A lock for as many cpus as there are tasks.
  LockPlan lock_plan() const { return {.cpu_homes = std::vector<std::uint32_t>(static_cast<std::size_t>(tasks_))}; }

 private:
  class Task : public TaskIdentity {
   public:
    Task(NativeRun& run, int index) : TaskIdentity(1, index, {8}), run_(run) {}
    bool completed(NativeCpu&) { return --run_.left_ > 0; }
    bool running(NativeCpu&) { return run_.left_ > 0; }
    static Cycles now(NativeCpu&) { return {std::chrono::steady_clock::now().time_since_epoch().count()}; }
    static void catch_up(NativeCpu&) { std::this_thread::yield(); }

   private:
    NativeRun& run_;
  };

  int tasks_;
  std::int64_t operations_;
  std::atomic<std::int64_t> left_{0};  ///< operations until the end
};

}  // namespace linebounce

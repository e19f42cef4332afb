// SPDX-License-Identifier: Apache-2.0
// What a workload may ask of the run that one of its tasks takes part in.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "locks/cpu.hpp"
#include "sim/random.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// A task of a run, on one kind of Cpu. Workloads are templates over it, as the algorithms are over the Cpu.
///
/// `index`      0 … tasks - 1
/// `completed`  tells that one operation of a counting task is done; true: go on, false: stop
/// `running`    the same question, for who completes no operations
/// `now`        the task's own time; on a native Cpu any clock that all tasks share
/// `catch_up`   lets simulated time reach the task's own, so that the host has seen everything that happened before
/// `jitter`     extra local work of an iteration
/// `stream`     the task's own stream of chance
template <class T, class C>
concept TaskOn = Cpu<C> && requires(T task, C& cpu, std::uint64_t iteration, std::string_view name) {
  { task.index() } -> std::same_as<int>;
  { task.completed(cpu) } -> std::same_as<bool>;
  { task.running(cpu) } -> std::same_as<bool>;
  { task.now(cpu) } -> std::same_as<Cycles>;
  { task.catch_up(cpu) } -> std::same_as<void>;
  { task.jitter(iteration) } -> std::same_as<Cycles>;
  { task.stream(name) } -> std::same_as<RandomStream>;
};

/// Who a task is and what chance gives it: the part that is the same on every Cpu. It depends on the seed and the
/// task's index alone, so runs that differ in anything else stay paired.
class TaskIdentity {
 public:
  TaskIdentity(std::uint64_t seed, int index, Cycles jitter)
      : seed_(seed), index_(index), jitter_(jitter), jitter_stream_(stream("jitter")) {}

  int index() const { return index_; }
  Cycles jitter(std::uint64_t iteration) const { return {jitter_stream_.up_to(jitter_.count, iteration)}; }
  RandomStream stream(std::string_view name) const {
    return {seed_, std::string(name) + "[" + std::to_string(index_) + "]"};
  }

 private:
  std::uint64_t seed_;
  int index_;
  Cycles jitter_;
  RandomStream jitter_stream_;
};

/// The task's own work between two operations.
template <Cpu C, TaskOn<C> T>
void work_locally(C& cpu, T& task, Cycles work, std::uint64_t iteration) {
  const PhaseScope<C> scope(cpu, Phase::kLocalWork);
  if (const Cycles all = work + task.jitter(iteration); all.count > 0) cpu.compute(all.count);
}

}  // namespace linebounce

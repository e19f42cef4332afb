// SPDX-License-Identifier: Apache-2.0
// When the measured window of a run opens and closes, which operations lie in it, and when each task may stop.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "sim/experiment.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// Follows the completions of all tasks. Some tasks' operations count, others only serve them (a list's consumers).
///
/// A window is an interval (open, close] of simulated time. It opens when the last counting task has done its warm-up,
/// and closes with the operation that completes the wanted number, or `Length::cycles` after it opened. An operation lies
/// in the window if its completion does. A task that an unfair lock starves does not keep the window shut for ever: the
/// others' further operations open it too, when they are kPatience times all warm-ups together.
///
/// Tasks run ahead of simulated time, so the host sees their completions out of order. Every answer here nevertheless
/// depends on simulated times alone: a task whose answer could depend on what others have yet to do is told so by
/// must_catch_up(), lets simulated time reach its own, and asks then.
class Measurement {
 public:
  /// What happens at the two ends, at which cycle. `close` may be called early, for a known future end, and then once
  /// more for an earlier one.
  struct Hooks {
    std::function<void(Cycles)> open;
    std::function<void(Cycles)> close;
  };

  /// `counting[t]`: whether the operations of task t count. Throws std::invalid_argument if no task counts or the length
  /// has no end.
  Measurement(std::vector<bool> counting, const Length& length, Hooks hooks);

  /// Before any task runs: without warm-up, the window opens here, at cycle 0.
  void start();

  /// Whether a task at its own time `now` must let simulated time catch up before it calls completed() or running().
  bool must_catch_up(int task, Cycles now) const;

  /// An operation of a counting task completed at `now`. True: go on. False: the window closed before, stop.
  bool completed(int task, Cycles now);
  /// Whether a task may start something new at `now`.
  bool running(Cycles now) const { return now <= close_; }

  bool opened() const { return opened_; }
  /// Operations inside the window, by task.
  const std::vector<std::uint64_t>& operations() const { return operations_; }

 private:
  static constexpr std::int64_t kPatience = 10;
  static constexpr Cycles kNever{std::numeric_limits<std::int64_t>::max()};

  void open(Cycles now);

  std::vector<bool> counting_;
  Length length_;
  Hooks hooks_;
  std::uint64_t target_ = 0;  ///< operations that close the window
  int warming_up_ = 0;        ///< counting tasks that have not done their warm-up
  bool opened_ = false;
  Cycles open_{0};
  Cycles close_ = kNever;
  std::vector<std::int64_t> warmup_done_;
  std::int64_t patience_ = 0;  ///< operations beyond their warm-up that tasks may do before the window opens anyway
  std::vector<std::uint64_t> operations_;
  std::uint64_t total_ = 0;
  std::vector<Cycles> last_;  ///< each task's latest completion
};

}  // namespace linebounce

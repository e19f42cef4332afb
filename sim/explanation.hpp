// SPDX-License-Identifier: Apache-2.0
// Where the cycles of one point of a scenario go: of one operation, and of one lock hand-off along its critical path.
// All of it is worked out from recordings; the sums are exact, and are checked.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/critical_path.hpp"
#include "sim/hand_offs.hpp"
#include "sim/scenario_plan.hpp"

namespace linebounce {

/// Whose time a stretch of cycles was.
enum class Role : std::uint8_t {
  kPreviousOwner,  ///< who hands the lock off
  kNextOwner,      ///< who gets it
  kOther,          ///< another task, whose operation was in the way
  kItself,         ///< the task whose operation is explained
};
inline constexpr std::array<std::string_view, 4> kRoleNames = {"previous owner", "next owner", "another task", "task"};
constexpr std::string_view name_of(Role role) { return kRoleNames[static_cast<std::size_t>(role)]; }

/// What cycles were spent on.
struct Cause {
  Role role = Role::kItself;
  Phase phase = Phase::kNone;
  std::string operation;  ///< "store lock", "poll node", "LOCK CMPXCHG lock"; "" for all of a phase
  Category category = Category::kCount;
  friend auto operator<=>(const Cause&, const Cause&) = default;
};

/// The cycles of one thing (an operation, a hand-off), by cause.
class CycleStack {
 public:
  struct Share {
    Cycles cycles;
    std::int64_t weighted_offset = 0;  ///< sum of offset times cycles
    /// How long after the thing began these cycles begin, in the mean.
    double offset() const { return static_cast<double>(weighted_offset) / static_cast<double>(cycles.count); }
  };
  /// Cycles of `cause` that begin `offset` after the thing did.
  void add(const Cause& cause, Cycles cycles, Cycles offset) { add(cause, {cycles, offset.count * cycles.count}); }
  void add(const Cause& cause, const Share& share);
  /// Several things together.
  CycleStack& operator+=(const CycleStack& other);

  const std::map<Cause, Share>& shares() const { return shares_; }
  Cycles of(const Cause& cause) const;
  Cycles total() const;

 private:
  std::map<Cause, Share> shares_;
};

/// All things of one kind in the window of one run.
struct StackSample {
  std::uint64_t things = 0;
  CycleStack sum;
  /// Of at least one thing.
  double mean() const { return per_thing(sum.total()); }
  double per_thing(Cycles c) const { return static_cast<double>(c.count) / static_cast<double>(things); }
};

/// Each sample's mean.
std::vector<double> means_of(std::span<const StackSample> samples);

/// Who won against a cmpxchg that failed.
struct CmpxchgWinner {
  std::string operation;  ///< what it did: "xchg list[0]"
  Phase phase = Phase::kNone;
  std::string_view where;  ///< "same core", "same socket", "other socket"
  friend auto operator<=>(const CmpxchgWinner&, const CmpxchgWinner&) = default;
};

/// The cmpxchg of a run that found another value than they expected.
struct FailedCmpxchg {
  std::uint64_t attempts = 0;
  std::uint64_t failed = 0;
  std::int64_t failed_cycles = 0;     ///< of those that failed
  std::int64_t succeeded_cycles = 0;  ///< of those that did not
  std::uint64_t paused = 0;           ///< failures that a PAUSE followed
  std::int64_t paused_cycles = 0;     ///< of those PAUSEs
  std::map<CmpxchgWinner, std::uint64_t> lost_to;
  FailedCmpxchg& operator+=(const FailedCmpxchg& other);
};

struct SeedExplanation {
  std::uint64_t seed = 0;
  double cycles_per_operation = 0;  ///< the window over all tasks' operations; NaN if there are none
  std::size_t tasks = 0;            ///< whose operations count
  std::size_t idle_tasks = 0;       ///< of these, that complete none in the window
  StackSample operations;           ///< of tasks, from one completion to the next
  StackSample hand_offs;            ///< along their critical paths
  FailedCmpxchg cmpxchg;
};

/// One thing of the first seed's run.
struct Example {
  Cycles begin;
  Cycles end;
  ThreadId thread;  ///< who completes the operation, or gets the lock
  CycleStack stack;
  Cycles length() const { return end - begin; }
};

struct Explanation {
  Parameters params;
  std::shared_ptr<const Machine> machine;
  std::vector<SeedExplanation> seeds;
  std::optional<Example> median_operation;
  std::optional<Example> worst_operation;
  std::optional<Example> median_hand_off;
  std::optional<Example> worst_hand_off;

  /// Operations or hand-offs, of the seeds with which there are any.
  std::vector<StackSample> samples(StackSample SeedExplanation::*which) const;
};

/// Runs the point with every seed and explains it. `first`, if not null, gets the first seed's run.
Explanation explain_point(const Point& point, std::span<const std::uint64_t> seeds, RecordedRun* first = nullptr);

/// "store lock", "poll node[]+0x8", "LOCK CMPXCHG lock": the operation and its object, whose number is left out.
std::string operation_text(const OperationRecord& operation, const Recording& recording);

/// The hand-off's critical path as a stack.
CycleStack stack_of(const HandOff& hand_off, const std::vector<PathPiece>& path, const Recording& recording);

}  // namespace linebounce

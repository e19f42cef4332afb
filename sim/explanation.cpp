// SPDX-License-Identifier: Apache-2.0
#include "sim/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "cpus/spin_rounds.hpp"
#include "sim/results_metrics.hpp"

namespace linebounce {

namespace {

std::string_view verb_of(const OperationRecord& operation) {
  constexpr std::array<std::string_view, 4> kLocked = {"LOCK CMPXCHG", "XCHG", "LOCK XADD", "LOCK BTS"};
  switch (operation.kind) {
    case OpKind::kLocked: return kLocked[static_cast<std::size_t>(operation.locked)];
    case OpKind::kPoll: return "poll";
    default: return name_of(operation.kind);
  }
}

/// "node[cpu3]+0x8" → "node[]+0x8"
std::string without_number(std::string name) {
  const std::size_t open = name.find('[');
  const std::size_t close = name.find(']');
  if (open != std::string::npos && close != std::string::npos && close > open) name.erase(open + 1, close - open - 1);
  return name;
}

std::string_view distance(const Recording& recording, ThreadId a, ThreadId b) {
  if (recording.core_of(a) == recording.core_of(b)) return "same core";
  return recording.socket_of(a) == recording.socket_of(b) ? "same socket" : "other socket";
}

/// What one task did from one completion to the next, in (begin, end].
CycleStack stack_of_operation(const Timeline& timeline, ThreadId thread, Cycles begin, Cycles end) {
  CycleStack stack;
  const CoreCosts& costs = timeline.recording().machine->core;
  const auto operations = timeline.of(thread);
  auto at = std::ranges::upper_bound(operations, begin, {}, [](const OperationRecord* o) { return o->end; });
  for (; at != operations.end() && (*at)->begin < end; ++at) {
    for (const Segment& segment : (*at)->segments) {
      for_each_part(segment, begin_of(**at, segment), costs, begin, end,
                    [&](Category category, Cycles cycles, Cycles since) {
                      stack.add({Role::kItself, (*at)->phase, "", category}, cycles, since - begin);
                    });
    }
  }
  return stack;
}

/// A cmpxchg's fate, and what came of it.
FailedCmpxchg fate_of(const Timeline& timeline, std::span<const OperationRecord* const> operations, std::size_t i) {
  const OperationRecord& tried = *operations[i];
  const Recording& recording = timeline.recording();
  FailedCmpxchg story;
  story.attempts = 1;
  const std::int64_t cycles = (tried.end - tried.begin).count;
  if (!tried.failed) {
    story.succeeded_cycles = cycles;
    return story;
  }
  story.failed = 1;
  story.failed_cycles = cycles;
  if (i + 1 < operations.size() && operations[i + 1]->kind == OpKind::kPause) {
    story.paused = 1;
    story.paused_cycles = (operations[i + 1]->end - operations[i + 1]->begin).count;
  }
  const auto executes = std::ranges::find(tried.segments, Category::kLockedExecution, &Segment::category);
  const Cycles read = executes == tried.segments.end() ? tried.end : begin_of(tried, *executes);
  const OperationRecord* winner = timeline.last_write(tried.address, tried.bytes, read, tried.thread);
  if (winner != nullptr) {
    ++story.lost_to[{operation_text(*winner, recording), winner->phase,
                     distance(recording, winner->thread, tried.thread)}];
  }
  return story;
}

/// Collects things of one kind: all of them in a sample, and of the first seed the median and the worst.
class Things {
 public:
  void add(const Example& thing, bool keep) {
    if (thing.stack.total() != thing.length()) {
      throw BrokenModel(fmt::format("what ends at cycle {} took {} cycles, of which {} are explained", thing.end.count,
                                    thing.length().count, thing.stack.total().count));
    }
    ++sample.things;
    sample.sum += thing.stack;
    if (keep) kept.push_back(thing);
  }
  /// The one at that share of all, by length.
  std::optional<Example> at(std::size_t numerator, std::size_t denominator) const {
    if (kept.empty()) return std::nullopt;
    std::vector<const Example*> sorted;
    for (const Example& thing : kept) sorted.push_back(&thing);
    std::ranges::stable_sort(sorted, {}, [](const Example* thing) { return thing->length(); });
    return *sorted[(sorted.size() - 1) * numerator / denominator];
  }

  StackSample sample;
  std::vector<Example> kept;
};

Things operations_of(const Timeline& timeline, bool keep) {
  const Recording& recording = timeline.recording();
  Things things;
  std::map<ThreadId, Cycles> last;
  for (const Completion& completion : recording.completions) {
    const auto [before, first] = last.try_emplace(completion.thread, completion.at);
    const Cycles begin = before->second;
    before->second = completion.at;
    if (first || begin < recording.window_opened || completion.at > recording.window_closed) continue;
    things.add({begin, completion.at, completion.thread,
                stack_of_operation(timeline, completion.thread, begin, completion.at)},
               keep);
  }
  return things;
}

Things hand_offs_of(const Timeline& timeline, bool keep) {
  const Recording& recording = timeline.recording();
  Things things;
  for (const HandOff& hand_off : hand_offs_in_window(recording)) {
    const ThreadId next = recording.placement[static_cast<std::size_t>(hand_off.next)];
    const auto path = critical_path(timeline, next, hand_off.begin, hand_off.end);
    things.add({hand_off.begin, hand_off.end, next, stack_of(hand_off, path, recording)}, keep);
  }
  return things;
}

FailedCmpxchg failures_of(const Timeline& timeline) {
  const Recording& recording = timeline.recording();
  FailedCmpxchg all;
  for (const ThreadId thread : recording.placement) {
    const auto operations = timeline.of(thread);
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const OperationRecord& o = *operations[i];
      const bool cmpxchg = o.kind == OpKind::kLocked && o.locked == LockedKind::kCmpxchg;
      if (!cmpxchg || o.end <= recording.window_opened || o.end > recording.window_closed) continue;
      all += fate_of(timeline, operations, i);
    }
  }
  return all;
}

}  // namespace

void CycleStack::add(const Cause& cause, const Share& share) {
  Share& sum = shares_[cause];
  sum.cycles += share.cycles;
  sum.weighted_offset += share.weighted_offset;
}

CycleStack& CycleStack::operator+=(const CycleStack& other) {
  for (const auto& [cause, share] : other.shares_) add(cause, share);
  return *this;
}

Cycles CycleStack::of(const Cause& cause) const {
  const auto found = shares_.find(cause);
  return found == shares_.end() ? Cycles{} : found->second.cycles;
}

Cycles CycleStack::total() const {
  Cycles sum;
  for (const auto& [cause, share] : shares_) sum += share.cycles;
  return sum;
}

std::vector<double> means_of(std::span<const StackSample> samples) {
  std::vector<double> means;
  means.reserve(samples.size());
  for (const StackSample& sample : samples) means.push_back(sample.mean());
  return means;
}

FailedCmpxchg& FailedCmpxchg::operator+=(const FailedCmpxchg& other) {
  attempts += other.attempts;
  failed += other.failed;
  failed_cycles += other.failed_cycles;
  succeeded_cycles += other.succeeded_cycles;
  paused += other.paused;
  paused_cycles += other.paused_cycles;
  for (const auto& [winner, times] : other.lost_to) lost_to[winner] += times;
  return *this;
}

std::string operation_text(const OperationRecord& operation, const Recording& recording) {
  if (!has_address(operation)) return std::string(verb_of(operation));
  return fmt::format("{} {}", verb_of(operation), without_number(recording.describe(operation.address)));
}

CycleStack stack_of(const HandOff& hand_off, const std::vector<PathPiece>& path, const Recording& recording) {
  CycleStack stack;
  for (const PathPiece& piece : path) {
    const int task = recording.task_of(piece.operation->thread);
    const Role role = task == hand_off.next       ? Role::kNextOwner
                      : task == hand_off.previous ? Role::kPreviousOwner
                                                  : Role::kOther;
    const std::string text = operation_text(*piece.operation, recording);
    for_each_part(*piece.segment, begin_of(*piece.operation, *piece.segment), recording.machine->core, piece.begin,
                  piece.end, [&](Category category, Cycles cycles, Cycles since) {
                    stack.add({role, piece.operation->phase, text, category}, cycles, since - hand_off.begin);
                  });
  }
  return stack;
}

std::vector<StackSample> Explanation::samples(StackSample SeedExplanation::*which) const {
  std::vector<StackSample> by_seed;
  for (const SeedExplanation& seed : seeds) {
    if ((seed.*which).things != 0) by_seed.push_back(seed.*which);
  }
  return by_seed;
}

Explanation explain_point(const Point& point, std::span<const std::uint64_t> seeds, RecordedRun* first) {
  Explanation explanation;
  explanation.params = point.params;
  explanation.machine = point.machine;
  for (const std::uint64_t seed : seeds) {
    const bool keep = explanation.seeds.empty();
    RecordedRun run = record_run(point.with_seed(seed), point.machine, point.topology);
    const Timeline timeline(run.recording);
    const Things operations = operations_of(timeline, keep);
    const Things hand_offs = hand_offs_of(timeline, keep);
    SeedExplanation& explained = explanation.seeds.emplace_back();
    explained.seed = seed;
    const std::uint64_t completed = total_operations(run.result);
    explained.cycles_per_operation =
        completed == 0 ? std::numeric_limits<double>::quiet_NaN()
                       : static_cast<double>(run.result.window.count) / static_cast<double>(completed);
    for (std::size_t task = 0; task < run.result.operations.size(); ++task) {
      if (!run.result.counting[task]) continue;
      ++explained.tasks;
      if (run.result.operations[task] == 0) ++explained.idle_tasks;
    }
    explained.operations = operations.sample;
    explained.hand_offs = hand_offs.sample;
    explained.cmpxchg = failures_of(timeline);
    if (!keep) continue;
    explanation.median_operation = operations.at(1, 2);
    explanation.worst_operation = operations.at(1, 1);
    explanation.median_hand_off = hand_offs.at(1, 2);
    explanation.worst_hand_off = hand_offs.at(1, 1);
    if (first != nullptr) *first = std::move(run);
  }
  return explanation;
}

}  // namespace linebounce

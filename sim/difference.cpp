// SPDX-License-Identifier: Apache-2.0
#include "sim/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "sim/trace_tracks.hpp"

namespace linebounce {

namespace {

std::string text_of(const OperationRecord& o, const Recording& recording) {
  return fmt::format("task {}, {}: {}, {} cycles", recording.task_of(o.thread), name_of(o.phase),
                     operation_text(o, recording), (o.end - o.begin).count);
}

/// What the task did, in program order, without the marks that take no time; nothing if the run has no such task.
std::vector<const OperationRecord*> operations_of(const Timeline& timeline, std::size_t task) {
  const std::vector<ThreadId>& placement = timeline.recording().placement;
  std::vector<const OperationRecord*> operations;
  if (task >= placement.size()) return operations;
  std::ranges::copy_if(timeline.of(placement[task]), std::back_inserter(operations),
                       [](const OperationRecord* o) { return o->kind != OpKind::kSynchronise; });
  return operations;
}

std::string_view part_of(const Recording& recording, Cycles at) {
  return at <= recording.window_opened  ? "before the measured window"
         : at > recording.window_closed ? "after the measured window"
                                        : "in the measured window";
}

/// The first operation of a task that is not the same in both runs.
std::optional<Divergence> first_difference(const Timeline& first, const Timeline& second, std::size_t task) {
  const auto a = operations_of(first, task);
  const auto b = operations_of(second, task);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    const Recording& run = first.recording();
    const auto differs = [&](Cycles at, bool at_end, std::string x, std::string y) {
      return Divergence{at, at_end, std::move(x), std::move(y), part_of(run, at)};
    };
    if (i >= a.size()) return differs(b[i]->begin, false, "nothing", text_of(*b[i], second.recording()));
    if (i >= b.size()) return differs(a[i]->begin, false, text_of(*a[i], run), "nothing");
    const OperationRecord& x = *a[i];
    const OperationRecord& y = *b[i];
    const bool same_begin = std::tuple(x.kind, x.phase, x.begin) == std::tuple(y.kind, y.phase, y.begin) &&
                            operation_text(x, first.recording()) == operation_text(y, second.recording());
    if (same_begin && x.end == y.end && x.failed == y.failed) continue;
    return differs(same_begin ? std::min(x.end, y.end) : std::min(x.begin, y.begin), same_begin, text_of(x, run),
                   text_of(y, second.recording()));
  }
  return std::nullopt;
}

/// The first message that the other run has not; nullptr if it has all.
const RecordedMessage* first_without_equal(const std::vector<RecordedMessage>& messages,
                                           const std::vector<RecordedMessage>& others) {
  const auto key_of = [](const RecordedMessage& m) {
    return std::tuple(m.arrived, m.sent, m.kind, m.from, m.to, m.line);
  };
  std::multiset<decltype(key_of(others.front()))> left;
  for (const RecordedMessage& m : others) left.insert(key_of(m));
  for (const RecordedMessage& m : messages) {
    const auto equal = left.find(key_of(m));
    if (equal == left.end()) return &m;
    left.erase(equal);
  }
  return nullptr;
}

/// How cycles of each side become the unit of both.
struct Scale {
  explicit Scale(const Difference& d) {
    const std::int64_t a = d.first.machine->core_mhz;
    const std::int64_t b = d.second.machine->core_mhz;
    if (a == b) return;
    unit = "ns";
    first = 1000.0 / static_cast<double>(a);
    second = 1000.0 / static_cast<double>(b);
  }
  void apply(DifferenceRow& row) const {
    for (double& x : row.first) x *= first;
    for (double& x : row.second) x *= second;
  }
  std::string_view unit = "cycles";
  double first = 1;
  double second = 1;
};

}  // namespace

std::optional<Divergence> first_difference(const Recording& first, const Recording& second) {
  const Timeline a(first);
  const Timeline b(second);
  std::optional<Divergence> earliest;
  for (std::size_t task = 0; task < std::max(first.placement.size(), second.placement.size()); ++task) {
    const std::optional<Divergence> one = first_difference(a, b, task);
    if (one && (!earliest || one->at < earliest->at)) earliest = one;
  }
  return earliest;
}

std::optional<Divergence> first_other_message(const Recording& first, const Recording& second) {
  const auto text_of = [](const RecordedMessage& m, const Recording& recording) {
    const MessageTraits& t = traits(m.kind);
    return fmt::format("{} from {} to {}, sent at {}, there at {}", t.name, name_of_agent(recording, t.from, m.from),
                       name_of_agent(recording, t.to, m.to), m.sent.count, m.arrived.count);
  };
  const RecordedMessage* x = first_without_equal(first.messages, second.messages);
  const RecordedMessage* y = first_without_equal(second.messages, first.messages);
  if (x == nullptr && y == nullptr) return std::nullopt;
  const Cycles at = x == nullptr ? y->arrived : y == nullptr ? x->arrived : std::min(x->arrived, y->arrived);
  return Divergence{at, false, x == nullptr ? "none" : text_of(*x, first), y == nullptr ? "none" : text_of(*y, second),
                    part_of(first, at)};
}

Difference compare_points(const Point& first, const Point& second, std::span<const std::uint64_t> seeds) {
  RecordedRun a;
  RecordedRun b;
  Difference difference{explain_point(first, seeds, &a), explain_point(second, seeds, &b), std::nullopt, std::nullopt};
  difference.divergence = first_difference(a.recording, b.recording);
  if (a.recording.placement == b.recording.placement) {
    const std::optional<Divergence> message = first_other_message(a.recording, b.recording);
    if (message && !(difference.divergence && difference.divergence->at < message->at)) difference.messages = message;
  }
  return difference;
}

std::vector<DifferenceRow> rows_of(std::span<const StackSample> first, std::span<const StackSample> second) {
  CycleStack all;
  for (const auto& side : {first, second}) {
    for (const StackSample& sample : side) all += sample.sum;
  }
  std::map<Cause, CycleStack> operations;  // by operation: category kCount
  for (const auto& [cause, share] : all.shares()) {
    operations[{cause.role, cause.phase, cause.operation, Category::kCount}].add(cause, share);
  }
  const auto means = [](std::span<const StackSample> side, auto&& wanted) {
    std::vector<double> by_seed;
    for (const StackSample& sample : side) {
      Cycles sum;
      for (const auto& [cause, share] : sample.sum.shares()) {
        if (wanted(cause)) sum += share.cycles;
      }
      by_seed.push_back(sample.per_thing(sum));
    }
    return by_seed;
  };
  const auto same_operation = [](const Cause& a, const Cause& b) {
    return a.role == b.role && a.phase == b.phase && a.operation == b.operation;
  };
  std::vector<std::pair<double, std::vector<DifferenceRow>>> groups;
  for (const auto& [whole, parts] : operations) {
    std::vector<DifferenceRow> rows;
    std::int64_t weighted = 0;
    for (const auto& [cause, share] : parts.shares()) {
      const auto is_it = [&cause = cause](const Cause& c) { return c == cause; };
      rows.push_back({cause, means(first, is_it), means(second, is_it), share.offset()});
      weighted += share.weighted_offset;
    }
    std::ranges::stable_sort(rows, {}, &DifferenceRow::offset);
    const double offset = static_cast<double>(weighted) / static_cast<double>(parts.total().count);
    const auto in_it = [&, &whole = whole](const Cause& c) { return same_operation(c, whole); };
    rows.insert(rows.begin(), {whole, means(first, in_it), means(second, in_it), offset});
    groups.emplace_back(offset, std::move(rows));
  }
  std::ranges::stable_sort(groups, {}, [](const auto& group) { return group.first; });
  std::vector<DifferenceRow> all_rows;
  for (auto& [offset, rows] : groups) std::ranges::move(rows, std::back_inserter(all_rows));
  return all_rows;
}

Comparison compare(const Difference& difference, StackSample SeedExplanation::*which) {
  std::vector<StackSample> first;
  std::vector<StackSample> second;
  for (std::size_t i = 0; i < difference.first.seeds.size(); ++i) {
    const StackSample& a = difference.first.seeds[i].*which;
    const StackSample& b = difference.second.seeds[i].*which;
    if (a.things == 0 || b.things == 0) continue;
    first.push_back(a);
    second.push_back(b);
  }
  const Scale scale(difference);
  Comparison comparison{scale.unit, {}, {}, which == &SeedExplanation::hand_offs};
  comparison.total.first = means_of(first);
  comparison.total.second = means_of(second);
  comparison.rows = rows_of(first, second);
  scale.apply(comparison.total);
  for (DifferenceRow& row : comparison.rows) scale.apply(row);
  return comparison;
}

Comparison compare(const Difference& difference) {
  Comparison hand_offs = compare(difference, &SeedExplanation::hand_offs);
  return hand_offs.pairs() != 0 ? hand_offs : compare(difference, &SeedExplanation::operations);
}

Comparison compare_all_tasks(const Difference& difference) {
  const Scale scale(difference);
  Comparison comparison{scale.unit, {}, {}};
  for (const SeedExplanation& seed : difference.first.seeds)
    comparison.total.first.push_back(seed.cycles_per_operation);
  for (const SeedExplanation& seed : difference.second.seeds)
    comparison.total.second.push_back(seed.cycles_per_operation);
  scale.apply(comparison.total);
  return comparison;
}

}  // namespace linebounce

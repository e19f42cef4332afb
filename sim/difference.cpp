// SPDX-License-Identifier: Apache-2.0
#include "sim/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace linebounce {

namespace {

std::string text_of(const OperationRecord& o, const Recording& recording) {
  return fmt::format("task {}, {}: {}, {} cycles", recording.task_of(o.thread), name_of(o.phase),
                     operation_text(o, recording), (o.end - o.begin).count);
}

/// The first operation of a thread that is not the same in both runs.
std::optional<Divergence> first_difference(const Timeline& first, const Timeline& second, ThreadId thread) {
  const auto a = first.of(thread);
  const auto b = second.of(thread);
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    if (i >= a.size()) return Divergence{b[i]->begin, "nothing", text_of(*b[i], second.recording())};
    if (i >= b.size()) return Divergence{a[i]->begin, text_of(*a[i], first.recording()), "nothing"};
    const OperationRecord& x = *a[i];
    const OperationRecord& y = *b[i];
    const bool same_begin = std::tuple(x.kind, x.phase, x.begin) == std::tuple(y.kind, y.phase, y.begin) &&
                            operation_text(x, first.recording()) == operation_text(y, second.recording());
    if (same_begin && x.end == y.end && x.failed == y.failed) continue;
    return Divergence{same_begin ? std::min(x.end, y.end) : std::min(x.begin, y.begin), text_of(x, first.recording()),
                      text_of(y, second.recording())};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Divergence> first_difference(const Recording& first, const Recording& second) {
  const Timeline a(first);
  const Timeline b(second);
  std::optional<Divergence> earliest;
  for (const Recording* recording : {&first, &second}) {
    for (const ThreadId thread : recording->placement) {
      const std::optional<Divergence> one = first_difference(a, b, thread);
      if (one && (!earliest || one->at < earliest->at)) earliest = one;
    }
  }
  return earliest;
}

Difference compare_points(const Point& first, const Point& second, std::span<const std::uint64_t> seeds) {
  RecordedRun a;
  RecordedRun b;
  Difference difference{explain_point(first, seeds, &a), explain_point(second, seeds, &b), std::nullopt};
  difference.divergence = first_difference(a.recording, b.recording);
  return difference;
}

std::vector<DifferenceRow> rows_of(std::span<const StackSample> first, std::span<const StackSample> second) {
  const std::vector<StackSample> none(first.size());
  const auto other = second.empty() ? std::span<const StackSample>(none) : second;
  CycleStack all;
  for (const auto& side : {first, other}) {
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
      by_seed.push_back(sample.things == 0 ? 0 : static_cast<double>(sum.count) / static_cast<double>(sample.things));
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
      rows.push_back({cause, means(first, is_it), means(other, is_it), share.offset()});
      weighted += share.weighted_offset;
    }
    std::ranges::stable_sort(rows, {}, &DifferenceRow::offset);
    const double offset = static_cast<double>(weighted) / static_cast<double>(parts.total().count);
    const auto in_it = [&](const Cause& c) { return same_operation(c, whole); };
    rows.insert(rows.begin(), {whole, means(first, in_it), means(other, in_it), offset});
    groups.emplace_back(offset, std::move(rows));
  }
  std::ranges::stable_sort(groups, {}, [](const auto& group) { return group.first; });
  std::vector<DifferenceRow> all_rows;
  for (auto& [offset, rows] : groups) std::ranges::move(rows, std::back_inserter(all_rows));
  return all_rows;
}

}  // namespace linebounce

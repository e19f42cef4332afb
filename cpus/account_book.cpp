// SPDX-License-Identifier: Apache-2.0
#include "cpus/account_book.hpp"

#include <algorithm>

namespace linebounce {

ThreadCounters& ThreadCounters::operator+=(const ThreadCounters& other) {
  loads += other.loads;
  stores += other.stores;
  cmpxchgs += other.cmpxchgs;
  failed_cmpxchgs += other.failed_cmpxchgs;
  other_locked += other.other_locked;
  fences += other.fences;
  pauses += other.pauses;
  l1_hits += other.l1_hits;
  l2_hits += other.l2_hits;
  misses += other.misses;
  machine_clears += other.machine_clears;
  return *this;
}

void AccountBook::record(Phase phase, Cycles begin, std::span<const Segment> segments, const ThreadCounters& tally,
                         Cycles now) {
  const Cycles end = segments.empty() ? begin : segments.back().until;
  if (recent_.size() >= kMostRecent || (!recent_.empty() && end <= now)) settle_until(now);
  if (recent_.empty() && end <= now) {
    settle(phase, begin, segments, tally);
    return;
  }
  const std::size_t first = segments_.size();
  segments_.insert(segments_.end(), segments.begin(), segments.end());
  recent_.push_back({phase, begin, first, segments_.size(), tally});
}

void AccountBook::settle_until(Cycles now) {
  std::size_t done = 0;
  while (done < recent_.size()) {
    const Closed& closed = recent_[done];
    const Cycles end = closed.first == closed.last ? closed.begin : segments_[closed.last - 1].until;
    if (end > now) break;
    settle(closed.phase, closed.begin, std::span(segments_).subspan(closed.first, closed.last - closed.first),
           closed.tally);
    ++done;
  }
  if (done == 0) return;
  const std::size_t settled = recent_[done - 1].last;
  segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(settled));
  recent_.erase(recent_.begin(), recent_.begin() + static_cast<std::ptrdiff_t>(done));
  for (Closed& closed : recent_) {
    closed.first -= settled;
    closed.last -= settled;
  }
}

void AccountBook::settle(Phase phase, Cycles begin, std::span<const Segment> segments, const ThreadCounters& tally) {
  Cycles at = begin;
  if (!segments.empty() && segments.back().until <= window_.open) return;
  for (const Segment& segment : segments) {
    if (segment.until <= window_.open || segment.rounds == 0) {
      add(phase, segment.category, at, segment.until);
      at = segment.until;
      continue;
    }
    const Cycles period{(segment.until - at).count / segment.rounds};
    const bool pauses = segment.category == Category::kPause;
    const Cycles load = pauses ? costs_.l1_load : costs_.issue;
    const Cycles test = costs_.poll_test;
    const Cycles pause = pauses ? costs_.pause : Cycles{};
    const Cycles slot = period - load - test - pause;
    // Rounds that lie whole inside the window are added at once.
    std::int64_t rounds = segment.rounds;
    while (rounds > 0) {
      const bool inside = at >= window_.open && segment.until <= window_.close;
      const std::int64_t n = inside ? rounds : 1;
      for (const auto& [category, length] :
           {std::pair{pauses ? Category::kL1Hit : Category::kIssue, load}, std::pair{Category::kCompute, test},
            std::pair{Category::kSmtSlot, slot}, std::pair{Category::kPause, pause}}) {
        add(phase, category, at, at + length * n);
        at += length * n;
      }
      rounds -= n;
    }
  }
  if (at > window_.open && at <= window_.close) counters_ += tally;
}

void AccountBook::add(Phase phase, Category category, Cycles begin, Cycles end) {
  const Cycles from = std::max(begin, window_.open);
  const Cycles to = std::min(end, window_.close);
  if (to > from) account_.at(phase, category) += to - from;
}

}  // namespace linebounce

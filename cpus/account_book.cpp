// SPDX-License-Identifier: Apache-2.0
#include "cpus/account_book.hpp"

#include "cpus/spin_rounds.hpp"

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
    for_each_part(segment, at, costs_, window_.open, window_.close,
                  [&](Category category, Cycles cycles, Cycles) { account_.at(phase, category) += cycles; });
    at = segment.until;
  }
  if (at > window_.open && at <= window_.close) counters_ += tally;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/ledger.hpp"

#include <algorithm>

namespace linebounce {

Cycles Account::of(Category c) const {
  Cycles sum;
  for (const auto& phase : cycles) sum += phase[static_cast<std::size_t>(c)];
  return sum;
}

Cycles Account::of(Phase p) const {
  Cycles sum;
  for (const Cycles part : cycles[static_cast<std::size_t>(p)]) sum += part;
  return sum;
}

Cycles Account::total() const {
  Cycles sum;
  for (std::size_t p = 0; p < kPhases; ++p) sum += of(static_cast<Phase>(p));
  return sum;
}

Account& Account::operator+=(const Account& other) {
  for (std::size_t p = 0; p < kPhases; ++p) {
    for (std::size_t c = 0; c < kCategories; ++c) cycles[p][c] += other.cycles[p][c];
  }
  return *this;
}

std::uint32_t Ledger::take() {
  if (spare_.empty()) {
    entries_.emplace_back();
    return static_cast<std::uint32_t>(entries_.size() - 1);
  }
  const std::uint32_t slot = spare_.back();
  spare_.pop_back();
  return slot;
}

std::uint32_t Ledger::open(OpId op, Cycles begin) {
  const std::uint32_t slot = take();
  Entry& entry = entries_[slot];
  entry.op = op;
  entry.begin = entry.charged_until = begin;
  entry.parent = 0;
  entry.segments.clear();
  return slot;
}

void Ledger::charge_rounds(std::uint32_t slot, Category category, std::uint32_t rounds, Cycles until) {
  if (rounds == 0) return;
  entries_[slot].segments.push_back({category, until, {}, rounds});
  entries_[slot].charged_until = until;
}

std::uint32_t Ledger::fork(std::uint32_t slot, Cycles now) {
  if (slot == 0) return 0;
  const std::uint32_t branch = open(entries_[slot].op, now);
  entries_[branch].parent = slot;
  entries_[branch].parent_epoch = entries_[slot].epoch;
  return branch;
}

std::uint32_t Ledger::split(std::uint32_t branch) {
  if (branch == 0) return 0;
  const std::uint32_t twin = take();
  Entry& entry = entries_[twin];
  const Entry& original = entries_[branch];
  const Entry& stem = entries_[original.parent];
  entry.op = original.op;
  entry.begin = entry.charged_until = stem.begin;
  entry.parent = stem.parent;
  entry.parent_epoch = stem.parent_epoch;
  entry.segments.clear();
  for (const Segment& segment : stem.segments) {
    charge(twin, segment.category, std::min(segment.until, original.begin), segment.cause);
  }
  for (const Segment& segment : original.segments) charge(twin, segment.category, segment.until, segment.cause);
  return twin;
}

std::uint32_t Ledger::join(std::uint32_t branch) {
  if (branch == 0) return 0;
  const std::uint32_t parent = entries_[branch].parent;
  if (entries_[parent].epoch == entries_[branch].parent_epoch) {
    for (std::size_t i = 0; i < entries_[branch].segments.size(); ++i) {
      const Segment segment = entries_[branch].segments[i];
      charge(parent, segment.category, segment.until, segment.cause);
    }
  }
  close(branch);
  return parent;
}

void Ledger::close(std::uint32_t slot) {
  if (slot == 0) return;
  ++entries_[slot].epoch;
  spare_.push_back(slot);
}

}  // namespace linebounce

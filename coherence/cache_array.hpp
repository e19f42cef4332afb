// SPDX-License-Identifier: Apache-2.0
// A set-associative array with least-recently-used replacement. Sets come into being when first touched, so a machine
// with hundreds of MiB of cache costs only what a run uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "topologies/machine.hpp"
#include "units/address.hpp"

namespace linebounce {

/// `Entry` needs the members `LineAddress line`, `bool used` (the way is taken) and `std::uint64_t touched`.
template <class Entry>
class CacheArray {
 public:
  explicit CacheArray(const CacheGeometry& geometry)
      : ways_(static_cast<std::size_t>(geometry.ways)), sets_(static_cast<std::size_t>(geometry.sets())) {}

  Entry* find(LineAddress line) {
    if (latest_ != nullptr && latest_->line == line && latest_->used) return latest_;
    Entry* const set = sets_[index(line)].get();
    if (set == nullptr) return nullptr;
    for (std::size_t way = 0; way < ways_; ++way) {
      if (set[way].line == line && set[way].used) return latest_ = &set[way];
    }
    return nullptr;
  }
  const Entry* find(LineAddress line) const { return const_cast<CacheArray*>(this)->find(line); }

  /// Makes the entry the most recently used of its set.
  void touch(Entry& entry) { entry.touched = ++clock_; }

  /// A free way for the line, marked used and touched; nullptr when the set is full.
  Entry* take(LineAddress line) {
    auto& set = sets_[index(line)];
    if (set == nullptr) set = std::make_unique<Entry[]>(ways_);
    for (std::size_t way = 0; way < ways_; ++way) {
      if (set[way].used) continue;
      set[way] = Entry{};
      set[way].line = line;
      set[way].used = true;
      touch(set[way]);
      return &set[way];
    }
    return nullptr;
  }

  /// The least recently used entry of the line's set for which `may_go` holds; nullptr when there is none.
  template <class MayGo>
  Entry* victim(LineAddress line, MayGo&& may_go) {
    Entry* const set = sets_[index(line)].get();
    Entry* oldest = nullptr;
    for (std::size_t way = 0; set != nullptr && way < ways_; ++way) {
      if (!set[way].used || !may_go(set[way])) continue;
      if (oldest == nullptr || set[way].touched < oldest->touched) oldest = &set[way];
    }
    return oldest;
  }

  /// Frees every way.
  void clear() {
    for (auto& set : sets_) {
      for (std::size_t way = 0; set != nullptr && way < ways_; ++way) set[way].used = false;
    }
  }

  /// Every used entry, in the order of sets and ways.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& set : sets_) {
      for (std::size_t way = 0; set != nullptr && way < ways_; ++way) {
        if (set[way].used) visit(set[way]);
      }
    }
  }

 private:
  std::size_t index(LineAddress line) const { return static_cast<std::size_t>(line.value) % sets_.size(); }

  std::size_t ways_;
  std::uint64_t clock_ = 0;
  Entry* latest_ = nullptr;  ///< found last: most look-ups come in runs
  std::vector<std::unique_ptr<Entry[]>> sets_;
};

}  // namespace linebounce

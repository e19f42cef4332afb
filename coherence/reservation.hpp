// SPDX-License-Identifier: Apache-2.0
// A resource that serves one packet at a time: a ring segment, a QPI link, the pipeline of a slice or home agent, the
// channels of a memory. A packet takes the first gap at or after its arrival that is long enough.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Reservation {
 public:
  /// When a packet that arrives at `from` is served, and, if it had to wait, the operation it waited for.
  struct Place {
    Cycles begin;
    OpId cause;
  };

  /// Books `length` cycles for operation `op`. `now` is the present: what ended before it is forgotten.
  Place reserve(Cycles from, Cycles length, OpId op, Cycles now) {
    while (first_ < busy_.size() && busy_[first_].end <= now) ++first_;
    if (first_ == busy_.size()) {
      busy_.clear();
      first_ = 0;
    } else if (first_ > kForgotten) {
      busy_.erase(busy_.begin(), busy_.begin() + static_cast<std::ptrdiff_t>(first_));
      first_ = 0;
    }
    Place place{from, {}};
    std::size_t i = busy_.size();
    if (i > first_ && busy_.back().end > from) {
      i = first_;
      while (i < busy_.size() && (busy_[i].end <= place.begin || busy_[i].begin < place.begin + length)) {
        if (busy_[i].end > place.begin) place = {busy_[i].end, busy_[i].op};
        ++i;
      }
    }
    busy_.insert(busy_.begin() + static_cast<std::ptrdiff_t>(i), {place.begin, place.begin + length, op});
    return place;
  }

 private:
  struct Busy {
    Cycles begin;
    Cycles end;
    OpId op;
  };
  static constexpr std::size_t kForgotten = 32;
  std::vector<Busy> busy_;  ///< sorted, not overlapping
  std::size_t first_ = 0;   ///< earlier ones are over
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A resource that serves one packet at a time: a ring segment, a QPI link, the pipeline of a slice or home agent, the
// channels of a memory. A packet takes the first gap at or after its arrival that is long enough.
#pragma once

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
    if (busy_.size() >= kMany) {
      std::erase_if(busy_, [now](const Busy& old) { return old.end <= now; });
    }
    Place place{from, {}};
    if (busy_.empty() || busy_.back().end <= from) {
      busy_.push_back({from, from + length, op});
      return place;
    }
    std::size_t i = 0;
    while (i < busy_.size() && (busy_[i].end <= place.begin || busy_[i].begin < place.begin + length)) {
      if (busy_[i].end > place.begin) place = {busy_[i].end, busy_[i].op};
      ++i;
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
  static constexpr std::size_t kMany = 16;  ///< with fewer, looking over what has ended costs less than forgetting it
  std::vector<Busy> busy_;                  ///< sorted, not overlapping
};

}  // namespace linebounce

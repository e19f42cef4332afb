// SPDX-License-Identifier: Apache-2.0
// A resource that serves one packet at a time: a ring segment, a QPI link, the pipeline of a slice or home agent, the
// channels of a memory. A packet takes the first gap at or after its arrival that is long enough.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Reservation {
 public:
  /// When a packet is served, and, if it had to wait, the operation it waited for.
  struct Place {
    Cycles begin;
    OpId cause;
  };

  /// Books `length` cycles for operation `op`, at `from` or as soon after as there is room.
  Place reserve(Cycles from, Cycles length, OpId op) {
    if (from >= end_) {
      append({from, from + length, op});
      return {from, {}};
    }
    return fit(from, length, op);
  }

 private:
  struct Busy {
    Cycles begin;
    Cycles end;
    OpId op;
  };
  /// How many bookings are remembered. Packets are sent a few cycles before they arrive at most, so gaps among older
  /// ones are over; time before the oldest remembered counts as taken.
  static constexpr std::size_t kRemembered = 16;

  void append(const Busy& busy) {
    if (count_ == kRemembered) {
      std::move(busy_.begin() + kRemembered / 2, busy_.end(), busy_.begin());
      count_ = kRemembered / 2;
      forgotten_ = busy_[0].begin;
    }
    busy_[count_++] = busy;
    end_ = busy.end;
  }

  Place fit(Cycles from, Cycles length, OpId op) {
    Place place{std::max(from, forgotten_), {}};
    std::size_t i = 0;
    while (i < count_ && (busy_[i].end <= place.begin || busy_[i].begin < place.begin + length)) {
      if (busy_[i].end > place.begin) place = {busy_[i].end, busy_[i].op};
      ++i;
    }
    const Busy fresh{place.begin, place.begin + length, op};
    if (i == count_) {
      append(fresh);
      return place;
    }
    const Busy last = busy_[count_ - 1];
    std::move_backward(busy_.begin() + static_cast<std::ptrdiff_t>(i),
                       busy_.begin() + static_cast<std::ptrdiff_t>(count_ - 1),
                       busy_.begin() + static_cast<std::ptrdiff_t>(count_));
    busy_[i] = fresh;
    append(last);
    return place;
  }

  Cycles end_;  ///< of the last booking
  Cycles forgotten_;
  std::size_t count_ = 0;
  std::array<Busy, kRemembered> busy_{};  ///< sorted, not overlapping
};

}  // namespace linebounce

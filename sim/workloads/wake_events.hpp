// SPDX-License-Identifier: Apache-2.0
// What happens on the way of a wake-up from the waker to the woken task's processor, counted in the measured window.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "units/quantity.hpp"

namespace linebounce {

enum class WakeEvent : std::uint8_t {
  kPost,          ///< the waker adds 1 to a semaphore
  kListed,        ///< a sleeping worker goes on its processor's wake list
  kStillRunning,  ///< a worker that has not left its processor yet is told to stay
  kFailedAdd,     ///< a LOCK CMPXCHG of llist_add found another value
  kAddPause,      ///< a PAUSE in llist_add
  kIpi,           ///< an interprocessor interrupt is sent
  kInterrupt,     ///< its handler has emptied the wake list and activated who was on it
  kActivated,     ///< a worker that it activated
  kCount
};

inline constexpr std::size_t kWakeEvents = static_cast<std::size_t>(WakeEvent::kCount);

/// How often each happened.
struct WakeCounts {
  std::array<std::uint64_t, kWakeEvents> events{};
  std::uint64_t of(WakeEvent e) const { return events[static_cast<std::size_t>(e)]; }
};

/// What one task has seen, with its cycles: when the window opens and closes is known only afterwards.
class WakeLog {
 public:
  void note(WakeEvent what, Cycles at, std::uint64_t times = 1) {
    if (times > 0) entries_.push_back({at, times, what});
  }
  /// Adds what happened in (open, close].
  void add_to(WakeCounts& counts, Cycles open, Cycles close) const {
    for (const Entry& e : entries_) {
      if (e.at > open && e.at <= close) counts.events[static_cast<std::size_t>(e.what)] += e.times;
    }
  }

 private:
  struct Entry {
    Cycles at;
    std::uint64_t times;
    WakeEvent what;
  };
  std::vector<Entry> entries_;
};

}  // namespace linebounce

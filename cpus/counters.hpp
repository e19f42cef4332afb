// SPDX-License-Identifier: Apache-2.0
// What is counted in the measured window of a run. All integers; everything else is derived from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "coherence/machine_counters.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// Operations of one hardware thread that completed in the window.
struct ThreadCounters {
  std::uint64_t loads = 0;
  std::uint64_t stores = 0;
  std::uint64_t cmpxchgs = 0;
  std::uint64_t failed_cmpxchgs = 0;
  std::uint64_t other_locked = 0;  ///< XCHG, XADD, BTS
  std::uint64_t fences = 0;
  std::uint64_t pauses = 0;
  std::uint64_t l1_hits = 0;
  std::uint64_t l2_hits = 0;
  std::uint64_t misses = 0;  ///< requests that left the core
  std::uint64_t machine_clears = 0;
  ThreadCounters& operator+=(const ThreadCounters& other);
};

}  // namespace linebounce

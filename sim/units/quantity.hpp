// SPDX-License-Identifier: Apache-2.0
// Whole-number quantities that do not mix: a cycle count is not a byte count, a core cycle is not an uncore cycle.
#pragma once

#include <compare>
#include <cstdint>

namespace linebounce {

/// A signed whole number of one unit; the tag names the unit. Only sums, differences and scaling exist.
template <class Tag>
struct Quantity {
  std::int64_t count = 0;

  friend constexpr auto operator<=>(Quantity, Quantity) = default;
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return {a.count + b.count}; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return {a.count - b.count}; }
  friend constexpr Quantity operator*(Quantity a, std::int64_t n) { return {a.count * n}; }
  constexpr Quantity& operator+=(Quantity other) {
    count += other.count;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity other) {
    count -= other.count;
    return *this;
  }
};

/// Core clock cycles: the simulator's time. One SystemC tick is one of these.
using Cycles = Quantity<struct CyclesTag>;
/// Cycles of the uncore clock (L3, ring, crossbar, agents); converted to core cycles once per path.
using UncoreCycles = Quantity<struct UncoreCyclesTag>;
/// Bytes on a link.
using Bytes = Quantity<struct BytesTag>;

/// Nanoseconds, for machine files and reports only; never part of simulated state.
struct Nanoseconds {
  double count = 0.0;
  friend constexpr auto operator<=>(Nanoseconds, Nanoseconds) = default;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Guest addresses and the cache lines that hold them.
#pragma once

#include <compare>
#include <cstdint>

namespace linebounce {

inline constexpr unsigned kLineBytes = 64;

/// A byte address of guest memory. In simulation it is the simulated physical address; on a native Cpu it is the
/// host's own address, so one algorithm text serves both. 0 is the guest's null pointer.
struct Address {
  std::uint64_t value = 0;

  friend constexpr auto operator<=>(Address, Address) = default;
  friend constexpr Address operator+(Address a, std::uint64_t bytes) { return {a.value + bytes}; }
  constexpr explicit operator bool() const { return value != 0; }
};

/// The number of a cache line: address / 64.
struct LineAddress {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(LineAddress, LineAddress) = default;
};

constexpr LineAddress line_of(Address a) { return {a.value / kLineBytes}; }
constexpr unsigned offset_in_line(Address a) { return static_cast<unsigned>(a.value % kLineBytes); }

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The 64 bytes of a cache line and aligned access to parts of them, little-endian.
#pragma once

#include <array>
#include <cstdint>

#include "units/address.hpp"

namespace linebounce {

struct LineData {
  std::array<std::uint64_t, kLineBytes / 8> words{};

  friend bool operator==(const LineData&, const LineData&) = default;

  /// Reads `bytes` (1, 2, 4, 8) at a naturally aligned offset.
  std::uint64_t read(unsigned offset, unsigned bytes) const { return words[offset / 8] >> shift(offset) & mask(bytes); }

  /// Writes `bytes` at a naturally aligned offset; the neighbouring bytes stay as they are.
  void write(unsigned offset, unsigned bytes, std::uint64_t value) {
    std::uint64_t& word = words[offset / 8];
    const std::uint64_t field = mask(bytes) << shift(offset);
    word = (word & ~field) | (value << shift(offset) & field);
  }

  static constexpr std::uint64_t mask(unsigned bytes) {
    return bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (bytes * 8)) - 1;
  }

 private:
  static constexpr unsigned shift(unsigned offset) { return offset % 8 * 8; }
};

}  // namespace linebounce

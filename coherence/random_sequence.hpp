// SPDX-License-Identifier: Apache-2.0
// A seeded sequence of random numbers, the same on every host.
#pragma once

#include <cstdint>

namespace linebounce {

/// SplitMix64 (public domain).
class RandomSequence {
 public:
  explicit RandomSequence(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }
  /// 0 … n-1; the bias is of no importance here.
  std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(next() % n); }

 private:
  std::uint64_t state_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The one source of chance: a counter-based generator. A draw is a pure function of (seed, stream name, counter), so it
// depends neither on what else was drawn nor on the order of drawing.
#pragma once

#include <cstdint>
#include <string_view>

namespace linebounce {

/// The output function of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014; constants of Stafford's variant 13): a
/// bijection of 64-bit words in which every input bit moves every output bit.
constexpr std::uint64_t mix64(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31);
}

/// One stream of numbers, keyed by the seed of the run and the name of the component that draws.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::string_view name) : key_(mix64(mix64(seed + kGolden) ^ hash(name))) {}

  /// Number `counter` of the stream, uniform over 64 bits: SplitMix64 started at the key, its counter-th output.
  constexpr std::uint64_t at(std::uint64_t counter) const { return mix64(key_ + (counter + 1) * kGolden); }

  /// Number `counter` of the stream, scaled to 0 … most (both included) by a multiplication; the bias is below
  /// (most + 1) / 2^64. A negative `most` gives 0.
  constexpr std::int64_t up_to(std::int64_t most, std::uint64_t counter) const {
    if (most <= 0) return 0;
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(at(counter)) * (static_cast<std::uint64_t>(most) + 1);
    return static_cast<std::int64_t>(product >> 64);
  }

 private:
  static constexpr std::uint64_t kGolden = 0x9e3779b97f4a7c15U;  ///< 2^64 / golden ratio, odd: SplitMix64's increment

  /// FNV-1a, 64 bits.
  static constexpr std::uint64_t hash(std::string_view name) {
    std::uint64_t h = 0xcbf29ce484222325U;
    for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return h;
  }

  std::uint64_t key_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What an instruction costs that one thread alone repeats, on a line that its L1 has: the reciprocal throughput of
// instruction tables.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

enum class LoopBody : std::uint8_t {
  kPause,
  kMfence,
  kXchg,
  kXadd,
  kCmpxchg,        ///< always succeeds
  kBts,            ///< what the model has for other LOCKed arithmetic
  kXchgAndStore,   ///< test-and-set, and a plain store that resets the word
  kLoadAndCmpxchg  ///< fetch-and-increment by a load and a cmpxchg of what it found
};
inline constexpr std::size_t kLoopBodies = 8;
inline constexpr std::array<std::string_view, kLoopBodies> kLoopBodyNames = {
    "pause", "mfence", "xchg", "lock xadd", "lock cmpxchg", "lock bts", "xchg+store", "load+cmpxchg"};

/// Core cycles of one round, once the loop is under way. Throws what System::run throws.
double measure_lone_loop(const Machine& machine, const Topology& topology, LoopBody body);

}  // namespace linebounce

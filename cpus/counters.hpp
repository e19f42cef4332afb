// SPDX-License-Identifier: Apache-2.0
// What is counted in the measured window of a run. All integers; everything else is derived from them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "coherence/ledger.hpp"
#include "coherence/message.hpp"
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
  ThreadCounters& operator+=(const ThreadCounters& other);
};

/// How far a line travelled when one core got it from another core's private cache.
enum class TransferDistance : std::uint8_t { kSameSocket, kOneHop, kTwoHops, kCount };
inline constexpr std::array<std::string_view, 3> kTransferDistanceNames = {"same_socket", "one_hop", "two_hops"};

/// What the caches, links and home agents of the whole machine did in the window.
struct MachineCounters {
  std::array<std::uint64_t, kMessageKinds> messages{};  ///< delivered, by kind
  std::vector<Bytes> link_bytes;                        ///< by LinkId
  std::uint64_t l3_hits = 0;                            ///< requests that a slice served without another socket
  std::uint64_t l3_misses = 0;
  std::uint64_t dram_reads = 0;
  std::uint64_t dram_writes = 0;
  std::array<std::uint64_t, 3> ownership_transfers{};  ///< a writable line passed from core to core, by distance
};

}  // namespace linebounce

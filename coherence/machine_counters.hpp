// SPDX-License-Identifier: Apache-2.0
// What the caches, links and home agents of a whole machine did. All integers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "coherence/message.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// How far a line travelled when one core got it from another core's private cache.
enum class TransferDistance : std::uint8_t { kSameSocket, kOneHop, kTwoHops };

struct MachineCounters {
  std::array<std::uint64_t, kMessageKinds> messages{};  ///< delivered, by kind
  std::vector<Bytes> link_bytes;                        ///< by LinkId
  std::uint64_t l3_hits = 0;                            ///< requests that a slice served without another socket
  std::uint64_t l3_misses = 0;
  std::uint64_t dram_reads = 0;
  std::uint64_t dram_writes = 0;
  std::array<std::uint64_t, 3> ownership_transfers{};  ///< a writable line passed from core to core, by distance

  /// What has been counted since `earlier`.
  MachineCounters& operator-=(const MachineCounters& earlier) {
    for (std::size_t i = 0; i < messages.size(); ++i) messages[i] -= earlier.messages[i];
    for (std::size_t i = 0; i < earlier.link_bytes.size(); ++i) link_bytes[i] -= earlier.link_bytes[i];
    l3_hits -= earlier.l3_hits;
    l3_misses -= earlier.l3_misses;
    dram_reads -= earlier.dram_reads;
    dram_writes -= earlier.dram_writes;
    for (std::size_t i = 0; i < ownership_transfers.size(); ++i)
      ownership_transfers[i] -= earlier.ownership_transfers[i];
    return *this;
  }
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A machine as its TOML file describes it: the shape, the clocks and every latency, as plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "units/quantity.hpp"

namespace linebounce {

/// Size and associativity of one cache (one slice of the L3).
struct CacheGeometry {
  int kib = 0;
  int ways = 0;
  int sets() const { return kib * 1024 / 64 / ways; }
};

/// Instruction costs of a microarchitecture, in core cycles (topologies/microarchitectures/NAME.toml).
struct CoreCosts {
  std::string name;
  Cycles issue;               ///< issue slots that one memory instruction takes
  Cycles l1_load;             ///< load-to-use, L1 hit
  Cycles l2_load;             ///< load-to-use, L2 hit
  Cycles l2_miss;             ///< from issue until a request leaves the core for the uncore
  Cycles fill;                ///< from a fill's arrival at the core until the waiting operation has its data
  Cycles store_forward;       ///< load-to-use when the store buffer covers the load
  Cycles store_forward_fail;  ///< added to a load that had to wait for a store to commit
  Cycles store_commit;        ///< one store leaving the buffer into an owned line
  Cycles cmpxchg;             ///< LOCK CMPXCHG with the line owned, store buffer empty
  Cycles xchg;                ///< XCHG with memory, likewise
  Cycles xadd;                ///< LOCK XADD, likewise
  Cycles bts;                 ///< LOCK BTS and other LOCKed arithmetic, likewise
  Cycles mfence;              ///< MFENCE with an empty store buffer
  Cycles pause;               ///< PAUSE
  Cycles poll_test;           ///< compare and branch of one round of a spin loop
  Cycles mispredict;          ///< branch mispredict on leaving a spin loop
  Cycles machine_clear;       ///< memory-order machine clear: until a cleared spin loop loads again
  Cycles snoop_lookup;        ///< a snoop's way through the core's tags, answer without data
  Cycles snoop_data;          ///< added when the answer carries modified data
  int store_buffer = 0;       ///< entries; halved per thread while both hardware threads run
  int ownership_ahead = 0;    ///< younger stores that may ask for their lines while the oldest waits for its own
  int fill_buffers = 0;       ///< outstanding line misses per core
};

enum class Interconnect : std::uint8_t { kCrossbar, kRing };
/// Between sockets. MESIF: of several sockets that share a clean line, the newest reader (F) forwards it.
enum class Protocol : std::uint8_t { kMesi, kMesif };
/// Who snoops the other sockets: the requester's caching agent; the home agent; or the home agent once a directory of two
/// bits a line, kept in DRAM, has told it that it must.
enum class SnoopMode : std::uint8_t { kSource, kHome, kDirectory };

/// As machine files and commands name them, in the order of the enumerators.
inline constexpr std::array<std::string_view, 2> kProtocolNames = {"mesi", "mesif"};
inline constexpr std::array<std::string_view, 3> kSnoopModeNames = {"source", "home", "directory"};

constexpr std::string_view name_of(Protocol protocol) { return kProtocolNames[static_cast<std::size_t>(protocol)]; }
constexpr std::string_view name_of(SnoopMode mode) { return kSnoopModeNames[static_cast<std::size_t>(mode)]; }

struct Machine {
  std::string name;
  std::string description;

  int sockets = 0;
  int cores_per_socket = 0;
  int threads_per_core = 0;
  std::int64_t core_mhz = 0;
  std::int64_t uncore_mhz = 0;

  CacheGeometry l1d;
  CacheGeometry l2;
  CacheGeometry l3_slice;
  int l3_slices_per_socket = 0;

  Protocol protocol = Protocol::kMesi;
  SnoopMode snoop = SnoopMode::kHome;

  /// Inside a socket. The crossbar is one stop; a ring's stops stand in columns of the die: the cores of column k are
  /// numbered upwards after those of column k-1, slice i shares the stop of core i, agents sit at the ends.
  Interconnect interconnect = Interconnect::kRing;
  int ring_columns = 0;        ///< 0 for a crossbar
  UncoreCycles core_port;      ///< core to its stop (or to the crossbar), each way
  UncoreCycles slice_port;     ///< slice to its stop, each way
  UncoreCycles agent_port;     ///< home agent or QPI port to its stop, each way
  UncoreCycles router;         ///< QPI port to another QPI port, for packets that only pass through the socket
  UncoreCycles hop;            ///< stop to neighbouring stop (for a crossbar: the crossing)
  UncoreCycles hop_occupancy;  ///< how long a 32-byte flit keeps a segment (or crossbar port) busy

  UncoreCycles slice_lookup;     ///< tags, state and core-valid bits
  UncoreCycles slice_read;       ///< data array, added when the answer carries data
  UncoreCycles slice_write;      ///< data array, when a core's modified data comes in before the answer goes out
  UncoreCycles slice_occupancy;  ///< a request keeps the slice's pipeline busy this long
  UncoreCycles home_lookup;      ///< home agent's ordering and tracker look-up
  UncoreCycles home_occupancy;   ///< a message keeps the home agent busy this long
  int home_agents_per_socket = 0;
  int home_trackers = 0;  ///< requests in progress at one home agent
  /// Directory mode: with fewer requests in progress the home agent snoops without waiting for the directory.
  int opportunistic_broadcast_below = 0;

  Nanoseconds dram;                            ///< home agent to DRAM and back
  Nanoseconds dram_occupancy;                  ///< a line keeps the socket's channels busy this long (64 B / bandwidth)
  Nanoseconds qpi_crossing;                    ///< one link, port to port, a line's packet included
  double qpi_gigatransfers = 0.0;              ///< 2 bytes a transfer and direction
  std::vector<std::pair<int, int>> qpi_links;  ///< pairs of sockets, both directions implied

  CoreCosts core;

  int cores() const { return sockets * cores_per_socket; }
  int threads() const { return cores() * threads_per_core; }
  int slices() const { return sockets * l3_slices_per_socket; }
  int homes() const { return sockets * home_agents_per_socket; }
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// How long a line takes from one hardware thread to another and back, on a quiet machine.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cpus/system.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"

namespace linebounce {

class SimCpu;

enum class PingPongKind : std::uint8_t {
  kCmpxchg,  ///< one line, passed by cmpxchg alone, each side trying until it succeeds
  kTwoLines  ///< each side stores into a line of its own and polls the other's
};
inline constexpr std::array<std::string_view, 2> kPingPongNames = {"cmpxchg", "two lines"};

/// The lines that two guests pass to and fro, one after the other: their slices stand at different places. One pair may
/// use them after another if one line is passed; with two lines a second pair would find the first one's values.
class PingPongLines {
 public:
  PingPongLines(System& system, std::uint32_t home, PingPongKind kind);

  /// The side that begins: core cycles of one way, the mean over all lines once the pair has each to itself.
  double ping(SimCpu& cpu) const;
  /// The side that answers.
  void pong(SimCpu& cpu) const;

 private:
  struct Lines {
    Address ping;  ///< the one line of kCmpxchg; else the one that the beginning side writes
    Address pong;
  };
  std::vector<Lines> lines_;
  PingPongKind kind_;
};

/// Two threads alone on the machine, lines at home in the first one's socket: core cycles one way. Throws what
/// System::run throws.
double measure_ping_pong(const Machine& machine, const Topology& topology, ThreadId first, ThreadId second,
                         PingPongKind kind);

}  // namespace linebounce

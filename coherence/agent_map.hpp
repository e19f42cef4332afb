// SPDX-License-Identifier: Apache-2.0
// Which slice and which home agent answer for a line, and which socket an agent belongs to.
#pragma once

#include <cstdint>

#include "topologies/machine.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"

namespace linebounce {

class AgentMap {
 public:
  /// The home socket of a line stands in its address, above this many bits of line number.
  static constexpr unsigned kHomeShift = 32;

  explicit AgentMap(const Machine& machine)
      : sockets_(static_cast<std::uint32_t>(machine.sockets)),
        cores_(static_cast<std::uint32_t>(machine.cores_per_socket)),
        slices_(static_cast<std::uint32_t>(machine.l3_slices_per_socket)),
        homes_(static_cast<std::uint32_t>(machine.home_agents_per_socket)) {}

  std::uint32_t sockets() const { return sockets_; }
  std::uint32_t cores_per_socket() const { return cores_; }
  CoreId first_core(SocketId socket) const { return {socket.value * cores_}; }
  SocketId socket_of(CoreId core) const { return {core.value / cores_}; }
  SocketId socket_of(SliceId slice) const { return {slice.value / slices_}; }
  SocketId socket_of(HomeId home) const { return {home.value / homes_}; }

  /// The slice of one socket that holds the line: a hash spreads consecutive lines over all slices.
  SliceId slice_of(LineAddress line, SocketId socket) const {
    return {socket.value * slices_ + static_cast<std::uint32_t>(mixed(line) % slices_)};
  }
  SocketId home_socket(LineAddress line) const {
    return {static_cast<std::uint32_t>(line.value >> kHomeShift) % sockets_};
  }
  HomeId home_of(LineAddress line) const {
    return {home_socket(line).value * homes_ + static_cast<std::uint32_t>((mixed(line) >> 20) % homes_)};
  }

 private:
  /// Finaliser of the SplitMix64 generator (public domain): every output bit depends on every input bit.
  static std::uint64_t mixed(LineAddress line) {
    std::uint64_t z = line.value + 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
  }

  std::uint32_t sockets_;
  std::uint32_t cores_;
  std::uint32_t slices_;
  std::uint32_t homes_;
};

}  // namespace linebounce

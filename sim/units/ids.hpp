// SPDX-License-Identifier: Apache-2.0
// Identifiers that do not mix. All are dense indices from 0 over the whole machine unless said otherwise.
#pragma once

#include <compare>
#include <cstdint>

namespace linebounce {

/// A dense index of one kind of thing; the tag names the kind.
template <class Tag>
struct Id {
  std::uint32_t value = 0;
  friend constexpr auto operator<=>(Id, Id) = default;
};

using SocketId = Id<struct SocketTag>;
/// Core, counted over all sockets: socket * cores_per_socket + core in socket.
using CoreId = Id<struct CoreTag>;
/// Hardware thread, counted over all cores: core * threads_per_core + thread in core.
using ThreadId = Id<struct ThreadTag>;
/// L3 slice (a part of its socket's caching agent), counted over all sockets.
using SliceId = Id<struct SliceTag>;
/// Home agent, counted over all sockets.
using HomeId = Id<struct HomeTag>;
/// Node of the machine graph.
using NodeId = Id<struct NodeTag>;
/// Directed link of the machine graph.
using LinkId = Id<struct LinkTag>;

/// One guest operation (load, store, LOCKed operation, PAUSE, fence …); 0 is "none". Unique within a run.
struct OpId {
  std::uint64_t value = 0;
  friend constexpr auto operator<=>(OpId, OpId) = default;
  constexpr explicit operator bool() const { return value != 0; }
};

}  // namespace linebounce

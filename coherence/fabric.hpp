// SPDX-License-Identifier: Apache-2.0
// How long messages travel: ports, ring segments or crossbar, QPI links and the pipelines they end in, each reserved in
// the order in which messages are sent. A way is computed once; a message costs one event, not one a hop.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "coherence/agent_map.hpp"
#include "coherence/ledger.hpp"
#include "coherence/message.hpp"
#include "coherence/reservation.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Fabric {
 public:
  Fabric(const Machine& machine, const Topology& topology, const AgentMap& map, Ledger& ledger);

  /// Sends a message from an agent of kind `sender` at `now`, after `work` core cycles of the sender's and,
  /// if `read`, the reading of its slice's data array, both charged to `work_category`. Reserves the way and the receiver's
  /// pipeline, charges the message's ledger, and returns the cycle at which the receiver deals with it.
  Cycles send(AgentKind sender, const Message& message, Cycles now, Cycles work, bool read, Category work_category);

  const std::vector<Bytes>& link_bytes() const { return link_bytes_; }
  int socket_hops(SocketId from, SocketId to) const { return topology_.socket_hops(from, to); }

 private:
  struct Stretch {
    std::uint32_t link;
    Cycles offset;  ///< from departure to here, unloaded
  };
  /// One kind of message on one way, unloaded, from when the sender has done its core-clock work.
  struct Timing {
    std::int32_t departure = 0;
    std::int32_t arrival = 0;
    std::int32_t done = -1;  ///< with the receiver's service; negative: not worked out yet
  };
  struct Path {
    std::vector<Stretch> stretches;  ///< links that can be busy
    UncoreCycles uncore;
    Nanoseconds time;
    Cycles qpi;                                                  ///< the QPI part of the way
    std::array<std::array<Timing, kMessageKinds>, 2> timings{};  ///< without and with a read of the data array
  };
  /// What the receiver spends on a kind of message.
  struct Service {
    UncoreCycles uncore;
    Cycles core;
    Category category;
  };

  Path& path(AgentKind sender, std::uint32_t from, AgentKind receiver, std::uint32_t to) {
    const std::size_t index = (first_agent_[static_cast<std::size_t>(sender)] + from) * agents_ +
                              first_agent_[static_cast<std::size_t>(receiver)] + to;
    if (paths_[index] == nullptr) paths_[index] = find_path(node(sender, from), node(receiver, to));
    return *paths_[index];
  }
  std::unique_ptr<Path> find_path(NodeId from, NodeId to) const;
  Timing unloaded(const Path& path, MessageKind kind, bool read) const;
  NodeId node(AgentKind kind, std::uint32_t agent) const;

  const Machine& machine_;
  const Topology& topology_;
  const AgentMap& map_;
  Ledger& ledger_;
  std::array<std::size_t, 3> first_agent_;  ///< agents counted together: cores, slices, homes
  std::size_t agents_;
  std::vector<std::unique_ptr<Path>> paths_;  ///< by from and to, found when first used
  std::vector<Reservation> links_;
  std::vector<Reservation> slice_pipelines_;
  std::vector<Reservation> home_pipelines_;
  std::vector<std::vector<Cycles>> last_arrival_;  ///< ordered channels: by slice, then core in socket, then home agent
  std::vector<Bytes> link_bytes_;
  std::array<Service, kMessageKinds> services_{};
  std::vector<std::array<Cycles, 2>> link_occupancy_;  ///< by link: without and with data
  Cycles slice_occupancy_;
  Cycles home_occupancy_;
};

}  // namespace linebounce

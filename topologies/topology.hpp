// SPDX-License-Identifier: Apache-2.0
// The graph of a machine (cores, L3 slices, ring stops or crossbar, home agents, QPI links) and its shortest routes.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/machine.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

enum class NodeKind : std::uint8_t { kCore, kSlice, kHome, kStop, kQpiPort };
enum class LinkKind : std::uint8_t { kPort, kSegment, kQpi };

struct Node {
  NodeKind kind;
  SocketId socket;
  std::string name;  ///< "s0.core3", "s0.slice3", "s0.stop3", "s0.home0", "s0.qpi1"; with three rings "s0.ab.stop3"
};

/// One direction of one connection.
struct Link {
  LinkKind kind;
  NodeId from;
  NodeId to;
  UncoreCycles uncore;  ///< unloaded latency, uncore part
  Nanoseconds time;     ///< unloaded latency, QPI part
  std::string name;     ///< "s0.stop3>s0.stop4", "s0>s1"
};

/// The way of a packet between two endpoints.
struct Route {
  std::vector<LinkId> links;
  UncoreCycles uncore;  ///< sum of the links' uncore parts
  Nanoseconds time;     ///< sum of the links' QPI parts
  int qpi_hops = 0;
};

/// Value type; all of Boost.Graph stays behind it. Same machine, same graph, same routes: of several shortest
/// routes the one with fewest links, then the lowest node numbers, is taken.
class Topology {
 public:
  /// Throws std::invalid_argument when a socket cannot be reached.
  explicit Topology(const Machine& machine);

  std::span<const Node> nodes() const { return nodes_; }
  std::span<const Link> links() const { return links_; }

  NodeId core(CoreId id) const { return cores_[id.value]; }
  NodeId slice(SliceId id) const { return slices_[id.value]; }
  NodeId home(HomeId id) const { return homes_[id.value]; }

  /// Shortest route between two endpoints (cores, slices, homes), never through a third one; computed once, O(1)
  /// afterwards. Shortest by the unloaded latency of the links, on which the core's clock has no influence.
  /// Throws std::out_of_range for other nodes.
  const Route& route(NodeId from, NodeId to) const;
  /// QPI links on the shortest way between two sockets.
  int socket_hops(SocketId from, SocketId to) const;

 private:
  std::vector<Node> nodes_;
  std::vector<Link> links_;
  std::vector<NodeId> cores_;
  std::vector<NodeId> slices_;
  std::vector<NodeId> homes_;
  std::vector<std::vector<Route>> routes_;
  std::vector<std::vector<int>> socket_hops_;
};

/// The graph in Graphviz form.
std::string to_dot(const Topology& topology);

}  // namespace linebounce

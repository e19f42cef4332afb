// SPDX-License-Identifier: Apache-2.0
// What a machine is made of: the nodes and links of its graph, before anyone asks for a route.
#pragma once

#include <vector>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

/// Nodes are numbered: all cores, all slices, all home agents, then stops and QPI ports.
struct Shape {
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<NodeId> cores;
  std::vector<NodeId> slices;
  std::vector<NodeId> homes;
};

/// Inside a socket:
/// - A crossbar is one stop. The crossing (`hop`) is part of the link that leaves it, so that packets to one
///   destination queue there.
/// - A ring of one column is folded: bottom stop, first half of the cores, top stop, second half, and round again.
/// - Rings of two or three columns: one ring for each pair of columns, up the one and down the other, each column with
///   a bottom and a top stop. With three columns every core, slice and agent has a port to two rings.
/// Home agents stand at the bottom stops (one column: bottom, then top), QPI ports at the top stops (one column: top,
/// then bottom), in turn over the columns. The QPI ports of a socket are also joined directly, as by a router: a
/// packet that passes through a socket does not touch its rings.
Shape shape_of(const Machine& machine);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The only file that includes Boost.Graph (compiling it costs seconds and hundreds of megabytes).
#include "topologies/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graphviz.hpp>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "topologies/shape.hpp"

namespace linebounce {
namespace {

struct LinkProperty {
  std::int64_t weight = 0;
  std::uint32_t link = 0;
};

// Bidirectional for its plain list of edges: walking a directed graph's makes GCC 12 see uninitialised values.
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, LinkProperty>;

constexpr std::int64_t kUnreachable = std::numeric_limits<std::int64_t>::max();

/// Latency in femtoseconds, and below it, as the tie-break, the number of links.
std::int64_t weight_of(const Link& link, const Machine& machine) {
  constexpr std::int64_t kLinksPerRoute = 4096;
  const std::int64_t uncore = link.uncore.count * 1'000'000'000 / machine.uncore_mhz;
  return (uncore + std::llround(link.time.count * 1e6)) * kLinksPerRoute + 1;
}

/// Shortest ways to one destination. The search runs from the destination against the direction of the links; the way
/// is then walked forward, always to the lowest-numbered node that lies on a shortest route, so that it does not depend
/// on the order in which the search visits nodes of equal distance.
class Router {
 public:
  Router(const Topology& topology, const Machine& machine, std::uint32_t endpoints)
      : topology_(topology), reversed_(topology.nodes().size()), leaving_(topology.nodes().size()) {
    for (std::uint32_t l = 0; l < topology.links().size(); ++l) {
      const Link& link = topology.links()[l];
      weights_.push_back(weight_of(link, machine));
      leaving_[link.from.value].push_back(l);
      // What leaves an endpoint can only be the first link of a route: nothing passes through a core.
      if (link.from.value >= endpoints) boost::add_edge(link.to.value, link.from.value, {weights_[l], l}, reversed_);
    }
    for (auto& links : leaving_) {
      std::stable_sort(links.begin(), links.end(), [&](std::uint32_t a, std::uint32_t b) {
        return topology.links()[a].to < topology.links()[b].to;
      });
    }
  }

  void aim_at(NodeId destination) {
    destination_ = destination;
    distances_.assign(topology_.nodes().size(), kUnreachable);
    boost::dijkstra_shortest_paths(reversed_, destination.value,
                                   boost::weight_map(boost::get(&LinkProperty::weight, reversed_))
                                       .distance_map(distances_.data())
                                       .distance_inf(kUnreachable));
  }

  /// Empty if there is no way or nothing to go.
  Route route_from(NodeId source) const {
    Route route;
    for (NodeId at = source; at != destination_;) {
      const std::uint32_t best = next_link(at);
      if (best == kNone) return {};
      const Link& link = topology_.links()[best];
      route.links.push_back(LinkId{best});
      route.uncore += link.uncore;
      route.time.count += link.time.count;
      if (link.kind == LinkKind::kQpi) ++route.qpi_hops;
      at = link.to;
    }
    return route;
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t next_link(NodeId at) const {
    std::uint32_t best = kNone;
    std::int64_t shortest = kUnreachable;
    for (const std::uint32_t l : leaving_[at.value]) {
      const std::int64_t rest = distances_[topology_.links()[l].to.value];
      if (rest == kUnreachable || weights_[l] + rest >= shortest) continue;
      shortest = weights_[l] + rest;
      best = l;
    }
    return best;
  }

  const Topology& topology_;
  Graph reversed_;
  std::vector<std::vector<std::uint32_t>> leaving_;  ///< links by their first node, ordered by the other
  std::vector<std::int64_t> weights_;
  std::vector<std::int64_t> distances_;
  NodeId destination_;
};

/// Fewest QPI links between any two sockets; -1 if there is no way.
std::vector<std::vector<int>> hops_between_sockets(const Machine& machine) {
  const auto sockets = static_cast<std::size_t>(machine.sockets);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> graph(sockets);
  for (const auto& [a, b] : machine.qpi_links) {
    boost::add_edge(static_cast<std::size_t>(a), static_cast<std::size_t>(b), graph);
  }
  std::vector<std::vector<int>> hops;
  for (std::size_t from = 0; from < sockets; ++from) {
    std::vector<int> row(sockets, -1);
    row[from] = 0;
    boost::breadth_first_search(
        graph, from,
        boost::visitor(boost::make_bfs_visitor(boost::record_distances(row.data(), boost::on_tree_edge()))));
    hops.push_back(std::move(row));
  }
  return hops;
}

}  // namespace

Topology::Topology(const Machine& machine) : socket_hops_(hops_between_sockets(machine)) {
  for (std::size_t socket = 1; socket < socket_hops_.size(); ++socket) {
    if (socket_hops_[0][socket] < 0) {
      throw std::invalid_argument(
          fmt::format("machine '{}': no QPI way from socket 0 to socket {}", machine.name, socket));
    }
  }
  Shape shape = shape_of(machine);
  nodes_ = std::move(shape.nodes);
  links_ = std::move(shape.links);
  cores_ = std::move(shape.cores);
  slices_ = std::move(shape.slices);
  homes_ = std::move(shape.homes);

  const auto endpoints = static_cast<std::uint32_t>(cores_.size() + slices_.size() + homes_.size());
  routes_.assign(endpoints, std::vector<Route>(endpoints));
  Router router(*this, machine, endpoints);
  for (std::uint32_t to = 0; to < endpoints; ++to) {
    router.aim_at(NodeId{to});
    for (std::uint32_t from = 0; from < endpoints; ++from) routes_[from][to] = router.route_from(NodeId{from});
  }
}

const Route& Topology::route(NodeId from, NodeId to) const { return routes_.at(from.value).at(to.value); }

int Topology::socket_hops(SocketId from, SocketId to) const { return socket_hops_.at(from.value).at(to.value); }

std::string to_dot(const Topology& topology) {
  Graph graph(topology.nodes().size());
  for (std::uint32_t l = 0; l < topology.links().size(); ++l) {
    const Link& link = topology.links()[l];
    boost::add_edge(link.from.value, link.to.value, {0, l}, graph);
  }
  const auto node_style = [&](std::ostream& out, std::size_t v) {
    static constexpr const char* kShapes[] = {"circle", "box", "house", "point", "cds"};
    const Node& node = topology.nodes()[v];
    out << fmt::format("[label=\"{}\", shape={}]", node.name, kShapes[static_cast<std::size_t>(node.kind)]);
  };
  const auto link_style = [&](std::ostream& out, const Graph::edge_descriptor& edge) {
    const Link& link = topology.links()[graph[edge].link];
    const bool qpi = link.kind == LinkKind::kQpi;
    out << (qpi ? fmt::format("[label=\"{} ns\", style=bold]", link.time.count)
                : fmt::format("[label=\"{}\"]", link.uncore.count));
  };
  std::ostringstream out;
  boost::write_graphviz(out, graph, node_style, link_style);
  return out.str();
}

}  // namespace linebounce

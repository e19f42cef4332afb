// SPDX-License-Identifier: Apache-2.0
#include "topologies/shape.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>

namespace linebounce {
namespace {

class Builder {
 public:
  explicit Builder(const Machine& machine) : machine_(machine) {}

  Shape build() && {
    add_endpoints("core", machine_.cores_per_socket, NodeKind::kCore, shape_.cores);
    add_endpoints("slice", machine_.l3_slices_per_socket, NodeKind::kSlice, shape_.slices);
    add_endpoints("home", machine_.home_agents_per_socket, NodeKind::kHome, shape_.homes);
    std::vector<Inside> sockets;
    for (int s = 0; s < machine_.sockets; ++s) {
      sockets.push_back(machine_.interconnect == Interconnect::kCrossbar ? add_crossbar(s) : add_rings(s));
      attach_endpoints(s, sockets.back());
    }
    add_qpi(sockets);
    return std::move(shape_);
  }

 private:
  using Stops = std::vector<NodeId>;

  /// The stops of one socket to which each thing has a port.
  struct Inside {
    std::vector<Stops> of_core;  ///< by core in the socket; slice i uses those of core i
    std::vector<Stops> of_home;  ///< taken in turn
    std::vector<Stops> of_qpi;   ///< taken in turn
  };

  NodeId add_node(NodeKind kind, int socket, std::string name) {
    shape_.nodes.push_back({kind, SocketId{static_cast<std::uint32_t>(socket)}, std::move(name)});
    return NodeId{static_cast<std::uint32_t>(shape_.nodes.size() - 1)};
  }

  const std::string& name(NodeId id) const { return shape_.nodes[id.value].name; }

  void add_link(LinkKind kind, NodeId from, NodeId to, UncoreCycles uncore) {
    shape_.links.push_back({kind, from, to, uncore, {}, fmt::format("{}>{}", name(from), name(to))});
  }

  void add_endpoints(std::string_view what, int per_socket, NodeKind kind, std::vector<NodeId>& list) {
    for (int s = 0; s < machine_.sockets; ++s) {
      for (int i = 0; i < per_socket; ++i) list.push_back(add_node(kind, s, fmt::format("s{}.{}{}", s, what, i)));
    }
  }

  Inside add_crossbar(int socket) {
    const Stops stop = {add_node(NodeKind::kStop, socket, fmt::format("s{}.crossbar", socket))};
    return {std::vector<Stops>(static_cast<std::size_t>(machine_.cores_per_socket), stop), {stop}, {stop}};
  }

  Inside add_rings(int socket) {
    const int cores = machine_.cores_per_socket;
    const int columns = machine_.ring_columns;
    Inside inside;
    inside.of_core.resize(static_cast<std::size_t>(cores));
    if (columns == 1) {
      inside.of_home.resize(2);
      inside.of_qpi.resize(2);
      const std::string prefix = fmt::format("s{}.", socket);
      Stops ring;
      ring.push_back(add_agent_stop(socket, prefix + "bottom", {&inside.of_home[0], &inside.of_qpi[1]}));
      for (int c = 0; c < cores; ++c) {
        if (c == (cores + 1) / 2) {
          ring.push_back(add_agent_stop(socket, prefix + "top", {&inside.of_home[1], &inside.of_qpi[0]}));
        }
        ring.push_back(add_core_stop(socket, prefix, c, inside));
      }
      if (cores == 1) ring.push_back(add_agent_stop(socket, prefix + "top", {&inside.of_home[1], &inside.of_qpi[0]}));
      close(ring);
      return inside;
    }
    inside.of_home.resize(static_cast<std::size_t>(columns));
    inside.of_qpi.resize(static_cast<std::size_t>(columns));
    add_pair_ring(socket, 0, 1, inside);
    if (columns == 3) {
      add_pair_ring(socket, 1, 2, inside);
      add_pair_ring(socket, 0, 2, inside);
    }
    return inside;
  }

  /// A ring up the column `up` and down the column `down`.
  void add_pair_ring(int socket, int up, int down, Inside& inside) {
    const auto letter = [](int column) { return static_cast<char>('a' + column); };
    const std::string prefix = fmt::format("s{}.{}{}.", socket, letter(up), letter(down));
    const int column_cores = machine_.cores_per_socket / machine_.ring_columns;
    const auto agents = [&](std::string_view end, std::vector<Stops>& list, int column) {
      return add_agent_stop(socket, fmt::format("{}{}-{}", prefix, end, letter(column)),
                            {&list[static_cast<std::size_t>(column)]});
    };
    Stops ring;
    ring.push_back(agents("bottom", inside.of_home, up));
    for (int i = 0; i < column_cores; ++i) ring.push_back(add_core_stop(socket, prefix, up * column_cores + i, inside));
    ring.push_back(agents("top", inside.of_qpi, up));
    ring.push_back(agents("top", inside.of_qpi, down));
    for (int i = column_cores - 1; i >= 0; --i) {
      ring.push_back(add_core_stop(socket, prefix, down * column_cores + i, inside));
    }
    ring.push_back(agents("bottom", inside.of_home, down));
    close(ring);
  }

  NodeId add_core_stop(int socket, const std::string& prefix, int core, Inside& inside) {
    const NodeId stop = add_node(NodeKind::kStop, socket, fmt::format("{}stop{}", prefix, core));
    inside.of_core[static_cast<std::size_t>(core)].push_back(stop);
    return stop;
  }

  NodeId add_agent_stop(int socket, std::string stop_name, std::initializer_list<Stops*> users) {
    const NodeId stop = add_node(NodeKind::kStop, socket, std::move(stop_name));
    for (Stops* user : users) user->push_back(stop);
    return stop;
  }

  void close(const Stops& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const NodeId next = ring[(i + 1) % ring.size()];
      add_link(LinkKind::kSegment, ring[i], next, machine_.hop);
      add_link(LinkKind::kSegment, next, ring[i], machine_.hop);
    }
  }

  void attach(NodeId endpoint, const Stops& stops, UncoreCycles port) {
    const bool crossbar = machine_.interconnect == Interconnect::kCrossbar;
    for (const NodeId stop : stops) {
      add_link(LinkKind::kPort, endpoint, stop, port);
      add_link(LinkKind::kPort, stop, endpoint, crossbar ? port + machine_.hop : port);
    }
  }

  void attach_endpoints(int socket, const Inside& inside) {
    const auto each = [&](int count, const std::vector<NodeId>& ids, const std::vector<Stops>& stops,
                          UncoreCycles port) {
      const auto per_socket = static_cast<std::size_t>(count);
      const std::size_t first = static_cast<std::size_t>(socket) * per_socket;
      for (std::size_t i = 0; i < per_socket; ++i) attach(ids[first + i], stops[i % stops.size()], port);
    };
    each(machine_.cores_per_socket, shape_.cores, inside.of_core, machine_.core_port);
    each(machine_.l3_slices_per_socket, shape_.slices, inside.of_core, machine_.slice_port);
    each(machine_.home_agents_per_socket, shape_.homes, inside.of_home, machine_.agent_port);
  }

  void add_qpi(const std::vector<Inside>& sockets) {
    std::vector<std::vector<NodeId>> ports(sockets.size());
    const auto add_port = [&](int socket) {
      std::vector<NodeId>& own = ports[static_cast<std::size_t>(socket)];
      const auto& stops = sockets[static_cast<std::size_t>(socket)].of_qpi;
      const NodeId port = add_node(NodeKind::kQpiPort, socket, fmt::format("s{}.qpi{}", socket, own.size()));
      attach(port, stops[own.size() % stops.size()], machine_.agent_port);
      for (const NodeId other : own) {
        add_link(LinkKind::kPort, other, port, machine_.router);
        add_link(LinkKind::kPort, port, other, machine_.router);
      }
      own.push_back(port);
      return port;
    };
    for (const auto& [a, b] : machine_.qpi_links) {
      const NodeId from = add_port(a);
      const NodeId to = add_port(b);
      shape_.links.push_back({LinkKind::kQpi, from, to, {}, machine_.qpi_crossing, fmt::format("s{}>s{}", a, b)});
      shape_.links.push_back({LinkKind::kQpi, to, from, {}, machine_.qpi_crossing, fmt::format("s{}>s{}", b, a)});
    }
  }

  const Machine& machine_;
  Shape shape_;
};

}  // namespace

Shape shape_of(const Machine& machine) { return Builder(machine).build(); }

}  // namespace linebounce

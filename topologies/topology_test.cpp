// SPDX-License-Identifier: Apache-2.0
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "topologies/core_cycles.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

constexpr const char* kMachines[] = {"ivybridge-4c",   "ivybridge-e-6c", "ivybridge-ex-4s", "nehalem-ep-2s",
                                     "westmere-ep-2s", "westmere-ex-4s", "westmere-ex-8s"};

NodeId node_named(const Topology& t, const std::string& name) {
  for (std::uint32_t i = 0; i < t.nodes().size(); ++i) {
    if (t.nodes()[i].name == name) return NodeId{i};
  }
  throw std::invalid_argument("no node " + name);
}

const Route& route(const Topology& t, const std::string& from, const std::string& to) {
  return t.route(node_named(t, from), node_named(t, to));
}

int segments(const Topology& t, const Route& way) {
  return static_cast<int>(std::count_if(way.links.begin(), way.links.end(),
                                        [&](LinkId link) { return t.links()[link.value].kind == LinkKind::kSegment; }));
}

std::uint32_t endpoints(const Machine& m) { return static_cast<std::uint32_t>(m.cores() + m.slices() + m.homes()); }

TEST(Topology, EveryRouteIsAChainFromItsStartToItsEndThatPassesThroughNoOtherEndpoint) {
  for (const char* name : kMachines) {
    const Machine machine = load_machine(name);
    const Topology t(machine);
    for (std::uint32_t from = 0; from < endpoints(machine); ++from) {
      for (std::uint32_t to = 0; to < endpoints(machine); ++to) {
        const Route& way = t.route(NodeId{from}, NodeId{to});
        ASSERT_EQ(way.links.empty(), from == to);
        NodeId at{from};
        UncoreCycles uncore{0};
        int qpi = 0;
        for (const LinkId id : way.links) {
          const Link& link = t.links()[id.value];
          ASSERT_EQ(link.from, at);
          ASSERT_TRUE(at.value == from || at.value >= endpoints(machine)) << t.nodes()[at.value].name;
          at = link.to;
          uncore += link.uncore;
          qpi += link.kind == LinkKind::kQpi ? 1 : 0;
        }
        ASSERT_EQ(at, NodeId{to});
        ASSERT_EQ(uncore, way.uncore);
        ASSERT_EQ(qpi, way.qpi_hops);
        ASSERT_EQ(qpi, t.socket_hops(t.nodes()[from].socket, t.nodes()[to].socket));
      }
    }
  }
}

TEST(Topology, TheWayBackIsAsLongAsTheWayThere) {
  for (const char* name : kMachines) {
    const Machine machine = load_machine(name);
    const Topology t(machine);
    for (std::uint32_t a = 0; a < endpoints(machine); ++a) {
      for (std::uint32_t b = 0; b < a; ++b) {
        const Route& there = t.route(NodeId{a}, NodeId{b});
        const Route& back = t.route(NodeId{b}, NodeId{a});
        ASSERT_EQ(there.uncore, back.uncore) << name;
        ASSERT_EQ(there.time, back.time) << name;
        ASSERT_EQ(there.links.size(), back.links.size()) << name;
      }
    }
  }
}

TEST(Topology, TheSameMachineGivesTheSameRoutesWhateverItsCoreClock) {
  for (const char* name : kMachines) {
    Machine machine = load_machine(name);
    const Topology first(machine);
    const Topology again(machine);
    machine.core_mhz *= 3;
    const Topology faster(machine);
    EXPECT_EQ(to_dot(first), to_dot(again));
    for (std::uint32_t a = 0; a < endpoints(machine); ++a) {
      for (std::uint32_t b = 0; b < endpoints(machine); ++b) {
        const Route& way = first.route(NodeId{a}, NodeId{b});
        ASSERT_EQ(way.links, again.route(NodeId{a}, NodeId{b}).links);
        ASSERT_EQ(way.links, faster.route(NodeId{a}, NodeId{b}).links);
      }
    }
  }
}

TEST(Topology, SocketsAreAsFarApartAsTheirLinksSay) {
  const Topology four(load_machine("westmere-ex-4s"));
  const Topology eight(load_machine("westmere-ex-8s"));
  int two_hops = 0;
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      const int hops = eight.socket_hops(SocketId{a}, SocketId{b});
      EXPECT_EQ(hops == 0, a == b);
      EXPECT_LE(hops, 2);
      two_hops += hops == 2 ? 1 : 0;
      if (a < 4 && b < 4) {
        EXPECT_EQ(four.socket_hops(SocketId{a}, SocketId{b}), a == b ? 0 : 1);
      }
    }
  }
  EXPECT_EQ(two_hops, 8 * 4);
}

TEST(Topology, APacketThatPassesThroughASocketDoesNotTouchItsRing) {
  const Topology t(load_machine("westmere-ex-8s"));
  const Route& way = route(t, "s0.slice0", "s2.slice0");
  EXPECT_EQ(way.qpi_hops, 2);
  for (const LinkId id : way.links) {
    const Link& link = t.links()[id.value];
    const SocketId socket = t.nodes()[link.from.value].socket;
    EXPECT_FALSE(link.kind == LinkKind::kSegment && socket != SocketId{0} && socket != SocketId{2}) << link.name;
  }
}

TEST(Topology, OneRingIsWalkedTheShorterWayRound) {
  const Machine machine = load_machine("westmere-ex-4s");
  const Topology t(machine);
  struct Row {
    const char* from;
    const char* to;
    int stops;
  };
  const Row rows[] = {
      {"s0.core0", "s0.slice0", 0},  // its own stop
      {"s0.core0", "s0.slice4", 4},  // up the first half
      {"s0.core4", "s0.slice5", 2},  // over the top stop
      {"s0.core9", "s0.slice0", 2},  // over the bottom stop
      {"s0.core2", "s0.slice7", 6},  // the far side, either way
      {"s0.slice0", "s0.home0", 1},  // home 0 stands at the bottom
      {"s0.slice4", "s0.home1", 1},  // home 1 at the top
      {"s0.home0", "s0.home1", 6},
  };
  for (const Row& row : rows) {
    const Route& way = route(t, row.from, row.to);
    EXPECT_EQ(segments(t, way), row.stops) << row.from << " to " << row.to;
    EXPECT_EQ(segments(t, route(t, row.to, row.from)), row.stops) << row.to << " to " << row.from;
  }
  EXPECT_EQ(route(t, "s0.core0", "s0.slice4").uncore, machine.core_port + machine.slice_port + machine.hop * 4);
}

TEST(Topology, ThreeRingsJoinEveryPairOfColumnsAtTheTopAndAtTheBottom) {
  const Topology t(load_machine("ivybridge-ex-4s"));
  struct Row {
    const char* from;
    const char* to;
    int stops;
  };
  const Row rows[] = {
      {"s0.core0", "s0.slice4", 4},   // up column a
      {"s0.core0", "s0.slice5", 3},   // bottom of a, bottom of b
      {"s0.core4", "s0.slice9", 3},   // top of a, top of b
      {"s0.core0", "s0.slice10", 3},  // bottom of a, bottom of c: a ring of its own
      {"s0.core2", "s0.slice12", 7},  // the middle of a to the middle of c
      {"s0.core9", "s0.slice14", 3},  // top of b, top of c
      {"s0.slice0", "s0.home0", 1},   // bottom of a
      {"s0.slice10", "s0.home1", 2},  // bottom of c to bottom of b
  };
  for (const Row& row : rows)
    EXPECT_EQ(segments(t, route(t, row.from, row.to)), row.stops) << row.from << " to " << row.to;
}

TEST(Topology, ACrossbarIsCrossedOnce) {
  const Machine machine = load_machine("westmere-ep-2s");
  const Topology t(machine);
  const Route& way = route(t, "s1.core5", "s1.slice2");
  EXPECT_EQ(way.links.size(), 2U);
  EXPECT_EQ(way.uncore, machine.core_port + machine.hop + machine.slice_port);
  EXPECT_EQ(route(t, "s0.core0", "s1.slice0").qpi_hops, 1);
}

TEST(Topology, OfEqualWaysTheLowestNodeNumbersAreTaken) {
  const Topology t(load_machine("westmere-ex-4s"));
  // Stops are numbered bottom, 0 … 4, top, 5 … 9: from core 2 the way over stop 1 beats the one over stop 3.
  const Route& way = route(t, "s0.core2", "s0.slice7");
  EXPECT_EQ(t.links()[way.links[1].value].name, "s0.stop2>s0.stop1");
}

TEST(Topology, ASocketWithoutLinksIsRefused) {
  Machine machine = load_machine("westmere-ex-4s");
  machine.qpi_links = {{0, 1}, {1, 3}};
  EXPECT_THROW(Topology{machine}, std::invalid_argument);
}

TEST(Topology, RoutesExistBetweenEndpointsOnly) {
  const Topology t(load_machine("westmere-ep-2s"));
  EXPECT_THROW(route(t, "s0.core0", "s0.crossbar"), std::out_of_range);
}

TEST(Topology, GraphvizNamesEveryNodeAndEveryLink) {
  const Topology t(load_machine("westmere-ep-2s"));
  const std::string dot = to_dot(t);
  EXPECT_EQ(dot.rfind("digraph", 0), 0U);
  for (const Node& node : t.nodes()) EXPECT_NE(dot.find("label=\"" + node.name + "\""), std::string::npos);
  EXPECT_EQ(static_cast<std::size_t>(std::count(dot.begin(), dot.end(), '>')), t.links().size());
}

TEST(CoreCycles, APathIsRoundedOnceAndOnlyItsCorePartKeepsToTheCoreClock) {
  Machine machine;
  machine.core_mhz = 2670;
  machine.uncore_mhz = 2667;
  EXPECT_EQ(core_cycles(machine, UncoreCycles{27}), Cycles{27});
  EXPECT_EQ(core_cycles(machine, UncoreCycles{0}, Nanoseconds{14.0}), Cycles{37});  // 37.38
  machine.core_mhz = 3066;
  EXPECT_EQ(core_cycles(machine, UncoreCycles{27}), Cycles{31});  // 31.04
  machine.core_mhz = 1000;
  machine.uncore_mhz = 2000;
  EXPECT_EQ(core_cycles(machine, UncoreCycles{1}), Cycles{1});                    // 0.5 rounds up
  EXPECT_EQ(core_cycles(machine, UncoreCycles{1}, Nanoseconds{0.4}), Cycles{1});  // 0.9
  EXPECT_EQ(core_cycles(machine, UncoreCycles{3}, Nanoseconds{0.9}), Cycles{2});  // 2.4, not 2 + 1
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Latencies of single operations on an idle machine, added up along their paths, against published measurements.
// No cache or agent is simulated here: this holds the numbers of the machine files in place.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "topologies/core_cycles.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {
namespace {

/// A path through the machine: its core part, its uncore part and its QPI and DRAM part, converted once at the end.
struct Path {
  Cycles core;
  UncoreCycles uncore;
  Nanoseconds time;

  Path& operator+=(const Path& other) {
    core += other.core;
    uncore += other.uncore;
    time.count += other.time.count;
    return *this;
  }
  friend Path operator+(Path a, const Path& b) { return a += b; }
};

class Latencies {
 public:
  explicit Latencies(std::string_view name, std::int64_t core_mhz = 0) : m_(load_machine(name)), t_(m_) {
    if (core_mhz != 0) m_.core_mhz = core_mhz;
  }

  const Machine& machine() const { return m_; }

  /// L3 hit that no other core disturbs: mean over all cores and slices of a socket.
  double l3() const {
    return mean([&](int core, int slice, int) { return total(request(core, slice)); });
  }
  /// Line in E (modified: M) in another core of the socket.
  double other_core(bool modified) const {
    return mean([&](int core, int slice, int owner) {
      Path path = request(core, slice);
      path += owner_snoop(slice, owner, modified);
      return total(path);
    });
  }
  /// Line in a core of a socket `hops` away which is also its home; without `owner_core` its L3 answers alone.
  double other_socket(int hops, bool owner_core, bool modified) const {
    const int remote = socket_at(hops);
    return mean([&](int core, int slice, int owner) {
      const NodeId home = home_of(remote, slice);
      const int remote_slice = remote * m_.l3_slices_per_socket + slice;
      const int remote_owner = remote * m_.cores_per_socket + owner;
      Path path = request(core, slice);
      path += way(slice_node(slice), home) + Path{{}, m_.home_lookup, {}};
      path += way(home, slice_node(remote_slice)) + Path{{}, m_.slice_lookup, {}};
      if (owner_core) path += owner_snoop(remote_slice, remote_owner, modified);
      path += way(slice_node(remote_slice), slice_node(slice));
      return total(path);
    });
  }
  /// Line in no cache, home `hops` away; the home asks every other socket meanwhile.
  double memory(int hops) const {
    const int remote = socket_at(hops);
    return mean([&](int core, int slice, int) {
      const NodeId home = home_of(remote, slice);
      Path path = request(core, slice);
      path.uncore -= m_.slice_read;
      path += way(slice_node(slice), home) + Path{{}, m_.home_lookup, {}} + way(home, slice_node(slice));
      double slowest = total({{}, {}, m_.dram});
      for (int s = 0; s < m_.sockets; ++s) {
        if (s == 0 || s == remote) continue;
        const NodeId peer = slice_node(s * m_.l3_slices_per_socket + slice);
        slowest = std::max(slowest, total(way(home, peer) + Path{{}, m_.slice_lookup, {}} + way(peer, home)));
      }
      return total(path) + slowest;
    });
  }
  double store_and_fence() const { return static_cast<double>((m_.core.store_commit + m_.core.mfence).count); }
  double cmpxchg() const { return static_cast<double>(m_.core.cmpxchg.count); }

 private:
  template <class Measure>
  double mean(Measure measure) const {
    double sum = 0;
    int count = 0;
    for (int core = 0; core < m_.cores_per_socket; ++core) {
      for (int slice = 0; slice < m_.l3_slices_per_socket; ++slice) {
        sum += measure(core, slice, (core + 1 + slice) % m_.cores_per_socket);
        ++count;
      }
    }
    return sum / count;
  }

  int socket_at(int hops) const {
    int s = 0;
    while (t_.socket_hops(SocketId{0}, SocketId{static_cast<std::uint32_t>(s)}) != hops) ++s;
    return s;
  }
  NodeId slice_node(int slice) const { return t_.slice(SliceId{static_cast<std::uint32_t>(slice)}); }
  NodeId core_node(int core) const { return t_.core(CoreId{static_cast<std::uint32_t>(core)}); }
  NodeId home_of(int socket, int slice) const {
    const int home = socket * m_.home_agents_per_socket + slice % m_.home_agents_per_socket;
    return t_.home(HomeId{static_cast<std::uint32_t>(home)});
  }
  Path way(NodeId from, NodeId to) const {
    const Route& route = t_.route(from, to);
    return {{}, route.uncore, route.time};
  }
  Path request(int core, int slice) const {
    Path path{m_.core.l2_miss + m_.core.fill, m_.slice_lookup + m_.slice_read, {}};
    path += way(core_node(core), slice_node(slice));
    path += way(slice_node(slice), core_node(core));
    return path;
  }
  Path owner_snoop(int slice, int owner, bool modified) const {
    Path path = way(slice_node(slice), core_node(owner));
    path += way(core_node(owner), slice_node(slice));
    path.core += m_.core.snoop_lookup;
    if (modified) path += {m_.core.snoop_data, m_.slice_write, {}};
    return path;
  }
  double total(const Path& path) const {
    return static_cast<double>((path.core + core_cycles(m_, path.uncore, path.time)).count);
  }

  Machine m_;
  Topology t_;
};

struct Row {
  std::string_view what;
  double published;
  double model;
};

void expect_within(std::string_view machine, std::initializer_list<Row> rows, double percent) {
  for (const Row& row : rows) {
    const double error = 100.0 * (row.model - row.published) / row.published;
    fmt::print("{:16} {:34} {:7.1f} {:7.1f} {:+6.1f} %\n", machine, row.what, row.published, row.model, error);
    EXPECT_LE(std::abs(error), percent) << machine << ": " << row.what;
  }
}

TEST(Calibration, WestmereExComesWithin15PercentOfSosp13) {
  const Latencies x("westmere-ex-8s");
  const double fence = x.store_and_fence();
  const double e = x.other_core(false);
  const double m = x.other_core(true);
  const auto far = [&](int hops, bool owner, bool modified) { return x.other_socket(hops, owner, modified); };
  expect_within("westmere-ex-8s",
                {{"L2 load", 11, static_cast<double>(x.machine().core.l2_load.count)},
                 {"L3 load", 44, x.l3()},
                 {"load M, same die", 109, m},
                 {"load M, one hop", 289, far(1, true, true)},
                 {"load M, two hops", 400, far(2, true, true)},
                 {"load E, same die", 92, e},
                 {"load E, one hop", 273, far(1, true, false)},
                 {"load E, two hops", 383, far(2, true, false)},
                 {"load S, same die", 44, x.l3()},
                 {"load memory, local", 355, x.memory(0)},
                 {"load memory, one hop", 492, x.memory(1)},
                 {"load memory, two hops", 601, x.memory(2)},
                 {"store M, same die", 115, m + fence},
                 {"store M, one hop", 320, far(1, true, true) + fence},
                 {"store M, two hops", 431, far(2, true, true) + fence},
                 {"store E, same die", 115, e + fence},
                 {"store E, one hop", 315, far(1, true, false) + fence},
                 {"store E, two hops", 425, far(2, true, false) + fence},
                 {"store S, same die", 116, e + fence},
                 {"atomic M, same die", 120, m + x.cmpxchg()},
                 {"atomic M, one hop", 324, far(1, true, true) + x.cmpxchg()},
                 {"atomic M, two hops", 430, far(2, true, true) + x.cmpxchg()},
                 {"atomic S, same die", 113, e + x.cmpxchg()}},
                15);
}

TEST(Calibration, AnL3ThatHoldsTheForwarderWouldMatchTheSharedLinesOfSosp13) {
  const Latencies x("westmere-ex-8s");  // needs MESIF; without it a shared line comes from memory
  expect_within("westmere-ex-8s",
                {{"load S (F), one hop", 223, x.other_socket(1, false, false)},
                 {"load S (F), two hops", 334, x.other_socket(2, false, false)}},
                15);
}

TEST(Calibration, FourSocketWestmereExComesWithin15PercentOfIntelsMemoryLatencies) {
  for (const std::int64_t mhz : {2130, 2260, 2400}) {
    const Latencies x("westmere-ex-4s", mhz);
    const double cycles_per_ns = static_cast<double>(mhz) / 1000.0;
    expect_within("westmere-ex-4s",
                  {{"load memory, local, ns", 135, x.memory(0) / cycles_per_ns},
                   {"load memory, remote, ns", 197, x.memory(1) / cycles_per_ns}},
                  15);
  }
}

TEST(Calibration, WestmereEpComesWithin15PercentOfItsPublishedLatencies) {
  const Latencies x("westmere-ep-2s");
  expect_within("westmere-ep-2s",
                {{"L1 load", 4, static_cast<double>(x.machine().core.l1_load.count)},
                 {"L2 load", 10, static_cast<double>(x.machine().core.l2_load.count)},
                 {"L3 load, 2.67 GHz", 42, x.l3()},
                 {"L3 load, 3.06 GHz", 46, Latencies("westmere-ep-2s", 3066).l3()},
                 {"load E, other core", 65, x.other_core(false)},
                 {"load M, other core", 75, x.other_core(true)},
                 {"load memory, local", 40 + 67 * 2.67, x.memory(0)},
                 {"load memory, remote", 40 + 105 * 2.67, x.memory(1)}},
                15);
  // Thomadakis measured the part before, at 2.8 GHz: 165 to 190 cycles for another socket's line in E.
  expect_within("nehalem-ep 2.8",
                {{"load E, other socket", 177.5, Latencies("westmere-ep-2s", 2800).other_socket(1, true, false)}}, 15);
}

TEST(Calibration, IvyBridgesOwnSliceComesWithin15PercentOfTheSmallPart) {
  const Latencies x("ivybridge-ex-4s");
  const Machine& m = x.machine();
  const double own_slice = static_cast<double>(
      (m.core.l2_miss + m.core.fill + core_cycles(m, (m.core_port + m.slice_port) * 2 + m.slice_lookup + m.slice_read))
          .count);
  expect_within("ivybridge-ex-4s", {{"L3 load, own slice", 26, own_slice}}, 15);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// How long a line takes from core to core, for every pair of cores: simulated, or as a public tool has measured it.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

/// One number for each pair (i, j) of cores with j < i: nanoseconds one way.
class CorePairs {
 public:
  explicit CorePairs(int cores)
      : cores_(cores), ns_(static_cast<std::size_t>(cores) * static_cast<std::size_t>(cores - 1) / 2) {}
  int cores() const { return cores_; }
  double& ns(int i, int j) {
    return ns_[static_cast<std::size_t>(i) * static_cast<std::size_t>(i - 1) / 2 + static_cast<std::size_t>(j)];
  }
  double ns(int i, int j) const { return const_cast<CorePairs*>(this)->ns(i, j); }

 private:
  int cores_;
  std::vector<double> ns_;
};

/// Two cores pass a line to and fro by cmpxchg alone, each trying until it succeeds, pair after pair, on the first
/// hardware thread of each core. As in the public tools all lines have one home, socket 0. Throws what System::run throws.
CorePairs simulate_core_to_core(const Machine& machine, const Topology& topology);

/// The CSV that core-to-core-latency (github.com/nviennot/core-to-core-latency) writes: no header, row i has the
/// numbers of the pairs (i, 0) … (i, i-1), then empty fields up to as many as there are cores.
std::string core_to_core_csv(const CorePairs& pairs);
/// Reads such a file of a machine with so many cores; the empty fields may be missing. Throws InputError.
CorePairs read_core_to_core(const std::filesystem::path& file, int cores);

/// A square of cells, a row and a column a core, and lines between the sockets.
std::string render_core_to_core_svg(const Machine& machine, const CorePairs& pairs);

/// What was published against what is simulated, by the number of QPI links between the cores, and the pairs that differ
/// most. For people, at most 100 columns. Both have the machine's number of cores.
std::string compare_core_to_core(const Machine& machine, const Topology& topology, const CorePairs& published,
                                 const CorePairs& simulated);

}  // namespace linebounce

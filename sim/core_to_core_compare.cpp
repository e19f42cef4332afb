// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "cpus/line_situation.hpp"
#include "sim/core_to_core.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

constexpr std::size_t kWorst = 10;

struct ComparedPair {
  int i;
  int j;
  int hops;  ///< QPI links between them
  double published;
  double simulated;
  double error() const { return 100 * (simulated / published - 1); }
};

std::string distance(int hops) {
  const std::size_t place = static_cast<std::size_t>(HolderPlace::kSameDie) + static_cast<std::size_t>(hops);
  return place < kHolderPlaces ? std::string(kHolderPlaceNames[place]) : fmt::format("{} hops", hops);
}

std::vector<ComparedPair> compared(const Machine& machine, const Topology& topology, const CorePairs& published,
                                   const CorePairs& simulated) {
  const auto socket = [&](int core) { return SocketId{static_cast<std::uint32_t>(core / machine.cores_per_socket)}; };
  std::vector<ComparedPair> pairs;
  for (int i = 1; i < machine.cores(); ++i) {
    for (int j = 0; j < i; ++j) {
      pairs.push_back({i, j, topology.socket_hops(socket(i), socket(j)), published.ns(i, j), simulated.ns(i, j)});
    }
  }
  return pairs;
}

/// Sums over the pairs of one distance.
struct Sums {
  int pairs = 0;
  double published = 0;
  double simulated = 0;
  double absolute_error = 0;
};

std::string by_distance(const std::vector<ComparedPair>& pairs) {
  std::map<int, Sums> distances;
  for (const ComparedPair& pair : pairs) {
    Sums& sums = distances[pair.hops];
    ++sums.pairs;
    sums.published += pair.published;
    sums.simulated += pair.simulated;
    sums.absolute_error += std::abs(pair.error());
  }
  TextTable table(1, 2);
  table.add({"", "", "published", "simulated", "error of", "mean error"});
  table.add({"cores", "pairs", "mean [ns]", "mean [ns]", "means [%]", "of a pair [%]"});
  for (const auto& [hops, sums] : distances) {
    table.add({distance(hops), std::to_string(sums.pairs), figure(sums.published / sums.pairs),
               figure(sums.simulated / sums.pairs), signed_figure(100 * (sums.simulated / sums.published - 1)),
               fmt::format("{:.1f}", sums.absolute_error / sums.pairs)});
  }
  return table.str();
}

std::string worst(std::vector<ComparedPair> pairs) {
  std::ranges::stable_sort(pairs, std::greater(), [](const ComparedPair& p) { return std::abs(p.error()); });
  pairs.resize(std::min(pairs.size(), kWorst));
  TextTable table(1, 1);
  table.add({"cores", "", "published [ns]", "simulated [ns]", "error [%]"});
  for (const ComparedPair& pair : pairs) {
    table.add({fmt::format("{} and {}", pair.i, pair.j), distance(pair.hops), figure(pair.published),
               figure(pair.simulated), signed_figure(pair.error())});
  }
  return table.str();
}

}  // namespace

std::string compare_core_to_core(const Machine& machine, const Topology& topology, const CorePairs& published,
                                 const CorePairs& simulated) {
  const std::vector<ComparedPair> pairs = compared(machine, topology, published, simulated);
  return fmt::format("{}: a line from core to core by cmpxchg, one way\n\n{}\nThe pairs that differ most\n{}",
                     machine.name, by_distance(pairs), worst(pairs));
}

}  // namespace linebounce

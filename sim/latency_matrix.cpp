// SPDX-License-Identifier: Apache-2.0
#include "sim/latency_matrix.hpp"

#include <cstddef>
#include <optional>

namespace linebounce {

LatencyMatrix measure_latency_matrix(const Machine& machine, const Topology& topology) {
  LatencyMatrix matrix{machine.name, machine.core_mhz, {}};
  for (std::size_t place = 0; place < kHolderPlaces; ++place) {
    for (std::size_t state = 0; state < kLineStates; ++state) {
      for (std::size_t home = 0; home < kHomePlaces; ++home) {
        const LineSituation situation{static_cast<LineState>(state), static_cast<HolderPlace>(place),
                                      static_cast<HomePlace>(home)};
        const std::optional<Arrangement> arrangement = arrange(machine, topology, situation);
        if (!arrangement) continue;
        LatencyRow row{situation, arrangement->sharers, arrangement->sharing_sockets, {}};
        for (std::size_t i = 0; i < kSingleOperations; ++i) {
          row.latency[i] = measure_latency(machine, topology, *arrangement, static_cast<SingleOperation>(i));
        }
        matrix.rows.push_back(row);
      }
    }
  }
  return matrix;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A litmus test as guest code of the simulated machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "sim/litmus/placement.hpp"
#include "sim/litmus/program.hpp"
#include "topologies/topology.hpp"

namespace linebounce::litmus {

struct GuestConditions {
  Placement placement;
  bool one_line = false;  ///< all variables in one line (of eight), else each in its own
  std::uint64_t seed = 1;
  std::size_t rounds = 100;  ///< each with variables, warm-up and start skews of its own
};

/// How often the simulated machine ended in which state.
std::map<FinalState, std::uint64_t> run_guests(const Program& program, const Machine& machine, const Topology& topology,
                                               const GuestConditions& conditions);

}  // namespace linebounce::litmus

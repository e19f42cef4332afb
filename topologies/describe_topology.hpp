// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

/// A machine for a person to read, at most 100 columns wide: shape, clocks, placement on the ring or crossbar, QPI hops,
/// lengths of the unloaded ways in core cycles, and every parameter with its unit. Ends with a newline.
std::string describe(const Machine& machine, const Topology& topology);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The machine of a point, with its tasks on their cores and its traffic on the links.
#pragma once

#include <string>

#include "sim/results.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

/// Sockets with their cores, links between sockets as thick as they were busy. `machine` is that of the point.
std::string render_topology_svg(const PointResult& point, const Machine& machine, const std::string& what);

}  // namespace linebounce

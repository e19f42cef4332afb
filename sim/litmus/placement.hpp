// SPDX-License-Identifier: Apache-2.0
// Which hardware threads the threads of a litmus test run on.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "topologies/machine.hpp"
#include "units/ids.hpp"

namespace linebounce::litmus {

struct Placement {
  std::string_view name;
  std::vector<ThreadId> threads;
};

/// A core each in one socket; round the sockets; and with SMT siblings in order, siblings half the threads apart, and
/// such pairs round the sockets. Those that the machine has not enough threads for are left out.
std::vector<Placement> placements(const Machine& machine, std::size_t threads);

}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace linebounce {

/// Row by row, in any unit: NUMA distances, say.
using SocketDistances = std::vector<std::vector<std::uint64_t>>;

/// The links between sockets that explain their distances: the nearest pairs are linked, all others go through sockets in
/// between. Throws InputError at `where` unless equal distances are then equally many links, and greater ones more.
std::vector<std::pair<int, int>> links_of_distances(const SocketDistances& distances, std::string_view where);

}  // namespace linebounce

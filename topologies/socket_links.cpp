// SPDX-License-Identifier: Apache-2.0
#include "topologies/socket_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>

#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

constexpr int kUnreached = std::numeric_limits<int>::max() / 2;

/// Links on the shortest way between each two sockets.
std::vector<std::vector<int>> hops_over(const std::vector<std::pair<int, int>>& links, std::size_t sockets) {
  std::vector<std::vector<int>> hops(sockets, std::vector<int>(sockets, kUnreached));
  for (const auto& [a, b] : links) {
    hops[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)] = 1;
    hops[static_cast<std::size_t>(b)][static_cast<std::size_t>(a)] = 1;
  }
  for (std::size_t via = 0; via < sockets; ++via) {
    for (std::size_t a = 0; a < sockets; ++a) {
      for (std::size_t b = 0; b < sockets; ++b) hops[a][b] = std::min(hops[a][b], hops[a][via] + hops[via][b]);
    }
  }
  return hops;
}

}  // namespace

std::vector<std::pair<int, int>> links_of_distances(const SocketDistances& distances, std::string_view where) {
  const std::size_t sockets = distances.size();
  const auto fail = [&](std::size_t a, std::size_t b, std::string_view found, std::string_view expected) {
    fail_input(where, fmt::format("distance {} from socket {} to {}{}", distances[a][b], a, b, found), expected);
  };
  std::uint64_t nearest = std::numeric_limits<std::uint64_t>::max();
  for (std::size_t a = 0; a < sockets; ++a) {
    for (std::size_t b = 0; b < sockets; ++b) {
      if (distances[a][b] != distances[b][a]) {
        fail(a, b, fmt::format(", {} back", distances[b][a]), "the same both ways, as over links");
      }
      if (a == b) continue;
      if (distances[a][b] <= distances[a][a]) fail(a, b, "", fmt::format("more than {}, to itself", distances[a][a]));
      nearest = std::min(nearest, distances[a][b]);
    }
  }
  std::vector<std::pair<int, int>> links;
  for (std::size_t a = 0; a < sockets; ++a) {
    for (std::size_t b = a + 1; b < sockets; ++b) {
      if (distances[a][b] == nearest) links.emplace_back(static_cast<int>(a), static_cast<int>(b));
    }
  }
  const std::vector<std::vector<int>> hops = hops_over(links, sockets);
  std::map<std::uint64_t, int> hops_at;  // by distance
  for (std::size_t a = 0; a < sockets; ++a) {
    for (std::size_t b = a + 1; b < sockets; ++b) {
      const auto at = hops_at.try_emplace(distances[a][b], hops[a][b]).first;
      const bool more = at == hops_at.begin() || std::prev(at)->second < at->second;
      const bool fewer = std::next(at) == hops_at.end() || at->second < std::next(at)->second;
      if (hops[a][b] < kUnreached && hops[a][b] == at->second && more && fewer) continue;
      fail(a, b,
           fmt::format(", which are {} over links between all at distance {}",
                       hops[a][b] < kUnreached ? fmt::format("{} links apart", hops[a][b]) : "not joined", nearest),
           "distances that grow with the number of links, all of one length");
    }
  }
  return links;
}

}  // namespace linebounce

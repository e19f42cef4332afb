// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/placement.hpp"

#include <cstdint>
#include <utility>

namespace linebounce::litmus {

std::vector<Placement> placements(const Machine& machine, std::size_t threads) {
  const auto n = static_cast<std::uint32_t>(threads);
  const auto smt = static_cast<std::uint32_t>(machine.threads_per_core);
  const auto cores = static_cast<std::uint32_t>(machine.cores_per_socket);
  const auto sockets = static_cast<std::uint32_t>(machine.sockets);
  const std::uint32_t half = (n + 1) / 2;
  const auto thread = [&](std::uint32_t socket, std::uint32_t core, std::uint32_t sibling) {
    return ThreadId{(socket * cores + core) * smt + sibling};
  };
  std::vector<Placement> all;
  const auto add = [&](std::string_view name, bool fits, const auto& place) {
    if (!fits) return;
    Placement placement{name, {}};
    for (std::uint32_t t = 0; t < n; ++t) placement.threads.push_back(place(t));
    all.push_back(std::move(placement));
  };
  const auto fits_round = [&](std::uint32_t places) { return sockets > 1 && (places - 1) / sockets < cores; };
  add("one socket", n <= cores, [&](std::uint32_t t) { return thread(0, t, 0); });
  add("sockets", fits_round(n), [&](std::uint32_t t) { return thread(t % sockets, t / sockets, 0); });
  if (smt > 1) {
    add("siblings", half <= cores, [&](std::uint32_t t) { return thread(0, t / 2, t % 2); });
    add("crossed siblings", half <= cores, [&](std::uint32_t t) { return thread(0, t % half, t / half); });
    add("crossed siblings of sockets", fits_round(half), [&](std::uint32_t t) {
      const std::uint32_t pair = t % half;
      return thread(pair % sockets, pair / sockets, t / half);
    });
  }
  return all;
}

}  // namespace linebounce::litmus

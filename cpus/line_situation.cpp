// SPDX-License-Identifier: Apache-2.0
#include "cpus/line_situation.hpp"

#include <algorithm>

namespace linebounce {
namespace {

constexpr SocketId kRequesterSocket{0};
constexpr CoreId kRequesterCore{0};

bool has_forwarder(Protocol protocol) { return protocol != Protocol::kMesi; }

/// QPI links between requester and holder.
int hops(HolderPlace place) {
  constexpr std::array<int, kHolderPlaces> kHops = {0, 0, 0, 0, 1, 2};
  return kHops[static_cast<std::size_t>(place)];
}

bool on_requesters_core(HolderPlace place) { return place < HolderPlace::kSameDie; }

/// The first socket that many links from the requester's.
std::optional<SocketId> socket_at(const Machine& machine, const Topology& topology, int distance) {
  for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(machine.sockets); ++s) {
    if (topology.socket_hops(kRequesterSocket, SocketId{s}) == distance) return SocketId{s};
  }
  return std::nullopt;
}

/// The sockets that are neither the requester's nor the holder's, those nearest to the requester first.
std::vector<SocketId> third_sockets(const Machine& machine, const Topology& topology, SocketId holder) {
  std::vector<SocketId> sockets;
  for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(machine.sockets); ++s) {
    if (SocketId{s} != kRequesterSocket && SocketId{s} != holder) sockets.push_back({s});
  }
  std::ranges::stable_sort(sockets, {}, [&](SocketId s) { return topology.socket_hops(kRequesterSocket, s); });
  return sockets;
}

/// The socket's cores without the requester's.
std::vector<CoreId> other_cores(const Machine& machine, SocketId socket) {
  const auto cores = static_cast<std::uint32_t>(machine.cores_per_socket);
  std::vector<CoreId> others;
  for (std::uint32_t c = socket.value * cores; c < (socket.value + 1) * cores; ++c) {
    if (CoreId{c} != kRequesterCore) others.push_back({c});
  }
  return others;
}

/// The one at `tenths` of the way through the cores.
CoreId take(std::vector<CoreId>& cores, std::size_t tenths) {
  const auto at = cores.begin() + static_cast<std::ptrdiff_t>(cores.size() * tenths / 10);
  const CoreId core = *at;
  cores.erase(at);
  return core;
}

}  // namespace

std::optional<Arrangement> arrange(const Machine& machine, const Topology& topology, const LineSituation& situation) {
  const auto [state, place, home] = situation;
  const auto threads_per_core = static_cast<std::uint32_t>(machine.threads_per_core);
  const auto first_thread = [&](CoreId core) { return ThreadId{core.value * threads_per_core}; };

  const std::optional<SocketId> holder_socket = socket_at(machine, topology, hops(place));
  if (!holder_socket) return std::nullopt;
  const bool local = *holder_socket == kRequesterSocket;
  const std::vector<SocketId> thirds = third_sockets(machine, topology, *holder_socket);

  Arrangement a{.requester = first_thread(kRequesterCore), .home = kRequesterSocket, .steps = {}};
  if (home == HomePlace::kHolder) {
    if (local) return std::nullopt;
    a.home = *holder_socket;
  } else if (home == HomePlace::kThird) {
    if (thirds.empty()) return std::nullopt;
    a.home = thirds.front();
  }
  if (state == LineState::kMemory) {
    const bool is_its_home = a.home == *holder_socket && !on_requesters_core(place);
    return is_its_home ? std::optional(a) : std::nullopt;
  }

  std::vector<CoreId> others = other_cores(machine, *holder_socket);
  ThreadId holder = a.requester;
  if (place == HolderPlace::kSibling) {
    if (machine.threads_per_core < 2) return std::nullopt;
    ++holder.value;
  } else if (!on_requesters_core(place)) {
    if (others.empty()) return std::nullopt;
    holder = first_thread(take(others, 3));
  }

  using Action = PreparationStep::Action;
  const auto read_by = [&](ThreadId thread) { a.steps.push_back({thread, Action::kRead}); };
  const auto read_in_third_socket = [&] {
    std::vector<CoreId> cores = other_cores(machine, thirds.back());
    read_by(first_thread(take(cores, 3)));
  };
  const bool across = state == LineState::kSharedAcross || state == LineState::kForward;
  if (across && thirds.empty()) return std::nullopt;
  if (state == LineState::kForward) {
    if (!has_forwarder(machine.protocol)) return std::nullopt;
    read_in_third_socket();
  }
  a.steps.push_back({holder, state == LineState::kModified ? Action::kWrite : Action::kRead});
  if (state == LineState::kSharedByTwo) {
    if (others.empty()) return std::nullopt;
    read_by(first_thread(take(others, 5)));
  }
  if (state == LineState::kSharedByDie) {
    if (others.size() < 2) return std::nullopt;  // as kSharedByTwo
    for (const CoreId core : others) read_by(first_thread(core));
  }
  if (state == LineState::kSharedAcross) read_in_third_socket();
  a.sharers = static_cast<int>(a.steps.size());
  a.sharing_sockets = across ? 2 : 1;
  if (place == HolderPlace::kOwnL2) a.steps.push_back({a.requester, Action::kPushOutOfL1});
  return a;
}

}  // namespace linebounce

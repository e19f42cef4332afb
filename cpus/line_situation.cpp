// SPDX-License-Identifier: Apache-2.0
#include "cpus/line_situation.hpp"

#include <algorithm>

namespace linebounce {
namespace {

constexpr SocketId kRequesterSocket{0};
constexpr CoreId kRequesterCore{0};

bool exists(LineState state, Protocol protocol) { return state != LineState::kForward || protocol != Protocol::kMesi; }

/// Who reads beside the holder, and whether before or after it.
struct Readers {
  bool third_before;          ///< a core of a third socket
  std::size_t fewest_others;  ///< cores of the holder's die, after it: 0 none, 1 one, 2 all, at least two
  bool third_after;
};
constexpr std::array<Readers, kLineStates> kReaders = {{
    {false, 0, false},  // kModified
    {false, 0, false},  // kExclusive
    {false, 1, false},  // kSharedByTwo
    {false, 2, false},  // kSharedByDie
    {false, 0, true},   // kSharedAcross
    {true, 0, false},   // kForward
    {false, 0, false},  // kMemory
}};

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

std::optional<SocketId> home_socket(HomePlace home, SocketId holder, const std::vector<SocketId>& thirds) {
  switch (home) {
    case HomePlace::kRequester: return kRequesterSocket;
    case HomePlace::kHolder: return holder == kRequesterSocket ? std::nullopt : std::optional(holder);
    case HomePlace::kThird: return thirds.empty() ? std::nullopt : std::optional(thirds.front());
  }
  return std::nullopt;
}

}  // namespace

std::optional<Arrangement> arrange(const Machine& machine, const Topology& topology, const LineSituation& situation) {
  using Action = PreparationStep::Action;
  const auto [state, place, home_place] = situation;
  const auto first_thread = [&](CoreId core) {
    return ThreadId{core.value * static_cast<std::uint32_t>(machine.threads_per_core)};
  };

  const std::optional<SocketId> holder_socket = socket_at(machine, topology, hops(place));
  if (!holder_socket || !exists(state, machine.protocol)) return std::nullopt;
  const std::vector<SocketId> thirds = third_sockets(machine, topology, *holder_socket);
  const std::optional<SocketId> home = home_socket(home_place, *holder_socket, thirds);
  if (!home) return std::nullopt;
  Arrangement a{.requester = first_thread(kRequesterCore), .home = *home, .steps = {}};
  if (state == LineState::kMemory) {
    return *home == *holder_socket && !on_requesters_core(place) ? std::optional(a) : std::nullopt;
  }

  ThreadId holder = a.requester;
  std::vector<CoreId> others = other_cores(machine, *holder_socket);
  if (place == HolderPlace::kSibling) {
    if (machine.threads_per_core < 2) return std::nullopt;
    ++holder.value;
  } else if (!on_requesters_core(place)) {
    if (others.empty()) return std::nullopt;
    holder = first_thread(take(others, 3));
  }

  const Readers readers = kReaders[static_cast<std::size_t>(state)];
  const bool across = readers.third_before || readers.third_after;
  if ((across && thirds.empty()) || others.size() < readers.fewest_others) return std::nullopt;
  const auto read_by = [&](CoreId core) { a.steps.push_back({first_thread(core), Action::kRead}); };
  const auto read_in_third_socket = [&] {
    std::vector<CoreId> cores = other_cores(machine, thirds.back());
    read_by(take(cores, 3));
  };
  if (readers.third_before) read_in_third_socket();
  a.steps.push_back({holder, state == LineState::kModified ? Action::kWrite : Action::kRead});
  if (readers.fewest_others == 1) others = {take(others, 5)};
  if (readers.fewest_others > 0) std::ranges::for_each(others, read_by);
  if (readers.third_after) read_in_third_socket();
  a.sharers = static_cast<int>(a.steps.size());
  a.sharing_sockets = across ? 2 : 1;
  if (place == HolderPlace::kOwnL2) a.steps.push_back({a.requester, Action::kPushOutOfL1});
  return a;
}

}  // namespace linebounce

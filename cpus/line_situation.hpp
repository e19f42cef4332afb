// SPDX-License-Identifier: Apache-2.0
// Where a cache line is before one operation on it is measured, and what guests do to bring it there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/ids.hpp"

namespace linebounce {

/// Who has a copy, beside the holder, and who came last.
enum class LineState : std::uint8_t {
  kModified,      ///< the holder has written it
  kExclusive,     ///< only the holder has read it
  kSharedByTwo,   ///< then another core of the holder's die has read it
  kSharedByDie,   ///< then every core of that die has, but the requester's
  kSharedAcross,  ///< then a core of a third socket has; with MESIF that one is the forwarder
  kForward,       ///< MESIF: a core of a third socket has read it, then the holder
  kMemory         ///< no cache has it; the memory that it lies in counts as the holder
};
inline constexpr std::size_t kLineStates = 7;
/// As the protocol calls the state of the holder's copy.
inline constexpr std::array<std::string_view, kLineStates> kLineStateNames = {"M", "E", "S", "S", "S", "F", "I"};

/// Where the holder is, seen from the requester. QPI links are hops.
enum class HolderPlace : std::uint8_t { kOwnL1, kOwnL2, kSibling, kSameDie, kOneHop, kTwoHops };
inline constexpr std::size_t kHolderPlaces = 6;
inline constexpr std::array<std::string_view, kHolderPlaces> kHolderPlaceNames = {"own L1",   "own L2",  "SMT sibling",
                                                                                  "same die", "one hop", "two hops"};

/// Whose socket is the line's home.
enum class HomePlace : std::uint8_t { kRequester, kHolder, kThird };
inline constexpr std::size_t kHomePlaces = 3;
inline constexpr std::array<std::string_view, kHomePlaces> kHomePlaceNames = {"requester", "holder", "third"};

struct LineSituation {
  LineState state;
  HolderPlace holder;
  HomePlace home;
};

/// What one hardware thread does to every line.
struct PreparationStep {
  enum class Action : std::uint8_t { kRead, kWrite, kPushOutOfL1, kPushOutOfL2 };
  ThreadId thread;
  Action action;
};

/// A situation on a given machine.
struct Arrangement {
  ThreadId requester;
  SocketId home;
  std::vector<PreparationStep> steps;  ///< one after the other
  int sharers = 0;                     ///< cores that have a copy in the end
  int sharing_sockets = 0;             ///< sockets that they are in
};

/// Nothing if the machine has no such situation: no second hardware thread, no socket so far away, no third socket, too
/// few cores, no forwarder. A holder on the requester's die makes it the requester's home, not the holder's.
std::optional<Arrangement> arrange(const Machine& machine, const Topology& topology, const LineSituation& situation);

}  // namespace linebounce

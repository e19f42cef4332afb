// SPDX-License-Identifier: Apache-2.0
// What a published number was measured by, and the same measurement on a simulated machine.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "cpus/line_situation.hpp"
#include "cpus/lone_loop.hpp"
#include "cpus/ping_pong.hpp"
#include "cpus/single_operation.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

/// Where a line is, as validation files name it: a holder's place, and whether the holder has only its L3's copy left.
struct ProbePlace {
  std::string_view name;
  HolderPlace holder;
  bool only_in_l3;
};
inline constexpr std::array<ProbePlace, 8> kProbePlaces = {{
    {"own L1", HolderPlace::kOwnL1, false},
    {"own L2", HolderPlace::kOwnL2, false},
    {"own L3", HolderPlace::kOwnL1, true},
    {"SMT sibling", HolderPlace::kSibling, false},
    {"same die", HolderPlace::kSameDie, false},
    {"same die's L3", HolderPlace::kSameDie, true},
    {"one hop", HolderPlace::kOneHop, false},
    {"two hops", HolderPlace::kTwoHops, false},
}};

/// The state that the holder has it in.
struct ProbeState {
  std::string_view name;
  LineState state;
};
inline constexpr std::array<ProbeState, 5> kProbeStates = {{{"M", LineState::kModified},
                                                            {"E", LineState::kExclusive},
                                                            {"S", LineState::kSharedByTwo},
                                                            {"F", LineState::kForward},
                                                            {"memory", LineState::kMemory}}};

/// The L3 slices that the measured lines belong to, seen from the requesting core.
enum class ProbeSlices : std::uint8_t { kAll, kOwn, kNearestOther, kFarthest };
inline constexpr std::array<std::string_view, 4> kProbeSlicesNames = {"all", "own", "nearest other", "farthest"};

/// One operation on a line.
struct OperationProbe {
  SingleOperation operation;
  ProbeState state;
  ProbePlace place;
  ProbeSlices slices;
};
/// A load from a socket's memory.
struct MemoryProbe {
  std::uint32_t from;
  std::uint32_t memory;
};
enum class PingPongBetween : std::uint8_t { kSiblings, kCores };
inline constexpr std::array<std::string_view, 2> kPingPongBetweenNames = {"SMT siblings", "cores"};
/// A line to and fro between the threads of a core, or the mean over all pairs of a socket's cores.
struct PingPongProbe {
  PingPongKind lines;
  PingPongBetween between;
};
/// An instruction that one thread repeats.
struct LoopProbe {
  LoopBody body;
};
using Probe = std::variant<OperationProbe, MemoryProbe, PingPongProbe, LoopProbe>;

/// "load M, one hop".
std::string label_of(const Probe& probe);

/// Core cycles. Of a line in another socket `cycles` is with its home there, the others are with other homes.
struct Measured {
  double cycles = 0;
  std::optional<double> home_at_requester = {};
  std::optional<double> home_at_third = {};
};
/// Nothing if the machine has no such situation. Throws what System::run throws.
std::optional<Measured> measure(const Machine& machine, const Topology& topology, const Probe& probe);

}  // namespace linebounce

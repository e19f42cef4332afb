// SPDX-License-Identifier: Apache-2.0
// Who and what appears in the picture of a hand-off: the lines that were fought for, and the agents that took part.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/hand_offs.hpp"
#include "sim/recording.hpp"

namespace linebounce {

/// A core; or all L3 slices, or all home agents, of one socket: of those a line has but one.
struct LaneOf {
  AgentKind kind = AgentKind::kCore;
  std::uint32_t agent = 0;  ///< the core, or the socket
  friend auto operator<=>(const LaneOf&, const LaneOf&) = default;
};

struct Cast {
  Cycles begin;  ///< of what is shown: a little more than the hand-off
  Cycles end;
  std::vector<LineAddress> lines;                ///< those with most messages first
  std::vector<const RecordedMessage*> messages;  ///< about these lines, in the order of arrival
  std::vector<LaneOf> lanes;                     ///< socket by socket: cores, slices, home agents
};

/// At most `most_lines` lines and the cores of `most_cores`, the two owners' among them.
Cast cast_of(const Recording& recording, const HandOff& hand_off, std::size_t most_lines, std::size_t most_cores);

LaneOf lane_of(AgentKind kind, std::uint32_t agent, const Recording& recording);
SocketId socket_of(const LaneOf& lane, const Recording& recording);

/// "core 3, task 1", "L3", "home agents"
std::string name_of(const LaneOf& lane, const Recording& recording);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// One hand-off of a lock as a picture: a lane for every core, L3 slice and home agent that took part.
#pragma once

#include <string>

#include "sim/hand_offs.hpp"
#include "sim/recording.hpp"

namespace linebounce {

/// Time runs from left to right in core cycles, 0 where the release begins. In a core's lane, from above: its phases,
/// its operations with their segments, its buffered stores, and who has which line in what state; messages are arrows
/// between lanes in the colour of their line. A bar below a core's operations marks the critical path. The hand-off must
/// lie in the recording.
std::string render_swim_lane(const Recording& recording, const HandOff& hand_off, const std::string& what);

}  // namespace linebounce

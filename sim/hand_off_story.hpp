// SPDX-License-Identifier: Apache-2.0
// One hand-off told in full: its critical path piece by piece with the messages, what went on beside it at no cost, and
// what happened cycle by cycle.
#pragma once

#include <string>

#include "sim/critical_path.hpp"
#include "sim/hand_offs.hpp"

namespace linebounce {

/// The pieces of the path: when, how long, whose operation, doing what, by which message over which link. For people.
std::string path_text(const HandOff& hand_off, const Timeline& timeline);

/// What the two owners had under way in those cycles that is not on the path. For people; "" if there was nothing.
std::string overlapped_text(const HandOff& hand_off, const Timeline& timeline);

/// A column for each core on the path and one for the line that is handed over, a row for each cycle in which something
/// happens. For people.
std::string cycles_text(const HandOff& hand_off, const Timeline& timeline);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Where a lock passed from one task to another in a recorded run.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "sim/recording.hpp"

namespace linebounce {

/// One task leaves the critical section, another one enters it, and nobody was inside in between.
struct HandOff {
  int previous = -1;  ///< task that leaves
  int next = -1;      ///< task that enters
  Cycles begin;       ///< the leaving task has ended its critical section: its release begins
  Cycles end;         ///< the next owner is inside: its first operation there may begin
  Cycles length() const { return end - begin; }
};

/// All that are whole in the recording, in the order of time. A task that follows itself hands nothing off, and a reader
/// that comes after readers takes nothing over (who stores nothing inside counts as a reader where there are any). Of
/// tasks that take several locks there are none, as the recording does not say whose a critical section is.
std::vector<HandOff> find_hand_offs(const Recording& recording);

/// Those that begin and end inside the measured window.
std::vector<HandOff> hand_offs_in_window(const Recording& recording);

/// The one of median length; of an even number the lower median, of equally long ones the earliest. None of none.
std::optional<HandOff> median_hand_off(std::span<const HandOff> hand_offs);

}  // namespace linebounce

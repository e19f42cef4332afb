// SPDX-License-Identifier: Apache-2.0
// A point of a result, run once more and recorded: runs are deterministic, so it is the same run.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/recording.hpp"
#include "sim/results.hpp"
#include "sim/scenario.hpp"

namespace linebounce {

struct Rerun {
  std::optional<RecordedRun> run;
  std::string why_not;  ///< for people, if there is none
};

/// Of longer runs so much of the measured window is recorded, so that memory stays bounded.
inline constexpr Cycles kMostRecorded{2'000'000};

/// Runs the point with its first seed. There is no run if the scenario does not take the point's parameters, or if the
/// digest is not the one in the result. Throws what a simulation throws.
Rerun rerun_point(const Results& results, std::size_t point, Scenario scenario);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// `linebounce run SCENARIO --trace FILE`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "sim/run_pool.hpp"

namespace CLI {
class App;
}

namespace linebounce {

/// Cycles from the run's start.
struct TraceWindow {
  Cycles begin;
  Cycles end;
};

struct TraceRequest {
  std::string file;                   ///< "" for no trace
  std::size_t format = 0;             ///< index in kTraceFormats
  std::optional<TraceWindow> window;  ///< none: the beginning of the measured window
  std::string object;                 ///< only what concerns its lines; "" for everything
};

/// Adds its options to `run`, which has those that print something else than results.
void add_trace_options(CLI::App& run, TraceRequest& request);

/// Of a window that was not asked for, this much is traced.
inline constexpr Cycles kTracedCycles{20'000};
/// A window may have this many cycles, divided by the tasks: what keeps the memory bounded.
inline constexpr std::int64_t kMostTracedTaskCycles = 4'000'000;

/// Runs the plan's first point, writes a trace of it with its first seed, and says on stderr what was traced.
/// Throws OutputError, what a simulation throws, and std::invalid_argument for a window or object that the run has not.
Results run_first_point(const Scenario& scenario, Plan plan, const PoolOptions& options, const TraceRequest& request);

}  // namespace linebounce

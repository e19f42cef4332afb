// SPDX-License-Identifier: Apache-2.0
// Runs every experiment of a plan, in this process or spread over several: the results are the same.
#pragma once

#include <functional>
#include <string>

#include "sim/experiment.hpp"
#include "sim/results.hpp"
#include "sim/scenario_plan.hpp"
#include "sim/worker_pool.hpp"

namespace linebounce {

struct PoolOptions {
  int jobs = 1;           ///< processes; SystemC allows one simulation at a time in each
  bool progress = false;  ///< say on stderr how far it is
  std::function<RunResult(const Experiment&)> run = run_experiment;
};

/// Runs all points with all seeds. If some fail, the failure of the first of them (in the order of points, then seeds)
/// is thrown, whatever the number of processes: BrokenModel, LimitReached, std::invalid_argument.
Results run_plan(const Scenario& scenario, const Plan& plan, const PoolOptions& options);

/// A run as bytes for another process of the same program, and back.
std::string pack(const RunResult& run);
RunResult unpack(const std::string& bytes);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What the text of a run says beyond the tables that every workload has: the share of locks in a lock-mix, the wake-ups of
// sembench and what was published of it.
#pragma once

#include <string>

#include "sim/demo_published.hpp"
#include "sim/results.hpp"

namespace linebounce {

/// Whether the results are sembench's.
bool has_wakes(const Results& results);

/// Per point: cycles in locks, in critical sections and elsewhere. "" if it is no lock-mix.
std::string render_lock_shares(const Results& results);

/// Per point: burns per second, and what the wake-ups did. "" if it is not sembench.
std::string render_wakes(const Results& results);

/// Pairs of points with (s1) and without (s2) cpu_relax beside the published runs; "" if there are no such pairs.
std::string compare_sembench(const Results& results, const Published& published);

}  // namespace linebounce

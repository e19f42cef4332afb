// SPDX-License-Identifier: Apache-2.0
// A shared-line report as text for people, as JSON and as CSV.
#pragma once

#include <string>

#include "sim/c2c.hpp"

namespace linebounce {

/// The three tables of `perf c2c report` for every point, at most 100 columns; of many lines only the first.
std::string render_text(const C2cReport& report);

/// One document, schema "linebounce.c2c/1":
///   schema, scenario, title, question, machine, seed, seeds, definitions {key: {perf, definition}},
///   points [{params, machine, events {key: n}, touched_lines, shared_lines [{line, node, events,
///            accesses [{offset, phase, task, hardware_thread, node, events,
///            cycles {rmt_hitm, lcl_hitm, load}}]}]}]
/// All numbers are integers, sums over the seeds; cycles are core cycles. An access's events that are 0 are left out.
std::string render_json(const C2cReport& report);

/// RFC 4180: one row for every task's accesses to an offset of a shared line in one phase; cycles are sums.
std::string render_csv(const C2cReport& report);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Results as text for people, as JSON and as CSV. A renderer never counts: every figure stands in the results.
// All of it is the same bytes for the same results: no time, host, path or number of processes is in it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/coverage.hpp"
#include "sim/results.hpp"

namespace linebounce {

/// One document, schema "linebounce.run/1", with a line break at its end:
///   schema, scenario, title, question, machine, seed, seeds, definitions {metric: {unit, definition}},
///   points [{params, machine, core_mhz, metrics {name: {mean, sd, ci95, n}},
///            core_cycles {total, by_category, by_phase, by_phase_and_category, tasks [{task, hardware_thread, total,
///            by_category}]}, messages {total, by_kind}, link_bytes {link: bytes},
///            runs [{seed, operations, window, digest}]}],
///   coverage [{protocol, snoop, rows [{controller, row, fired}]}], if there is any
/// Numbers of metrics are rounded to ten significant digits; all others are integers, sums over the seeds. sd and ci95
/// of a single seed are null, and so is the mean of a rate without operations.
std::string render_json(const Results& results, std::span<const Coverage> coverage = {});

/// RFC 4180, one row a point, with a header. Units stand in the header: "ns_per_op mean [ns]".
std::string render_csv(const Results& results);

/// For people, at most 100 columns.
std::string render_text(const Results& results);

/// A table for each controller: how often each row fired, those that never did last. "" without coverage.
std::string render_coverage(std::span<const Coverage> coverage);

/// Where the cycles went in one point, per operation: a row for every category, a column for every phase.
std::string render_account(const PointResult& point);

}  // namespace linebounce

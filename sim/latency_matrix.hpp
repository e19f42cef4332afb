// SPDX-License-Identifier: Apache-2.0
// The latency of every single operation in every situation that a machine has, and how it is shown.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "cpus/single_operation.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce {

/// One situation of a line.
struct LatencyRow {
  LineSituation situation;
  int sharers = 0;          ///< cores that have a copy
  int sharing_sockets = 0;  ///< sockets that they are in
  std::array<OperationLatency, kSingleOperations> latency;
};

struct LatencyMatrix {
  std::string machine;
  std::int64_t core_mhz = 0;
  std::vector<LatencyRow> rows;  ///< by place of the holder, then state, then home
};

/// Measures it. Throws what measure_latency throws.
LatencyMatrix measure_latency_matrix(const Machine& machine, const Topology& topology);

/// For people, at most 100 columns as long as latencies have at most three digits.
std::string render_text(const LatencyMatrix& matrix);
/// One document, schema "linebounce.matrix/1":
///   schema, machine, core_mhz, lines, cells [{operation, state, sharers, sharing_sockets, holder, home,
///   core_cycles {mean, min, max}}]
std::string render_json(const LatencyMatrix& matrix);
/// RFC 4180, one row a cell, with a header.
std::string render_csv(const LatencyMatrix& matrix);
/// A heat map of the means.
std::string render_svg(const LatencyMatrix& matrix);

}  // namespace linebounce

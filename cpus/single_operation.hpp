// SPDX-License-Identifier: Apache-2.0
// What a single operation costs on a quiet machine, by where its line is: guests bring lines there, then a requester
// operates on them one at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cpus/line_situation.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/address.hpp"
#include "units/quantity.hpp"

namespace linebounce {

enum class SingleOperation : std::uint8_t {
  kLoad,
  kStoreAndFence,  ///< a store, and MFENCE until it has left the store buffer
  kXchg,
  kXadd,
  kCmpxchg,        ///< succeeds
  kFailingCmpxchg  ///< finds another value than it expects
};
inline constexpr std::size_t kSingleOperations = 6;
inline constexpr std::array<std::string_view, kSingleOperations> kSingleOperationNames = {
    "load", "store+mfence", "xchg", "xadd", "cmpxchg", "failing cmpxchg"};

/// Lines of one measurement, spread over the slices of their home's and holder's sockets by their addresses.
inline constexpr int kMeasuredLines = 64;

/// Over all lines, in core cycles from issue until the operation (or the fence behind it) has completed.
struct OperationLatency {
  double mean = 0;
  Cycles min;
  Cycles max;
};

/// One measured line, in core cycles likewise.
struct LineLatency {
  Address line;
  Cycles latency;
};

/// The lines one by one. Throws what System::run throws.
std::vector<LineLatency> measure_lines(const Machine& machine, const Topology& topology, const Arrangement& arrangement,
                                       SingleOperation operation);
/// The mean, the fastest and the slowest of them, of which there is at least one.
OperationLatency summarise(std::span<const LineLatency> lines);
/// summarise(measure_lines(…)).
OperationLatency measure_latency(const Machine& machine, const Topology& topology, const Arrangement& arrangement,
                                 SingleOperation operation);

}  // namespace linebounce

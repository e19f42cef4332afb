// SPDX-License-Identifier: Apache-2.0
// The one place where uncore cycles and nanoseconds become core cycles.
#pragma once

#include <cmath>
#include <cstdint>

#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// Whole picoseconds, so that everything after this is integer arithmetic.
inline std::int64_t picoseconds(Nanoseconds time) { return std::llround(time.count * 1000.0); }

/// round(uncore * core_mhz / uncore_mhz + time * core_mhz / 1000). Use it once per whole path or packet: rounding each
/// part would add up.
inline Cycles core_cycles(const Machine& machine, UncoreCycles uncore, Nanoseconds time = {}) {
  const std::int64_t unit = machine.uncore_mhz * 1'000'000;
  const std::int64_t parts =
      uncore.count * machine.core_mhz * 1'000'000 + picoseconds(time) * machine.core_mhz * machine.uncore_mhz;
  return Cycles{(parts + unit / 2) / unit};
}

/// The unloaded way of a packet, with `extra` uncore work at its ends.
inline Cycles core_cycles(const Machine& machine, const Route& route, UncoreCycles extra = {}) {
  return core_cycles(machine, route.uncore + extra, route.time);
}

}  // namespace linebounce

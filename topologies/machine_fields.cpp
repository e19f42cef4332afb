// SPDX-License-Identifier: Apache-2.0
#include "topologies/machine_fields.hpp"

#include <fmt/format.h>

#include <type_traits>

namespace linebounce {
namespace {

/// The member of a Machine at the end of a chain of member pointers.
template <auto... kPath>
auto& at(Machine& machine) {
  return (machine.*....*kPath);
}

using M = Machine;
using C = CoreCosts;
constexpr double kMostCycles = 10'000;

constexpr MachineField kFields[] = {
    {"shape", "sockets", &at<&M::sockets>, 1, 32, "", "sockets", true},
    {"shape", "cores_per_socket", &at<&M::cores_per_socket>, 1, 64, "", "cores of each socket", true},
    {"shape", "threads_per_core", &at<&M::threads_per_core>, 1, 2, "", "hardware threads of each core", true},

    {"clock", "core_mhz", &at<&M::core_mhz>, 100, 10'000, "MHz", "core clock"},
    {"clock", "uncore_mhz", &at<&M::uncore_mhz>, 100, 10'000, "MHz", "clock of L3, ring or crossbar, and agents"},

    {"l1d", "kib", &at<&M::l1d, &CacheGeometry::kib>, 1, 1024, "KiB", "L1 data cache of a core", true},
    {"l1d", "ways", &at<&M::l1d, &CacheGeometry::ways>, 1, 64, "", "its associativity", true},
    {"l2", "kib", &at<&M::l2, &CacheGeometry::kib>, 1, 16'384, "KiB", "L2 cache of a core", true},
    {"l2", "ways", &at<&M::l2, &CacheGeometry::ways>, 1, 64, "", "its associativity", true},
    {"l3", "slices_per_socket", &at<&M::l3_slices_per_socket>, 1, 64, "", "L3 slices of each socket", true},
    {"l3", "slice_kib", &at<&M::l3_slice, &CacheGeometry::kib>, 1, 65'536, "KiB", "size of one slice", true},
    {"l3", "ways", &at<&M::l3_slice, &CacheGeometry::ways>, 1, 64, "", "its associativity", true},
    {"l3", "lookup", &at<&M::slice_lookup>, 0, kMostCycles, "uncore cycles", "tags, state and core-valid bits"},
    {"l3", "read", &at<&M::slice_read>, 0, kMostCycles, "uncore cycles", "data array, if the answer carries data"},
    {"l3", "write", &at<&M::slice_write>, 0, kMostCycles, "uncore cycles", "data array, taking in modified data"},
    {"l3", "occupancy", &at<&M::slice_occupancy>, 0, kMostCycles, "uncore cycles", "a request keeps the slice busy"},

    {"interconnect", "ring_columns", &at<&M::ring_columns>, 0, 3, "", "columns of the die's rings; 0: crossbar", true},
    {"interconnect", "core_port", &at<&M::core_port>, 0, kMostCycles, "uncore cycles", "core to its stop"},
    {"interconnect", "slice_port", &at<&M::slice_port>, 0, kMostCycles, "uncore cycles", "slice to its stop"},
    {"interconnect", "agent_port", &at<&M::agent_port>, 0, kMostCycles, "uncore cycles",
     "home agent or QPI port to its stop"},
    {"interconnect", "router", &at<&M::router>, 0, kMostCycles, "uncore cycles", "QPI port to another QPI port"},
    {"interconnect", "hop", &at<&M::hop>, 0, kMostCycles, "uncore cycles", "stop to next stop; the crossing"},
    {"interconnect", "hop_occupancy", &at<&M::hop_occupancy>, 0, kMostCycles, "uncore cycles",
     "32 bytes keep a segment busy"},

    {"home", "agents_per_socket", &at<&M::home_agents_per_socket>, 1, 8, "", "home agents of each socket", true},
    {"home", "trackers", &at<&M::home_trackers>, 1, 4096, "", "requests in progress at one home agent"},
    {"home", "broadcast_below", &at<&M::opportunistic_broadcast_below>, 0, 4096, "requests",
     "fewer in progress: snoop at once"},
    {"home", "lookup", &at<&M::home_lookup>, 0, kMostCycles, "uncore cycles", "ordering and tracker look-up"},
    {"home", "occupancy", &at<&M::home_occupancy>, 0, kMostCycles, "uncore cycles", "a message keeps the agent busy"},

    {"dram", "latency", &at<&M::dram>, 1, 10'000, "ns", "home agent to DRAM and back"},
    {"dram", "occupancy", &at<&M::dram_occupancy>, 0, 10'000, "ns", "a line keeps the socket's channels busy"},

    {"qpi", "crossing", &at<&M::qpi_crossing>, 0.1, 10'000, "ns", "one link, port to port"},
    {"qpi", "gigatransfers", &at<&M::qpi_gigatransfers>, 0.1, 100, "GT/s", "2 bytes each, per direction"},

    {"core", "issue", &at<&M::core, &C::issue>, 1, kMostCycles, "cycles", "issue slots of a memory instruction"},
    {"core", "l1_load", &at<&M::core, &C::l1_load>, 1, kMostCycles, "cycles", "load-to-use, L1 hit"},
    {"core", "l2_load", &at<&M::core, &C::l2_load>, 1, kMostCycles, "cycles", "load-to-use, L2 hit"},
    {"core", "l2_miss", &at<&M::core, &C::l2_miss>, 1, kMostCycles, "cycles", "issue until the request leaves"},
    {"core", "fill", &at<&M::core, &C::fill>, 1, kMostCycles, "cycles", "a fill's arrival until it is used"},
    {"core", "store_forward", &at<&M::core, &C::store_forward>, 1, kMostCycles, "cycles",
     "load-to-use from the store buffer"},
    {"core", "store_forward_fail", &at<&M::core, &C::store_forward_fail>, 0, kMostCycles, "cycles",
     "added if the load had to wait for a store"},
    {"core", "store_commit", &at<&M::core, &C::store_commit>, 1, kMostCycles, "cycles", "a store into an owned line"},
    {"core", "cmpxchg", &at<&M::core, &C::cmpxchg>, 1, kMostCycles, "cycles", "LOCK CMPXCHG, line owned"},
    {"core", "xchg", &at<&M::core, &C::xchg>, 1, kMostCycles, "cycles", "XCHG, line owned"},
    {"core", "xadd", &at<&M::core, &C::xadd>, 1, kMostCycles, "cycles", "LOCK XADD, line owned"},
    {"core", "bts", &at<&M::core, &C::bts>, 1, kMostCycles, "cycles", "LOCK BTS, line owned"},
    {"core", "mfence", &at<&M::core, &C::mfence>, 1, kMostCycles, "cycles", "MFENCE, store buffer empty"},
    {"core", "pause", &at<&M::core, &C::pause>, 1, kMostCycles, "cycles", "PAUSE"},
    {"core", "poll_test", &at<&M::core, &C::poll_test>, 1, kMostCycles, "cycles", "compare and branch of a spin round"},
    {"core", "mispredict", &at<&M::core, &C::mispredict>, 0, kMostCycles, "cycles", "branch mispredict"},
    {"core", "machine_clear", &at<&M::core, &C::machine_clear>, 0, kMostCycles, "cycles", "memory-order machine clear"},
    {"core", "snoop_lookup", &at<&M::core, &C::snoop_lookup>, 0, kMostCycles, "cycles", "a snoop through the tags"},
    {"core", "snoop_data", &at<&M::core, &C::snoop_data>, 0, kMostCycles, "cycles", "added for modified data"},
    {"core", "store_buffer", &at<&M::core, &C::store_buffer>, 2, 1024, "", "entries"},
    {"core", "ownership_ahead", &at<&M::core, &C::ownership_ahead>, 0, 1024, "",
     "younger stores that ask for ownership early"},
    {"core", "fill_buffers", &at<&M::core, &C::fill_buffers>, 1, 1024, "", "outstanding line misses"},
};

/// Calls `function` with the field's number.
template <class Function>
auto visit_value(const MachineField& field, const Machine& machine, Function function) {
  return std::visit(
      [&](auto member) {
        const auto& value = member(const_cast<Machine&>(machine));  // read only; the member functions serve both uses
        if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(value)>>) {
          return function(value);
        } else {
          return function(value.count);
        }
      },
      field.member);
}

}  // namespace

std::span<const MachineField> machine_fields() { return kFields; }

bool MachineField::whole() const {
  return !std::holds_alternative<Nanoseconds& (*)(Machine&)>(member) &&
         !std::holds_alternative<double& (*)(Machine&)>(member);
}

double value_of(const MachineField& field, const Machine& machine) {
  return visit_value(field, machine, [](const auto& count) { return static_cast<double>(count); });
}

std::string value_text(const MachineField& field, const Machine& machine) {
  return visit_value(field, machine, [](const auto& count) { return fmt::format("{}", count); });
}

}  // namespace linebounce

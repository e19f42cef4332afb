// SPDX-License-Identifier: Apache-2.0
// A run made by hand, for tests of everything behind the simulator.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/experiment.hpp"
#include "sim/results.hpp"

namespace linebounce::testing {

/// Two sockets of one core each, at 2 GHz.
inline Machine small_machine() {
  Machine m;
  m.name = "two-cores";
  m.sockets = 2;
  m.cores_per_socket = 1;
  m.threads_per_core = 1;
  m.core_mhz = 2000;
  m.uncore_mhz = 2000;
  m.l3_slices_per_socket = 1;
  m.home_agents_per_socket = 1;
  m.interconnect = Interconnect::kCrossbar;
  m.qpi_links = {{0, 1}};
  return m;
}

/// Two tasks: one does `first` operations and one 1 in `window` cycles, with a failed cmpxchg and a PAUSE among them.
inline RunResult small_run(std::uint64_t first, Cycles window, const Topology& topology) {
  RunResult run;
  run.window = window;
  run.operations = {first, 1};
  run.counting = {true, true};
  run.counters.resize(2);
  run.counters[0].cmpxchgs = first + 1;
  run.counters[0].failed_cmpxchgs = 1;
  run.counters[1].pauses = 7;
  run.accounts.resize(2);
  run.accounts[0].at(Phase::kClaim, Category::kQpi) = {window.count - 10};
  run.accounts[0].at(Phase::kCriticalSection, Category::kCompute) = {10};
  run.accounts[1].at(Phase::kQueueSpin, Category::kPause) = window;
  run.machine.messages[static_cast<std::size_t>(MessageKind::kGetM)] = first + 1;
  run.machine.ownership_transfers[static_cast<std::size_t>(TransferDistance::kOneHop)] = first + 1;
  run.machine.link_bytes.resize(topology.links().size());
  for (std::size_t i = 0; i < topology.links().size(); ++i) {
    if (topology.links()[i].kind == LinkKind::kQpi) run.machine.link_bytes[i] = {80};
  }
  run.digest = 0xabc;
  return run;
}

/// A result with one point and two seeds.
inline Results small_results() {
  const Machine machine = small_machine();
  const Topology topology(machine);
  const std::vector<std::uint64_t> seeds = {1, 2};
  const std::vector<RunResult> runs = {small_run(3, {400}, topology), small_run(3, {480}, topology)};
  Results results;
  results.scenario = "by-hand";
  results.title = "A title, with \"quotes\"";
  results.machine = machine.name;
  results.seed = 1;
  results.varied = {"tasks"};
  const Parameters params = {
      {"tasks", std::int64_t{2}}, {"lock", std::string("a,b")}, {"local_work", std::int64_t{40}}};
  results.points.push_back(summarise_point({params, machine, topology, {{0}, {1}}}, seeds, runs));
  return results;
}

}  // namespace linebounce::testing

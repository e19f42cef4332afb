// SPDX-License-Identifier: Apache-2.0
// From a scenario to the experiments that it asks for, checked as a whole before anything runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/results.hpp"
#include "sim/scenario.hpp"

namespace linebounce {

inline constexpr std::uint64_t kDefaultSeed = 1;

/// One point of the sweep; with each seed it is one experiment.
struct Point {
  Parameters params;  ///< every key that was set, those that vary first
  std::shared_ptr<const Machine> machine;
  std::shared_ptr<const Topology> topology;
  std::string machine_file;                ///< its name or path,
  std::vector<MachineOverride> overrides;  ///< and what the point changes of it
  Experiment experiment;

  /// The experiment with this seed.
  Experiment with_seed(std::uint64_t seed) const;
};

struct Plan {
  std::string machine;                ///< name of the machine of the first point
  std::uint64_t seed = kDefaultSeed;  ///< base seed
  std::vector<std::uint64_t> seeds;
  std::vector<std::string> varied;  ///< keys of [[points]] and [vary], in file order
  std::vector<Point> points;        ///< rows outermost, then [vary] with its first key slowest
};

/// What a scenario may name. Filled from the registry of locks and lists.
struct KnownNames {
  struct Lock {
    std::string name;
    std::vector<std::string> variants;  ///< none: the lock has no variants
  };
  std::vector<Lock> locks;
  std::vector<std::string> list_variants;
};

/// Throws InputError: a name that does not exist, tasks that the machine has no room for, a missing key, …
/// `seed` is the base seed that was asked for, if one was; it replaces seeds that the scenario lists.
Plan make_plan(const Scenario& scenario, const KnownNames& names, std::optional<std::uint64_t> seed = {});

/// Hardware threads of tasks 0 … tasks-1, by policy:
///   same-node        cores of socket 0, one task a core, upwards; when they are used up, their second hardware threads
///   different-nodes  round-robin over the sockets, in each as same-node
///   compact          every hardware thread of core 0, then of core 1, …, socket after socket
/// Empty if the policy has no room for so many. Not for kExplicit.
std::vector<ThreadId> place(PlacementPolicy policy, const Machine& machine, std::int64_t tasks);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>

namespace linebounce {
namespace {

constexpr std::size_t kMostPoints = 100'000;

struct LoadedMachine {
  std::string file;
  std::shared_ptr<const Machine> machine;
  std::shared_ptr<const Topology> topology;
};

/// Machines by name and overrides: points share what they have in common.
class MachineCache {
 public:
  explicit MachineCache(const std::filesystem::path& directory) : directory_(directory) {}

  const LoadedMachine& get(const Settings& settings) {
    std::string key = settings.machine;
    for (const MachineOverride& o : settings.overrides) key += fmt::format("\n{}={}", o.key, o.value);
    const auto found = loaded_.find(key);
    if (found != loaded_.end()) return found->second;
    const std::string name =
        is_machine_file(settings.machine) ? (directory_ / settings.machine).string() : settings.machine;
    LoadedMachine entry;
    entry.file = name;
    try {
      entry.machine = std::make_shared<const Machine>(load_machine(name, settings.overrides));
      entry.topology = std::make_shared<const Topology>(*entry.machine);
    } catch (const std::invalid_argument& e) {
      throw InputError(fmt::format("{}: machine {}: {}", settings.where.at("machine"), settings.machine, e.what()));
    }
    return loaded_.emplace(std::move(key), std::move(entry)).first->second;
  }

 private:
  const std::filesystem::path& directory_;
  std::map<std::string, LoadedMachine> loaded_;
};

/// Where a key was set; where it ought to be if it was not.
const std::string& place_of(const Settings& s, std::string_view key, const std::string& otherwise) {
  const auto found = s.where.find(key);
  return found == s.where.end() ? otherwise : found->second;
}

void check_name(std::string_view what, const std::string& name, std::span<const std::string> known,
                const std::string& where) {
  if (std::ranges::find(known, name) != known.end()) return;
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  fail_input(where, fmt::format("{} '{}' does not exist", what, name), one_of(name, candidates));
}

void check_lock(const Scenario& scenario, const Settings& s, const KnownNames& names) {
  std::vector<std::string> locks;
  for (const KnownNames::Lock& lock : names.locks) locks.push_back(lock.name);
  if (s.workload.lock.empty()) {
    fail_input(scenario.workload_where, "no lock", fmt::format("lock = one of {}", fmt::join(locks, ", ")));
  }
  check_name("lock", s.workload.lock, locks, s.where.at("lock"));
  if (s.workload.variant.empty()) return;
  const auto& lock = *std::ranges::find(names.locks, s.workload.lock, &KnownNames::Lock::name);
  if (lock.variants.empty()) {
    fail_input(s.where.at("variant"), fmt::format("variant '{}'", s.workload.variant),
               fmt::format("none: {} has no variants", lock.name));
  }
  check_name(lock.name + " variant", s.workload.variant, lock.variants, s.where.at("variant"));
}

void check_list_variant(const Settings& s, const KnownNames& names) {
  if (s.workload.variant.empty()) return;
  check_name("list variant", s.workload.variant, names.list_variants, s.where.at("variant"));
}

void check_workload(const Scenario& scenario, const Settings& s, const KnownNames& names) {
  switch (s.workload.kind) {
    case WorkloadKind::kLockLoop:
    case WorkloadKind::kRwLoop: return check_lock(scenario, s, names);
    case WorkloadKind::kListChurn:
      check_list_variant(s, names);
      if (s.workload.lists > std::min(s.workload.producers, s.workload.consumers)) {
        fail_input(place_of(s, "lists", scenario.workload_where),
                   fmt::format("{} lists for {} producers and {} consumers", s.workload.lists, s.workload.producers,
                               s.workload.consumers),
                   "a producer and a consumer for every list");
      }
      return;
    case WorkloadKind::kLockMix:
      if (s.workload.locks.empty()) fail_input(scenario.workload_where, "no locks", "tables [[workload.locks]]");
      return check_lock(scenario, s, names);
    case WorkloadKind::kSembench: return check_list_variant(s, names);
    case WorkloadKind::kAtomicLoop:
      if (s.workload.op.empty()) fail_input(scenario.workload_where, "no op", "op = the operation that is repeated");
      return;
    case WorkloadKind::kPingPong:
    case WorkloadKind::kMessage: return;
  }
}

std::int64_t tasks_of(const Scenario& scenario, const Settings& s) {
  switch (s.workload.kind) {
    case WorkloadKind::kLockLoop:
    case WorkloadKind::kAtomicLoop:
    case WorkloadKind::kRwLoop:
    case WorkloadKind::kSembench:
    case WorkloadKind::kLockMix:
      if (s.tasks > 0) return s.tasks;
      if (s.placement == PlacementPolicy::kExplicit) return static_cast<std::int64_t>(s.explicit_placement.size());
      fail_input(scenario.run_where, "no tasks", "tasks = how many");
    case WorkloadKind::kListChurn: return s.workload.producers + s.workload.consumers;
    case WorkloadKind::kPingPong:
    case WorkloadKind::kMessage: return 2;
  }
  throw std::logic_error("a workload without a kind");
}

/// An explicit placement lists at least as many hardware threads as there are tasks; the first ones are used.
std::vector<ThreadId> place_explicitly(const Settings& s, const Machine& machine, std::int64_t tasks) {
  const std::string& where = s.where.at("placement");
  std::vector<ThreadId> placement;
  for (const std::int64_t thread : s.explicit_placement) {
    if (thread >= machine.threads()) {
      fail_input(
          where, fmt::format("hardware thread {}", thread),
          fmt::format("0 to {}: {} has {} hardware threads", machine.threads() - 1, machine.name, machine.threads()));
    }
    const ThreadId id{static_cast<std::uint32_t>(thread)};
    if (std::ranges::find(placement, id) != placement.end()) {
      fail_input(where, fmt::format("hardware thread {} is listed twice", thread),
                 "at most one task a hardware thread");
    }
    placement.push_back(id);
  }
  if (tasks > static_cast<std::int64_t>(placement.size())) {
    fail_input(where, fmt::format("{} hardware threads for {} tasks", placement.size(), tasks), "one for every task");
  }
  placement.resize(static_cast<std::size_t>(tasks));
  return placement;
}

std::vector<ThreadId> placement_of(const Scenario& scenario, const Settings& s, const Machine& machine) {
  const std::int64_t tasks = tasks_of(scenario, s);
  if (s.placement == PlacementPolicy::kExplicit) return place_explicitly(s, machine, tasks);
  std::vector<ThreadId> placement = place(s.placement, machine, tasks);
  if (placement.empty()) {
    const bool one_node = s.placement == PlacementPolicy::kSameNode;
    const std::string_view key = s.workload.kind == WorkloadKind::kListChurn ? "producers" : "tasks";
    fail_input(place_of(s, key, scenario.run_where), fmt::format("{} tasks", tasks),
               fmt::format("at most {}: so many hardware threads has {}{}",
                           one_node ? machine.threads() / machine.sockets : machine.threads(),
                           one_node ? "one socket of " : "", machine.name));
  }
  return placement;
}

Point make_point(const Scenario& scenario, const Settings& s, const KnownNames& names, MachineCache& machines) {
  check_workload(scenario, s, names);
  const LoadedMachine& loaded = machines.get(s);
  Point point;
  point.machine = loaded.machine;
  point.topology = loaded.topology;
  point.machine_file = loaded.file;
  point.overrides = s.overrides;
  Experiment& e = point.experiment;
  e.machine = loaded.machine.get();
  e.topology = loaded.topology.get();
  e.workload = s.workload;
  e.placement = placement_of(scenario, s, *loaded.machine);
  if (s.workload.home >= static_cast<std::uint32_t>(loaded.machine->sockets)) {
    fail_input(s.where.at("home"), fmt::format("home {}", s.workload.home),
               fmt::format("0 to {}: {} has {} sockets", loaded.machine->sockets - 1, loaded.machine->name,
                           loaded.machine->sockets));
  }
  e.length = s.length;
  if (s.length.iterations == 0 && s.length.cycles.count == 0) {
    fail_input(scenario.run_where, "no length", "iterations, cycles, or both");
  }
  e.start_skew = s.start_skew;
  e.jitter = s.jitter;
  e.system.limit = s.limit;
  try {
    check_experiment(e);
  } catch (const std::invalid_argument& bad) {
    throw InputError(fmt::format("{}: {}", scenario.workload_where, bad.what()));
  }
  return point;
}

/// Steps through every combination, the last axis fastest; false when all have been.
bool next_combination(std::vector<std::size_t>& at, std::span<const Axis* const> axes) {
  for (std::size_t i = axes.size(); i-- > 0;) {
    if (++at[i] < axes[i]->values.size()) return true;
    at[i] = 0;
  }
  return false;
}

void check_size(const Scenario& scenario) {
  const auto product = [](const std::vector<Axis>& axes) {
    std::size_t n = 1;
    for (const Axis& axis : axes) n = std::min(n * axis.values.size(), kMostPoints + 1);
    return n;
  };
  std::size_t rows = scenario.rows.empty() ? 1 : 0;
  for (const std::vector<Axis>& row : scenario.rows) rows += product(row);
  if (rows * product(scenario.vary) > kMostPoints) {
    fail_input(scenario.run_where, "too many points to run", fmt::format("at most {}", kMostPoints));
  }
}

std::vector<std::uint64_t> seeds_of(const Scenario& scenario, std::optional<std::uint64_t> asked) {
  if (!asked && !scenario.seeds.empty()) return scenario.seeds;
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i < scenario.seed_count; ++i) seeds.push_back(asked.value_or(kDefaultSeed) + i);
  return seeds;
}

std::vector<std::string> varied_keys(const Scenario& scenario) {
  std::vector<std::string> keys;
  const auto add = [&keys](const std::vector<Axis>& axes) {
    for (const Axis& axis : axes) {
      if (std::ranges::find(keys, axis.key) == keys.end()) keys.push_back(axis.key);
    }
  };
  for (const std::vector<Axis>& row : scenario.rows) add(row);
  add(scenario.vary);
  return keys;
}

}  // namespace

Experiment Point::with_seed(std::uint64_t seed) const {
  Experiment e = experiment;
  e.system.seed = seed;
  return e;
}

std::vector<ThreadId> place(PlacementPolicy policy, const Machine& machine, std::int64_t tasks) {
  const std::int64_t cores = machine.cores_per_socket;
  const std::int64_t threads = machine.threads_per_core;
  const std::int64_t sockets = policy == PlacementPolicy::kSameNode ? 1 : machine.sockets;
  if (tasks > sockets * cores * threads) return {};
  std::vector<ThreadId> placement;
  for (std::int64_t task = 0; task < tasks; ++task) {
    std::int64_t thread = task;
    if (policy != PlacementPolicy::kCompact) {
      const std::int64_t socket = task % sockets;
      const std::int64_t within = task / sockets;
      thread = (socket * cores + within % cores) * threads + within / cores;
    }
    placement.push_back({static_cast<std::uint32_t>(thread)});
  }
  return placement;
}

Plan make_plan(const Scenario& scenario, const KnownNames& names, std::optional<std::uint64_t> seed) {
  check_size(scenario);
  Plan plan;
  plan.seeds = seeds_of(scenario, seed);
  plan.seed = plan.seeds.front();
  plan.varied = varied_keys(scenario);
  MachineCache machines(scenario.directory);

  const std::vector<std::vector<Axis>> one_row(1);
  for (const std::vector<Axis>& row : scenario.rows.empty() ? one_row : scenario.rows) {
    std::vector<const Axis*> axes;
    axes.reserve(row.size() + scenario.vary.size());
    for (const Axis& axis : row) axes.push_back(&axis);
    for (const Axis& axis : scenario.vary) axes.push_back(&axis);
    std::vector<std::size_t> at(axes.size());
    do {
      Settings settings;
      settings.workload.kind = scenario.kind;
      Parameters fixed;
      for (const Axis& axis : scenario.fixed)
        fixed.emplace_back(axis.key, apply(settings, {axis.key, axis.values.front()}));
      Parameters params;
      for (std::size_t i = 0; i < axes.size(); ++i) {
        params.emplace_back(axes[i]->key, apply(settings, {axes[i]->key, axes[i]->values[at[i]]}));
      }
      Point point = make_point(scenario, settings, names, machines);
      for (auto& [key, value] : params) {
        if (key == "machine") value = point.machine->name;  // a path is nobody else's concern
      }
      for (auto& entry : fixed) {
        if (entry.first == "machine") continue;  // named beside the points
        if (std::ranges::find(params, entry.first, &Parameters::value_type::first) == params.end()) {
          params.push_back(std::move(entry));
        }
      }
      point.params = std::move(params);
      // Rows that differed in a key alone which the command line has set are one point now.
      if (std::ranges::find(plan.points, point.params, &Point::params) == plan.points.end()) {
        plan.points.push_back(std::move(point));
      }
    } while (next_combination(at, axes));
  }
  plan.machine = plan.points.front().machine->name;
  return plan;
}

}  // namespace linebounce

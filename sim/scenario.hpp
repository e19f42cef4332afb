// SPDX-License-Identifier: Apache-2.0
// Scenario files: a machine, a workload, how long to run it, and what to vary.
//
//   title = "Queue head takes the lock with a plain store"
//   question = "What does the plain store save?"      # optional, like description
//
//   [machine]                     # or: machine = "westmere-ex-4s"
//   name = "westmere-ex-4s"       # a shipped machine, or a file (with '/' or .toml) relative to this one
//   override.clock.core_mhz = 2260  # any number of the machine file
//
//   [workload]                    # kind and the keys that this kind has (scenario_parameters.cpp)
//   kind = "lock-loop"
//   lock = "qspinlock"
//
//   [run]
//   tasks = 4
//   placement = "same-node"       # "different-nodes", "compact", or a list of hardware threads: [0, 20, 40]
//   iterations = 1000             # measured operations per task; and/or cycles
//   warmup = 100
//   seeds = 10                    # 10 of them, from the base seed upwards; or a list
//
//   [[points]]                    # optional: rows of settings that belong together; a list gives several points
//   placement = "same-node"
//   tasks = [3, 4, 5, 6, 7, 8]
//   [[points]]
//   placement = "different-nodes"
//   tasks = [3, 4]
//
//   [vary]                        # optional: every combination, the first key slowest, within each row
//   variant = ["before", "after"]
//   "machine.core.pause" = [5, 10]
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sim/scenario_parameters.hpp"

namespace linebounce {

/// A key and the values that it takes, one after the other.
struct Axis {
  std::string key;
  std::vector<TomlValue> values;
};

/// A scenario file as written; make_plan (scenario_plan.hpp) checks every point that it expands to.
struct Scenario {
  std::string name;                 ///< of the file, without folder and ending
  std::filesystem::path directory;  ///< machine files are relative to it
  std::string title;
  std::string question;
  std::string description;
  WorkloadKind kind = WorkloadKind::kLockLoop;
  std::vector<Axis> fixed;              ///< one value each; "machine" and "machine.…" among them
  std::vector<std::vector<Axis>> rows;  ///< [[points]]
  std::vector<Axis> vary;
  std::vector<std::uint64_t> seeds;  ///< listed ones; else empty, and
  std::uint64_t seed_count = 1;      ///< this many from the base seed upwards
  std::string machine_where;         ///< for errors about what is missing
  std::string workload_where;
  std::string run_where;
};

/// Throws InputError for anything that is not as described above.
Scenario load_scenario(const std::filesystem::path& file);
/// The same for text in memory; `file` is for errors, for the name and for the place of machine files.
Scenario parse_scenario(std::string_view text, const std::filesystem::path& file);

/// Whether a machine is named by the path of its file.
inline bool is_machine_file(std::string_view machine) {
  return machine.find('/') != std::string_view::npos || machine.ends_with(".toml");
}

/// Replaces what the scenario says about a key: "tasks=5", "variant=before" (quotes may be left out), and with a list
/// "tasks=[3,4]" what it varies. "seeds=20" and "machine.core.pause=8" work too; the path of
/// a machine file is relative to the current folder. Throws InputError.
void override_scenario(Scenario& scenario, std::string_view key_equals_value);

}  // namespace linebounce

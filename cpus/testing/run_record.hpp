// SPDX-License-Identifier: Apache-2.0
// Runs one set of guest tasks under different options and compares everything that a run leaves behind.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/ledger.hpp"
#include "cpus/counters.hpp"
#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce::testing {

/// A machine of the project, loaded once.
const Machine& shipped(std::string_view name);
/// The graph of a shipped machine, built once; its caches and core costs may have been changed, its shape may not.
const Topology& topology_of(const Machine& machine);

/// What a task did, as it saw it: the value of each operation and the local time after it.
struct Sight {
  std::uint64_t value = 0;
  Cycles at;
  friend bool operator==(const Sight&, const Sight&) = default;
};

class Diary {
 public:
  void note(const SimCpu& cpu, std::uint64_t value = 0) { sights_.push_back({value, cpu.now()}); }
  const std::vector<Sight>& sights() const { return sights_; }

 private:
  std::vector<Sight> sights_;
};

/// Everything that two runs are compared by.
struct RunRecord {
  std::uint64_t digest = 0;
  std::uint64_t messages = 0;
  std::uint64_t operations = 0;
  Cycles window;
  std::vector<Account> accounts;         ///< by hardware thread
  std::vector<ThreadCounters> counters;  ///< by hardware thread
  MachineCounters machine;
  std::vector<Diary> diaries;        ///< by task
  std::vector<std::uint64_t> peeks;  ///< of what the tasks wanted to be looked at
};

/// Tasks to run: allocates memory in the system and spawns the tasks, which write their diaries.
class Plan {
 public:
  using Body = std::function<void(SimCpu&, Diary&)>;

  explicit Plan(System& system) : system_(system) {}

  System& system() { return system_; }
  void task(ThreadId thread, Body body) { tasks_.push_back({thread, std::move(body)}); }
  /// The window stays shut until a task opens it; otherwise everything counts from cycle 0.
  void leave_the_window_to_the_tasks() { opens_window_ = false; }
  void peek_after(Address address, unsigned bytes) { peeks_.push_back({address, bytes}); }

 private:
  friend RunRecord run(const Machine& machine, const SystemOptions& options, const std::function<void(Plan&)>& make);
  struct Task {
    ThreadId thread;
    Body body;
  };
  struct Peek {
    Address address;
    unsigned bytes;
  };

  System& system_;
  std::vector<Task> tasks_;
  std::vector<Peek> peeks_;
  bool opens_window_ = true;
};

/// One run.
RunRecord run(const Machine& machine, const SystemOptions& options, const std::function<void(Plan&)>& make);

/// Where two runs differ, in words; empty if they do not.
std::string difference(const RunRecord& a, const RunRecord& b);

/// An option that may not change anything.
struct Variation {
  std::string_view name;
  void (*apply)(SystemOptions&);
};

inline constexpr Variation kVariations[] = {
    {"repeated", [](SystemOptions&) {}},
    {"without run-ahead", [](SystemOptions& o) { o.run_ahead = false; }},
    {"every poll simulated", [](SystemOptions& o) { o.step_polls = true; }},
    {"every poll simulated, without run-ahead", [](SystemOptions& o) { o.step_polls = true, o.run_ahead = false; }},
    {"one idle observer", [](SystemOptions& o) { o.idle_observers = 1; }},
    {"five idle observers, without run-ahead", [](SystemOptions& o) { o.idle_observers = 5, o.run_ahead = false; }},
    {"built in reverse", [](SystemOptions& o) { o.reverse_construction = true; }},
    {"built in reverse, observed, every poll simulated",
     [](SystemOptions& o) { o.reverse_construction = true, o.idle_observers = 2, o.step_polls = true; }},
};

/// Runs the plan plainly and under every variation; the first difference in words, empty if there is none.
std::string compare_variations(const Machine& machine, const SystemOptions& options,
                               const std::function<void(Plan&)>& make);

}  // namespace linebounce::testing

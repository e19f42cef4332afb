// SPDX-License-Identifier: Apache-2.0
// A whole simulated machine: build it, give it memory and guest tasks, run it, read what happened.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/ledger.hpp"
#include "coherence/rows_fired.hpp"
#include "cpus/counters.hpp"
#include "cpus/guest_memory.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Observer;
class SimCpu;

/// The simulated machine stopped making sense (an invariant broke, or everybody waits for somebody): exit code 4.
/// what() is the whole dump: who waits for whom, every open transaction.
class BrokenModel : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The run reached its cycle limit before its tasks ended: exit code 5.
class LimitReached : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SystemOptions {
  std::uint64_t seed = 1;
  Cycles limit{2'000'000'000};  ///< a run longer than this ends with LimitReached
  Cycles patience{0};           ///< that long without progress() is a livelock and ends with BrokenModel; 0: never
  bool run_ahead = true;        ///< undisturbed hits cost no context switch; same results either way
  bool step_polls = false;      ///< simulate every iteration of every spin loop; same results either way
  int idle_observers = 0;       ///< extra SystemC processes that only watch; same results either way
  bool reverse_construction = false;  ///< build and start everything in the opposite order; same results either way
  Observer* observer = nullptr;       ///< watches the run and must live as long; same results either way
};

/// One machine for one run. Only one System may exist at a time in a process (SystemC's simulation context is global).
class System {
 public:
  System(const Machine& machine, const Topology& topology, const SystemOptions& options = {});
  ~System();
  System(const System&) = delete;
  System& operator=(const System&) = delete;

  /// Zeroed guest memory, aligned to a line and on lines of its own, homed at socket `home` modulo the number of sockets.
  Address allocate(std::string_view name, std::uint64_t bytes, std::uint32_t home);
  /// "lock+0x4" for an address inside a named object, else the hexadecimal address.
  std::string describe(Address address) const;
  /// Everything that was allocated, in that order.
  const std::vector<MemoryObject>& objects() const;

  /// Pins a task to a hardware thread; at most one task a thread. The body runs inside run().
  void spawn(ThreadId thread, std::string_view name, std::function<void(SimCpu&)> body);

  /// Runs until every task has returned and every message and write has settled.
  /// Throws BrokenModel, LimitReached, or what a task's body threw.
  void run();

  /// A thread's task has achieved something at its local time `at`; see SystemOptions::patience.
  void progress(ThreadId thread, Cycles at);

  /// The measured window: what is counted are the cycles from `open` to `close`, and the operations and messages that
  /// end in (open, close]. Callable from a task (at its own local time) or outside run(). Until it is opened nothing
  /// counts; it closes at the end of the run at the latest. A window may be told to close more than once; the earliest
  /// cycle counts.
  void open_window(Cycles at);
  void close_window(Cycles at);
  Cycles window_length() const;
  Cycles window_opened() const;

  /// Accounts and counters of the window. Each account's total() equals window_length(); checked.
  const Account& account(ThreadId thread) const;
  const ThreadCounters& counters(ThreadId thread) const;
  const MachineCounters& machine_counters() const;

  /// The value that a load would return once the run has settled.
  std::uint64_t peek(Address address, unsigned bytes) const;
  /// A hash over every message delivered and every operation completed, with their cycles: equal runs, equal digests.
  std::uint64_t digest() const;
  /// Messages delivered and operations completed since construction (not only in the window); for benchmarks.
  std::uint64_t messages_delivered() const;
  std::uint64_t operations_completed() const;
  /// How often the rows of the protocol's tables have fired, likewise.
  RowsFired rows_fired() const;

  const Machine& machine() const;
  const Topology& topology() const;

 private:
  friend class SimCpu;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace linebounce

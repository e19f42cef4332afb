// SPDX-License-Identifier: Apache-2.0
// One experiment: one machine, one workload with every parameter fixed, one seed. In goes plain data, out come integers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coherence/ledger.hpp"
#include "cpus/counters.hpp"
#include "cpus/system.hpp"
#include "sim/workloads/mixed_lock.hpp"
#include "sim/workloads/wake_events.hpp"
#include "topologies/machine.hpp"
#include "topologies/topology.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

enum class WorkloadKind : std::uint8_t {
  kLockLoop,
  kListChurn,
  kAtomicLoop,
  kRwLoop,
  kPingPong,
  kMessage,
  kSembench,
  kLockMix
};
enum class DataLayout : std::uint8_t {
  kStandalone,
  kEmbedded
};  ///< protected data in lines of its own, or in the lock's line
enum class Consume : std::uint8_t { kDelAll, kDelFirst };
enum class LineSharing : std::uint8_t { kOneLine, kOneLineEach };

/// Every parameter of every workload; the scenario loader lets a workload set only its own (sim/scenario.hpp has the table).
struct Workload {
  WorkloadKind kind = WorkloadKind::kLockLoop;

  std::string lock;  ///< lock-loop, rw-loop, lock-mix: "qspinlock", "ticket", "mcs", "clh", "qrwlock", "tas", "ttas", …
  std::string variant;  ///< of the lock ("before", "after", "q1" … "q5") or list ("s0" … "s3"); empty: its newest
  DataLayout layout = DataLayout::kStandalone;  ///< lock-loop, rw-loop
  int words = 1;  ///< lock-loop, rw-loop: contiguous 8-byte words updated (read, for a reader) in the critical section
  Cycles critical_section{0};  ///< extra work in the critical section
  Cycles local_work{0};        ///< work between operations, outside any lock

  int producers = 1;                   ///< list-churn; tasks = producers + consumers
  int consumers = 1;                   ///< list-churn
  int lists = 1;                       ///< list-churn: producer p and consumer c use lists p % lists and c % lists
  Consume consume = Consume::kDelAll;  ///< list-churn

  std::string
      op;  ///< atomic-loop: "load", "store", "xchg", "xadd", "cmpxchg", "cmpxchg-alternate", "cmpxchg-loop", "test-and-set"
  bool retry_pause = false;                     ///< atomic-loop cmpxchg-loop: PAUSE after a failed cmpxchg
  int pauses = 0;                               ///< atomic-loop: PAUSEs between operations
  LineSharing sharing = LineSharing::kOneLine;  ///< atomic-loop

  int write_percent = 0;  ///< rw-loop: share of write-side operations

  int message_lines = 1;    ///< message: 1 = flag and value in one line, 2 = in two
  bool round_trip = false;  ///< message: the receiver answers; one operation is there and back

  bool relax = true;  ///< lock-loop, rw-loop, lock-mix, message: waiting loops have a PAUSE (cpu_relax) in them

  std::vector<MixedLock> locks;  ///< lock-mix

  // sembench; cycles that are not memory operations, each a guess (the table of parameters says of what)
  int workers = 2048;
  int max_wake = 256;
  Cycles scan{10};
  Cycles semop{600};
  Cycles wake{300};
  Cycles ipi_send{150};
  Cycles ipi_latency{600};
  Cycles interrupt{700};
  Cycles activate{250};
  Cycles context_switch{1000};

  std::uint32_t home = 0;  ///< socket that homes the shared objects
};

/// How long to run. The window opens when every task has done `warmup` operations (or, where tasks starve, once those
/// that have done theirs have done ten times as many more as all warm-ups together) and closes when the tasks together
/// have done `iterations` per task, or after `cycles` if that is not 0 and comes first; with `iterations` 0, `cycles`
/// decides alone. Only tasks whose operations count are meant (a list's producers, sembench's processors with workers, a
/// message's receiver or, for round trips, its sender). Every task then finishes what it is doing and ends.
struct Length {
  std::int64_t warmup = 0;
  std::int64_t iterations = 0;
  Cycles cycles{0};
};

struct Experiment {
  const Machine* machine = nullptr;
  const Topology* topology = nullptr;
  Workload workload;
  std::vector<ThreadId> placement;  ///< hardware thread of each task
  Length length;
  Cycles start_skew{200};  ///< each task starts up to this much later, drawn from (seed, task)
  Cycles jitter{3};        ///< local work varies by 0 … jitter cycles, drawn from (seed, task, iteration)
  SystemOptions system;    ///< seed, cycle limit, …
};

/// What one run measured, inside the window if nothing else is said.
struct RunResult {
  Cycles window;
  std::vector<std::uint64_t> operations;  ///< completed, by task; what one operation is, sim/workloads/ defines
  std::vector<bool> counting;             ///< by task: false if it only serves others and completes none
  std::vector<ThreadCounters> counters;   ///< by task
  std::vector<Account> accounts;          ///< by task; each sums to `window`
  MachineCounters machine;
  WakeCounts wakes;  ///< sembench only
  std::uint64_t digest = 0;
  RowsFired rows;  ///< of the whole run
};

/// Throws std::invalid_argument if the experiment cannot be run as it stands: a lock, variant or operation that does not
/// exist (the message names those that do), a number of tasks that the workload does not allow, …
void check_experiment(const Experiment& experiment);

/// Checks it and runs it. Asserts the algorithm's own invariants (mutual exclusion, nothing lost, FIFO where promised, lock word
/// clean at the end). Throws BrokenModel, LimitReached, and what check_experiment throws.
RunResult run_experiment(const Experiment& experiment);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// sembench's guest memory: what the waker and the processors that it wakes workers on share, and where it lies.
//
//   worker[i]      user space, one line: data, ready, burns                    waker's socket (the array is the waker's)
//   semaphores[s]  kernel, a set of 250: value, who waits; 24 bytes each       waker's socket (it creates the sets)
//   sem_lock[s]    kernel, the set's ticket lock                               waker's socket
//   waiter[i]      kernel stack of the sleeper: how its semop ended            worker's socket
//   task[i]        kernel, two lines of the task: state, off_rq, on_cpu | wake-list link, lock    worker's socket
//   rq[c]          kernel, the processor's run-queue lock (ticket)             its socket
//   wake_list[c]   kernel, head of the processor's wake list (llist)           its socket
//   apic[c]        the interrupt message on its way: when it arrives           its socket
//
// An interrupt is no memory in reality. The waker's store to apic[c] leaves its store buffer when it owns the line, and its
// next LOCKed operation waits for that, so the line's way is part of what an interrupt costs it.
//
// Which fields share a line is a guess, but for the semaphores, which lie one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "cpus/system.hpp"
#include "locks/llist.hpp"
#include "locks/lock.hpp"
#include "locks/ticket.hpp"

namespace linebounce {

/// A worker is running or ready to run, asleep, or on its way to a wake list.
enum class WorkerState : std::uint32_t { kRunning, kAsleep, kWaking };
/// How a sleeper's semop ended: not yet; about to (the waker has not finished with it); done.
enum class SemopStatus : std::uint32_t { kWaiting, kInWakeup, kDone };

/// The addresses that belong to one worker.
struct WorkerMemory {
  Address user, semaphore, waiter, task;

  Address data() const { return user; }
  Address ready() const { return user + 8; }
  Address burns() const { return user + 16; }
  Address semaphore_value() const { return semaphore; }
  Address pending() const { return semaphore + 8; }  ///< who waits: its waiter, or null
  Address status() const { return waiter; }
  Address state() const { return task; }
  Address off_rq() const { return task + 4; }  ///< 0: on the run queue
  Address on_cpu() const { return task + 8; }
  Address link() const { return task + kLineBytes; }
  Address lock() const { return task + kLineBytes + 8; }
};

/// Memory for one object that has its place already.
struct PlacedAt {
  Address address;
  Address allocate(const char*, std::uint64_t, std::uint32_t) const { return address; }
};

template <LlistState S>
class SembenchMemory {
 public:
  static constexpr int kSetSize = 250;  ///< sembench's source: semaphores in a set

  /// `cpu_homes`: home socket of each processor that has workers; worker i is pinned to processor i % their number.
  template <Memory M>
  SembenchMemory(M& memory, int count, const std::vector<std::uint32_t>& cpu_homes, std::uint32_t home)
      : cpu_homes_(cpu_homes) {
    for (std::size_t c = 0; c < cpu_homes.size(); ++c) {
      const std::string number = "[" + std::to_string(c) + "]";
      run_queues.push_back(ticket(memory, "rq" + number, cpu_homes[c]));
      wake_lists.emplace_back(memory, ("wake_list" + number).c_str(), cpu_homes[c]);
      apics.push_back(memory.allocate(("apic" + number).c_str(), kLineBytes, cpu_homes[c]));
    }
    for (int i = 0; i < count; ++i) add_worker(memory, i, home);
  }

  int cpus() const { return static_cast<int>(cpu_homes_.size()); }
  int cpu_of(int worker) const { return worker % cpus(); }
  static int set_of(int worker) { return worker / kSetSize; }

  /// Whose wake-list link this is. Throws BrokenModel if it is nobody's.
  int worker_of(Address link) const {
    const auto found = by_link_.find(link.value);
    if (found == by_link_.end()) throw BrokenModel("sembench: a wake list gave out an address that is no worker");
    return found->second;
  }

  std::vector<WorkerMemory> workers;
  std::vector<TicketLock> worker_locks;  ///< pi_lock
  std::vector<TicketLock> set_locks;
  std::vector<TicketLock> run_queues;
  std::vector<Llist<S>> wake_lists;
  std::vector<Address> apics;

 private:
  static constexpr std::uint64_t kSemaphoreBytes = 24;

  template <Memory M>
  TicketLock ticket(M& memory, const std::string& name, std::uint32_t home) const {
    LockPlan plan{.cpu_homes = cpu_homes_, .home = home, .name = name};
    plan.cpu_homes.push_back(home);  // the waker's
    return {memory, plan};
  }

  template <Memory M>
  void add_worker(M& memory, int i, std::uint32_t home) {
    const int within = i % kSetSize;
    if (within == 0) {
      const std::string number = "[" + std::to_string(set_of(i)) + "]";
      set_ = memory.allocate(("semaphores" + number).c_str(), kSetSize * kSemaphoreBytes, home);
      set_locks.push_back(ticket(memory, "sem_lock" + number, home));
    }
    const std::string number = "[" + std::to_string(i) + "]";
    const std::uint32_t own = cpu_homes_[static_cast<std::size_t>(cpu_of(i))];
    WorkerMemory worker;
    worker.user = memory.allocate(("worker" + number).c_str(), kLineBytes, home);
    worker.semaphore = set_ + static_cast<std::uint64_t>(within) * kSemaphoreBytes;
    worker.waiter = memory.allocate(("waiter" + number).c_str(), kLineBytes, own);
    worker.task = memory.allocate(("task" + number).c_str(), 2 * kLineBytes, own);
    PlacedAt lock{worker.lock()};
    worker_locks.push_back(ticket(lock, "", own));
    by_link_.emplace(worker.link().value, i);
    workers.push_back(worker);
  }

  std::vector<std::uint32_t> cpu_homes_;
  Address set_;
  std::unordered_map<std::uint64_t, int> by_link_;  ///< for look-ups only
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// One core: how its hardware threads' operations meet the store buffer and the private cache, and what each costs.
//
// A thread has one operation at a time. It starts at the thread's local time, goes through stages (waiting for a line,
// for the store buffer to drain, spinning, …) and completes at a known cycle, at which the guest goes on.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "coherence/memory_system.hpp"
#include "cpus/account_book.hpp"
#include "cpus/observer.hpp"
#include "cpus/operation.hpp"
#include "cpus/sim_cpu.hpp"
#include "cpus/store_buffer.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// What the guest asks for.
struct Operation {
  OpKind kind = OpKind::kLoad;
  LockedKind locked = LockedKind::kCmpxchg;
  bool relaxed = true;  ///< spin loop: with a PAUSE in every round
  Address address;
  unsigned bytes = 0;
  std::uint64_t expected = 0;
  std::uint64_t operand = 0;  ///< value, increment, bit mask, or cycles of work
  PredicateRef predicate{};
};

/// What a core needs from the machine around it.
class CoreHost {
 public:
  virtual ~CoreHost() = default;
  virtual Cycles now() const = 0;
  virtual void push(const Event& event) = 0;
  /// The earliest cycle at which anything outside the core could reach it; nothing before it can.
  virtual Cycles horizon(CoreId core) = 0;
  /// Lets the guest of a thread go on.
  virtual void resume(ThreadId thread) = 0;
  /// Called by a guest: gives control away until resume().
  virtual void block(ThreadId thread) = 0;
  /// No operation may begin later.
  virtual Cycles limit() const = 0;
  /// An operation would begin after the limit. Does not return.
  [[noreturn]] virtual void beyond_limit(Cycles at) = 0;
};

class Core {
 public:
  Core(const Machine& machine, CoreId id, MemorySystem& memory, Ledger& ledger, CoreHost& host, const Window& window,
       bool run_ahead, bool step_polls, Observer* observer);

  // The guest's side: runs in the guest's own process.
  std::uint64_t execute(ThreadId thread, const Operation& operation);
  Phase set_phase(ThreadId thread, Phase phase);
  Cycles local_time(ThreadId thread) const { return of(thread).local; }

  // The machine's side.
  void task_begins(ThreadId thread) { of(thread).has_task = true; }
  /// The guest's first step, at cycle 0.
  void begin_task(ThreadId thread) { post(of(thread), Cycles{}, Stage::kDone); }
  /// Called by the guest, at the thread's local time.
  void task_ends(ThreadId thread);
  void issue_event(ThreadId thread, std::uint32_t generation);
  /// Whether an issue event of that generation still means something.
  bool awaits(ThreadId thread, std::uint32_t generation) const { return of(thread).generation == generation; }
  void drain_event(ThreadId thread);
  void release_event(ThreadId thread);
  void cache_changed(LineAddress line, OpId by);
  void line_replaced(LineAddress line);

  AccountBook& book(ThreadId thread) { return of(thread).book; }
  std::uint64_t operations() const { return threads_[0].operations + threads_[1].operations; }
  std::uint64_t digest() const { return threads_[0].digest * 31 + threads_[1].digest; }
  /// What a thread's task waits for, in words; empty if it has none or runs.
  std::string waits_for(ThreadId thread, const std::string& object) const;
  Address waits_at(ThreadId thread) const { return of(thread).op.address; }

 private:
  enum class Stage : std::uint8_t {
    kStart,
    kRoom,
    kForward,
    kDrain,
    kLine,
    kSpin,
    kLoadAgain,
    kCompute,
    kExecute,
    kDone
  };

  /// Whether a spin loop's line is in the core's caches.
  enum class Polled : std::uint8_t { kHere, kGone };

  /// Where a load's value came from, and how long after the load that was.
  struct Service {
    Category category;
    Cycles latency;
  };

  struct Thread {
    explicit Thread(const Window& window, const CoreCosts& costs) : book(window, costs) {}
    ThreadId id;
    unsigned index = 0;
    bool has_task = false;
    Stage stage = Stage::kDone;
    Phase phase = Phase::kNone;
    Cycles local;
    bool in_guest = false;  ///< the guest itself is executing the operation
    Operation op;
    OpId op_id;
    std::uint32_t ledger = 0;
    std::uint64_t result = 0;
    ThreadCounters tally;
    std::uint32_t generation = 0;  ///< of its issue event; older ones mean nothing
    // spin loop
    std::uint32_t failed_tests = 0;
    Cycles spin_base;  ///< the next load of the loop
    std::uint64_t spin_value = 0;
    // beside a sibling
    bool executing = false;       ///< takes issue slots: register work, or a spin loop without PAUSE
    std::int64_t half_slots = 0;  ///< register work left; two a cycle alone, one beside an executing sibling
    Cycles computed_until;
    // store buffer
    StoreBuffer stores;
    Cycles last_commit;
    OpId last_store;           ///< the one that left last
    bool drain_waits = false;  ///< the head's line is not here
    OpId awaited_store;        ///< the one that a load overlaps but cannot forward from
    AccountBook book;
    std::uint64_t serial = 0;
    std::uint64_t operations = 0;
    std::uint64_t digest = 0;
    // spin loop without PAUSE
    Cycles newest_retires;   ///< the newest load that has read the line
    Cycles overtaken_until;  ///< through this cycle the load before it has not retired: the newest is ahead of it
  };

  Thread& of(ThreadId thread) { return threads_[thread.value % static_cast<std::uint32_t>(machine_.threads_per_core)]; }
  const Thread& of(ThreadId thread) const { return const_cast<Core*>(this)->of(thread); }
  Thread& sibling(const Thread& t) { return threads_[1 - t.index]; }
  /// Nothing of the sibling's can reach the cache any more: its task has ended and its stores have left.
  bool alone(const Thread& t) { return !sibling(t).has_task && sibling(t).stores.empty(); }

  // core.cpp: the life of an operation
  bool undisturbed(Thread& t);
  bool private_until(Thread& t, Cycles end);
  void start(Thread& t, Cycles now);
  void complete(Thread& t, Cycles at);
  void post(Thread& t, Cycles at, Stage stage);
  void retry(Thread& t, Cycles now, OpId by);
  void close(Thread& t, Cycles begin, Cycles end, std::span<const Segment> segments);

  // core_loads.cpp: loads
  PrivateCache::Answer ask(Thread& t, PrivateCache::Event wish, LineAddress line, OpId op, std::uint32_t ledger,
                           Cycles now);
  bool touch_l1(Thread& t, LineAddress line);
  void load(Thread& t, Cycles now);
  std::uint64_t read_line(Thread& t);

  // core_spin.cpp: spin loops
  void have_value(Thread& t, std::uint64_t value, Cycles now, const Service& service);
  void pause_and_spin(Thread& t, std::uint64_t value, Cycles at);
  void spin_ahead(Thread& t, std::uint64_t value, Cycles now, const Service& service);
  void next_round(Thread& t, std::uint64_t value, Cycles at);
  /// The thread is between two rounds of a spin loop on the line (or about to repeat a load).
  static bool between_rounds(const Thread& t, LineAddress line) {
    return (t.stage == Stage::kSpin || t.stage == Stage::kLoadAgain) && line_of(t.op.address) == line;
  }
  Polled check_spin(Thread& t, Cycles at, bool its_load_came_first);
  void clear_if_overtaken(Thread& t, Cycles at, OpId by);
  void spin_beside(Thread& t, Cycles now) {
    if (Thread& other = sibling(t); other.stage == Stage::kSpin) catch_up_spin(other, t, now);
  }
  void catch_up_spin(Thread& other, const Thread& t, Cycles now);
  void spin_until(Thread& t, std::int64_t rounds, bool here);
  static std::int64_t rounds_before(Cycles base, Cycles period, Cycles at, bool its_load_came_first);
  Cycles test_time(const Thread& t);
  Cycles round_time(const Thread& t);

  // core_stores.cpp: stores, LOCKed operations, fences
  void store(Thread& t, Cycles now);
  void drain(Thread& t, Cycles now, OpId by);
  void ask_ahead(Thread& t, Cycles now, OpId by);
  void tell_committed(const Thread& t, const BufferedStore& store, Cycles end, std::span<const Segment> segments);
  void store_left(Thread& t, OpId store, Cycles now);
  void wait_for_drain(Thread& t, Cycles now);
  void drained(Thread& t, Cycles now);
  void own_line(Thread& t, Cycles now);
  bool held_by_sibling(const Thread& t, LineAddress line);
  void execute_locked(Thread& t, Cycles now, bool filled);
  void written(LineAddress line, const Thread& by, OpId op, Cycles now);
  std::size_t capacity(const Thread& t);

  // core_smt.cpp: issue slots beside a sibling
  void compute(Thread& t, Cycles now);
  void computed(Thread& t, Cycles now);
  void set_executing(Thread& t, bool executing, Cycles now);
  void stop_executing(Thread& t, Cycles now) {
    if (t.executing) set_executing(t, false, now);
  }
  int rate(const Thread& t);

  const Machine& machine_;
  const CoreCosts& costs_;
  CoreId id_;
  MemorySystem& memory_;
  PrivateCache& cache_;
  Ledger& ledger_;
  CoreHost& host_;
  std::array<Thread, 2> threads_;
  bool run_ahead_;
  bool step_polls_;
  Observer* observer_;        ///< nullptr: nobody watches
  bool served_both_ = false;  ///< the sibling has had its turn with the line that came last
  bool issuing_ = false;      ///< the step of the cycle in hand is kIssue (of which thread, the caller knows)
};

}  // namespace linebounce

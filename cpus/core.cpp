// SPDX-License-Identifier: Apache-2.0
#include "cpus/core.hpp"

#include <fmt/format.h>

#include "cpus/system.hpp"

namespace linebounce {

namespace {

std::uint64_t mix(std::uint64_t digest, std::uint64_t value) {
  return (digest ^ value) * 0x100000001b3U + (digest >> 31);
}

}  // namespace

Core::Core(const Machine& machine, CoreId id, MemorySystem& memory, Ledger& ledger, CoreHost& host,
           const Window& window, bool run_ahead, bool step_polls, Observer* observer)
    : machine_(machine),
      costs_(machine.core),
      id_(id),
      memory_(memory),
      cache_(memory.cache(id)),
      ledger_(ledger),
      host_(host),
      threads_{Thread{window, machine.core}, Thread{window, machine.core}},
      run_ahead_(run_ahead),
      step_polls_(step_polls),
      observer_(observer) {
  for (unsigned i = 0; i < 2; ++i) {
    threads_[i].index = i;
    threads_[i].id = ThreadId{id.value * static_cast<std::uint32_t>(machine.threads_per_core) + i};
  }
}

/// Whether nothing from outside or from the sibling can reach the core before `end`.
bool Core::private_until(Thread& t, Cycles end) { return run_ahead_ && alone(t) && end <= host_.horizon(id_); }

/// Whether the operation, started at the thread's local time, only touches what nobody else can touch meanwhile.
bool Core::undisturbed(Thread& t) {
  if (!t.stores.empty() || !private_until(t, t.local + Cycles{1})) return false;
  const LineAddress line = line_of(t.op.address);
  switch (t.op.kind) {
    case OpKind::kLoad:
    case OpKind::kPoll:
    case OpKind::kPrefetchw: return cache_.would_hit(PrivateCache::Event::kLoad, line);
    case OpKind::kStore:
      return cache_.would_hit(PrivateCache::Event::kOwn, line) &&
             private_until(t, t.local + costs_.store_commit + Cycles{1});
    case OpKind::kLocked:
      return cache_.would_hit(PrivateCache::Event::kOwn, line) &&
             private_until(t, t.local + costs_.cmpxchg + costs_.xchg + costs_.l2_load);
    case OpKind::kFence: return true;
    case OpKind::kPause:
    case OpKind::kCompute:
    case OpKind::kSynchronise: return false;
  }
  return false;
}

std::uint64_t Core::execute(ThreadId thread, const Operation& operation) {
  Thread& t = of(thread);
  if (t.local > host_.limit()) host_.beyond_limit(t.local);
  t.op = operation;
  t.op_id = {std::uint64_t{thread.value + 1} << 40 | ++t.serial};
  t.tally = {};
  t.result = 0;
  if (t.op.kind == OpKind::kPause || (t.op.kind == OpKind::kCompute && alone(t))) {
    const bool pause = t.op.kind == OpKind::kPause;
    const Cycles end = t.local + (pause ? costs_.pause : Cycles{static_cast<std::int64_t>(t.op.operand)});
    if (pause) t.tally.pauses = 1;
    const Segment segment{pause ? Category::kPause : Category::kCompute, end, {}};
    close(t, t.local, end, {&segment, 1});
    t.local = end;
    ++t.operations;
    return 0;
  }
  t.ledger = ledger_.open(t.op_id, t.local);
  issuing_ = true;
  t.in_guest = true;
  if (t.local == host_.now() || undisturbed(t)) {
    start(t, t.local);
  } else {
    post(t, t.local, Stage::kStart);
  }
  t.in_guest = false;
  if (t.stage == Stage::kDone) {
    if (private_until(t, t.local + Cycles{1})) return t.result;
    post(t, t.local, Stage::kDone);
  }
  host_.block(thread);
  return t.result;
}

/// A sibling shares the core with the task up to the task's own time, which a PAUSE may have let run ahead.
void Core::task_ends(ThreadId thread) {
  Thread& t = of(thread);
  if (t.local > host_.now() && sibling(t).has_task) {
    post(t, t.local, Stage::kDone);
    host_.block(thread);
  }
  t.has_task = false;
}

Phase Core::set_phase(ThreadId thread, Phase phase) {
  Thread& t = of(thread);
  const Phase before = t.phase;
  t.phase = phase;
  if (observer_ != nullptr) observer_->phase_entered(thread, phase, t.local);
  return before;
}

void Core::start(Thread& t, Cycles now) {
  memory_.set_now(now);
  switch (t.op.kind) {
    case OpKind::kLoad: load(t, now); break;
    case OpKind::kPoll:
      t.failed_tests = 0;
      t.newest_retires = t.overtaken_until = {};
      load(t, now);
      break;
    case OpKind::kStore: store(t, now); break;
    case OpKind::kLocked:
    case OpKind::kFence: wait_for_drain(t, now); break;
    case OpKind::kCompute: compute(t, now); break;
    case OpKind::kPrefetchw:
      // Without 3DNOWPREFETCH (Westmere, Ivy Bridge) the kernel's prefetchw is PREFETCHT0: a read.
      if (ask(t, PrivateCache::Event::kLoad, line_of(t.op.address), t.op_id, 0, now) != PrivateCache::Answer::kWait) {
        touch_l1(t, line_of(t.op.address));
      }
      ledger_.charge(t.ledger, Category::kIssue, now + costs_.issue);
      complete(t, now + costs_.issue);
      break;
    case OpKind::kSynchronise: complete(t, now); break;
    case OpKind::kPause: break;
  }
}

/// The operation ends at `at`; its ledger closes and the guest goes on there.
void Core::complete(Thread& t, Cycles at) {
  if (ledger_.charged_until(t.ledger) != at) {
    throw BrokenModel(fmt::format("thread {}: the ledger of a {} ends at {}, the operation at {}", t.id.value,
                                  name_of(t.op.kind), ledger_.charged_until(t.ledger).count, at.count));
  }
  close(t, ledger_.begin(t.ledger), at, ledger_.segments(t.ledger));
  ledger_.close(t.ledger);
  t.digest =
      mix(mix(t.digest, static_cast<std::uint64_t>(at.count)), t.result << 4 | static_cast<std::uint64_t>(t.op.kind));
  ++t.operations;
  t.local = at;
  t.stage = Stage::kDone;
  if (!t.in_guest) post(t, at, Stage::kDone);
}

/// An operation has closed: its time goes to the thread's account, and to whoever watches.
void Core::close(Thread& t, Cycles begin, Cycles end, std::span<const Segment> segments) {
  t.book.record(t.phase, begin, segments, t.tally, host_.now());
  if (observer_ == nullptr) return;
  const std::uint64_t value = t.op.kind == OpKind::kStore ? t.op.operand : t.result;
  observer_->operation_closed({t.op_id, t.id, t.op.kind, t.op.locked, t.tally.failed_cmpxchgs != 0, t.phase,
                               t.op.address, t.op.bytes, value, begin, end, segments});
}

/// The thread's next stage begins at `at`.
void Core::post(Thread& t, Cycles at, Stage stage) {
  t.stage = stage;
  ++t.generation;
  host_.push({at, Step::kIssue, t.id.value, t.generation, t.generation});
}

void Core::issue_event(ThreadId thread, std::uint32_t generation) {
  Thread& t = of(thread);
  if (!awaits(thread, generation)) return;
  issuing_ = true;
  const Cycles now = host_.now();
  memory_.set_now(now);
  switch (t.stage) {
    case Stage::kStart: start(t, now); break;
    case Stage::kLoadAgain: load(t, now); break;
    case Stage::kCompute: computed(t, now); break;
    case Stage::kDone: host_.resume(thread); break;
    case Stage::kRoom:
    case Stage::kForward:
    case Stage::kDrain:
    case Stage::kLine:
    case Stage::kSpin:
    case Stage::kExecute: break;
  }
}

void Core::cache_changed(LineAddress line, OpId by) {
  issuing_ = false;
  const Cycles now = host_.now();
  bool taken = false;
  for (Thread& t : threads_) {
    if (between_rounds(t, line)) taken = check_spin(t, now, false) == Polled::kGone || taken;
  }
  for (Thread& t : threads_) {
    if (taken && between_rounds(t, line)) clear_if_overtaken(t, now, by);
  }
  // Who waited for this very line comes first: a wish for another line could push it out again before it has served.
  // Of two threads the one that asked for it.
  const bool second_asked = threads_[1].op_id == by || (threads_[1].drain_waits && threads_[1].stores.head().op == by);
  const std::array<Thread*, 2> order = {&threads_[second_asked ? 1 : 0], &threads_[second_asked ? 0 : 1]};
  for (const bool same_line : {true, false}) {
    for (Thread* t : order) {
      if (t->drain_waits && (line_of(t->stores.head().address) == line) == same_line) drain(*t, now, by);
    }
    for (Thread* t : order) {
      if (t->stage == Stage::kLine && (line_of(t->op.address) == line) == same_line) retry(*t, now, by);
    }
  }
  for (Thread* t : order) ask_ahead(*t, now, by);
}

/// Nobody has written the line, so what the loads of a spin loop have read ahead stays right: no machine clear.
void Core::line_replaced(LineAddress line) {
  for (Thread& t : threads_) {
    if (between_rounds(t, line)) check_spin(t, host_.now(), false);
  }
}

/// The thread waits for a line; something about the cache has changed.
void Core::retry(Thread& t, Cycles now, OpId by) {
  const LineAddress line = line_of(t.op.address);
  const bool locked = t.op.kind == OpKind::kLocked;
  if (locked && held_by_sibling(t, line)) return;
  const auto wish = locked ? PrivateCache::Event::kOwn : PrivateCache::Event::kLoad;
  const auto answer = ask(t, wish, line, t.op_id, t.ledger, now);
  if (answer == PrivateCache::Answer::kSent) {
    ++t.tally.misses;
    ledger_.charge(t.ledger, Category::kFillBuffer, now, by);
  }
  if (answer != PrivateCache::Answer::kHit) return;
  ledger_.charge(t.ledger, Category::kFillBuffer, now, by);
  ledger_.go_on(t.ledger);
  if (locked) {
    execute_locked(t, now, true);
    return;
  }
  touch_l1(t, line);
  ++t.tally.loads;
  have_value(t, read_line(t), now, {Category::kMissIssue, Cycles{}});
}

std::string Core::waits_for(ThreadId thread, const std::string& object) const {
  const Thread& t = of(thread);
  if (!t.has_task) return {};
  const auto what = name_of(t.op.kind);
  switch (t.stage) {
    case Stage::kSpin:
      return fmt::format("{} on {} (value {}) in phase {}", what, object, t.spin_value, name_of(t.phase));
    case Stage::kLine: return fmt::format("{} waits for the line of {} in phase {}", what, object, name_of(t.phase));
    case Stage::kDrain: return fmt::format("{} on {} waits for the store buffer to drain", what, object);
    case Stage::kRoom: return fmt::format("{} to {} waits for room in the store buffer", what, object);
    case Stage::kForward: return fmt::format("{} of {} waits for an overlapping store", what, object);
    case Stage::kStart:
    case Stage::kLoadAgain:
    case Stage::kCompute:
    case Stage::kExecute:
    case Stage::kDone: return fmt::format("{} in phase {}", what, name_of(t.phase));
  }
  return {};
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Spin loops, with PAUSE and without. A spinning thread whose line stays as it is costs nothing: how many rounds it has
// made is worked out when something happens to the line.
//
// With PAUSE a round is a load, its test and the PAUSE, one after the other. Without, the branch is predicted and the rounds
// overlap: a round takes the issue slots of its load and its test, and loads of later rounds read the line while earlier
// ones wait to be tested and retired. If the line is taken away then, a younger load has read what an older one may no longer
// rely on: the core clears its pipeline and loads again.
//   Intel SDM volume 2, PAUSE: without it a spin loop detects a possible memory order violation on leaving.
//   Intel event MACHINE_CLEARS.MEMORY_ORDERING: by external snoops, and by a sibling's stores, that hit the load buffer.
#include <algorithm>

#include "cpus/core.hpp"

namespace linebounce {

/// Compare and branch of one round; twice as long when the sibling executes as the round's load issues.
Cycles Core::test_time(const Thread& t) { return sibling(t).executing ? costs_.poll_test * 2 : costs_.poll_test; }

/// From one load of the loop, served by the L1, to the next.
Cycles Core::round_time(const Thread& t) {
  if (t.op.relaxed) return costs_.l1_load + test_time(t) + costs_.pause;
  const Cycles slots = costs_.issue + costs_.poll_test;
  return sibling(t).executing ? slots * 2 : slots;
}

/// The test that ended at `at` has failed: PAUSE, then the next round.
void Core::pause_and_spin(Thread& t, std::uint64_t value, Cycles at) {
  ++t.tally.pauses;
  ledger_.charge(t.ledger, Category::kPause, at + costs_.pause);
  next_round(t, value, at + costs_.pause);
}

/// A round without PAUSE whose test will fail. The next load does not wait for that.
void Core::spin_ahead(Thread& t, std::uint64_t value, Cycles now, const Service& service) {
  set_executing(t, true, now);
  // Behind a miss of the L1 the later rounds' loads wait for the same line.
  const Cycles held_up =
      service.category == Category::kL2Hit ? now + std::max(costs_.l2_load - costs_.l1_load, Cycles{}) : now;
  ledger_.charge(t.ledger, service.category, held_up);
  ledger_.charge(t.ledger, Category::kIssue, held_up + costs_.issue);
  ledger_.charge(t.ledger, Category::kCompute, held_up + costs_.issue + costs_.poll_test);
  const Cycles next = held_up + round_time(t);
  ledger_.charge(t.ledger, Category::kSmtSlot, next);
  const Cycles retires = now + service.latency + test_time(t);
  if (service.category == Category::kStoreForward) {
    t.newest_retires = t.overtaken_until = {};  // it has not read the line
  } else if (service.category == Category::kMissIssue) {
    // The line has come. The load of the round behind waited for it too, and has read it now.
    t.overtaken_until = retires;
    t.newest_retires = retires + round_time(t);
  } else {
    t.overtaken_until = t.newest_retires;
    t.newest_retires = retires;
  }
  next_round(t, value, next);
}

/// The next load is at `at`, unless nothing can happen to it before the line is touched again.
void Core::next_round(Thread& t, std::uint64_t value, Cycles at) {
  ++t.failed_tests;
  t.spin_base = at;
  t.spin_value = value;
  const bool settled = t.stores.empty() && cache_.would_hit(PrivateCache::Event::kLoad, line_of(t.op.address));
  if (step_polls_ || !settled) {
    post(t, at, Stage::kLoadAgain);
  } else {
    t.stage = Stage::kSpin;
  }
}

/// The load at `now` has its value. A spin loop tests it.
void Core::have_value(Thread& t, std::uint64_t value, Cycles now, const Service& service) {
  t.result = value;
  const bool again = t.op.kind == OpKind::kPoll && !t.op.predicate(value);
  if (again && !t.op.relaxed) {
    spin_ahead(t, value, now, service);
    return;
  }
  const Cycles at = now + service.latency;
  ledger_.charge(t.ledger, service.category, at);
  if (t.op.kind == OpKind::kLoad) {
    complete(t, at);
    return;
  }
  ledger_.charge(t.ledger, Category::kCompute, at + costs_.poll_test);
  const Cycles tested = at + test_time(t);
  ledger_.charge(t.ledger, Category::kSmtSlot, tested);
  if (again) {
    pause_and_spin(t, value, tested);
    return;
  }
  stop_executing(t, now);
  const Cycles end = t.failed_tests > 0 ? tested + costs_.mispredict : tested;
  ledger_.charge(t.ledger, Category::kMispredict, end);
  complete(t, end);
}

/// How many rounds' loads, the first at `base`, come before what happens at `at`; one at `at` itself does if
/// `its_load_came_first`.
std::int64_t Core::rounds_before(Cycles base, Cycles period, Cycles at, bool its_load_came_first) {
  if (at < base) return 0;
  const std::int64_t whole = (at - base).count / period.count;
  const bool exact = whole * period.count == (at - base).count;
  return exact && !its_load_came_first ? whole : whole + 1;
}

/// The line of a thread between rounds may have gone or been written. If so, the thread loads again when its round comes.
Core::Polled Core::check_spin(Thread& t, Cycles at, bool its_load_came_first) {
  const bool here = cache_.would_hit(PrivateCache::Event::kLoad, line_of(t.op.address));
  if (t.stage == Stage::kSpin) {
    const bool stays = here && read_line(t) == t.spin_value;
    if (stays && t.op.relaxed) return Polled::kHere;
    const std::int64_t rounds = rounds_before(t.spin_base, round_time(t), at, its_load_came_first);
    if (rounds > 0) spin_until(t, rounds, here);
    if (!stays) post(t, t.spin_base, Stage::kLoadAgain);
  }
  return here ? Polled::kHere : Polled::kGone;
}

/// The line of a loop without PAUSE has been taken or written. If the newest load has read it before an older one has
/// retired (a load retires behind the snoops of its cycle), the pipeline is cleared where the next load would have been and
/// fills again with that load.
void Core::clear_if_overtaken(Thread& t, Cycles at, OpId by) {
  if (t.op.relaxed || at > t.overtaken_until) return;
  t.newest_retires = t.overtaken_until = {};
  ++t.tally.machine_clears;
  t.spin_base += costs_.machine_clear;
  ledger_.charge(t.ledger, Category::kMachineClear, t.spin_base, by);
  stop_executing(t, at);
  post(t, t.spin_base, Stage::kLoadAgain);
}

/// Accounts for the rounds of the sibling's spin loop that came before what the thread does at `now`.
void Core::catch_up_spin(Thread& other, const Thread& t, Cycles now) {
  const bool came_first = issuing_ && other.index < t.index;
  const std::int64_t rounds = rounds_before(other.spin_base, round_time(other), now, came_first);
  if (rounds > 0) spin_until(other, rounds, true);
}

/// Accounts for that many rounds in which nothing happened. They used the caches, which decides what is the least recently
/// used line, if the line is still there.
void Core::spin_until(Thread& t, std::int64_t rounds, bool here) {
  const auto n = static_cast<std::uint32_t>(rounds);
  const Cycles period = round_time(t);
  t.spin_base += period * rounds;
  t.tally.loads += n;
  t.tally.l1_hits += n;
  t.failed_tests += n;
  if (t.op.relaxed) {
    t.tally.pauses += n;
    ledger_.charge_rounds(t.ledger, Category::kPause, n, t.spin_base);
  } else {
    t.overtaken_until = t.newest_retires;
    t.newest_retires = t.spin_base - period + costs_.l1_load + test_time(t);
    if (rounds > 1) t.overtaken_until = t.newest_retires - period;
    ledger_.charge_rounds(t.ledger, Category::kIssue, n, t.spin_base);
  }
  if (!here) return;
  const LineAddress line = line_of(t.op.address);
  (void)cache_.ask(PrivateCache::Event::kLoad, line, t.op_id, 0);
  cache_.touch_l1(line);
}

}  // namespace linebounce

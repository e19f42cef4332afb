// SPDX-License-Identifier: Apache-2.0
// Loads, and the spin loop around a load. A spinning thread whose line stays as it is costs nothing: how many rounds it
// has made is worked out when something happens to the line.
#include "cpus/core.hpp"

namespace linebounce {

std::uint64_t Core::read_line(Thread& t) {
  return cache_.data(line_of(t.op.address)).read(offset_in_line(t.op.address), t.op.bytes);
}

/// A thread uses the cache. The rounds of its sibling's spin loop that came before did so too.
PrivateCache::Answer Core::ask(Thread& t, PrivateCache::Event wish, LineAddress line, OpId op, std::uint32_t ledger,
                               Cycles now) {
  spin_beside(t, now);
  const PrivateCache::Answer answer = cache_.ask(wish, line, op, ledger);
  if (observer_ != nullptr) memory_.tell_state(AgentKind::kCore, id_.value, line);
  return answer;
}

/// A line that comes into the L1 may push out the one that the sibling polls: its next round has to look.
bool Core::touch_l1(Thread& t, LineAddress line) {
  const bool hit = cache_.touch_l1(line);
  Thread& other = sibling(t);
  if (!hit && other.stage == Stage::kSpin) post(other, other.spin_base, Stage::kLoadAgain);
  return hit;
}

void Core::load(Thread& t, Cycles now) {
  const StoreBuffer::Look look = t.stores.look(t.op.address, t.op.bytes);
  if (look.cover == StoreBuffer::Cover::kPartial) {
    t.awaited_store = look.store;
    t.stage = Stage::kForward;
    return;
  }
  ++t.tally.loads;
  if (look.cover == StoreBuffer::Cover::kFull) {
    ledger_.charge(t.ledger, Category::kStoreForward, now + costs_.store_forward);
    have_value(t, look.value & LineData::mask(t.op.bytes), now + costs_.store_forward);
    return;
  }
  const LineAddress line = line_of(t.op.address);
  const auto answer = ask(t, PrivateCache::Event::kLoad, line, t.op_id, t.ledger, now);
  if (answer == PrivateCache::Answer::kHit) {
    const bool l1 = touch_l1(t, line);
    ++(l1 ? t.tally.l1_hits : t.tally.l2_hits);
    const Cycles end = now + (l1 ? costs_.l1_load : costs_.l2_load);
    ledger_.charge(t.ledger, l1 ? Category::kL1Hit : Category::kL2Hit, end);
    have_value(t, read_line(t), end);
    return;
  }
  --t.tally.loads;  // counted when its line is here
  if (answer == PrivateCache::Answer::kSent) ++t.tally.misses;
  t.stage = Stage::kLine;
}

/// The load's value is known at `at`. A spin loop tests it; everything up to its next load is settled here.
void Core::have_value(Thread& t, std::uint64_t value, Cycles at) {
  t.result = value;
  if (t.op.kind == OpKind::kLoad) {
    complete(t, at);
    return;
  }
  Cycles end = at + costs_.poll_test;
  ledger_.charge(t.ledger, Category::kCompute, end);
  end = at + test_time(t);
  ledger_.charge(t.ledger, Category::kSmtSlot, end);
  if (t.op.predicate(value)) {
    if (t.failed_tests > 0) end += costs_.mispredict;
    ledger_.charge(t.ledger, Category::kMispredict, end);
    complete(t, end);
    return;
  }
  ++t.failed_tests;
  ++t.tally.pauses;
  end += costs_.pause;
  ledger_.charge(t.ledger, Category::kPause, end);
  t.spin_base = end;
  t.spin_value = value;
  const bool settled = t.stores.empty() && cache_.would_hit(PrivateCache::Event::kLoad, line_of(t.op.address));
  if (step_polls_ || !settled) {
    post(t, end, Stage::kLoadAgain);
  } else {
    t.stage = Stage::kSpin;
  }
}

/// Compare and branch of one round; twice as long when the sibling executes as the round's load issues.
Cycles Core::test_time(const Thread& t) { return sibling(t).executing ? costs_.poll_test * 2 : costs_.poll_test; }

Cycles Core::round_time(const Thread& t) { return costs_.l1_load + test_time(t) + costs_.pause; }

/// How many rounds' loads, the first at `base`, come before what happens at `at`; one at `at` itself does if
/// `its_load_came_first`.
std::int64_t Core::rounds_before(Cycles base, Cycles period, Cycles at, bool its_load_came_first) {
  if (at < base) return 0;
  const std::int64_t whole = (at - base).count / period.count;
  const bool exact = whole * period.count == (at - base).count;
  return exact && !its_load_came_first ? whole : whole + 1;
}

/// The line may have gone or changed. If so, the spinning thread loads again when its round comes.
void Core::check_spin(Thread& t, LineAddress line, Cycles at, bool its_load_came_first) {
  if (t.stage != Stage::kSpin || line_of(t.op.address) != line) return;
  if (cache_.would_hit(PrivateCache::Event::kLoad, line) && read_line(t) == t.spin_value) return;
  spin_until(t, rounds_before(t.spin_base, round_time(t), at, its_load_came_first));
  post(t, t.spin_base, Stage::kLoadAgain);
}

/// Accounts for the rounds of the sibling's spin loop that came before what the thread does at `now`. They used the
/// caches too, which decides what is the least recently used line.
void Core::spin_beside(Thread& t, Cycles now) {
  Thread& other = sibling(t);
  if (other.stage != Stage::kSpin) return;
  const bool came_first = issuing_ && other.index < t.index;
  const std::int64_t rounds = rounds_before(other.spin_base, round_time(other), now, came_first);
  if (rounds == 0) return;
  spin_until(other, rounds);
  const LineAddress polled = line_of(other.op.address);
  (void)cache_.ask(PrivateCache::Event::kLoad, polled, other.op_id, 0);
  cache_.touch_l1(polled);
}

/// Accounts for that many rounds in which nothing happened.
void Core::spin_until(Thread& t, std::int64_t rounds) {
  const auto n = static_cast<std::uint32_t>(rounds);
  t.spin_base += round_time(t) * rounds;
  ledger_.charge_rounds(t.ledger, n, t.spin_base);
  t.tally.loads += n;
  t.tally.l1_hits += n;
  t.tally.pauses += n;
  t.failed_tests += n;
}

}  // namespace linebounce

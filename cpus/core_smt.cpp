// SPDX-License-Identifier: Apache-2.0
// Issue slots beside a sibling: they alternate while both threads execute, be it register work or a spin loop without
// PAUSE; a thread in PAUSE or waiting for memory leaves them to the other. Work is counted in half slots, of
// which a thread gets two a cycle alone and one beside an executing sibling.
#include "cpus/core.hpp"

namespace linebounce {

int Core::rate(const Thread& t) { return sibling(t).executing ? 1 : 2; }

void Core::compute(Thread& t, Cycles now) {
  t.half_slots = static_cast<std::int64_t>(t.op.operand) * 2;
  t.computed_until = now;
  set_executing(t, true, now);
  const std::int64_t cycles = (t.half_slots + rate(t) - 1) / rate(t);
  post(t, now + Cycles{cycles}, Stage::kCompute);
}

void Core::computed(Thread& t, Cycles now) {
  set_executing(t, false, now);
  const Cycles begin = ledger_.begin(t.ledger);
  ledger_.charge(t.ledger, Category::kCompute, begin + Cycles{static_cast<std::int64_t>(t.op.operand)});
  ledger_.charge(t.ledger, Category::kSmtSlot, now);
  complete(t, now);
}

/// The thread begins or ends to take issue slots: what the sibling is in the middle of takes another time from here on.
void Core::set_executing(Thread& t, bool executing, Cycles now) {
  if (t.executing == executing) return;
  Thread& other = sibling(t);
  spin_beside(t, now);
  const int old_rate = rate(other);
  t.executing = executing;
  if (other.stage == Stage::kCompute) {
    other.half_slots -= (now - other.computed_until).count * old_rate;
    other.computed_until = now;
    const std::int64_t cycles = (other.half_slots + rate(other) - 1) / rate(other);
    post(other, now + Cycles{cycles}, Stage::kCompute);
  }
}

}  // namespace linebounce

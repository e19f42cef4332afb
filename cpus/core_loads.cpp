// SPDX-License-Identifier: Apache-2.0
// Loads: from the store buffer, the caches or beyond.
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
    stop_executing(t, now);
    return;
  }
  ++t.tally.loads;
  if (look.cover == StoreBuffer::Cover::kFull) {
    have_value(t, look.value & LineData::mask(t.op.bytes), now, {Category::kStoreForward, costs_.store_forward});
    return;
  }
  const LineAddress line = line_of(t.op.address);
  const auto answer = ask(t, PrivateCache::Event::kLoad, line, t.op_id, t.ledger, now);
  if (answer == PrivateCache::Answer::kHit) {
    const bool l1 = touch_l1(t, line);
    ++(l1 ? t.tally.l1_hits : t.tally.l2_hits);
    have_value(t, read_line(t), now,
               l1 ? Service{Category::kL1Hit, costs_.l1_load} : Service{Category::kL2Hit, costs_.l2_load});
    return;
  }
  --t.tally.loads;  // counted when its line is here
  if (answer == PrivateCache::Answer::kSent) ++t.tally.misses;
  t.stage = Stage::kLine;
  stop_executing(t, now);
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Stores, LOCKed operations and fences. A store's owner does not wait for the line; whoever needs the store buffer empty
// does.
#include <fmt/format.h>

#include <algorithm>

#include "cpus/core.hpp"
#include "cpus/system.hpp"

namespace linebounce {

std::size_t Core::capacity(const Thread& t) {
  const auto entries = static_cast<std::size_t>(costs_.store_buffer);
  return alone(t) ? entries : entries / 2;
}

void Core::store(Thread& t, Cycles now) {
  if (t.stores.size() >= capacity(t)) {
    t.stage = Stage::kRoom;
    return;
  }
  ++t.tally.stores;
  const LineAddress line = line_of(t.op.address);
  const Cycles end = now + costs_.issue;
  const Cycles commit = std::max(now, t.last_commit) + costs_.store_commit;
  ledger_.charge(t.ledger, Category::kIssue, end);
  const bool at_once = t.stores.empty() && commit <= end && cache_.would_hit(PrivateCache::Event::kOwn, line) &&
                       private_until(t, commit + Cycles{1});
  if (at_once) {
    (void)cache_.ask(PrivateCache::Event::kOwn, line, t.op_id, 0);
    cache_.touch_l1(line);
    cache_.data(line).write(offset_in_line(t.op.address), t.op.bytes, t.op.operand);
    t.last_commit = commit;
    const Segment segment{Category::kIssue, commit, {}};
    if (observer_ != nullptr)
      tell_committed(t, {t.op.address, t.op.bytes, t.op.operand, t.op_id, 0, now, t.phase}, commit, {&segment, 1});
  } else {
    const std::uint32_t ledger = ledger_.open(t.op_id, now);
    if (t.stores.empty()) host_.push({commit, Step::kDrain, t.id.value, 0, 0});
    t.stores.push({t.op.address, t.op.bytes, t.op.operand, t.op_id, ledger, now, t.phase});
    ask_ahead(t, now, {});
  }
  complete(t, end);
}

/// Younger stores ask for their lines while the oldest waits for its own, in their order, as far as ownership_ahead and
/// the fill buffers let them. A line that is taken away again is asked for when its store is the oldest. That they try
/// now is because of operation `by`.
void Core::ask_ahead(Thread& t, Cycles now, OpId by) {
  const std::size_t end = std::min(t.stores.size(), static_cast<std::size_t>(costs_.ownership_ahead) + 1);
  for (std::size_t age = 1; age < end && cache_.has_fill_buffer(); ++age) {
    BufferedStore& store = t.stores.at(age);
    const LineAddress line = line_of(store.address);
    if (store.asked || cache_.open_request(line)) continue;
    if (!cache_.would_hit(PrivateCache::Event::kOwn, line)) {
      if (observer_ != nullptr) ledger_.charge(store.ledger, Category::kFillBuffer, now, by);
      if (ask(t, PrivateCache::Event::kOwn, line, store.op, store.ledger, now) == PrivateCache::Answer::kWait) continue;
    }
    store.asked = true;
  }
}

void Core::drain_event(ThreadId thread) {
  issuing_ = false;
  memory_.set_now(host_.now());
  drain(of(thread), host_.now(), of(thread).last_store);
}

/// The oldest store writes, if its line is owned; else it asks for the line and waits. That it tries now is because of
/// operation `by`.
void Core::drain(Thread& t, Cycles now, OpId by) {
  const BufferedStore head = t.stores.head();
  const LineAddress line = line_of(head.address);
  if (observer_ != nullptr)
    ledger_.charge(head.ledger, t.drain_waits ? Category::kFillBuffer : Category::kStoreBufferDrain, now, by);
  t.drain_waits = held_by_sibling(t, line) ||
                  ask(t, PrivateCache::Event::kOwn, line, head.op, head.ledger, now) != PrivateCache::Answer::kHit;
  if (t.drain_waits) return;
  touch_l1(t, line);
  cache_.data(line).write(offset_in_line(head.address), head.bytes, head.value);
  if (observer_ != nullptr) tell_committed(t, head, now, ledger_.segments(head.ledger));
  ledger_.close(head.ledger);
  t.stores.pop();
  t.last_commit = now;
  t.last_store = head.op;
  if (!t.stores.empty()) {
    const Cycles next = std::max(now, t.stores.head().entered) + costs_.store_commit;
    host_.push({next, Step::kDrain, t.id.value, 0, 0});
    ask_ahead(t, now, head.op);
  }
  written(line, t, head.op, now);
  store_left(t, head.op, now);
}

/// For who watches: the store is in its line, and its ledger has explained all the time since it entered the buffer.
void Core::tell_committed(const Thread& t, const BufferedStore& store, Cycles end, std::span<const Segment> segments) {
  if (segments.empty() || segments.back().until != end) {
    throw BrokenModel(
        fmt::format("thread {}: the ledger of a store that commits at {} ends elsewhere", t.id.value, end.count));
  }
  observer_->store_committed({store.op, t.id, OpKind::kStore, LockedKind::kCmpxchg, false, store.phase, store.address,
                              store.bytes, store.value, store.entered, end, segments});
}

/// What waited for the store goes on.
void Core::store_left(Thread& t, OpId left, Cycles now) {
  if (t.stage == Stage::kRoom) {
    ledger_.charge(t.ledger, Category::kStoreBufferFull, now, left);
    store(t, now);
  } else if (t.stage == Stage::kForward && left == t.awaited_store) {
    ledger_.charge(t.ledger, Category::kStoreForwardFail, now + costs_.store_forward_fail, left);
    post(t, now + costs_.store_forward_fail, Stage::kLoadAgain);
  } else if (t.stage == Stage::kDrain && t.stores.empty()) {
    drained(t, now);
  }
}

void Core::wait_for_drain(Thread& t, Cycles now) {
  if (t.stores.empty()) {
    drained(t, now);
  } else {
    t.stage = Stage::kDrain;
  }
}

void Core::drained(Thread& t, Cycles now) {
  ledger_.charge(t.ledger, Category::kStoreBufferDrain, now, t.last_store);
  if (t.op.kind == OpKind::kFence) {
    ++t.tally.fences;
    ledger_.charge(t.ledger, Category::kFence, now + costs_.mfence);
    complete(t, now + costs_.mfence);
  } else {
    own_line(t, now);
  }
}

/// The sibling executes a LOCKed operation on the line, so a store or another one has to wait for its end.
bool Core::held_by_sibling(const Thread& t, LineAddress line) {
  const Thread& other = sibling(t);
  return other.stage == Stage::kExecute && line_of(other.op.address) == line;
}

void Core::own_line(Thread& t, Cycles now) {
  if (held_by_sibling(t, line_of(t.op.address))) {
    t.stage = Stage::kLine;
    return;
  }
  const auto answer = ask(t, PrivateCache::Event::kOwn, line_of(t.op.address), t.op_id, t.ledger, now);
  if (answer == PrivateCache::Answer::kHit) {
    execute_locked(t, now, false);
    return;
  }
  if (answer == PrivateCache::Answer::kSent) ++t.tally.misses;
  t.stage = Stage::kLine;
}

/// The line is owned and the store buffer empty: the operation happens, and the line stays until it has executed.
void Core::execute_locked(Thread& t, Cycles now, bool filled) {
  const Operation& op = t.op;
  const LineAddress line = line_of(op.address);
  const bool l1 = touch_l1(t, line) || filled;
  LineData& data = cache_.data(line);
  const std::uint64_t old = data.read(offset_in_line(op.address), op.bytes);
  std::uint64_t fresh = op.operand;
  Cycles execution = costs_.xchg;
  switch (op.locked) {
    case LockedKind::kCmpxchg:
      execution = costs_.cmpxchg;
      ++t.tally.cmpxchgs;
      if (old != op.expected) {
        fresh = old;  // a failed cmpxchg writes back what it read
        ++t.tally.failed_cmpxchgs;
      }
      break;
    case LockedKind::kXchg: break;
    case LockedKind::kXadd:
      execution = costs_.xadd;
      fresh = old + op.operand;
      break;
    case LockedKind::kBts:
      execution = costs_.bts;
      fresh = old | op.operand;
      break;
  }
  if (op.locked != LockedKind::kCmpxchg) ++t.tally.other_locked;
  if (!filled) ++(l1 ? t.tally.l1_hits : t.tally.l2_hits);
  data.write(offset_in_line(op.address), op.bytes, fresh);
  t.result = old;
  const Cycles begin = l1 ? now : now + costs_.l2_load - costs_.l1_load;
  const Cycles end = begin + execution;
  ledger_.charge(t.ledger, Category::kL2Hit, begin);
  ledger_.charge(t.ledger, Category::kLockedExecution, end);
  if (private_until(t, end)) {
    complete(t, end);
    return;
  }
  cache_.hold(t.index, line, t.op_id);
  t.stage = Stage::kExecute;
  host_.push({end, Step::kRelease, t.id.value, 0, 0});
  written(line, t, t.op_id, now);
}

void Core::release_event(ThreadId thread) {
  issuing_ = false;
  Thread& t = of(thread);
  memory_.set_now(host_.now());
  Thread& other = sibling(t);
  const bool other_waits = other.stage == Stage::kLine && other.op.kind == OpKind::kLocked &&
                           held_by_sibling(other, line_of(other.op.address));
  if (other_waits) ledger_.charge(other.ledger, Category::kHeldByLock, host_.now(), t.op_id);
  if (other.drain_waits && held_by_sibling(other, line_of(other.stores.head().address))) {
    ledger_.charge(other.stores.head().ledger, Category::kHeldByLock, host_.now(), t.op_id);
  }
  // A fill serves each thread that waits for it once before a snoop takes the line.
  served_both_ = other_waits && !served_both_;
  if (served_both_) {
    cache_.unhold(t.index);
    complete(t, host_.now());
    retry(other, host_.now(), t.op_id);
    return;
  }
  cache_.release(t.index);
  if (observer_ != nullptr) memory_.tell_state(AgentKind::kCore, id_.value, line_of(t.op.address));
  complete(t, host_.now());
  cache_changed(line_of(t.op.address), t.op_id);
}

/// The other thread of the core may spin on the line that `by` has written. Its loads are snooped like another core's.
void Core::written(LineAddress line, const Thread& by, OpId op, Cycles now) {
  Thread& other = sibling(by);
  if (!between_rounds(other, line)) return;
  check_spin(other, now, issuing_ && other.index < by.index);
  clear_if_overtaken(other, now, op);
}

}  // namespace linebounce

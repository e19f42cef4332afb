// SPDX-License-Identifier: Apache-2.0
#include "coherence/private_cache.hpp"

#include <algorithm>

namespace linebounce {

namespace {

using State = PrivateCacheProtocol::State;
using Event = PrivateCacheProtocol::Event;
using Action = PrivateCacheProtocol::Action;

constexpr auto kEventOf = events_of_messages<PrivateCacheProtocol>();

constexpr Set<State> kOpen{State::kIsD, State::kImD, State::kSmA};
constexpr Set<State> kWritingBack{State::kMiA, State::kIiA};
constexpr Set<State> kReplaceable{State::kS, State::kE, State::kM};

}  // namespace

PrivateCache::PrivateCache(const AgentMap& map, CoreId core, const Machine& machine, Surroundings& surroundings,
                           const PrivateCacheTable& table)
    : map_(map),
      core_(core),
      surroundings_(surroundings),
      table_(table),
      array_(machine.l2),
      l1_(machine.l1d),
      fill_buffers_(machine.core.fill_buffers),
      fired_(table.size) {}

PrivateCache::Line* PrivateCache::find(LineAddress line) {
  if (Line* entry = array_.find(line)) return entry;
  for (Line& entry : write_backs_) {
    if (entry.line == line) return &entry;
  }
  return nullptr;
}

PrivateCache::State PrivateCache::state(LineAddress line) const {
  const Line* entry = const_cast<PrivateCache*>(this)->find(line);
  return entry != nullptr ? entry->state : State::kI;
}

bool PrivateCache::would_hit(Event wish, LineAddress line) const {
  constexpr Set<State> kReadable{State::kS, State::kE, State::kM, State::kSmA};
  constexpr Set<State> kWritable{State::kE, State::kM};
  return (wish == Event::kLoad ? kReadable : kWritable).has(state(line));
}

OpId PrivateCache::open_request(LineAddress line) const {
  const Line* entry = const_cast<PrivateCache*>(this)->find(line);
  return entry != nullptr && kOpen.has(entry->state) ? entry->op : OpId{};
}

PrivateCache::Answer PrivateCache::ask(Event wish, LineAddress line, OpId op, std::uint32_t ledger) {
  Line* entry = find(line);
  const State before = entry != nullptr ? entry->state : State::kI;
  const std::size_t index = table_.find(before, wish, [](auto) { return false; });
  const auto& row = table_.rows()[index];
  if (row.verdict == Verdict::kStall) {
    ++fired_[index];
    return Answer::kWait;
  }
  const bool needs_request = row.actions[0] != Action::kNone;
  if (needs_request) {
    if (open_ == fill_buffers_) return Answer::kWait;
    if (entry == nullptr) entry = make_room(line);
    if (entry == nullptr) return Answer::kWait;
    entry->op = op;
    ++open_;
  }
  ++fired_[index];
  array_.touch(*entry);
  Message wisher;
  wisher.op = op;
  wisher.ledger = ledger;
  run(row, *entry, wisher);
  return needs_request ? Answer::kSent : Answer::kHit;
}

PrivateCache::Line* PrivateCache::make_room(LineAddress line) {
  if (Line* way = array_.take(line)) return way;
  Line* victim = array_.victim(line, [this](const Line& candidate) {
    return kReplaceable.has(candidate.state) && hold_of(candidate.line) == nullptr;
  });
  if (victim == nullptr) return nullptr;
  replace(*victim);
  return array_.take(line);
}

void PrivateCache::replace(Line& victim) {
  const LineAddress line = victim.line;
  const std::size_t index = table_.find(victim.state, Event::kReplace, [](auto) { return false; });
  ++fired_[index];
  run(table_.rows()[index], victim, Message{});
  if (kWritingBack.has(victim.state)) {
    write_backs_.push_back(victim);
    leave(victim);
  }
  surroundings_.replaced(core_, line);
}

void PrivateCache::receive(const Message& message) {
  Line absent;
  absent.line = message.line;
  Line* found = find(message.line);
  Line& entry = found != nullptr ? *found : absent;
  const Event event = kEventOf[static_cast<std::size_t>(message.kind)];
  const Hold* hold = hold_of(message.line);
  const std::size_t index = table_.find(entry.state, event, [&](auto) { return hold != nullptr; });
  const auto& row = table_.rows()[index];
  ++fired_[index];
  if (row.verdict == Verdict::kImpossible) {
    surroundings_.impossible(message, PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(entry.state)].data(),
                             PrivateCacheProtocol::kEventNames[static_cast<std::size_t>(event)].data(), row.why);
  }
  if (row.verdict == Verdict::kStall) {
    held_snoops_.push_back(message);
    return;
  }
  const State before = entry.state;
  run(row, entry, message);
  if (kOpen.has(before) && !kOpen.has(entry.state)) --open_;
  if (kWritingBack.has(before) && entry.state == State::kI) {
    std::erase_if(write_backs_, [&](const Line& done) { return done.line == message.line; });
  }
}

void PrivateCache::run(const Row<PrivateCacheProtocol>& row, Line& entry, const Message& message) {
  const auto respond = [&](MessageKind kind) { send(kind, entry, message.op, message.ledger); };
  for (const Action action : row.actions) {
    switch (action) {
      case Action::kNone: break;
      case Action::kSendGetS: respond(MessageKind::kGetS); break;
      case Action::kSendGetM: respond(MessageKind::kGetM); break;
      case Action::kSendUpgrade: respond(MessageKind::kUpgrade); break;
      case Action::kSendPutM: respond(MessageKind::kPutM); break;
      case Action::kInstall: entry.data = message.data; break;
      case Action::kRspI: respond(MessageKind::kCoreRspI); break;
      case Action::kRspS: respond(MessageKind::kCoreRspS); break;
      case Action::kRspIWb: respond(MessageKind::kCoreRspIWb); break;
      case Action::kRspSWb: respond(MessageKind::kCoreRspSWb); break;
    }
  }
  if (row.next == State::kCount) return;
  entry.state = row.next;
  if (row.next == State::kI && entry.used) leave(entry);
}

/// The way is free; a copy in a write-back buffer is not affected.
void PrivateCache::leave(Line& entry) {
  entry.used = false;
  if (Tag* tag = l1_.find(entry.line)) tag->used = false;
}

void PrivateCache::send(MessageKind kind, const Line& entry, OpId op, std::uint32_t ledger) {
  Message message;
  message.kind = kind;
  message.from = core_.value;
  message.to = map_.slice_of(entry.line, map_.socket_of(core_)).value;
  message.line = entry.line;
  message.op = op;
  message.ledger = ledger;
  if (traits(kind).data) message.data = entry.data;
  surroundings_.send(message, traits(kind).data ? DataFrom::kArray : DataFrom::kNowhere);
}

bool PrivateCache::touch_l1(LineAddress line) {
  if (Tag* tag = l1_.find(line)) {
    l1_.touch(*tag);
    return true;
  }
  if (l1_.take(line) == nullptr) {
    l1_.victim(line, [](const Tag&) { return true; })->used = false;
    l1_.take(line);
  }
  return false;
}

const PrivateCache::Hold* PrivateCache::hold_of(LineAddress line) const {
  for (const Hold& hold : holds_) {
    if (hold.active && hold.line == line) return &hold;
  }
  return nullptr;
}

void PrivateCache::hold(unsigned thread, LineAddress line, OpId holder) { holds_[thread] = {true, line, holder}; }

void PrivateCache::release(unsigned thread) {
  Hold& hold = holds_[thread];
  hold.active = false;
  released_.swap(held_snoops_);
  for (const Message& snoop : released_) {
    if (snoop.line == hold.line) surroundings_.waited(snoop, hold.holder);
    receive(snoop);
  }
  released_.clear();
}

const LineData* PrivateCache::peek(LineAddress line) const {
  const Line* entry = const_cast<PrivateCache*>(this)->find(line);
  const bool valid = entry != nullptr && entry->state != State::kIsD && entry->state != State::kImD &&
                     entry->state != State::kIiA && entry->state != State::kI;
  return valid ? &entry->data : nullptr;
}

std::vector<PrivateCache::Line> PrivateCache::open_lines() const {
  std::vector<Line> open = write_backs_;
  array_.for_each([&](const Line& entry) {
    if (kOpen.has(entry.state)) open.push_back(entry);
  });
  return open;
}

}  // namespace linebounce

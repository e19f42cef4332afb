// SPDX-License-Identifier: Apache-2.0
#include "coherence/slice.hpp"

#include <algorithm>
#include <bit>

namespace linebounce {

namespace {

using State = SliceProtocol::State;
using Event = SliceProtocol::Event;
using Guard = SliceProtocol::Guard;
using Action = SliceProtocol::Action;
using Kind = MessageKind;

constexpr auto kEventOf = events_of_messages<SliceProtocol>();

constexpr Set<State> kSettled = slice::rows::kSettled;
constexpr Set<State> kGlobalBusy = slice::rows::kGlobalBusy;
constexpr Set<Event> kRequests{Event::kGetS, Event::kGetM, Event::kUpgrade};
constexpr Set<Event> kSnoops{Event::kSnpData,       Event::kSnpInvOwn,   Event::kSnpDataLate,
                             Event::kSnpInvOwnLate, Event::kPeerSnpData, Event::kPeerSnpInvOwn};
constexpr Set<State> kServesSnoop{State::kXS, State::kXI, State::kXSI, State::kCI};

}  // namespace

/// Everything an action may need: the line, the message that came, and what it is about.
struct Slice::Context {
  Line& entry;
  Event event;
  const Message& message;
  const Message& request;  ///< the core's request that is served
  const Message& snoop;    ///< the home's snoop that is answered
};

Slice::Slice(const AgentMap& map, SliceId id, const CacheGeometry& geometry, Surroundings& surroundings,
             const SliceTable& table)
    : map_(map),
      id_(id),
      socket_(map.socket_of(id)),
      surroundings_(surroundings),
      table_(table),
      array_(geometry),
      fired_(table.size) {}

std::uint64_t Slice::bit(std::uint32_t core) const {
  return std::uint64_t{1} << (core - map_.first_core(socket_).value);
}

void Slice::receive(const Message& message) {
  const Event event = kEventOf[static_cast<std::size_t>(message.kind)];
  if (kRequests.has(event)) ++requests_;
  Line* entry = array_.find(message.line);
  if (entry != nullptr) {
    if (kRequests.has(event)) array_.touch(*entry);
    deal(*entry, event_of(*entry, message), message);
    settle(*entry);
  } else if (kRequests.has(event)) {
    entry = make_room(message.line, message.op);
    if (entry == nullptr) {
      wayless_.push_back(message);
      return;
    }
    deal(*entry, event_of(*entry, message), message);
  } else {
    Line absent;
    absent.line = message.line;
    deal(absent, event, message);
  }
  if (!wayless_.empty()) retry_wayless();
}

/// The row of the table that answers.
std::size_t Slice::row_of(const Line& entry, Event event, const Message& message) const {
  return table_.find(entry.state, event, [&](Guard guard) { return holds(guard, entry, event, message); });
}

/// What the message is to the line as it is now.
Slice::Event Slice::event_of(const Line& entry, const Message& message) const {
  const Event event = kEventOf[static_cast<std::size_t>(message.kind)];
  const bool copy_is_gone = event == Event::kUpgrade && (entry.cores & bit(message.from)) == 0;
  return copy_is_gone ? Event::kGetM : event;
}

/// One event meets one line: the table decides.
void Slice::deal(Line& entry, Event event, const Message& message) {
  const std::size_t index = row_of(entry, event, message);
  const auto& row = table_.rows()[index];
  ++fired_[index];
  if (row.verdict == Verdict::kStall) {
    entry.transaction->waiting.push_back(message);
    return;
  }
  if (row.verdict == Verdict::kImpossible) {
    surroundings_.impossible(message, SliceProtocol::kStateNames[static_cast<std::size_t>(entry.state)].data(),
                             SliceProtocol::kEventNames[static_cast<std::size_t>(event)].data(), row.why);
  }
  const State before = entry.state;
  const State next = row.next == State::kCount ? before : row.next;
  if (kSettled.has(before) && !kSettled.has(next)) {
    Transaction& fresh = open(entry);
    (kServesSnoop.has(next) ? fresh.snoop : fresh.request) = message;
    fresh.op = message.op;
  } else if (next == State::kCI && before != State::kCI) {
    entry.transaction->snoop = message;
  }
  entry.state = next;
  const Transaction* transaction = entry.transaction;
  const bool asks = kRequests.has(event) || event == Event::kPutM;
  const bool snoops = kSnoops.has(event);
  Context context{entry, event, message, asks || transaction == nullptr ? message : transaction->request,
                  snoops || transaction == nullptr ? message : transaction->snoop};
  for (const Action action : row.actions) {
    if (action == Action::kNone) break;
    perform(action, context);
  }
  if (entry.state == State::kI) entry.dirty = false;
  if (entry.state == State::kI) entry.cores = 0;
}

bool Slice::holds(Guard guard, const Line& entry, Event event, const Message& message) const {
  const Transaction* transaction = entry.transaction;
  switch (guard) {
    case Guard::kAlways: return true;
    case Guard::kAlone: {
      const bool from_core = kRequests.has(event);
      return (entry.cores & ~(from_core ? bit(message.from) : 0)) == 0;
    }
    case Guard::kFromOwner: return (entry.cores & bit(message.from)) != 0;
    case Guard::kMore: return transaction->awaited > 1;
    case Guard::kDirty: return entry.dirty;
    case Guard::kHaveCmp: return transaction->have_cmp;
    case Guard::kAnswered: return transaction->answered;
    case Guard::kHalf: return transaction != nullptr && transaction->half;
  }
  return false;
}

void Slice::perform(Action action, Context& context) {
  Line& entry = context.entry;
  const Message& request = context.request;
  const Message& snoop = context.snoop;
  switch (action) {
    case Action::kNone:
    case Action::kCount: break;
    case Action::kAddSharer: entry.cores |= bit(request.from); break;
    case Action::kSetOwner:
      entry.cores = bit(request.from);
      if (entry.state == State::kMO) entry.dirty = true;
      break;
    case Action::kClearCores: entry.cores = 0; break;
    case Action::kFillS: to_core(Kind::kFillS, request.from, entry, request); break;
    case Action::kFillE: to_core(Kind::kFillE, request.from, entry, request); break;
    case Action::kFillM:
      entry.dirty = true;
      to_core(Kind::kFillM, request.from, entry, request);
      break;
    case Action::kGiveM: {
      const bool has_copy = request.kind == Kind::kUpgrade && (entry.cores & bit(request.from)) != 0;
      to_core(has_copy ? Kind::kGrant : Kind::kFillM, request.from, entry, request);
      break;
    }
    case Action::kPutAck: to_core(Kind::kPutAck, request.from, entry, request); break;
    case Action::kSnoopOwnerShare: {
      entry.transaction->awaited = 1;
      const auto owner = static_cast<std::uint32_t>(std::countr_zero(entry.cores));
      to_core(Kind::kCoreSnpShare, map_.first_core(socket_).value + owner, entry, context.message);
      break;
    }
    case Action::kInvalidateOthers: invalidate(entry, entry.cores & ~bit(request.from)); break;
    case Action::kInvalidateAll: invalidate(entry, entry.cores); break;
    case Action::kCollect:
      --entry.transaction->awaited;
      if (context.event == Event::kRspI || context.event == Event::kRspIWb) entry.cores &= ~bit(context.message.from);
      break;
    case Action::kStore:
      entry.data = context.message.data;
      entry.dirty = true;
      break;
    case Action::kInstall: entry.data = context.message.data; break;
    case Action::kNoteCmp: entry.transaction->have_cmp = true; break;
    case Action::kNoteHalf:
      entry.transaction->half = !entry.transaction->half;
      if (kSettled.has(entry.state)) entry.transaction->op = context.message.op;
      break;
    case Action::kNoteConflict:
      if (traits(snoop.kind).from == AgentKind::kHome) entry.transaction->answered = true;
      break;
    case Action::kServe: {
      entry.dirty = entry.state == State::kM;
      const Message served = request;
      deal(entry, event_of(entry, served), served);
      break;
    }
    case Action::kRdData: ask_home(Kind::kRdData, entry, request); break;
    case Action::kRdInvOwn: ask_home(Kind::kRdInvOwn, entry, request); break;
    case Action::kInvItoE: ask_home(Kind::kInvItoE, entry, request); break;
    case Action::kSnoopPeersData: snoop_peers(Kind::kPeerSnpData, entry, request); break;
    case Action::kSnoopPeersInvOwn: snoop_peers(Kind::kPeerSnpInvOwn, entry, request); break;
    case Action::kWbMtoI: to_home(Kind::kWbMtoI, entry, request); break;
    case Action::kRspI: to_home(Kind::kRspI, entry, snoop); break;
    case Action::kRspS: to_home(Kind::kRspS, entry, snoop); break;
    case Action::kRspFwdI: to_home(Kind::kRspFwdI, entry, snoop); break;
    case Action::kRspFwdS: to_home(Kind::kRspFwdS, entry, snoop); break;
    case Action::kRspFwdSWb:
      to_home(Kind::kRspFwdSWb, entry, snoop);
      entry.dirty = false;
      break;
    case Action::kRspCnflt: to_home(Kind::kRspCnflt, entry, snoop); break;
    case Action::kForwardS: to_peer(Kind::kDataS, entry, snoop); break;
    case Action::kForwardM: to_peer(Kind::kDataM, entry, snoop); break;
  }
}

void Slice::invalidate(Line& entry, std::uint64_t cores) {
  entry.transaction->awaited = static_cast<std::uint32_t>(std::popcount(cores));
  const Message& served = kServesSnoop.has(entry.state) ? entry.transaction->snoop : entry.transaction->request;
  for (std::uint64_t rest = cores; rest != 0; rest &= rest - 1) {
    to_core(Kind::kCoreSnpInv, map_.first_core(socket_).value + static_cast<std::uint32_t>(std::countr_zero(rest)),
            entry, served);
  }
}

/// After an event: whoever waited for the line gets its turn, in order of arrival, until the line is busy again.
void Slice::settle(Line& entry) {
  Transaction* transaction = entry.transaction;
  if (transaction == nullptr) {
    if (entry.state == State::kI) entry.used = false;
    return;
  }
  while (transaction->next < transaction->waiting.size()) {
    const bool settled = kSettled.has(entry.state);
    if (!settled || transaction->half) {
      if ((!settled && !kGlobalBusy.has(entry.state)) || !serve_one_who_can_go(entry)) return;
      continue;
    }
    const Message message = transaction->waiting[transaction->next++];
    surroundings_.waited(message, transaction->op);
    deal(entry, event_of(entry, message), message);
  }
  if (kSettled.has(entry.state) && !transaction->half) close(entry);
}

/// While the home is asked, or its Cmp is still to come, whoever needs no answer of it gets its turn; the others stay
/// where they are. False if there is nobody.
bool Slice::serve_one_who_can_go(Line& entry) {
  std::vector<Message>& waiting = entry.transaction->waiting;
  for (std::size_t i = entry.transaction->next; i < waiting.size(); ++i) {
    const Message message = waiting[i];
    const Event event = event_of(entry, message);
    if (table_.rows()[row_of(entry, event, message)].verdict == Verdict::kStall) continue;
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(i));
    surroundings_.waited(message, entry.transaction->op);
    deal(entry, event, message);
    return true;
  }
  return false;
}

Slice::Transaction& Slice::open(Line& entry) {
  if (entry.transaction == nullptr) {
    if (spare_.empty()) {
      transactions_.push_back(std::make_unique<Transaction>());
      spare_.push_back(transactions_.back().get());
    }
    entry.transaction = spare_.back();
    spare_.pop_back();
    entry.transaction->waiting.clear();
    entry.transaction->next = 0;
    entry.transaction->half = false;
  }
  Transaction& fresh = *entry.transaction;
  fresh.awaited = 0;
  fresh.have_cmp = fresh.answered = false;
  if (fresh.next > 64) {  // keep a long queue from growing for ever
    fresh.waiting.erase(fresh.waiting.begin(), fresh.waiting.begin() + static_cast<std::ptrdiff_t>(fresh.next));
    fresh.next = 0;
  }
  return fresh;
}

void Slice::close(Line& entry) {
  spare_.push_back(entry.transaction);
  entry.transaction = nullptr;
  if (entry.state == State::kI) entry.used = false;
}

/// A way for the line, evicting another if need be; nullptr if that takes time.
Slice::Line* Slice::make_room(LineAddress line, OpId op) {
  if (Line* way = array_.take(line)) return way;
  if (array_.victim(line, [](const Line& other) { return other.state == State::kV; }) != nullptr) return nullptr;
  Line* victim = array_.victim(line, [](const Line& other) { return other.transaction == nullptr; });
  if (victim == nullptr) return nullptr;
  evict(*victim, op);
  return array_.take(line);
}

void Slice::evict(Line& victim, OpId op) {
  Message evictor;
  evictor.kind = Kind::kCount;
  evictor.from = map_.first_core(socket_).value;
  evictor.line = victim.line;
  evictor.op = op;
  deal(victim, Event::kEvict, evictor);
  settle(victim);
  surroundings_.evicted(id_, evictor.line);
}

void Slice::retry_wayless() {
  retried_.swap(wayless_);
  for (const Message& message : retried_) {
    Line* entry = array_.find(message.line);
    if (entry == nullptr) entry = make_room(message.line, message.op);
    if (entry == nullptr) {
      wayless_.push_back(message);
      continue;
    }
    surroundings_.waited(message, message.op);
    deal(*entry, event_of(*entry, message), message);
  }
  retried_.clear();
}

void Slice::to_core(MessageKind kind, std::uint32_t core, const Line& entry, const Message& served) {
  Message message;
  message.kind = kind;
  message.from = id_.value;
  message.to = core;
  message.line = entry.line;
  message.op = served.op;
  message.ledger = served.ledger;
  if (traits(kind).data) message.data = entry.data;
  surroundings_.send(message, traits(kind).data ? DataFrom::kArray : DataFrom::kNowhere);
}

void Slice::ask_home(MessageKind kind, const Line& entry, const Message& request) {
  ++misses_;
  to_home(kind, entry, request);
}

void Slice::to_home(MessageKind kind, const Line& entry, const Message& served) {
  Message message;
  message.kind = kind;
  message.from = id_.value;
  message.to = map_.home_of(entry.line).value;
  message.line = entry.line;
  message.op = served.op;
  message.ledger = served.ledger;
  message.requester = served.requester;
  if (traits(kind).data) message.data = entry.data;
  surroundings_.send(message, traits(kind).data ? DataFrom::kArray : DataFrom::kNowhere);
}

void Slice::to_peer(MessageKind kind, const Line& entry, const Message& snoop) {
  Message message;
  message.kind = kind;
  message.from = id_.value;
  message.to = snoop.requester;
  message.line = entry.line;
  message.op = snoop.op;
  message.ledger = snoop.ledger;
  message.data = entry.data;
  surroundings_.send(message, DataFrom::kArray);
}

void Slice::snoop_peers(MessageKind kind, const Line& entry, const Message& request) {
  Message snoop;
  snoop.kind = kind;
  snoop.from = snoop.requester = id_.value;
  snoop.line = entry.line;
  snoop.op = request.op;
  snoop.ledger = request.ledger;
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    if (SocketId{socket} == socket_) continue;
    snoop.to = map_.slice_of(entry.line, SocketId{socket}).value;
    surroundings_.send(snoop, DataFrom::kNowhere);
  }
}

std::vector<const Slice::Line*> Slice::open_lines() const {
  std::vector<const Line*> open;
  array_.for_each([&](const Line& entry) {
    if (entry.transaction != nullptr) open.push_back(&entry);
  });
  return open;
}

}  // namespace linebounce

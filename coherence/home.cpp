// SPDX-License-Identifier: Apache-2.0
#include "coherence/home.hpp"

#include <algorithm>

namespace linebounce {

namespace {

using State = HomeProtocol::State;
using Event = HomeProtocol::Event;
using Guard = HomeProtocol::Guard;
using Action = HomeProtocol::Action;
using Kind = MessageKind;

Event event_of(Kind kind) {
  if (kind == Kind::kMemData) return Event::kMemData;
  // MessageKind::kRdData … kRspCnflt stand in the order of the events.
  return static_cast<Event>(static_cast<std::size_t>(kind) - static_cast<std::size_t>(Kind::kRdData));
}
static_assert(static_cast<int>(Kind::kRspCnflt) - static_cast<int>(Kind::kRdData) ==
              static_cast<int>(Event::kRspCnflt));

}  // namespace

Home::Home(const AgentMap& map, HomeId id, int trackers, Surroundings& surroundings, const Table& table)
    : map_(map), id_(id), trackers_(trackers), free_trackers_(trackers), surroundings_(surroundings), table_(table) {}

void Home::receive(const Message& message) {
  Line& line = lines_[message.line.value];
  deal(line, event_of(message.kind), message);
  const bool data_known = line.state == State::kUp || line.forwarded || line.memory_here;
  if (line.state == State::kIdle || line.awaited != 0 || !data_known) return;
  const Message served = line.request;
  deal(line, Event::kSettled, served);
  if (line.reading) ++line.left_over;
  ++free_trackers_;
  next_request(line, served.op);
}

void Home::deal(Line& line, Event event, const Message& message) {
  const std::size_t index = table_.find(line.state, event, [&](Guard guard) { return holds(guard, line, message); });
  const auto& row = table_.rows[index];
  ++fired_[index];
  if (row.verdict == Verdict::kStall) {
    (line.state == State::kIdle ? trackerless_ : line.waiting).push_back(message);
    return;
  }
  if (row.verdict == Verdict::kImpossible) {
    surroundings_.impossible(message, HomeProtocol::kStateNames[static_cast<std::size_t>(line.state)].data(),
                             HomeProtocol::kEventNames[static_cast<std::size_t>(event)].data(), row.why);
  }
  const State next = row.next == State::kCount ? line.state : row.next;
  if (line.state == State::kIdle && next != State::kIdle) {
    --free_trackers_;
    line.request = message;
    line.awaited = 0;
    line.reading = line.memory_here = line.forwarded = line.shared = false;
  }
  line.state = next;
  for (const Action action : row.actions) {
    if (action == Action::kNone) break;
    perform(action, line, message);
  }
}

/// The peer's request for this line that has arrived and not been started; nullptr if there is none.
Message* Home::waiting_request(Line& line, const Message& answer) {
  const auto from_peer = [&](const Message& m) { return m.from == answer.from && m.line == answer.line; };
  for (std::vector<Message>* queue : {&line.waiting, &trackerless_}) {
    const auto here = std::find_if(queue->begin(), queue->end(), from_peer);
    if (here != queue->end()) return &*here;
  }
  return nullptr;
}

bool Home::holds(Guard guard, Line& line, const Message& message) {
  switch (guard) {
    case Guard::kAlways: return true;
    case Guard::kNoTracker: return free_trackers_ == 0;
    case Guard::kPeerWaits: return waiting_request(line, message) != nullptr;
    case Guard::kPeerWaitsToUpgrade: {
      const Message* waiting = waiting_request(line, message);
      return waiting != nullptr && waiting->kind == Kind::kInvItoE;
    }
    case Guard::kLeftOver: return line.left_over > 0;
    case Guard::kForwarded: return line.forwarded;
    case Guard::kShared: return line.shared;
  }
  return false;
}

void Home::perform(Action action, Line& line, const Message& message) {
  switch (action) {
    case Action::kNone: break;
    case Action::kReadMemory:
      line.reading = true;
      surroundings_.read_memory(message);
      break;
    case Action::kWriteMemory:
      line.memory = message.data;
      surroundings_.write_memory(message.line);
      break;
    case Action::kSnoopData: snoop_all(Kind::kSnpData, line); break;
    case Action::kSnoopInvOwn: snoop_all(Kind::kSnpInvOwn, line); break;
    case Action::kSnoopLate: {
      Message again = line.request;
      again.kind = line.state == State::kRead ? Kind::kSnpDataLate : Kind::kSnpInvOwnLate;
      again.requester = line.request.from;
      again.from = id_.value;
      again.to = message.from;
      surroundings_.send(again, DataFrom::kNowhere);
      break;
    }
    case Action::kOneAnswer: --line.awaited; break;
    case Action::kNoteShared: line.shared = true; break;
    case Action::kNoteForwarded: line.forwarded = true; break;
    case Action::kNoteMemory:
      line.memory_here = true;
      line.reading = false;
      break;
    case Action::kDropRead: --line.left_over; break;
    case Action::kTakeCopy: waiting_request(line, message)->kind = Kind::kRdInvOwn; break;
    case Action::kCmpE: complete(Kind::kCmpE, line); break;
    case Action::kCmpFwdS: complete(Kind::kCmpFwdS, line); break;
    case Action::kCmpFwdE: complete(Kind::kCmpFwdE, line); break;
    case Action::kCmpDataS: complete(Kind::kCmpDataS, line); break;
    case Action::kCmpDataE: complete(Kind::kCmpDataE, line); break;
  }
}

void Home::snoop_all(MessageKind kind, Line& line) {
  Message snoop = line.request;
  snoop.kind = kind;
  snoop.requester = line.request.from;
  snoop.from = id_.value;
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    snoop.to = map_.slice_of(snoop.line, SocketId{socket}).value;
    if (snoop.to == snoop.requester) continue;
    ++line.awaited;
    surroundings_.send(snoop, DataFrom::kNowhere);
  }
}

void Home::complete(MessageKind kind, const Line& line) {
  Message completion = line.request;
  completion.kind = kind;
  completion.from = id_.value;
  completion.to = line.request.from;
  if (traits(kind).data) completion.data = line.memory;
  surroundings_.send(completion, DataFrom::kNowhere);
}

/// The tracker that came free goes to whoever has waited for one longest; this line's next request joins them, last.
void Home::next_request(Line& line, OpId finished) {
  if (!line.waiting.empty()) {
    trackerless_.push_back(line.waiting.front());
    line.waiting.erase(line.waiting.begin());
  }
  while (free_trackers_ > 0 && !trackerless_.empty()) {
    const Message message = trackerless_.front();
    trackerless_.erase(trackerless_.begin());
    surroundings_.waited(message, finished);
    receive(message);
  }
}

LineData Home::memory(LineAddress line) const {
  const auto found = lines_.find(line.value);
  return found != lines_.end() ? found->second.memory : LineData{};
}

std::vector<const Home::Line*> Home::open_lines() const {
  std::vector<const Line*> open;
  for (const auto& [address, line] : lines_) {
    if (line.state != State::kIdle) open.push_back(&line);
  }
  std::sort(open.begin(), open.end(), [](const Line* a, const Line* b) { return a->request.line < b->request.line; });
  return open;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/home.hpp"

#include <algorithm>
#include <bit>

namespace linebounce {

namespace {

using State = HomeProtocol::State;
using Event = HomeProtocol::Event;
using Guard = HomeProtocol::Guard;
using Action = HomeProtocol::Action;
using Kind = MessageKind;

constexpr auto kEventOf = events_of_messages<HomeProtocol>();

}  // namespace

Home::Home(const AgentMap& map, HomeId id, const Machine& machine, Surroundings& surroundings, const HomeTable& table)
    : map_(map),
      id_(id),
      trackers_(machine.home_trackers),
      free_trackers_(machine.home_trackers),
      broadcast_below_(machine.opportunistic_broadcast_below),
      surroundings_(surroundings),
      table_(table),
      fired_(table.size) {}

void Home::receive(const Message& message) {
  Line& line = lines_[message.line.value];
  line.address = message.line;
  deal(line, kEventOf[static_cast<std::size_t>(message.kind)], message);
  if (settles_at_once_) settle(line);
}

bool Home::settle(Line& line) {
  if (!settled(line)) return false;
  const Message served = line.request;
  deal(line, Event::kSettled, served);
  if (line.state != State::kIdle) return true;
  ++free_trackers_;
  next_request(line, served.op);
  return true;
}

std::uint64_t Home::bit(std::uint32_t slice) const { return std::uint64_t{1} << map_.socket_of(SliceId{slice}).value; }

bool Home::settled(const Line& line) const {
  constexpr Set<State> kWaitsForAnswers{State::kRead, State::kOwn, State::kUp, State::kDone};
  constexpr Set<State> kNeedsNoData{State::kUp, State::kDone};
  if (!kWaitsForAnswers.has(line.state)) return false;
  if (line.state == State::kOwn && line.forwarded_to == line.request.from) return true;
  const bool goes_on = kNeedsNoData.has(line.state) || line.memory_here || line.forwarded_to != kNobody;
  return line.awaited == 0 && goes_on;
}

void Home::deal(Line& line, Event event, const Message& message) {
  const std::size_t index = table_.find(line.state, event, [&](Guard guard) { return holds(guard, line, message); });
  const auto& row = table_.rows()[index];
  ++fired_[index];
  if (row.verdict == Verdict::kStall) {
    (row.guard == Guard::kNoTracker ? trackerless_ : line.waiting).push_back(message);
    return;
  }
  if (row.verdict == Verdict::kImpossible) {
    surroundings_.impossible(message, HomeProtocol::kStateNames[static_cast<std::size_t>(line.state)].data(),
                             HomeProtocol::kEventNames[static_cast<std::size_t>(event)].data(), row.why);
  }
  const State next = row.next == State::kCount ? line.state : row.next;
  if (line.state == State::kIdle && next != State::kIdle) start(line, message);
  line.state = next;
  for (const Action action : row.actions) {
    if (action == Action::kNone) break;
    perform(action, line, message);
  }
}

void Home::start(Line& line, const Message& request) {
  --free_trackers_;
  line.request = request;
  line.awaited = 0;
  line.reading = line.memory_here = line.shared = line.unasked = false;
}

/// A request for this line that has arrived and not been started; nullptr if there is none that matches.
template <class Matches>
Message* Home::waiting_request(Line& line, Matches&& matches) {
  const auto of_line = [&](const Message& m) { return m.line == line.address && matches(m); };
  for (std::vector<Message>* queue : {&line.waiting, &trackerless_}) {
    const auto here = std::find_if(queue->begin(), queue->end(), of_line);
    if (here != queue->end()) return &*here;
  }
  return nullptr;
}

bool Home::holds(Guard guard, Line& line, const Message& message) {
  const bool idle = line.state == State::kIdle;
  const bool granted = line.state == State::kDone;
  switch (guard) {
    case Guard::kAlways: return true;
    case Guard::kNoTracker: return free_trackers_ == 0;
    case Guard::kOpportune: return trackers_ - free_trackers_ < broadcast_below_;
    case Guard::kPeerWaits:
      return waiting_request(line, [&](const Message& m) { return m.from == message.from; }) != nullptr;
    case Guard::kEarlyUnserved:
      return holds(Guard::kEarly, line, message) &&
             ((!idle && !granted && line.request.from == message.from) || holds(Guard::kPeerWaits, line, message));
    case Guard::kEarly: return idle || message.requester != line.request.from;
    case Guard::kNoneElsewhere: return line.directory == Directory::kNone;
    case Guard::kCleanElsewhere: return line.directory == Directory::kClean;
    case Guard::kForwardedFirst: return line.awaited != 0 && line.forwarded_to == message.from;
    case Guard::kForwarded: return line.forwarded_to == message.from;
    case Guard::kForwardedElsewhere: return line.forwarded_to != kNobody && line.forwarded_to != message.from;
    case Guard::kUnasked: return line.unasked && line.forwarded_to == kNobody;
    case Guard::kShared:
      // Who waits to upgrade keeps its copy while others read.
      return line.shared || waiting_request(line, [](const Message& m) { return m.kind == Kind::kInvItoE; }) != nullptr;
  }
  return false;
}

void Home::perform(Action action, Line& line, const Message& message) {
  const auto own = [&] { return map_.home_socket(message.line) == map_.socket_of(SliceId{line.request.from}); };
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
    case Action::kSnoopData: snoop(Kind::kSnpData, line, true, true); break;
    case Action::kSnoopInvOwn: snoop(Kind::kSnpInvOwn, line, true, true); break;
    case Action::kSnoopOwnData: snoop(Kind::kSnpData, line, true, false); break;
    case Action::kSnoopOwnInvOwn: snoop(Kind::kSnpInvOwn, line, true, false); break;
    case Action::kSnoopFarData: snoop(Kind::kSnpData, line, false, true); break;
    case Action::kSnoopFarInvOwn: snoop(Kind::kSnpInvOwn, line, false, true); break;
    case Action::kSnoopLate: snoop_again(line, message.from, true); break;
    case Action::kExpectAnswers: expect_answers(line); break;
    case Action::kOneAnswer: --line.awaited; break;
    case Action::kKeepAnswer: early_answers(line, message.requester).good |= bit(message.from); break;
    case Action::kKeepShared: early_answers(line, message.requester).shared = true; break;
    case Action::kKeepOutdated: early_answers(line, message.requester).outdated |= bit(message.from); break;
    case Action::kNoteShared: line.shared = true; break;
    case Action::kNoteForwarded: line.forwarded_to = message.requester; break;
    case Action::kNoteMemory:
      line.memory_here = true;
      line.reading = false;
      break;
    case Action::kNoteUnasked: line.unasked = true; break;
    case Action::kDropRead:
      if (line.reading) surroundings_.drop_read(message);
      break;
    case Action::kCmpE: complete(Kind::kCmpE, line); break;
    case Action::kCmpFwdS: complete(Kind::kCmpFwdS, line); break;
    case Action::kCmpFwdE: complete(Kind::kCmpFwdE, line); break;
    case Action::kGntFwdE: complete(Kind::kGntFwdE, line); break;
    case Action::kCmp: complete(Kind::kCmp, line); break;
    case Action::kCmpDataS: complete(Kind::kCmpDataS, line); break;
    case Action::kCmpDataF: complete(Kind::kCmpDataF, line); break;
    case Action::kCmpDataE: complete(Kind::kCmpDataE, line); break;
    case Action::kUpgradesLose:
      while (Message* m = waiting_request(line, [](const Message& w) { return w.kind == Kind::kInvItoE; }))
        m->kind = Kind::kRdInvOwn;
      break;
    case Action::kOutdateAnswers:
      for (Answers& answers : line.early) {
        answers.outdated |= answers.good & bit(message.from);
        answers.good &= ~bit(message.from);
      }
      break;
    case Action::kDirectoryShared:
      set_directory(line, own() && line.directory == Directory::kNone ? Directory::kNone : Directory::kClean);
      break;
    case Action::kDirectorySole: set_directory(line, own() ? Directory::kNone : Directory::kDirty); break;
    case Action::kDirectoryNone: set_directory(line, Directory::kNone); break;
    case Action::kYield:
      line.early.push_back(
          {line.request.from, (std::uint64_t{1} << map_.sockets()) - 1 - bit(line.request.from), 0, line.shared});
      line.waiting.insert(line.waiting.begin(), line.request);
      break;
  }
}

/// The two bits are written with the line; that costs a write of DRAM when they change.
void Home::set_directory(Line& line, Directory directory) {
  if (line.directory != directory) surroundings_.write_memory(line.address);
  line.directory = directory;
}

Home::Answers& Home::early_answers(Line& line, std::uint32_t requester) {
  const auto here = std::ranges::find(line.early, requester, &Answers::requester);
  if (here != line.early.end()) return *here;
  return line.early.emplace_back(Answers{requester});
}

/// The requester has snooped everybody. Who has got the line since it answered is asked again, and may let that wait for
/// its fill, unless it has a request here already: that comes after this one.
void Home::expect_answers(Line& line) {
  const Answers here = early_answers(line, line.request.from);
  std::erase_if(line.early, [&](const Answers& a) { return a.requester == here.requester; });
  line.awaited = map_.sockets() - 1 - static_cast<std::uint32_t>(std::popcount(here.good));
  line.shared = here.shared;
  for (std::uint64_t rest = here.outdated; rest != 0; rest &= rest - 1) {
    const SocketId socket{static_cast<std::uint32_t>(std::countr_zero(rest))};
    const std::uint32_t slice = map_.slice_of(line.address, socket).value;
    const bool waits = waiting_request(line, [&](const Message& m) { return m.from == slice; }) != nullptr;
    snoop_again(line, slice, !waits);
  }
}

void Home::snoop_again(const Line& line, std::uint32_t slice, bool late) {
  const bool reads = line.state == State::kRead || line.state == State::kLookRead;
  Message again = line.request;
  if (reads) again.kind = late ? Kind::kSnpDataLate : Kind::kSnpData;
  if (!reads) again.kind = late ? Kind::kSnpInvOwnLate : Kind::kSnpInvOwn;
  again.requester = line.request.from;
  again.from = id_.value;
  again.to = slice;
  surroundings_.send(again, DataFrom::kNowhere);
}

/// Snoops the caching agents, but the requester's, of the home's own socket, of the other ones, or of both.
void Home::snoop(MessageKind kind, Line& line, bool own_socket, bool other_sockets) {
  Message snoop = line.request;
  snoop.kind = kind;
  snoop.requester = line.request.from;
  snoop.from = id_.value;
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    snoop.to = map_.slice_of(snoop.line, SocketId{socket}).value;
    const bool own = SocketId{socket} == map_.home_socket(snoop.line);
    if (snoop.to == snoop.requester || !(own ? own_socket : other_sockets)) continue;
    ++line.awaited;
    surroundings_.send(snoop, DataFrom::kNowhere);
  }
}

void Home::complete(MessageKind kind, Line& line) {
  Message completion = line.request;
  completion.kind = kind;
  completion.from = id_.value;
  completion.to = line.request.from;
  if (kind == Kind::kCmp) completion.ledger = 0;  // its operation went on with the grant
  if (traits(kind).data) completion.data = line.memory;
  surroundings_.send(completion, DataFrom::kNowhere);
  if (line.forwarded_to == line.request.from) line.forwarded_to = kNobody;
}

/// The tracker that came free goes to whoever has waited for one longest; this line's next request joins them, last. A
/// requester whom a peer has sent the data is the next, if its request is here.
void Home::next_request(Line& line, OpId finished) {
  const auto next = line.forwarded_to == kNobody ? line.waiting.begin()
                                                 : std::ranges::find(line.waiting, line.forwarded_to, &Message::from);
  if (next != line.waiting.end()) {
    trackerless_.push_back(*next);
    line.waiting.erase(next);
  }
  while (free_trackers_ > 0 && !trackerless_.empty()) {
    Message message = trackerless_.front();
    trackerless_.erase(trackerless_.begin());
    // While it waited for a tracker, a peer may have sent the data to another one of those who wait for its line.
    Line& its = lines_[message.line.value];
    const auto first = std::ranges::find(its.waiting, its.forwarded_to, &Message::from);
    if (first != its.waiting.end()) std::swap(*first, message);
    surroundings_.waited(message, finished);
    receive(message);
  }
}

LineData Home::memory(LineAddress line) const {
  const auto found = lines_.find(line.value);
  return found != lines_.end() ? found->second.memory : LineData{};
}

Home::State Home::state(LineAddress line) const {
  const auto found = lines_.find(line.value);
  return found != lines_.end() ? found->second.state : State::kIdle;
}

std::vector<const Home::Line*> Home::open_lines() const {
  std::vector<const Line*> open;
  for (const auto& [address, line] : lines_) {
    const bool quiet = line.state == State::kIdle && line.waiting.empty() && line.early.empty();
    if (!quiet || line.forwarded_to != kNobody) open.push_back(&line);
  }
  std::ranges::sort(open, {}, [](const Line* line) { return line->address; });
  return open;
}

}  // namespace linebounce

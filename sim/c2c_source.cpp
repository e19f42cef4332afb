// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c_source.hpp"

#include <algorithm>
#include <array>

namespace linebounce {
namespace {

using Kind = MessageKind;

/// What a message says about the request that it serves.
enum class Says : std::uint8_t { kNothing, kAsked, kWrittenInSocket, kPeerData, kMemoryData, kPeerWritten };

constexpr auto kSays = [] {
  std::array<Says, kMessageKinds> says{};
  const auto set = [&](Kind kind, Says what) { says[static_cast<std::size_t>(kind)] = what; };
  for (const Kind kind : {Kind::kGetS, Kind::kGetM, Kind::kUpgrade}) set(kind, Says::kAsked);
  for (const Kind kind : {Kind::kCoreRspIWb, Kind::kCoreRspSWb}) set(kind, Says::kWrittenInSocket);
  for (const Kind kind : {Kind::kDataS, Kind::kDataM}) set(kind, Says::kPeerData);
  for (const Kind kind : {Kind::kCmpDataS, Kind::kCmpDataF, Kind::kCmpDataE}) set(kind, Says::kMemoryData);
  set(Kind::kRspFwdSWb, Says::kPeerWritten);
  return says;
}();
constexpr Says says(Kind kind) { return kSays[static_cast<std::size_t>(kind)]; }

/// What a message says about a socket's copy of a line: it is as memory has it, it is newer, or it leaves.
enum class Turn : std::uint8_t { kNothing, kClean, kModified, kLeaves };

struct Fate {
  Turn turn;
  bool at_sender;  ///< happens where and when the message is sent, else where and when it arrives
};

constexpr auto kFates = [] {
  std::array<Fate, kMessageKinds> fates{};
  const auto set = [&](Kind kind, Fate fate) { fates[static_cast<std::size_t>(kind)] = fate; };
  for (const Kind kind : {Kind::kCmpDataS, Kind::kCmpDataF, Kind::kCmpDataE, Kind::kDataS})
    set(kind, {Turn::kClean, false});
  for (const Kind kind : {Kind::kCoreRspIWb, Kind::kCoreRspSWb, Kind::kPutM}) set(kind, {Turn::kModified, false});
  for (const Kind kind : {Kind::kFillM, Kind::kGrant}) set(kind, {Turn::kModified, true});  // its core will write
  for (const Kind kind : {Kind::kWbMtoI, Kind::kDataM, Kind::kRspFwdSWb}) set(kind, {Turn::kLeaves, true});
  return fates;
}();

struct Event {
  std::uint32_t slice;
  LineAddress line;
  Cycles at;
  Turn turn;  ///< of one cycle, the line comes before it is written, and is written before it leaves
  const RecordedMessage* message;
  auto order() const { return std::tuple(slice, line, at, turn); }
};

/// By core, line and cycle of sending.
auto core_order(const RecordedMessage* m) { return std::tuple(m->from, m->line, m->sent); }

/// A snoop took the line before this write-back came: it counts for nothing, the snoop's answer had the data.
bool overtaken(const RecordedMessage& put, const std::vector<const RecordedMessage*>& answers) {
  const auto next = std::ranges::lower_bound(answers, core_order(&put), {}, core_order);
  return next != answers.end() && (*next)->from == put.from && (*next)->line == put.line &&
         (*next)->sent <= put.arrived;
}

}  // namespace

FetchIndex::FetchIndex(const Recording& recording) : recording_(recording), map_(*recording.machine) {
  for (const RecordedMessage& m : recording.messages) {
    if (says(m.kind) != Says::kNothing) messages_.push_back(&m);
  }
  std::ranges::stable_sort(messages_, {}, [](const RecordedMessage* m) { return key(*m); });
  find_modified();
}

/// The answer of a slice that forwards for writing is the same whether its socket has modified the line or not, so the
/// socket's history of the line has to tell.
void FetchIndex::find_modified() {
  std::vector<const RecordedMessage*> answers;
  for (const RecordedMessage* m : messages_) {
    if (m->kind == Kind::kCoreRspIWb) answers.push_back(m);
  }
  std::ranges::stable_sort(answers, {}, core_order);
  std::vector<Event> events;
  for (const RecordedMessage& m : recording_.messages) {
    const Fate fate = kFates[static_cast<std::size_t>(m.kind)];
    if (fate.turn == Turn::kNothing || (m.kind == Kind::kPutM && overtaken(m, answers))) continue;
    events.push_back({fate.at_sender ? m.from : m.to, m.line, fate.at_sender ? m.sent : m.arrived, fate.turn, &m});
  }
  std::ranges::stable_sort(events, {}, &Event::order);
  bool modified = false;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& e = events[i];
    if (i == 0 || e.slice != events[i - 1].slice || e.line != events[i - 1].line) modified = false;
    if (e.message->kind == Kind::kDataM && modified) modified_data_.insert(e.message);
    modified = e.turn == Turn::kModified;
  }
}

/// A slice that forwards modified data for reading tells the home so in the same cycle.
bool FetchIndex::forwarded_modified(const RecordedMessage& data) const {
  if (data.kind == Kind::kDataM) return modified_data_.contains(&data);
  const auto same =
      std::ranges::equal_range(messages_, key(data), {}, [](const RecordedMessage* m) { return key(*m); });
  return std::ranges::any_of(
      same, [&](const RecordedMessage* m) { return says(m->kind) == Says::kPeerWritten && m->from == data.from; });
}

Fetched FetchIndex::find(OpId op, LineAddress line, SocketId socket, Cycles begin, Cycles end) const {
  const auto at = [](const RecordedMessage* m) { return key(*m); };
  const auto first = std::ranges::lower_bound(messages_, Served{op, line, begin}, {}, at);
  const auto last = std::ranges::upper_bound(messages_, Served{op, line, end}, {}, at);
  Fetched fetched;
  const RecordedMessage* data = nullptr;  // from another socket or from memory
  for (auto it = first; it < last; ++it) {
    const RecordedMessage& m = **it;
    const Says what = says(m.kind);
    if (what == Says::kAsked) fetched.asked = true;
    if (what == Says::kWrittenInSocket && map_.socket_of(SliceId{m.to}) == socket) {
      fetched.source = LoadSource::kLclHitm;
    }
    if (what == Says::kPeerData || what == Says::kMemoryData) data = &m;
  }
  if (data == nullptr) return fetched;
  if (says(data->kind) == Says::kPeerData) {
    fetched.source = forwarded_modified(*data) ? LoadSource::kRmtHitm : LoadSource::kRmtHit;
  } else {
    fetched.source = map_.home_socket(line) == socket ? LoadSource::kLclDram : LoadSource::kRmtDram;
    fetched.exclusive = data->kind == Kind::kCmpDataE;
  }
  return fetched;
}

}  // namespace linebounce

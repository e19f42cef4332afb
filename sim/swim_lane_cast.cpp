// SPDX-License-Identifier: Apache-2.0
#include "sim/swim_lane_cast.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace linebounce {
namespace {

CoreId core_of(const Recording& recording, int task) {
  return recording.core_of(recording.placement[static_cast<std::size_t>(task)]);
}

/// Keys by how often each was counted, most first, then in their order.
template <class Key>
std::vector<Key> most_frequent(const std::map<Key, int>& counts, std::size_t most) {
  std::vector<std::pair<Key, int>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater<>(), &std::pair<Key, int>::second);
  std::vector<Key> keys;
  for (const auto& [key, count] : sorted) {
    if (keys.size() < most) keys.push_back(key);
  }
  return keys;
}

}  // namespace

Cast cast_of(const Recording& recording, const HandOff& hand_off, std::size_t most_lines, std::size_t most_cores) {
  Cast cast;
  const Cycles margin{std::max<std::int64_t>(10, hand_off.length().count / 10)};
  cast.begin = hand_off.begin - margin;
  cast.end = hand_off.end + margin;
  const auto shown = [&](const RecordedMessage& m) { return m.arrived > cast.begin && m.sent < cast.end; };

  std::map<LineAddress, int> lines;
  for (const RecordedMessage& m : recording.messages) lines[m.line] += shown(m) ? 1 : 0;
  std::erase_if(lines, [](const auto& entry) { return entry.second == 0; });
  cast.lines = most_frequent(lines, most_lines);

  std::set<LaneOf> lanes = {{AgentKind::kCore, core_of(recording, hand_off.previous).value},
                            {AgentKind::kCore, core_of(recording, hand_off.next).value}};
  std::map<LaneOf, int> cores;
  for (const RecordedMessage& m : recording.messages) {
    if (!shown(m) || std::ranges::find(cast.lines, m.line) == cast.lines.end()) continue;
    cast.messages.push_back(&m);
    for (const LaneOf& lane :
         {lane_of(traits(m.kind).from, m.from, recording), lane_of(traits(m.kind).to, m.to, recording)}) {
      if (lane.kind != AgentKind::kCore) {
        lanes.insert(lane);
      } else if (!lanes.contains(lane)) {
        ++cores[lane];
      }
    }
  }
  for (const LaneOf& lane : most_frequent(cores, most_cores - 2)) lanes.insert(lane);
  cast.lanes.assign(lanes.begin(), lanes.end());
  std::ranges::stable_sort(cast.lanes, {}, [&](const LaneOf& lane) { return socket_of(lane, recording); });
  // A message to a core that is left out would end nowhere.
  std::erase_if(cast.messages, [&](const RecordedMessage* m) {
    return !lanes.contains(lane_of(traits(m->kind).from, m->from, recording)) ||
           !lanes.contains(lane_of(traits(m->kind).to, m->to, recording));
  });
  return cast;
}

LaneOf lane_of(AgentKind kind, std::uint32_t agent, const Recording& recording) {
  if (kind == AgentKind::kCore) return {kind, agent};
  return {kind, recording.socket_of(kind, agent).value};
}

SocketId socket_of(const LaneOf& lane, const Recording& recording) {
  if (lane.kind != AgentKind::kCore) return {lane.agent};
  return recording.socket_of(lane.kind, lane.agent);
}

std::string name_of(const LaneOf& lane, const Recording& recording) {
  if (lane.kind == AgentKind::kSlice) return "L3";
  if (lane.kind == AgentKind::kHome) return "home agents";
  std::vector<int> tasks;
  for (std::size_t task = 0; task < recording.placement.size(); ++task) {
    if (core_of(recording, static_cast<int>(task)).value == lane.agent) tasks.push_back(static_cast<int>(task));
  }
  return fmt::format("core {}{}{}", lane.agent, tasks.empty() ? "" : ", task ", fmt::join(tasks, " and "));
}

}  // namespace linebounce

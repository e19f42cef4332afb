// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "sim/trace_tracks.hpp"

namespace linebounce {
namespace {

/// Changes of a number, by cycle.
using Changes = std::map<Cycles, std::int64_t>;

TraceCounter counter(std::string name, std::string_view unit, std::uint32_t process, Cycles begin,
                     const Changes& changes) {
  TraceCounter out{std::move(name), unit, process, {{begin, 0}}};
  for (const auto& [at, change] : changes) {
    if (change == 0) continue;
    const std::int64_t value = out.points.back().second + change;
    if (at == begin) {
      out.points.back().second = value;
    } else {
      out.points.emplace_back(at, value);
    }
  }
  return out;
}

}  // namespace

std::vector<LinkId> qpi_links_of(const Recording& recording, const RecordedMessage& message) {
  std::vector<LinkId> links;
  for (const LinkId id : recording.route_of(message).links) {
    if (recording.topology->links()[id.value].kind == LinkKind::kQpi) links.push_back(id);
  }
  return links;
}

std::vector<TraceCounter> trace_counters(const Recording& recording) {
  std::map<LinkId, Changes> links;
  for (const RecordedMessage& m : recording.messages) {
    if (m.sent < recording.begin || m.sent >= recording.end) continue;
    for (const LinkId link : qpi_links_of(recording, m)) links[link][m.sent] += packet_bytes(m.kind).count;
  }
  std::map<ThreadId, Changes> stores;
  for (const OperationRecord& c : recording.commits) {
    if (c.end <= recording.begin || c.begin >= recording.end) continue;
    stores[c.thread][std::max(c.begin, recording.begin)] += 1;
    if (c.end < recording.end) stores[c.thread][c.end] -= 1;
  }

  std::vector<TraceCounter> out;
  for (const auto& [thread, changes] : stores) {
    out.push_back(counter(fmt::format("task {} stores waiting", recording.task_of(thread)), "stores",
                          recording.socket_of(thread).value, recording.begin, changes));
  }
  for (const auto& [id, changes] : links) {
    const Link& link = recording.topology->links()[id.value];
    out.push_back(counter("QPI " + link.name + " sent", "bytes",
                          recording.topology->nodes()[link.from.value].socket.value, recording.begin, changes));
  }
  return out;
}

}  // namespace linebounce

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

NodeId node_of(const Topology& topology, AgentKind kind, std::uint32_t agent) {
  switch (kind) {
    case AgentKind::kCore: return topology.core(CoreId{agent});
    case AgentKind::kSlice: return topology.slice(SliceId{agent});
    case AgentKind::kHome: return topology.home(HomeId{agent});
  }
  return {};
}

std::vector<LinkId> qpi_links_of(const Recording& recording, const RecordedMessage& message) {
  const Topology& topology = *recording.topology;
  const MessageTraits& kind = traits(message.kind);
  std::vector<LinkId> links;
  const Route& route =
      topology.route(node_of(topology, kind.from, message.from), node_of(topology, kind.to, message.to));
  for (const LinkId id : route.links) {
    if (topology.links()[id.value].kind == LinkKind::kQpi) links.push_back(id);
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
    const std::uint32_t core = thread.value / static_cast<std::uint32_t>(recording.machine->threads_per_core);
    out.push_back(counter(fmt::format("task {} stores waiting", recording.task_of(thread)), "stores",
                          recording.socket_of(AgentKind::kCore, core).value, recording.begin, changes));
  }
  for (const auto& [id, changes] : links) {
    const Link& link = recording.topology->links()[id.value];
    out.push_back(counter("QPI " + link.name + " sent", "bytes",
                          recording.topology->nodes()[link.from.value].socket.value, recording.begin, changes));
  }
  return out;
}

}  // namespace linebounce

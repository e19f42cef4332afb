// SPDX-License-Identifier: Apache-2.0
#include "sim/link_traffic.hpp"

#include <algorithm>

#include "coherence/fabric.hpp"

namespace linebounce {

LinkTraffic link_traffic(const Recording& recording, std::size_t bins) {
  const Topology& topology = *recording.topology;
  LinkTraffic traffic;
  traffic.begin = std::max(recording.window_opened, recording.begin);
  traffic.end = std::max(traffic.begin, std::min(recording.window_closed, recording.end));
  const auto count = static_cast<std::int64_t>(bins);
  traffic.bin = {std::max<std::int64_t>(1, ((traffic.end - traffic.begin).count + count) / count)};
  const auto sockets = static_cast<std::size_t>(recording.machine->sockets);
  traffic.sockets.assign(sockets, std::vector<Bytes>(sockets));

  std::vector<LinkTraffic::Row> rows(topology.links().size());
  for (std::size_t l = 0; l < rows.size(); ++l) {
    rows[l] = {topology.links()[l].name, topology.links()[l].kind, std::vector<Bytes>(bins), {}};
  }
  for (const RecordedMessage& message : recording.messages) {
    if (message.sent < traffic.begin || traffic.end < message.sent) continue;
    const MessageTraits& kind = traits(message.kind);
    const Route& route = recording.route_of(message);
    if (route.links.empty()) continue;  // memory's answer to its own home agent
    const Bytes bytes = packet_bytes(message.kind);
    traffic
        .sockets[recording.socket_of(kind.from, message.from).value][recording.socket_of(kind.to, message.to).value] +=
        bytes;
    const auto bin = static_cast<std::size_t>((message.sent - traffic.begin).count / traffic.bin.count);
    for (const LinkId link : route.links) {
      rows[link.value].bins[bin] += bytes;
      rows[link.value].total += bytes;
    }
  }
  for (LinkTraffic::Row& row : rows) {
    if (row.total > Bytes{} && row.kind != LinkKind::kPort) traffic.rows.push_back(std::move(row));
  }
  return traffic;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/fabric.hpp"

#include <algorithm>
#include <cmath>

#include "coherence/enum_set.hpp"
#include "topologies/core_cycles.hpp"

namespace linebounce {

namespace {

using Kind = MessageKind;

/// A ring or crossbar moves 32 bytes at a time (Westmere-EX and IvyBridge-EX data rings).
constexpr std::int64_t kFlitBytes = 32;

constexpr Set<MessageKind> kCoreToSliceRequests{Kind::kGetS, Kind::kGetM, Kind::kUpgrade, Kind::kPutM};
constexpr Set<MessageKind> kSnoops{Kind::kSnpData,       Kind::kSnpInvOwn,   Kind::kSnpDataLate,
                                   Kind::kSnpInvOwnLate, Kind::kPeerSnpData, Kind::kPeerSnpInvOwn};
constexpr Set<MessageKind> kHomeRequests{Kind::kRdData, Kind::kRdInvOwn, Kind::kInvItoE};
constexpr Set<MessageKind> kFills{Kind::kFillS, Kind::kFillE, Kind::kFillM, Kind::kGrant};
constexpr Set<MessageKind> kCoreSnoops{Kind::kCoreSnpShare, Kind::kCoreSnpInv};

}  // namespace

Fabric::Fabric(const Machine& machine, const Topology& topology, const AgentMap& map, Ledger& ledger)
    : machine_(machine),
      topology_(topology),
      map_(map),
      ledger_(ledger),
      first_agent_{0, static_cast<std::size_t>(machine.cores()),
                   static_cast<std::size_t>(machine.cores() + machine.slices())},
      agents_(static_cast<std::size_t>(machine.cores() + machine.slices() + machine.homes())),
      paths_(agents_ * agents_),
      links_(topology.links().size()),
      slice_pipelines_(static_cast<std::size_t>(machine.slices())),
      home_pipelines_(static_cast<std::size_t>(machine.homes())),
      last_arrival_(static_cast<std::size_t>(machine.slices())),
      link_bytes_(topology.links().size()),
      slice_occupancy_(core_cycles(machine, machine.slice_occupancy)),
      home_occupancy_(core_cycles(machine, machine.home_occupancy)) {
  for (auto& channels : last_arrival_)
    channels.resize(static_cast<std::size_t>(machine.cores_per_socket + machine.homes()));
  for (std::size_t k = 0; k < kMessageKinds; ++k) {
    const auto kind = static_cast<Kind>(k);
    Service& service = services_[k];
    switch (traits(kind).to) {
      case AgentKind::kCore:
        service = {{}, {}, Category::kMissIssue};
        if (kFills.has(kind)) service.core = machine.core.fill;
        if (kCoreSnoops.has(kind)) service = {{}, machine.core.snoop_lookup, Category::kSnoop};
        break;
      case AgentKind::kSlice:
        service = {{}, {}, Category::kSlice};
        if (kCoreToSliceRequests.has(kind) || kSnoops.has(kind)) service.uncore = machine.slice_lookup;
        // A line that goes to another owner passes through; one that is shared is written first.
        if (kind == Kind::kCoreRspSWb) service.uncore = machine.slice_write;
        break;
      case AgentKind::kHome:
        service = {{}, {}, Category::kHome};
        if (kHomeRequests.has(kind)) service.uncore = machine.home_lookup;
        break;
    }
  }
  for (const Link& link : topology.links()) {
    const auto occupancy = [&](std::int64_t bytes) {
      if (link.kind == LinkKind::kQpi) {
        return core_cycles(machine, {}, Nanoseconds{static_cast<double>(bytes) / (2.0 * machine.qpi_gigatransfers)});
      }
      return core_cycles(machine, machine.hop_occupancy * ((bytes - kHeaderBytes + kFlitBytes) / kFlitBytes));
    };
    link_occupancy_.push_back(
        {std::max(Cycles{1}, occupancy(kHeaderBytes)), std::max(Cycles{1}, occupancy(kDataBytes))});
  }
}

NodeId Fabric::node(AgentKind kind, std::uint32_t agent) const {
  switch (kind) {
    case AgentKind::kCore: return topology_.core(CoreId{agent});
    case AgentKind::kSlice: return topology_.slice(SliceId{agent});
    case AgentKind::kHome: return topology_.home(HomeId{agent});
  }
  return {};
}

std::unique_ptr<Fabric::Path> Fabric::find_path(NodeId from, NodeId to) const {
  auto path = std::make_unique<Path>();
  for (const LinkId id : topology_.route(from, to).links) {
    const Link& link = topology_.links()[id.value];
    if (link.kind != LinkKind::kPort) {
      path->stretches.push_back({id.value, core_cycles(machine_, path->uncore, path->time)});
    }
    path->uncore += link.uncore;
    path->time.count += link.time.count;
  }
  path->qpi = core_cycles(machine_, {}, path->time);
  return path;
}

/// Work in the array, way and service are one stretch of uncore time, converted once.
Fabric::Timing Fabric::unloaded(const Path& path, MessageKind kind, bool read) const {
  const UncoreCycles array = read ? machine_.slice_read : UncoreCycles{};
  const UncoreCycles service = services_[static_cast<std::size_t>(kind)].uncore;
  const auto cycles = [&](UncoreCycles uncore, Nanoseconds time) {
    return static_cast<std::int32_t>(core_cycles(machine_, uncore, time).count);
  };
  return {cycles(array, {}), cycles(array + path.uncore, path.time), cycles(array + path.uncore + service, path.time)};
}

Cycles Fabric::send(AgentKind sender, const Message& message, Cycles now, Cycles work, bool read,
                    Category work_category) {
  const MessageTraits& kind = traits(message.kind);
  Path& way = path(sender, message.from, kind.to, message.to);
  Timing& timing = way.timings[read ? 1 : 0][static_cast<std::size_t>(message.kind)];
  if (timing.done < 0) timing = unloaded(way, message.kind, read);
  const Service& service = services_[static_cast<std::size_t>(message.kind)];
  const std::uint32_t slot = message.ledger;
  const Cycles departure = now + work + Cycles{timing.departure};
  const Cycles arrival = now + work + Cycles{timing.arrival};
  ledger_.charge(slot, work_category, departure);

  Cycles queued;
  OpId cause;
  for (const Stretch& stretch : way.stretches) {
    const Cycles here = departure + stretch.offset + queued;
    const auto place = links_[stretch.link].reserve(here, link_occupancy_[stretch.link][kind.data ? 1 : 0], message.op);
    link_bytes_[stretch.link] += packet_bytes(message.kind);
    if (place.begin > here) {
      queued += place.begin - here;
      cause = place.cause;
    }
  }
  if (queued > Cycles{}) ledger_.charge(slot, Category::kLinkQueue, departure + queued, cause);
  ledger_.charge(slot, Category::kTravel, arrival + queued - way.qpi);
  if (way.qpi > Cycles{}) ledger_.charge(slot, Category::kQpi, arrival + queued);

  Cycles served = arrival + queued;
  if (kind.to != AgentKind::kCore) {
    const bool slice = kind.to == AgentKind::kSlice;
    Reservation& pipeline = (slice ? slice_pipelines_ : home_pipelines_)[message.to];
    const auto place = pipeline.reserve(served, slice ? slice_occupancy_ : home_occupancy_, message.op);
    if (place.begin > served) {
      ledger_.charge(slot, slice ? Category::kSliceQueue : Category::kHomeQueue, place.begin, place.cause);
      served = place.begin;
    }
  }
  Cycles ready = std::max(served + Cycles{timing.done - timing.arrival} + service.core, now + Cycles{1});
  if (sender == AgentKind::kSlice && kind.to != AgentKind::kSlice) {
    const std::size_t channel = kind.to == AgentKind::kCore
                                    ? message.to - map_.first_core(map_.socket_of(SliceId{message.from})).value
                                    : static_cast<std::size_t>(machine_.cores_per_socket) + message.to;
    Cycles& last = last_arrival_[message.from][channel];
    ready = last = std::max(ready, last);
  }
  ledger_.charge(slot, service.category, ready);
  return ready;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/memory_system.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coherence/enum_set.hpp"
#include "topologies/core_cycles.hpp"

namespace linebounce {

namespace {

using Kind = MessageKind;

/// Messages that begin a branch of the operation they serve: what the home agent does, each snoop.
constexpr Set<Kind> kForks{Kind::kCoreSnpShare, Kind::kCoreSnpInv,    Kind::kSnpData,     Kind::kSnpInvOwn,
                           Kind::kSnpDataLate,  Kind::kSnpInvOwnLate, Kind::kPeerSnpData, Kind::kPeerSnpInvOwn};
constexpr Set<Kind> kAsksHome{Kind::kRdData, Kind::kRdInvOwn, Kind::kInvItoE};
constexpr Set<Kind> kPeerSnoops{Kind::kPeerSnpData, Kind::kPeerSnpInvOwn};
constexpr Set<Kind> kForwards{Kind::kDataS, Kind::kDataM};
/// Messages that end one.
constexpr Set<Kind> kJoins{Kind::kCoreRspI, Kind::kCoreRspS, Kind::kCoreRspIWb, Kind::kCoreRspSWb, Kind::kRspI,
                           Kind::kRspS,     Kind::kRspFwdI,  Kind::kRspFwdS,    Kind::kRspFwdSWb,  Kind::kRspCnflt,
                           Kind::kDataS,    Kind::kDataM,    Kind::kMemData,    Kind::kCmpE,       Kind::kCmpFwdS,
                           Kind::kCmpFwdE,  Kind::kGntFwdE,  Kind::kCmpDataS,   Kind::kCmpDataF,   Kind::kCmpDataE};
/// Messages that bring data or leave from another socket; what they bring is passed on without reading the array.
constexpr Set<Kind> kBringing{Kind::kCmpE,     Kind::kCmpFwdS,  Kind::kCmpFwdE, Kind::kGntFwdE, Kind::kCmpDataS,
                              Kind::kCmpDataF, Kind::kCmpDataE, Kind::kDataS,   Kind::kDataM};

std::uint64_t mix(std::uint64_t digest, std::uint64_t value) {
  return (digest ^ value) * 0x100000001b3U + (digest >> 29);  // FNV-1a's prime, with the high bits folded back
}

std::string line_name(LineAddress line) { return fmt::format("0x{:x}", line.value * kLineBytes); }

}  // namespace

MemorySystem::MemorySystem(const Machine& machine, const Topology& topology, EventQueue& queue, Ledger& ledger,
                           CoreId (*op_core)(const Machine&, OpId))
    : machine_(machine),
      map_(machine),
      queue_(queue),
      ledger_(ledger),
      fabric_(machine, topology, map_, ledger),
      op_core_(op_core),
      channels_(static_cast<std::size_t>(machine.homes())),
      sent_(static_cast<std::size_t>(machine.cores() + machine.slices() + machine.homes())),
      inbound_(static_cast<std::size_t>(machine.cores())),
      dram_(core_cycles(machine, {}, machine.dram)),
      dram_occupancy_(core_cycles(machine, {}, machine.dram_occupancy)) {
  const ProtocolTables& tables = tables_of(machine.protocol, machine.snoop);
  for (int i = 0; i < machine.cores(); ++i)
    caches_.emplace_back(map_, CoreId{static_cast<std::uint32_t>(i)}, machine, *this, tables.cache);
  for (int i = 0; i < machine.slices(); ++i) {
    slices_.emplace_back(map_, SliceId{static_cast<std::uint32_t>(i)}, machine.l3_slice, *this, tables.slice);
  }
  for (int i = 0; i < machine.homes(); ++i) {
    homes_.emplace_back(map_, HomeId{static_cast<std::uint32_t>(i)}, machine, *this, tables.home);
  }
}

std::uint32_t MemorySystem::store(const Message& message) {
  if (spare_.empty()) {
    pool_.push_back(message);
    return static_cast<std::uint32_t>(pool_.size() - 1);
  }
  const std::uint32_t index = spare_.back();
  spare_.pop_back();
  pool_[index] = message;
  return index;
}

/// Returns the message's place in the pool.
std::uint32_t MemorySystem::schedule(const Message& message, AgentKind sender, Cycles at) {
  std::uint32_t actor = message.from;
  if (sender != AgentKind::kCore) actor += static_cast<std::uint32_t>(machine_.cores());
  if (sender == AgentKind::kHome) actor += static_cast<std::uint32_t>(machine_.slices());
  if (traits(message.kind).to == AgentKind::kCore) ++inbound_[message.to];
  const std::uint32_t place = store(message);
  queue_.push({at, Step::kDeliver, actor, ++sent_[actor], place});
  if (observer_ != nullptr) {
    sent_at_.resize(pool_.size());
    sent_at_[place] = now_;
  }
  return place;
}

void MemorySystem::send(const Message& message, DataFrom from) {
  Message sent = message;
  // What a requester asks its peers itself is a part of what it asks the home, who waits for their answers.
  if (kPeerSnoops.has(sent.kind)) sent.ledger = asked_home_;
  if (kForks.has(sent.kind) || kAsksHome.has(sent.kind)) sent.ledger = ledger_.fork(sent.ledger, now_);
  if (kAsksHome.has(sent.kind)) asked_home_ = sent.ledger;
  if (kForwards.has(sent.kind)) sent.ledger = ledger_.split(sent.ledger);
  const AgentKind sender = traits(sent.kind).from;
  Cycles work;
  Category category = Category::kSlice;
  switch (sender) {
    case AgentKind::kCore: {
      const bool request = sent.kind == Kind::kGetS || sent.kind == Kind::kGetM || sent.kind == Kind::kUpgrade;
      if (request) work = machine_.core.l2_miss;
      if (!request && from == DataFrom::kArray) work = machine_.core.snoop_data;
      category = request ? Category::kMissIssue : Category::kSnoop;
      break;
    }
    case AgentKind::kSlice: break;
    case AgentKind::kHome: category = Category::kHome; break;
  }
  const bool read = sender == AgentKind::kSlice && from == DataFrom::kArray && !passing_on_;
  schedule(sent, sender, fabric_.send(sender, sent, now_, work, read, category));
}

void MemorySystem::waited(const Message& message, OpId cause) {
  constexpr std::array<Category, 3> kQueues = {Category::kHeldByLock, Category::kSliceQueue, Category::kHomeQueue};
  ledger_.charge(message.ledger, kQueues[static_cast<std::size_t>(traits(message.kind).to)], now_, cause);
}

void MemorySystem::read_memory(const Message& request) {
  ++counted_.dram_reads;
  Message data;
  data.kind = Kind::kMemData;
  data.from = data.to = request.to;
  data.line = request.line;
  data.op = request.op;
  data.ledger = ledger_.fork(request.ledger, now_);
  const Cycles begin = channels_[data.to].reserve(now_, dram_occupancy_, data.op).begin;
  const Cycles end = std::max(begin + dram_, now_ + Cycles{1});
  ledger_.charge(data.ledger, Category::kDram, end);
  reads_.push_back(schedule(data, AgentKind::kHome, end));
}

/// DRAM still does it; its data finds nobody who waits.
void MemorySystem::drop_read(const Message& request) {
  const auto read = std::ranges::find_if(reads_, [&](std::uint32_t r) { return pool_[r].line == request.line; });
  ledger_.close(pool_[*read].ledger);
  pool_[*read].kind = Kind::kCount;
  reads_.erase(read);
}

void MemorySystem::write_memory(LineAddress line) {
  ++counted_.dram_writes;
  channels_[map_.home_of(line).value].reserve(now_, dram_occupancy_, {});
}

void MemorySystem::replaced(CoreId core, LineAddress line) {
  if (listener_ != nullptr) listener_->line_replaced(core, line);
  if (observer_ != nullptr) tell_state(AgentKind::kCore, core.value, line);
}

void MemorySystem::evicted(SliceId slice, LineAddress line) {
  if (observer_ != nullptr) tell_state(AgentKind::kSlice, slice.value, line);
}

void MemorySystem::deliver(const Event& event) {
  now_ = event.at;
  Message& message = pool_[event.payload];
  if (message.kind == Kind::kCount) return spare_.push_back(event.payload);
  if (message.kind == Kind::kMemData) std::erase(reads_, event.payload);
  ++delivered_;
  ++counted_.messages[static_cast<std::size_t>(message.kind)];
  digest_ = mix(digest_, static_cast<std::uint64_t>(event.at.count) << 8 | static_cast<std::uint64_t>(message.kind));
  digest_ = mix(digest_, message.line.value << 24 ^ std::uint64_t{message.from} << 12 ^ message.to);
  if (message.kind == Kind::kCoreRspIWb && message.ledger != 0 &&
      map_.socket_of(op_core_(machine_, message.op)) == map_.socket_of(SliceId{message.to})) {
    ++counted_.ownership_transfers[0];
  } else if (message.kind == Kind::kDataM) {
    const int hops = fabric_.socket_hops(map_.socket_of(SliceId{message.from}), map_.socket_of(SliceId{message.to}));
    ++counted_.ownership_transfers[hops == 1 ? 1 : 2];
  }
  if (kJoins.has(message.kind)) message.ledger = ledger_.join(message.ledger);
  passing_on_ = kBringing.has(message.kind);
  if (observer_ != nullptr) observer_->message_arrived(message, sent_at_[event.payload], now_);
  switch (traits(message.kind).to) {
    case AgentKind::kCore:
      --inbound_[message.to];
      caches_[message.to].receive(message);
      if (listener_ != nullptr) listener_->cache_changed(CoreId{message.to}, message.line, message.op);
      break;
    case AgentKind::kSlice: slices_[message.to].receive(message); break;
    case AgentKind::kHome: homes_[message.to].receive(message); break;
  }
  passing_on_ = false;
  if (observer_ != nullptr) tell_state(traits(message.kind).to, message.to, message.line);
  spare_.push_back(event.payload);
}

void MemorySystem::tell_state(AgentKind kind, std::uint32_t agent, LineAddress line) const {
  std::string_view state;
  switch (kind) {
    case AgentKind::kCore:
      state = PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(caches_[agent].state(line))];
      break;
    case AgentKind::kSlice:
      state = SliceProtocol::kStateNames[static_cast<std::size_t>(slices_[agent].state(line))];
      break;
    case AgentKind::kHome:
      state = HomeProtocol::kStateNames[static_cast<std::size_t>(homes_[agent].state(line))];
      break;
  }
  observer_->line_changed(kind, agent, line, state, now_);
}

MachineCounters MemorySystem::counters() const {
  MachineCounters all = counted_;
  all.link_bytes = fabric_.link_bytes();
  for (const Slice& slice : slices_) {
    all.l3_hits += slice.hits();
    all.l3_misses += slice.misses();
  }
  return all;
}

std::uint64_t MemorySystem::peek(Address address, unsigned bytes) const {
  const LineAddress line = line_of(address);
  const auto read = [&](const LineData& data) { return data.read(offset_in_line(address), bytes); };
  for (const PrivateCache& cache : caches_) {
    const auto state = cache.state(line);
    const bool owner = state == PrivateCache::State::kM || state == PrivateCache::State::kMiA;
    if (owner) return read(*cache.peek(line));
  }
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    const Slice::Line* entry = slices_[map_.slice_of(line, SocketId{socket}).value].find(line);
    if (entry != nullptr && entry->dirty) return read(entry->data);
  }
  return read(homes_[map_.home_of(line).value].memory(line));
}

std::string MemorySystem::dump() const {
  std::string text;
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    for (const auto& entry : caches_[i].open_lines()) {
      text += fmt::format("  core {} line {}: {}, serves operation {}\n", i, line_name(entry.line),
                          PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(entry.state)], entry.op.value);
    }
    for (const Message& snoop : caches_[i].held_snoops()) {
      text += fmt::format("  core {} line {}: {} of operation {} waits for a LOCKed operation\n", i,
                          line_name(snoop.line), name_of(snoop.kind), snoop.op.value);
    }
  }
  for (std::size_t i = 0; i < slices_.size(); ++i) {
    for (const Slice::Line* entry : slices_[i].open_lines()) {
      text += fmt::format("  slice {} line {}: {}, serves operation {}, awaits {} answers{}, {} messages wait\n", i,
                          line_name(entry->line), SliceProtocol::kStateNames[static_cast<std::size_t>(entry->state)],
                          entry->transaction->op.value, entry->transaction->awaited,
                          entry->transaction->half ? " and Cmp or GntFwdE" : "",
                          entry->transaction->waiting.size() - entry->transaction->next);
    }
    for (const Message& message : slices_[i].waiting_for_a_way()) {
      text += fmt::format("  slice {} line {}: {} of operation {} waits for a way\n", i, line_name(message.line),
                          name_of(message.kind), message.op.value);
    }
  }
  for (std::size_t i = 0; i < homes_.size(); ++i) {
    for (const Home::Line* line : homes_[i].open_lines()) {
      text +=
          fmt::format("  home {} line {}: {}, serves operation {}, awaits {} answers{}, {} requests wait\n", i,
                      line_name(line->address), HomeProtocol::kStateNames[static_cast<std::size_t>(line->state)],
                      line->request.op.value, line->awaited, line->reading ? " and memory" : "", line->waiting.size());
    }
  }
  return text;
}

void MemorySystem::impossible(const Message& message, const char* state, const char* event, const char* why) {
  throw ProtocolError(
      fmt::format("cycle {}: {} from {} to {} about line {} (operation {}) meets state {} as {}: {}\n{}", now_.count,
                  name_of(message.kind), message.from, message.to, line_name(message.line), message.op.value, state,
                  event, why, dump()));
}

}  // namespace linebounce

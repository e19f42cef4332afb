// SPDX-License-Identifier: Apache-2.0
#include "coherence/controller_access.hpp"

namespace linebounce {

namespace {

using CacheState = PrivateCacheProtocol::State;
using SliceS = SliceProtocol::State;

constexpr Set<CacheState> kHasData{CacheState::kS, CacheState::kE, CacheState::kM, CacheState::kSmA, CacheState::kMiA};
constexpr Set<CacheState> kOpen{CacheState::kIsD, CacheState::kImD, CacheState::kSmA};
constexpr Set<CacheState> kWritingBack{CacheState::kMiA, CacheState::kIiA};
/// Here the slice's own copy means nothing.
constexpr Set<SliceS> kNoData{SliceS::kI, SliceS::kISG, SliceS::kIMG};
constexpr Set<SliceS> kServesSnoop{SliceS::kXS, SliceS::kXI, SliceS::kXSI, SliceS::kCI};
constexpr Set<SliceS> kServesNoRequest{SliceS::kXS, SliceS::kXI, SliceS::kXSI, SliceS::kV};

LineData data_of(bool fresh) {
  LineData data;
  data.words[0] = fresh ? 1 : 0;
  return data;
}
bool is_fresh(const LineData& data) { return data.words[0] == 1; }

template <class Queue>
void lengthen_all(const Queue& from, std::vector<Message>& to) {
  to.clear();
  for (const ShortMessage& message : from) to.push_back(ControllerAccess::lengthen(message));
}

template <class Queue>
void shorten_all(const std::vector<Message>& from, Queue& to, std::size_t first = 0) {
  to.clear();
  for (std::size_t i = first; i < from.size(); ++i) to.push_back(ControllerAccess::shorten(from[i]));
}

}  // namespace

Message ControllerAccess::lengthen(const ShortMessage& message) {
  Message full;
  full.kind = message.kind;
  full.from = message.from;
  full.to = message.to;
  full.requester = message.requester;
  full.line = address(message.line);
  full.op = OpId{1};
  full.data = data_of(message.fresh);
  return full;
}

ShortMessage ControllerAccess::shorten(const Message& message) {
  ShortMessage brief;
  brief.kind = message.kind;
  brief.from = static_cast<std::uint8_t>(message.from);
  brief.to = static_cast<std::uint8_t>(message.to);
  brief.requester = static_cast<std::uint8_t>(names_requester(message.kind) ? message.requester : 0);
  brief.line = number(message.line);
  brief.fresh = traits(message.kind).data && message.kind != MessageKind::kMemData && is_fresh(message.data);
  return brief;
}

void ControllerAccess::load(PrivateCache& cache, const CoreState& state) const {
  cache.array_.clear();
  cache.write_backs_.clear();
  cache.open_ = 0;
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const CoreState::Line& line = state.lines[n];
    if (line.state == CacheState::kI) continue;
    PrivateCache::Line entry;
    entry.line = address(n);
    entry.used = true;
    entry.state = line.state;
    entry.data = data_of(line.fresh);
    entry.op = OpId{1};
    if (kOpen.has(line.state)) ++cache.open_;
    if (kWritingBack.has(line.state)) {
      cache.write_backs_.push_back(entry);
    } else {
      *cache.array_.take(entry.line) = entry;
    }
  }
  lengthen_all(state.held_snoops, cache.held_snoops_);
  cache.released_.clear();
  cache.holds_[0] = {state.held != CoreState::kNoLine, address(state.held), OpId{1}};
}

void ControllerAccess::save(const PrivateCache& cache, CoreState& state) const {
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const PrivateCache::Line* entry = const_cast<PrivateCache&>(cache).find(address(n));
    CoreState::Line& line = state.lines[n];
    line.state = entry != nullptr ? entry->state : CacheState::kI;
    line.fresh = entry != nullptr && kHasData.has(entry->state) && is_fresh(entry->data);
  }
  shorten_all(cache.held_snoops_, state.held_snoops);
  state.held = cache.holds_[0].active ? number(cache.holds_[0].line) : CoreState::kNoLine;
}

void ControllerAccess::load(Slice& slice, const SliceState& state) const {
  for (std::uint32_t n = 0; n < lines_; ++n) {
    Slice::Line* entry = slice.array_.find(address(n));
    if (entry != nullptr && entry->transaction != nullptr) slice.close(*entry);
  }
  slice.array_.clear();
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const SliceState::Line& line = state.lines[n];
    if (line.state == SliceS::kI && !line.half) continue;
    Slice::Line& entry = *slice.array_.take(address(n));
    entry.state = line.state;
    entry.dirty = line.dirty;
    entry.cores = line.cores;
    entry.data = data_of(line.fresh);
    if (slice::rows::kSettled.has(line.state) && !line.half) continue;
    Slice::Transaction& open = slice.open(entry);
    open.half = line.half;
    open.request = lengthen(line.request);
    if (kServesNoRequest.has(line.state)) open.request.from = slice.map_.first_core(slice.socket_).value;
    open.snoop = lengthen(line.snoop);
    open.awaited = line.awaited;
    open.have_cmp = line.have_cmp;
    open.answered = line.answered;
    open.op = OpId{1};
    lengthen_all(line.waiting, open.waiting);
    open.next = 0;
  }
  lengthen_all(state.wayless, slice.wayless_);
  slice.retried_.clear();
}

void ControllerAccess::save(const Slice& slice, SliceState& state) const {
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const Slice::Line* entry = slice.array_.find(address(n));
    SliceState::Line& line = state.lines[n];
    line = {};
    if (entry == nullptr) continue;
    line.state = entry->state;
    line.fresh = !kNoData.has(entry->state) && is_fresh(entry->data);
    line.dirty = entry->dirty;
    line.cores = static_cast<std::uint8_t>(entry->cores);
    if (entry->transaction == nullptr) continue;
    const Slice::Transaction& open = *entry->transaction;
    line.half = open.half;
    shorten_all(open.waiting, line.waiting, open.next);
    if (slice::rows::kSettled.has(entry->state)) continue;
    if (!kServesNoRequest.has(entry->state)) line.request = shorten(open.request);
    if (kServesSnoop.has(entry->state)) line.snoop = shorten(open.snoop);
    line.awaited = static_cast<std::uint8_t>(open.awaited);
    line.have_cmp = open.have_cmp;
    line.answered = open.answered;
  }
  shorten_all(slice.wayless_, state.wayless);
}

void ControllerAccess::load(Home& home, const HomeState& state) const {
  home.free_trackers_ = home.trackers_;
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const HomeState::Line& line = state.lines[n];
    Home::Line& entry = home.lines_[address(n).value];
    if (line.state != HomeProtocol::State::kIdle) --home.free_trackers_;
    entry.state = line.state;
    entry.memory = data_of(line.fresh);
    entry.request = lengthen(line.request);
    entry.awaited = line.awaited;
    entry.reading = line.reading;
    entry.memory_here = line.memory_here;
    entry.shared = line.shared;
    entry.unasked = line.unasked;
    entry.directory = line.directory;
    entry.forwarded_to = line.forwarded_to == HomeState::kNobody ? Home::kNobody : line.forwarded_to;
    entry.early.clear();
    for (const HomeState::Early& e : line.early) entry.early.push_back({e.requester, e.good, e.outdated, e.shared});
    lengthen_all(line.waiting, entry.waiting);
  }
  lengthen_all(state.trackerless, home.trackerless_);
}

void ControllerAccess::save(const Home& home, HomeState& state) const {
  for (std::uint32_t n = 0; n < lines_; ++n) {
    const Home::Line& entry = home.lines_.at(address(n).value);
    HomeState::Line& line = state.lines[n];
    line = {};
    line.state = entry.state;
    line.fresh = is_fresh(entry.memory);
    line.directory = entry.directory;
    line.forwarded_to =
        entry.forwarded_to == Home::kNobody ? HomeState::kNobody : static_cast<std::uint8_t>(entry.forwarded_to);
    for (const Home::Answers& e : entry.early) {
      line.early.push_back({static_cast<std::uint8_t>(e.requester), static_cast<std::uint8_t>(e.good),
                            static_cast<std::uint8_t>(e.outdated), e.shared});
    }
    shorten_all(entry.waiting, line.waiting);
    if (entry.state == HomeProtocol::State::kIdle) continue;
    line.request = shorten(entry.request);
    line.awaited = static_cast<std::uint8_t>(entry.awaited);
    line.reading = entry.reading;
    line.memory_here = entry.memory_here;
    line.shared = entry.shared;
    line.unasked = entry.unasked;
  }
  shorten_all(home.trackerless_, state.trackerless);
}

void ControllerAccess::set_opportune(Home& home, bool opportune) {
  home.broadcast_below_ = opportune ? home.trackers_ : 0;
}

void ControllerAccess::set_patient(Home& home, bool patient) { home.settles_at_once_ = !patient; }

bool ControllerAccess::settle(Home& home, std::uint32_t line) { return home.settle(home.lines_[address(line).value]); }

void ControllerAccess::replace(PrivateCache& cache, std::uint32_t line) {
  cache.replace(*cache.array_.find(address(line)));
}

void ControllerAccess::evict(Slice& slice, std::uint32_t line) {
  slice.evict(*slice.array_.find(address(line)), OpId{1});
}

}  // namespace linebounce

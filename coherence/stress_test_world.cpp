// SPDX-License-Identifier: Apache-2.0
#include "coherence/stress_test_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace linebounce {

namespace {

using CacheState = PrivateCache::State;
using SliceState = Slice::State;

constexpr Set<CacheState> kReadable{CacheState::kS, CacheState::kE, CacheState::kM, CacheState::kSmA};
constexpr Set<CacheState> kWritable{CacheState::kE, CacheState::kM};
constexpr Set<SliceState> kOnlySocket{SliceState::kE,  SliceState::kM,  SliceState::kEO, SliceState::kMO,
                                      SliceState::kBS, SliceState::kBI, SliceState::kXS, SliceState::kXI};
/// The L3's own copy must be the newest; not so when a core may have modified it, or when there is no copy.
constexpr Set<SliceState> kCurrent{SliceState::kS, SliceState::kF, SliceState::kE, SliceState::kM, SliceState::kXSI};
/// States in which the socket has a copy that others may rely on.
constexpr Set<SliceState> kHasCopy{SliceState::kS,  SliceState::kF,  SliceState::kE,  SliceState::kM,  SliceState::kEO,
                                   SliceState::kMO, SliceState::kBS, SliceState::kBI, SliceState::kXS,
                                   SliceState::kXI, SliceState::kXSI};

void require(bool holds, const std::string& what) {
  if (!holds) throw std::runtime_error(what);
}

}  // namespace

StressWorld::StressWorld(const TestShape& shape, std::uint32_t lines, std::uint64_t seed, const ProtocolTables& tables)
    : tables_(tables),
      machine_(test_machine(shape)),
      map_(machine_),
      random_(seed),
      golden_(lines),
      eagerness_(40 + random_.below(55)),
      impatience_(random_.below(4)) {
  for (std::uint32_t i = 0; i < lines; ++i) lines_.push_back(test_line(i, i % map_.sockets()));
  const auto cores = static_cast<std::uint32_t>(machine_.cores());
  threads_.resize(std::size_t{2} * cores);
  for (std::uint32_t i = 0; i < cores; ++i) caches_.emplace_back(map_, CoreId{i}, machine_, network_, tables_.cache);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(machine_.slices()); ++i) {
    slices_.emplace_back(map_, SliceId{i}, machine_.l3_slice, network_, tables_.slice);
  }
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(machine_.homes()); ++i) {
    homes_.emplace_back(map_, HomeId{i}, machine_, network_, tables_.home);
  }
}

void StressWorld::run(std::uint32_t steps) {
  for (std::uint32_t i = 0; i < steps; ++i) step();
  drain();
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    for (std::uint32_t core = 0; core < caches_.size(); ++core) {
      wish(core, 0, WishKind::kLoad, line);
      drain();
    }
  }
}

void StressWorld::step() {
  if (network_.size() != 0 && random_.below(100) < eagerness_) {
    deliver_any();
    return;
  }
  const std::uint32_t core = random_.below(static_cast<std::uint32_t>(caches_.size()));
  const unsigned index = random_.below(2);
  const Thread& chosen = thread(core, index);
  if (chosen.holding) {
    release(core, index);
  } else if (!chosen.wishing) {
    const auto kind = static_cast<WishKind>(random_.below(3));
    wish(core, index, kind, random_.below(static_cast<std::uint32_t>(lines_.size())));
  }
}

void StressWorld::deliver_any() {
  const auto count = static_cast<std::uint32_t>(network_.size());
  std::uint32_t i = random_.below(count);
  for (std::uint32_t n = 0; n < impatience_; ++n) i = std::max(i, random_.below(count));
  deliver(i);
}

void StressWorld::deliver(std::size_t i) {
  const Message message = network_.take(i);
  switch (traits(message.kind).to) {
    case AgentKind::kCore:
      caches_[message.to].receive(message);
      retry(message.to, message.line);
      break;
    case AgentKind::kSlice: slices_[message.to].receive(message); break;
    case AgentKind::kHome: homes_[message.to].receive(message); break;
  }
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    if (lines_[line] == message.line) check_line(line);
  }
}

void StressWorld::wish(std::uint32_t core, unsigned index, WishKind kind, std::uint32_t line) {
  thread(core, index) = {true, false, kind, line, OpId{++ops_}};
  try_serve(core, index);
  for (std::uint32_t i = 0; i < lines_.size(); ++i) check_line(i);
}

/// A core asks as soon as it can, and acts at once when the answer is a hit.
void StressWorld::try_serve(std::uint32_t core, unsigned index) {
  Thread& t = thread(core, index);
  PrivateCache& cache = caches_[core];
  const LineAddress line = lines_[t.line];
  const auto event = t.wish == WishKind::kLoad ? PrivateCache::Event::kLoad : PrivateCache::Event::kOwn;
  const bool expected = cache.would_hit(event, line);
  const bool hit = cache.ask(event, line, t.op, 0) == PrivateCache::Answer::kHit;
  require(hit == expected || (hit && t.wish != WishKind::kLoad), "ask() and would_hit() differ");
  if (!hit) return;
  t.wishing = false;
  cache.touch_l1(line);
  LineData& data = cache.data(line);
  require(data == golden_[t.line], fmt::format("core {} reads line {} and finds {}, the last write was {}", core,
                                               t.line, data.words[0], golden_[t.line].words[0]));
  if (t.wish == WishKind::kLoad) return;
  ++writes_;
  data.words[0] = writes_;
  data.words[1 + core % 7] = writes_;
  golden_[t.line] = data;
  if (t.wish != WishKind::kLocked) return;
  cache.hold(index, line, t.op);
  t.holding = true;
}

/// Something has happened to the core's cache: first who waited for that line, then the rest.
void StressWorld::retry(std::uint32_t core, LineAddress first) {
  for (const bool this_line : {true, false}) {
    for (unsigned index = 0; index < 2; ++index) {
      const Thread& t = thread(core, index);
      if (t.wishing && (lines_[t.line] == first) == this_line) try_serve(core, index);
    }
  }
}

void StressWorld::release(std::uint32_t core, unsigned index) {
  Thread& t = thread(core, index);
  const auto state = caches_[core].state(lines_[t.line]);
  require(state == CacheState::kM, "a line left while a LOCKed operation held it");
  t.holding = false;
  caches_[core].release(index);
  retry(core, lines_[t.line]);
}

/// No new wishes: all that is open ends.
void StressWorld::drain() {
  std::uint32_t steps = 0;
  bool holds = true;
  while (network_.size() != 0 || holds) {
    require(++steps < 10'000, "messages never cease");
    if (network_.size() != 0) deliver_any();
    holds = false;
    for (std::uint32_t core = 0; core < caches_.size(); ++core) {
      for (unsigned index = 0; index < 2; ++index) {
        if (!thread(core, index).holding) continue;
        holds = true;
        if (network_.size() == 0 || random_.below(4) == 0) release(core, index);
      }
    }
  }
  check_quiet();
}

const Slice::Line* StressWorld::l3(std::uint32_t socket, LineAddress line) const {
  const Slice::Line* entry = slices_[map_.slice_of(line, SocketId{socket}).value].find(line);
  return entry != nullptr && entry->state != SliceState::kI ? entry : nullptr;
}

void StressWorld::check_line(std::uint32_t line) const {
  std::uint32_t readers = 0;
  std::uint32_t writers = 0;
  for (std::uint32_t core = 0; core < caches_.size(); ++core) {
    const CacheState state = caches_[core].state(lines_[line]);
    const Slice::Line* entry = l3(map_.socket_of(CoreId{core}).value, lines_[line]);
    const bool valid = entry != nullptr && (entry->cores & bit(core)) != 0;
    // A write-back buffer has the newest data until the L3 has taken it over.
    if (!kReadable.has(state) && !(state == CacheState::kMiA && valid)) continue;
    const LineData* data = caches_[core].peek(lines_[line]);
    require(data != nullptr && *data == golden_[line], fmt::format("core {} has an old copy of line {}", core, line));
    if (!kReadable.has(state)) continue;
    ++readers;
    if (kWritable.has(state)) ++writers;
    require(entry != nullptr, fmt::format("core {} has line {}, its L3 has not", core, line));
    require(valid, fmt::format("core {} has line {}, its core-valid bit is off", core, line));
    if (kWritable.has(state)) {
      require((entry->cores & ~bit(core)) == 0, fmt::format("core {} owns line {}, others are valid", core, line));
    }
  }
  require(writers == 0 || readers == 1, fmt::format("line {}: {} writers, {} holders", line, writers, readers));
  check_sockets(line);
}

void StressWorld::check_sockets(std::uint32_t line) const {
  std::uint32_t holders = 0;
  std::uint32_t sole_holders = 0;
  std::uint32_t forwarders = 0;
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    const Slice::Line* entry = l3(socket, lines_[line]);
    if (entry == nullptr) continue;
    if (kHasCopy.has(entry->state)) ++holders;
    if (kOnlySocket.has(entry->state)) ++sole_holders;
    if (entry->state == SliceState::kF) ++forwarders;
    if (kCurrent.has(entry->state)) {
      require(entry->data == golden_[line], fmt::format("socket {} has an old copy of line {}", socket, line));
    }
  }
  require(sole_holders == 0 || holders == 1,
          fmt::format("line {}: {} sockets hold it, {} of them alone", line, holders, sole_holders));
  require(forwarders <= 1, fmt::format("line {}: {} forwarders", line, forwarders));
}

void StressWorld::check_quiet() const {
  for (const Thread& t : threads_) require(!t.wishing, fmt::format("operation {} was never served", t.op.value));
  for (const PrivateCache& cache : caches_) {
    require(cache.open_lines().empty() && cache.held_snoops().empty(), "a private cache is not quiet");
  }
  for (const Slice& slice : slices_) {
    require(slice.open_lines().empty() && slice.waiting_for_a_way().empty(), "a slice is not quiet");
  }
  for (const Home& home : homes_) require(home.open_lines().empty(), "a home agent is not quiet");
}

void StressWorld::add_rows_fired(RowsFired& sum) const {
  for (const PrivateCache& cache : caches_) add_rows(sum.cache, cache.rows_fired());
  for (const Slice& slice : slices_) add_rows(sum.slice, slice.rows_fired());
  for (const Home& home : homes_) add_rows(sum.home, home.rows_fired());
}

std::string StressWorld::dump() const {
  std::string all;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    const Thread& t = threads_[i];
    if (t.wishing)
      all += fmt::format("core {} wish {} line {} op {}\n", i / 2, static_cast<int>(t.wish), t.line, t.op.value);
    if (t.holding) all += fmt::format("core {} holds line {} for op {}\n", i / 2, t.line, t.op.value);
  }
  for (const LineAddress line : lines_) {
    all += fmt::format("line {:x}:", line.value);
    for (const PrivateCache& cache : caches_) {
      all += fmt::format(" {}", PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(cache.state(line))]);
    }
    for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
      const Slice::Line* entry = l3(socket, line);
      if (entry == nullptr) continue;
      all += fmt::format("; L3 {}: {} cores {:b}{}", socket,
                         SliceProtocol::kStateNames[static_cast<std::size_t>(entry->state)], entry->cores,
                         entry->dirty ? " dirty" : "");
    }
    all += '\n';
  }
  return all + "last messages:\n" + network_.history() + "in flight:\n" + network_.in_flight();
}

}  // namespace linebounce

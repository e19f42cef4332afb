// SPDX-License-Identifier: Apache-2.0
#include "coherence/random_world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "coherence/enum_set.hpp"
#include "coherence/protocol_violation.hpp"

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
constexpr Set<SliceState> kHasCopy{SliceState::kS,  SliceState::kF,  SliceState::kE,  SliceState::kM,
                                   SliceState::kEO, SliceState::kMO, SliceState::kBS, SliceState::kBI,
                                   SliceState::kXS, SliceState::kXI, SliceState::kXSI};

[[noreturn]] void fail(const std::string& what) { throw ProtocolViolation(what); }

template <class... Args>
void require(bool holds, fmt::format_string<Args...> what, Args&&... args) {
  if (!holds) fail(fmt::format(what, std::forward<Args>(args)...));
}

}  // namespace

RandomWorld::RandomWorld(const Machine& machine, std::uint64_t seed, const ProtocolTables& tables)
    : machine_(machine),
      map_(machine_),
      random_(seed),
      eagerness_(40 + random_.below(55)),
      impatience_(random_.below(4)) {
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(machine_.cores()); ++i)
    caches_.emplace_back(map_, CoreId{i}, machine_, network_, tables.cache);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(machine_.slices()); ++i)
    slices_.emplace_back(map_, SliceId{i}, machine_.l3_slice, network_, tables.slice);
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(machine_.homes()); ++i)
    homes_.emplace_back(map_, HomeId{i}, machine_, network_, tables.home);
  choose_cores();
  choose_lines();
}

/// Few, so that they meet: of all sockets or of some.
void RandomWorld::choose_cores() {
  constexpr std::size_t kMost = 8;
  cores_.resize(caches_.size());
  std::iota(cores_.begin(), cores_.end(), 0U);
  const auto shuffled = [this](std::vector<std::uint32_t>& all) {
    for (std::size_t i = all.size(); i > 1; --i)
      std::swap(all[i - 1], all[random_.below(static_cast<std::uint32_t>(i))]);
  };
  if (cores_.size() > kMost) {
    std::vector<std::uint32_t> sockets(map_.sockets());
    std::iota(sockets.begin(), sockets.end(), 0U);
    shuffled(sockets);
    sockets.resize(1 + random_.below(map_.sockets()));
    std::erase_if(cores_, [&](std::uint32_t core) {
      return std::ranges::find(sockets, map_.socket_of(CoreId{core}).value) == sockets.end();
    });
    shuffled(cores_);
    cores_.resize(std::min(cores_.size(), kMost));
    std::ranges::sort(cores_);
  }
  for (const std::uint32_t core : cores_) {
    for (unsigned index = 0; index < static_cast<unsigned>(machine_.threads_per_core); ++index) {
      threads_.emplace_back().core = core;
      threads_.back().index = index;
    }
  }
}

/// All in one slice and in one set of every cache, wherever their homes.
void RandomWorld::choose_lines() {
  constexpr std::uint64_t kAllSets = 80;  // a multiple of the numbers of sets of caches of 1 KiB with up to three ways
  const std::size_t count = 1 + random_.below(4);
  std::uint64_t number = random_.below(1000);
  while (lines_.size() < count) {
    const std::uint64_t home = std::uint64_t{random_.below(map_.sockets())} << AgentMap::kHomeShift;
    const LineAddress line{(home / kAllSets + 1 + number++) * kAllSets};
    const std::uint32_t slice = map_.slice_of(line, SocketId{0}).value;
    if (lines_.empty()) slice_ = slice;
    if (slice == slice_) lines_.push_back(line);
  }
  golden_.resize(count);
}

void RandomWorld::run(std::uint64_t operations) {
  while (operations_ < operations) step();
  drain();
  for (std::uint32_t line = 0; line < lines_.size(); ++line) {
    for (Thread& thread : threads_) {
      if (thread.index == 0) wish(thread, WishKind::kLoad, line);
    }
    drain();
  }
}

void RandomWorld::step() {
  count_step();
  const bool idle = wishing_ < threads_.size();
  if (network_.size() != 0 && (!idle || random_.below(100) < eagerness_)) return deliver_any();
  if (!idle) fail("stuck: every thread waits, and no message is in flight");
  std::size_t i = random_.below(static_cast<std::uint32_t>(threads_.size()));
  while (threads_[i].wishing) i = (i + 1) % threads_.size();
  if (threads_[i].holding) return release(threads_[i]);
  wish(threads_[i], static_cast<WishKind>(random_.below(3)), random_.below(static_cast<std::uint32_t>(lines_.size())));
}

void RandomWorld::count_step() {
  constexpr std::uint64_t kPatience = 100'000;
  require(++steps_without_ < kPatience, "messages come and go, but for {} steps no operation was served", kPatience);
}

void RandomWorld::deliver_any() {
  const auto count = static_cast<std::uint32_t>(network_.size());
  std::uint32_t i = random_.below(count);
  for (std::uint32_t n = 0; n < impatience_; ++n) i = std::max(i, random_.below(count));
  deliver(network_.take(i));
}

void RandomWorld::deliver(const Message& message) {
  suspect_ = number_of(message.line);
  const auto receiver = [&](auto& agents) -> auto& {
    require(message.to < agents.size(), "{} goes to somebody who does not exist", name_of(message.kind));
    return agents[message.to];
  };
  switch (traits(message.kind).to) {
    case AgentKind::kCore:
      receiver(caches_).receive(message);
      retry(message.to, message.line);
      break;
    case AgentKind::kSlice: receiver(slices_).receive(message); break;
    case AgentKind::kHome: receiver(homes_).receive(message); break;
  }
  check_line(suspect_);
}

void RandomWorld::wish(Thread& thread, WishKind kind, std::uint32_t line) {
  thread.wishing = true;
  ++wishing_;
  thread.wish = kind;
  thread.line = suspect_ = line;
  thread.bytes = 1U << random_.below(4);
  thread.offset = random_.below(kLineBytes / thread.bytes) * thread.bytes;
  thread.op = OpId{++begun_};
  try_serve(thread);
  check_line(line);
}

RandomWorld::Thread* RandomWorld::sibling(const Thread& thread) {
  for (Thread& other : threads_) {
    if (other.core == thread.core && other.index != thread.index) return &other;
  }
  return nullptr;
}

/// A core asks as soon as it can, and acts at once when the answer is a hit.
void RandomWorld::try_serve(Thread& thread) {
  const LineAddress line = lines_[thread.line];
  const Thread* const other = sibling(thread);
  const bool loads = thread.wish == WishKind::kLoad;
  if (!loads && other != nullptr && other->holding && other->line == thread.line) return;
  PrivateCache& cache = caches_[thread.core];
  const auto event = loads ? PrivateCache::Event::kLoad : PrivateCache::Event::kOwn;
  const bool expected = cache.would_hit(event, line);
  const bool hit = cache.ask(event, line, thread.op, 0) == PrivateCache::Answer::kHit;
  require(hit == expected || (hit && !loads), "ask() and would_hit() differ");
  if (!hit) return;
  thread.wishing = false;
  --wishing_;
  cache.touch_l1(line);
  LineData& data = cache.data(line);
  check_data(thread, data);
  if (thread.wish == WishKind::kLocked) {
    thread.seen = data.read(thread.offset, thread.bytes);
    cache.hold(thread.index, line, thread.op);
    thread.holding = true;
    return;
  }
  if (!loads) write(thread, data);
  ++operations_;
  steps_without_ = 0;
}

/// What it writes is never what was there before.
void RandomWorld::write(const Thread& thread, LineData& data) {
  const std::uint64_t value = data.read(thread.offset, thread.bytes) + 1 + random_.below(255);
  data.write(thread.offset, thread.bytes, value);
  golden_[thread.line].write(thread.offset, thread.bytes, value);
}

/// Something has happened to the core's cache: first who waited for that line, then the rest.
void RandomWorld::retry(std::uint32_t core, LineAddress first) {
  for (const bool this_line : {true, false}) {
    for (Thread& thread : threads_) {
      if (thread.core == core && thread.wishing && (lines_[thread.line] == first) == this_line) try_serve(thread);
    }
  }
}

/// A LOCKed operation writes and ends.
void RandomWorld::release(Thread& thread) {
  const LineAddress line = lines_[thread.line];
  suspect_ = thread.line;
  PrivateCache& cache = caches_[thread.core];
  require(cache.state(line) == CacheState::kM, "a line left core {} while a LOCKed operation held it", thread.core);
  LineData& data = cache.data(line);
  check_data(thread, data);
  require(data.read(thread.offset, thread.bytes) == thread.seen,
          "another write came into a LOCKed operation of core {}", thread.core);
  write(thread, data);
  ++operations_;
  steps_without_ = 0;
  thread.holding = false;
  Thread* const next = sibling(thread);
  const bool next_wants_it =
      next != nullptr && next->wishing && next->wish == WishKind::kLocked && next->line == thread.line;
  if (next_wants_it && random_.below(2) == 0) {
    cache.unhold(thread.index);
    return try_serve(*next);
  }
  cache.release(thread.index);
  retry(thread.core, line);
}

/// No new wishes: all that is open ends.
void RandomWorld::drain() {
  for (;;) {
    count_step();
    const auto holder = std::ranges::find_if(threads_, &Thread::holding);
    if (holder != threads_.end() && (network_.size() == 0 || random_.below(4) == 0)) {
      release(*holder);
    } else if (network_.size() != 0) {
      deliver_any();
    } else {
      break;
    }
  }
  check_quiet();
}

std::uint32_t RandomWorld::number_of(LineAddress line) const {
  const auto found = std::ranges::find(lines_, line);
  if (found == lines_.end()) fail("a message about a line that nobody wanted");
  return static_cast<std::uint32_t>(found - lines_.begin());
}

const Slice::Line* RandomWorld::l3(std::uint32_t socket, std::uint32_t line) const {
  const auto slices = static_cast<std::uint32_t>(machine_.l3_slices_per_socket);
  const Slice::Line* entry = slices_[socket * slices + slice_].find(lines_[line]);
  return entry != nullptr && entry->state != SliceState::kI ? entry : nullptr;
}

void RandomWorld::check_data(const Thread& thread, const LineData& data) const {
  const LineData& golden = golden_[thread.line];
  for (std::size_t i = 0; i < data.words.size(); ++i) {
    require(data.words[i] == golden.words[i],
            "core {} reads line {} and finds {:#x} in its word {}, the last write left {:#x}", thread.core, thread.line,
            data.words[i], i, golden.words[i]);
  }
}

void RandomWorld::check_line(std::uint32_t line) const {
  check_cores(line);
  check_sockets(line);
}

void RandomWorld::check_cores(std::uint32_t line) const {
  std::uint32_t readers = 0;
  std::uint32_t writers = 0;
  for (const std::uint32_t core : cores_) {
    const CacheState state = caches_[core].state(lines_[line]);
    if (!kReadable.has(state) && state != CacheState::kMiA) continue;
    const Slice::Line* entry = l3(map_.socket_of(CoreId{core}).value, line);
    const bool valid = entry != nullptr && (entry->cores & bit(core)) != 0;
    // A write-back buffer has the newest data until the L3 has taken it over.
    if (!kReadable.has(state) && !valid) continue;
    const LineData* data = caches_[core].peek(lines_[line]);
    require(data != nullptr && *data == golden_[line], "core {} has an old copy of line {}", core, line);
    if (!kReadable.has(state)) continue;
    ++readers;
    if (kWritable.has(state)) ++writers;
    require(entry != nullptr, "core {} has line {}, its L3 has not", core, line);
    require(valid, "core {} has line {}, its core-valid bit is off", core, line);
    if (kWritable.has(state)) {
      require((entry->cores & ~bit(core)) == 0, "core {} owns line {}, others are valid", core, line);
    }
  }
  require(writers == 0 || readers == 1, "line {}: {} writers, {} holders", line, writers, readers);
}

void RandomWorld::check_sockets(std::uint32_t line) const {
  std::uint32_t holders = 0;
  std::uint32_t sole_holders = 0;
  std::uint32_t forwarders = 0;
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    const Slice::Line* entry = l3(socket, line);
    if (entry == nullptr) continue;
    if (kHasCopy.has(entry->state)) ++holders;
    if (kOnlySocket.has(entry->state)) ++sole_holders;
    if (entry->state == SliceState::kF) ++forwarders;
    if (kCurrent.has(entry->state)) {
      require(entry->data == golden_[line], "socket {} has an old copy of line {}", socket, line);
    }
  }
  require(sole_holders == 0 || holders == 1, "line {}: {} sockets hold it, {} of them alone", line, holders,
          sole_holders);
  require(forwarders <= 1, "line {}: {} forwarders", line, forwarders);
}

void RandomWorld::check_quiet() {
  for (const Thread& thread : threads_) {
    if (!thread.wishing) continue;
    suspect_ = thread.line;
    fail(fmt::format("operation {} of core {} was never served", thread.op.value, thread.core));
  }
  for (const PrivateCache& cache : caches_) {
    require(cache.open_lines().empty() && cache.held_snoops().empty(), "a private cache has something open for ever");
  }
  for (const Slice& slice : slices_) {
    require(slice.open_lines().empty() && slice.waiting_for_a_way().empty(), "an L3 slice has something open for ever");
  }
  for (const Home& home : homes_) require(home.open_lines().empty(), "a home agent has something open for ever");
}

/// Who has a copy of the line, and who wants it.
std::string RandomWorld::holders(std::uint32_t line) const {
  const LineAddress address = lines_[line];
  const HomeId home = map_.home_of(address);
  const auto data = [](const LineData* d) { return d == nullptr ? "" : fmt::format(" #{:04x}", digits_of(*d)); };
  const LineData memory = homes_[home.value].memory(address);
  std::string all = fmt::format("line {}: the last write left #{:04x}; home {}, memory{}", line,
                                digits_of(golden_[line]), home.value, data(&memory));
  for (const Home::Line* open : homes_[home.value].open_lines()) {
    if (open->address == address) {
      all += fmt::format(", {}", HomeProtocol::kStateNames[static_cast<std::size_t>(open->state)]);
    }
  }
  all += '\n';
  for (std::uint32_t socket = 0; socket < map_.sockets(); ++socket) {
    const Slice::Line* entry = l3(socket, line);
    if (entry == nullptr) continue;
    std::vector<std::uint32_t> valid;
    for (const std::uint32_t core : cores_) {
      if (map_.socket_of(CoreId{core}).value == socket && (entry->cores & bit(core)) != 0) valid.push_back(core);
    }
    all +=
        fmt::format("  L3 of socket {}: {}{}{}, core-valid: {}\n", socket,
                    SliceProtocol::kStateNames[static_cast<std::size_t>(entry->state)], data(&entry->data),
                    entry->dirty ? ", dirty" : "", valid.empty() ? "none" : fmt::format("{}", fmt::join(valid, ", ")));
  }
  for (const std::uint32_t core : cores_) {
    const CacheState state = caches_[core].state(address);
    if (state == CacheState::kI) continue;
    all += fmt::format("  core {}: {}{}\n", core, PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(state)],
                       data(caches_[core].peek(address)));
  }
  constexpr std::array<std::string_view, 3> kWishes = {"load", "store", "LOCKed operation"};
  for (const Thread& thread : threads_) {
    if (thread.line != line || (!thread.wishing && !thread.holding)) continue;
    all += fmt::format("  thread {} of core {}: {} {} of {} at {} {}\n", thread.index, thread.core,
                       kWishes[static_cast<std::size_t>(thread.wish)], thread.op.value,
                       thread.bytes == 1 ? "1 byte" : fmt::format("{} bytes", thread.bytes), thread.offset,
                       thread.holding ? "holds the line" : "waits");
  }
  return all;
}

std::string RandomWorld::dump() const {
  std::string all = fmt::format("{} sockets, active cores {}; L2 {} ways, L3 {} ways, {} fill buffers, {} trackers\n",
                                map_.sockets(), fmt::join(cores_, ", "), machine_.l2.ways, machine_.l3_slice.ways,
                                machine_.core.fill_buffers, machine_.home_trackers);
  for (std::uint32_t line = 0; line < lines_.size(); ++line) all += holders(line);
  all += fmt::format("last messages about line {}:\n{}", suspect_, network_.history(lines_[suspect_]));
  const std::string in_flight = network_.in_flight(lines_[suspect_]);
  return all + (in_flight.empty() ? "" : "still in flight:\n" + in_flight);
}

}  // namespace linebounce

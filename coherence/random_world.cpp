// SPDX-License-Identifier: Apache-2.0
#include "coherence/random_world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "coherence/protocol_violation.hpp"

namespace linebounce {

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
  if (!idle) throw ProtocolViolation("stuck: every thread waits, and no message is in flight");
  std::size_t i = random_.below(static_cast<std::uint32_t>(threads_.size()));
  while (threads_[i].wishing) i = (i + 1) % threads_.size();
  if (threads_[i].holding) return release(threads_[i]);
  wish(threads_[i], static_cast<WishKind>(random_.below(3)), random_.below(static_cast<std::uint32_t>(lines_.size())));
}

void RandomWorld::count_step() {
  constexpr std::uint64_t kPatience = 100'000;
  if (++steps_without_ < kPatience) return;
  throw ProtocolViolation(fmt::format("messages come and go, but for {} steps no operation was served", kPatience));
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
    if (message.to < agents.size()) return agents[message.to];
    throw ProtocolViolation(fmt::format("{} goes to somebody who does not exist", name_of(message.kind)));
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
  if (hit != expected && (loads || !hit)) throw ProtocolViolation("ask() and would_hit() differ");
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
  served();
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
  if (cache.state(line) != PrivateCache::State::kM) {
    throw ProtocolViolation(fmt::format("a line left core {} while a LOCKed operation held it", thread.core));
  }
  LineData& data = cache.data(line);
  check_data(thread, data);
  if (data.read(thread.offset, thread.bytes) != thread.seen) {
    throw ProtocolViolation(fmt::format("another write came into a LOCKed operation of core {}", thread.core));
  }
  write(thread, data);
  served();
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
  if (found == lines_.end()) throw ProtocolViolation("a message about a line that nobody wanted");
  return static_cast<std::uint32_t>(found - lines_.begin());
}

}  // namespace linebounce

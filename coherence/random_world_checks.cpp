// SPDX-License-Identifier: Apache-2.0
// What the oracle checks, and what it says when it objects.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>

#include "coherence/protocol_violation.hpp"
#include "coherence/random_world.hpp"
#include "coherence/state_meanings.hpp"

namespace linebounce {

namespace {

using CacheState = PrivateCache::State;
using SliceState = Slice::State;

template <class... Args>
void require(bool holds, fmt::format_string<Args...> what, Args&&... args) {
  if (!holds) throw ProtocolViolation(fmt::format(what, std::forward<Args>(args)...));
}

}  // namespace

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
    if (thread.wishing) suspect_ = thread.line;
    require(!thread.wishing, "operation {} of core {} was never served", thread.op.value, thread.core);
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
  std::string all =
      fmt::format("sockets: {}; active cores: {}; ways of the L2: {}, of the L3: {}; fill buffers: {}; trackers: {}\n",
                  map_.sockets(), fmt::join(cores_, ", "), machine_.l2.ways, machine_.l3_slice.ways,
                  machine_.core.fill_buffers, machine_.home_trackers);
  for (std::uint32_t line = 0; line < lines_.size(); ++line) all += holders(line);
  all += fmt::format("last messages about line {}:\n{}", suspect_, network_.history(lines_[suspect_]));
  const std::string in_flight = network_.in_flight(lines_[suspect_]);
  return all + (in_flight.empty() ? "" : "still in flight:\n" + in_flight);
}

}  // namespace linebounce

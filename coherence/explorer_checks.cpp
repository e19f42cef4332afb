// SPDX-License-Identifier: Apache-2.0
// What must be true of every state.
#include <fmt/format.h>

#include "coherence/explorer_world.hpp"
#include "coherence/state_meanings.hpp"

namespace linebounce {

namespace {

using CacheState = PrivateCacheProtocol::State;
using SliceS = SliceProtocol::State;

template <class... Values>
void require(bool holds, const char* what, Values... values) {
  if (!holds) throw ProtocolViolation(fmt::format(fmt::runtime(what), values...));
}

}  // namespace

void ExplorerWorld::check(const WorldState& state) const {
  for (std::uint32_t n = 0; n < shape_.lines; ++n) {
    check_line(state, n);
    check_sockets(state, n);
  }
}

void ExplorerWorld::check_line(const WorldState& state, std::uint32_t n) const {
  std::uint32_t readers = 0;
  std::uint32_t writers = 0;
  for (std::uint32_t c = 0; c < caches_.size(); ++c) {
    const CoreState::Line& copy = state.cores[c].lines[n];
    if (state.cores[c].held == n) {
      require(copy.state == CacheState::kM, "line {} has left core {} while a LOCKed operation held it", n, c);
    }
    const SliceState::Line& l3 = state.slices[c / shape_.cores].lines[n];
    const bool valid = (l3.cores >> c % shape_.cores & 1) != 0;
    // A write-back buffer has the newest data until the L3 has taken it over.
    if (!kReadable.has(copy.state) && !(copy.state == CacheState::kMiA && valid)) continue;
    require(copy.fresh, "core {} has an old copy of line {}", c, n);
    if (!kReadable.has(copy.state)) continue;
    ++readers;
    require(l3.state != SliceS::kI, "core {} has line {}, its L3 has not", c, n);
    require(valid, "core {} has line {}, its core-valid bit is off", c, n);
    if (!kWritable.has(copy.state)) continue;
    ++writers;
    require((l3.cores & ~(1U << c % shape_.cores)) == 0, "core {} owns line {}, core-valid bits of others are on", c,
            n);
  }
  require(writers == 0 || readers == 1, "line {} has {} owners among {} cores with a copy", n, writers, readers);
}

void ExplorerWorld::check_sockets(const WorldState& state, std::uint32_t n) const {
  require(state.home.lines[n].awaited < shape_.sockets, "the home agent waits for more answers than it has peers");
  std::uint32_t holders = 0;
  std::uint32_t sole_holders = 0;
  std::uint32_t forwarders = 0;
  for (std::uint32_t s = 0; s < shape_.sockets; ++s) {
    const SliceState::Line& l3 = state.slices[s].lines[n];
    require(l3.awaited <= shape_.cores, "L3 {} waits for more answers than it has cores", s);
    if (kHasCopy.has(l3.state)) ++holders;
    if (kOnlySocket.has(l3.state)) ++sole_holders;
    if (l3.state == SliceS::kF) ++forwarders;
    if (directory_ && s != 0 && kHasCopy.has(l3.state)) {
      const auto known = state.home.lines[n].directory;
      require(known != Home::Directory::kNone, "socket {} has line {}, the directory says that none has", s, n);
      require(known == Home::Directory::kDirty || !kOnlySocket.has(l3.state),
              "socket {} may modify line {}, the directory says that it is clean", s, n);
    }
    require(!kCurrent.has(l3.state) || l3.fresh, "the L3 of socket {} has an old copy of line {}", s, n);
  }
  require(sole_holders == 0 || holders == 1, "line {}: {} sockets have it, {} of them as the only one", n, holders,
          sole_holders);
  require(forwarders <= 1, "line {} has {} forwarders", n, forwarders);
}

}  // namespace linebounce

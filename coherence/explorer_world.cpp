// SPDX-License-Identifier: Apache-2.0
#include "coherence/explorer_world.hpp"

#include <fmt/format.h>

namespace linebounce {

namespace {

using CacheState = PrivateCacheProtocol::State;
using Step = ExplorerStep;

constexpr Set<CacheState> kReplaceable{CacheState::kS, CacheState::kE, CacheState::kM};

/// Messages that arrive when they are sent: until then a core that has no copy does what it would do without the wish.
constexpr Set<MessageKind> kSentWhenTheyArrive{MessageKind::kGetS, MessageKind::kGetM};

/// Caches with one way fewer than there are lines, so that lines compete for ways, fill buffers and trackers.
Machine small_machine(const ExplorerShape& shape) {
  Machine machine;
  machine.sockets = static_cast<int>(shape.sockets);
  machine.cores_per_socket = static_cast<int>(shape.cores);
  machine.threads_per_core = 1;
  machine.l1d = machine.l2 = machine.l3_slice = {1, 1};
  machine.l3_slices_per_socket = machine.home_agents_per_socket = 1;
  machine.home_trackers = 1;
  machine.core.fill_buffers = 1;
  return machine;
}

}  // namespace

ExplorerWorld::ExplorerWorld(const ExplorerShape& shape, SnoopMode snoop, bool reduce, const ProtocolTables& tables)
    : shape_(shape),
      directory_(snoop == SnoopMode::kDirectory),
      reduce_(reduce),
      machine_(small_machine(shape)),
      map_(machine_),
      access_(shape.lines),
      home_(map_, HomeId{0}, machine_, *this, tables.home) {
  ControllerAccess::set_patient(home_, reduce);
  for (std::uint32_t c = 0; c < shape.sockets * shape.cores; ++c)
    caches_.emplace_back(map_, CoreId{c}, machine_, *this, tables.cache);
  for (std::uint32_t s = 0; s < shape.sockets; ++s)
    slices_.emplace_back(map_, SliceId{s}, machine_.l3_slice, *this, tables.slice);
}

void ExplorerWorld::steps(const WorldState& state, std::vector<Step>& all) const {
  all.clear();
  for (std::size_t i = 0; i < state.flight.size(); ++i) {
    const ShortMessage& message = state.flight[i];
    if (!may_arrive(state, i) || (reduce_ && is_held_back(state, message))) continue;
    all.push_back({Step::Kind::kDeliver, message.to, message.line, message, static_cast<std::uint8_t>(i)});
    if (!directory_ || traits(message.kind).to != AgentKind::kHome) continue;
    all.push_back(all.back());
    all.back().opportune = true;
  }
  for (std::uint8_t n = 0; reduce_ && n < shape_.lines; ++n) {
    if (state.home.lines[n].state == HomeProtocol::State::kIdle) continue;
    all.push_back({Step::Kind::kSettle, 0, n, {}, 0});
    if (!directory_) continue;
    all.push_back(all.back());
    all.back().opportune = true;
  }
  const auto cores = static_cast<std::uint8_t>(shape_.sockets * shape_.cores);
  for (std::uint8_t c = 0; c < cores; ++c) {
    if (state.cores[c].held != CoreState::kNoLine) all.push_back({Step::Kind::kRelease, c, state.cores[c].held, {}, 0});
  }
  const auto lines = static_cast<std::uint8_t>(shape_.lines);
  for (std::uint8_t n = 0; n < lines; ++n) {
    for (std::uint8_t c = 0; c < cores; ++c) {
      const CoreState& core = state.cores[c];
      all.push_back({Step::Kind::kRead, c, n, {}, 0});
      all.push_back({Step::Kind::kWrite, c, n, {}, 0});
      if (core.lines[n].state == CacheState::kM && core.held == CoreState::kNoLine) {
        all.push_back({Step::Kind::kHold, c, n, {}, 0});
      }
      if (kReplaceable.has(core.lines[n].state) && core.held != n) all.push_back({Step::Kind::kReplace, c, n, {}, 0});
    }
    for (std::uint32_t s = 0; s < shape_.sockets; ++s) {
      const SliceState::Line& line = state.slices[s].lines[n];
      if (line.state != SliceProtocol::State::kI && slice::rows::kSettled.has(line.state) && !line.half) {
        all.push_back({Step::Kind::kEvict, static_cast<std::uint8_t>(s), n, {}, 0});
      }
    }
  }
}

bool ExplorerWorld::take(const WorldState& from, const Step& step, WorldState& to) {
  to = from;
  to_ = &to;
  switch (step.kind) {
    case Step::Kind::kDeliver:
      to.flight.erase(step.place);
      deliver(step);
      return true;
    case Step::Kind::kSettle: {
      access_.load(home_, to.home);
      ControllerAccess::set_opportune(home_, step.opportune);
      if (!ControllerAccess::settle(home_, step.line)) return false;
      access_.save(home_, to.home);
      return true;
    }
    case Step::Kind::kRead: return ask(step.agent, step.line, PrivateCache::Event::kLoad);
    case Step::Kind::kWrite: return ask(step.agent, step.line, PrivateCache::Event::kOwn);
    case Step::Kind::kHold: to.cores[step.agent].held = step.line; return true;
    case Step::Kind::kRelease:
    case Step::Kind::kReplace: {
      PrivateCache& cache = caches_[step.agent];
      access_.load(cache, from.cores[step.agent]);
      if (step.kind == Step::Kind::kRelease) {
        cache.release(0);
      } else {
        ControllerAccess::replace(cache, step.line);
      }
      access_.save(cache, to.cores[step.agent]);
      return true;
    }
    case Step::Kind::kEvict:
      access_.load(slices_[step.agent], from.slices[step.agent]);
      ControllerAccess::evict(slices_[step.agent], step.line);
      access_.save(slices_[step.agent], to.slices[step.agent]);
      return true;
  }
  return false;
}

/// A hit reads nothing but what check() has approved; a write makes every other copy of the line an old one.
bool ExplorerWorld::ask(std::uint8_t core, std::uint8_t line, PrivateCache::Event wish) {
  PrivateCache& cache = caches_[core];
  WorldState& to = *to_;
  access_.load(cache, to.cores[core]);
  const PrivateCache::Answer answer = cache.ask(wish, ControllerAccess::address(line), OpId{1}, 0);
  if (answer == PrivateCache::Answer::kWait) return false;
  if (answer == PrivateCache::Answer::kHit && wish == PrivateCache::Event::kLoad) return false;
  access_.save(cache, to.cores[core]);
  if (answer == PrivateCache::Answer::kSent) {
    const std::size_t last = to.flight.size() - 1;
    const ShortMessage request = to.flight[last];
    if (!reduce_ || !kSentWhenTheyArrive.has(request.kind)) return true;
    to.flight.erase(last);
    deliver({Step::Kind::kDeliver, request.to, request.line, request, 0});
    return true;
  }
  const auto age = [line](auto& queue) {
    for (ShortMessage& message : queue) {
      if (message.line == line) message.fresh = false;
    }
  };
  for (CoreState& other : to.cores) other.lines[line].fresh = false;
  for (SliceState& slice : to.slices) {
    slice.lines[line].fresh = false;
    age(slice.lines[line].waiting);
  }
  to.home.lines[line].fresh = false;
  age(to.flight);
  to.cores[core].lines[line].fresh = true;
  return true;
}

void ExplorerWorld::deliver(const Step& step) {
  const Message message = ControllerAccess::lengthen(step.message);
  WorldState& to = *to_;
  switch (traits(message.kind).to) {
    case AgentKind::kCore:
      access_.load(caches_[step.agent], to.cores[step.agent]);
      caches_[step.agent].receive(message);
      access_.save(caches_[step.agent], to.cores[step.agent]);
      return;
    case AgentKind::kSlice:
      access_.load(slices_[step.agent], to.slices[step.agent]);
      slices_[step.agent].receive(message);
      access_.save(slices_[step.agent], to.slices[step.agent]);
      return;
    case AgentKind::kHome:
      access_.load(home_, to.home);
      ControllerAccess::set_opportune(home_, step.opportune);
      home_.receive(message);
      access_.save(home_, to.home);
      return;
  }
}

bool ExplorerWorld::is_quiet(const WorldState& state) const {
  constexpr Set<CacheState> kSettled{CacheState::kI, CacheState::kS, CacheState::kE, CacheState::kM};
  if (!state.flight.empty() || !state.home.trackerless.empty()) return false;
  for (const CoreState& core : state.cores) {
    if (core.held != CoreState::kNoLine || !core.held_snoops.empty()) return false;
  }
  for (const SliceState& slice : state.slices) {
    if (!slice.wayless.empty()) return false;
  }
  for (std::uint32_t n = 0; n < shape_.lines; ++n) {
    for (const CoreState& core : state.cores) {
      if (!kSettled.has(core.lines[n].state)) return false;
    }
    for (const SliceState& slice : state.slices) {
      if (!slice::rows::kSettled.has(slice.lines[n].state) || slice.lines[n].half) return false;
    }
    const HomeState::Line& line = state.home.lines[n];
    if (line.state != HomeProtocol::State::kIdle || !line.waiting.empty()) return false;
    if (line.forwarded_to != HomeState::kNobody || !line.early.empty()) return false;
  }
  return true;
}

void ExplorerWorld::send(const Message& message, DataFrom) {
  const std::size_t receivers = traits(message.kind).to == AgentKind::kCore    ? caches_.size()
                                : traits(message.kind).to == AgentKind::kSlice ? slices_.size()
                                                                               : 1;
  if (message.to >= receivers) {
    throw ProtocolViolation(fmt::format("{} goes to somebody who does not exist", name_of(message.kind)));
  }
  to_->flight.push_back(ControllerAccess::shorten(message));
}

void ExplorerWorld::read_memory(const Message& request) {
  ShortMessage data;
  data.kind = MessageKind::kMemData;
  data.line = ControllerAccess::number(request.line);
  to_->flight.push_back(data);
}

void ExplorerWorld::drop_read(const Message& request) {
  const std::uint8_t line = ControllerAccess::number(request.line);
  for (std::size_t i = 0; i < to_->flight.size(); ++i) {
    const ShortMessage& message = to_->flight[i];
    if (message.kind == MessageKind::kMemData && message.line == line) return to_->flight.erase(i);
  }
  throw ProtocolViolation("the home agent drops a read of memory that is not under way");
}

void ExplorerWorld::impossible(const Message& message, const char* state, const char* event, const char* why) {
  throw ProtocolViolation(fmt::format("{} meets state {} as event {}, marked impossible: {}",
                                      describe(ControllerAccess::shorten(message), shape_), state, event, why));
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/explorer_codec.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace linebounce {

namespace {

using Kind = MessageKind;

constexpr std::uint32_t kFreshBit = 1U << 16;

std::uint32_t code_of(const ShortMessage& m) {
  return static_cast<std::uint32_t>(m.kind) << 18 | std::uint32_t{m.line} << 17 | (m.fresh ? kFreshBit : 0U) |
         std::uint32_t{m.from} << 12 | std::uint32_t{m.to} << 8 | std::uint32_t{m.requester} << 4;
}

constexpr std::uint32_t kNobody = 0xfffff0;  ///< no message

ShortMessage message_of(std::uint32_t code) {
  if (code == kNobody) return {};
  return {static_cast<Kind>(code >> 18),
          static_cast<std::uint8_t>(code >> 12 & 0xf),
          static_cast<std::uint8_t>(code >> 8 & 0xf),
          static_cast<std::uint8_t>(code >> 4 & 0xf),
          static_cast<std::uint8_t>(code >> 17 & 1),
          (code & kFreshBit) != 0};
}

/// Messages that stay in order keep it; the rest are sorted.
std::uint32_t order_of(std::uint32_t code) {
  const auto kind = static_cast<Kind>(code >> 18);
  if (!stays_in_order(kind)) return code;
  const std::uint32_t to_home = traits(kind).to == AgentKind::kHome ? 1U << 30 : 0U;
  return 1U << 31 | to_home | (code & 0x2ff00U);
}

constexpr std::uint8_t flag(bool set, unsigned at) { return static_cast<std::uint8_t>((set ? 1U : 0U) << at); }

class Reader {
 public:
  explicit Reader(const std::uint8_t* at) : at_(at) {}
  std::uint8_t byte() { return *at_++; }
  ShortMessage message() {
    const std::uint32_t code =
        static_cast<std::uint32_t>(at_[0]) << 16 | static_cast<std::uint32_t>(at_[1]) << 8 | at_[2];
    at_ += 3;
    // The lowest 4 bits of a code are never used: what is stored is code >> 4, at most 20 bits.
    return message_of(code << 4);
  }
  template <class Queue>
  void messages(Queue& queue) {
    for (std::uint8_t left = byte(); left != 0; --left) queue.push_back(message());
  }

 private:
  const std::uint8_t* at_;
};

}  // namespace

/// Writes one state under one renaming.
class StateCodec::Writer {
 public:
  Writer(StateBytes& bytes, const Renaming& renaming, const ExplorerShape& shape)
      : bytes_(bytes), renaming_(renaming), shape_(shape) {
    bytes_.clear();
  }

  void state(const WorldState& world) {
    for (std::uint32_t s = 0; s < shape_.sockets; ++s) slice(world.slices[renaming_.old_socket[s]], s);
    for (std::uint32_t c = 0; c < shape_.sockets * shape_.cores; ++c) core(world.cores[renaming_.old_core[c]]);
    home(world.home);
    flight(world);
  }

 private:
  void byte(std::uint8_t value) { bytes_.push_back(value); }

  std::uint8_t renamed(AgentKind kind, std::uint8_t agent) const {
    switch (kind) {
      case AgentKind::kCore: return renaming_.new_core[agent];
      case AgentKind::kSlice: return renaming_.new_socket[agent];
      case AgentKind::kHome: return agent;
    }
    return agent;
  }
  std::uint32_t renamed(ShortMessage m) const {
    if (m.kind == Kind::kCount) return kNobody;
    m.from = renamed(traits(m.kind).from, m.from);
    m.to = renamed(traits(m.kind).to, m.to);
    if (names_requester(m.kind)) m.requester = renaming_.new_socket[m.requester];
    return code_of(m);
  }
  void code(std::uint32_t value) {
    byte(static_cast<std::uint8_t>(value >> 20));
    byte(static_cast<std::uint8_t>(value >> 12));
    byte(static_cast<std::uint8_t>(value >> 4));
  }
  template <class Queue>
  void messages(const Queue& queue) {
    byte(static_cast<std::uint8_t>(queue.size()));
    for (const ShortMessage& m : queue) code(renamed(m));
  }

  void slice(const SliceState& slice, std::uint32_t socket) {
    for (std::uint32_t n = 0; n < shape_.lines; ++n) {
      const SliceState::Line& line = slice.lines[n];
      byte(static_cast<std::uint8_t>(static_cast<unsigned>(line.state) | flag(line.half, 7)));
      if (line.state == SliceProtocol::State::kI && !line.half) continue;
      std::uint8_t cores = 0;
      const std::uint32_t first = socket * shape_.cores;
      const std::uint32_t old_first = renaming_.old_core[first] / shape_.cores * shape_.cores;
      for (std::uint32_t c = 0; c < shape_.cores; ++c) {
        cores |= flag((line.cores >> (renaming_.old_core[first + c] - old_first) & 1) != 0, c);
      }
      byte(cores);
      byte(static_cast<std::uint8_t>(flag(line.fresh, 0) | flag(line.dirty, 1) | flag(line.have_cmp, 2) |
                                     flag(line.answered, 3) | line.awaited << 4));
      if (slice::rows::kSettled.has(line.state) && !line.half) continue;
      code(renamed(line.request));
      code(renamed(line.snoop));
      messages(line.waiting);
    }
    if (shape_.lines > 1) messages(slice.wayless);
  }

  void core(const CoreState& core) {
    for (std::uint32_t n = 0; n < shape_.lines; ++n) {
      byte(static_cast<std::uint8_t>(static_cast<unsigned>(core.lines[n].state) | flag(core.lines[n].fresh, 4) |
                                     flag(core.held == n, 5) | flag(!core.held_snoops.empty(), 6)));
    }
    if (!core.held_snoops.empty()) messages(core.held_snoops);
  }

  void home(const HomeState& home) {
    for (std::uint32_t n = 0; n < shape_.lines; ++n) {
      const HomeState::Line& line = home.lines[n];
      byte(static_cast<std::uint8_t>(static_cast<unsigned>(line.state) | flag(line.fresh, 3) | flag(line.reading, 4) |
                                     flag(line.memory_here, 5) | flag(line.shared, 6)));
      byte(static_cast<std::uint8_t>(line.awaited | static_cast<unsigned>(line.directory) << 6));
      const bool forwarded = line.forwarded_to != HomeState::kNobody;
      byte(static_cast<std::uint8_t>((forwarded ? renaming_.new_socket[line.forwarded_to] : line.forwarded_to) |
                                     flag(line.unasked, 3) | line.early.size() << 4));
      early_answers(line);
      messages(line.waiting);
      if (line.state == HomeProtocol::State::kIdle) continue;
      code(renamed(line.request));
    }
    if (shape_.lines > 1) messages(home.trackerless);
  }

  /// By requester under its new name: the order in which they came decides nothing.
  void early_answers(const HomeState::Line& line) {
    for (std::uint8_t s = 0; s < shape_.sockets; ++s) {
      for (const HomeState::Early& e : line.early) {
        if (renaming_.new_socket[e.requester] != s) continue;
        byte(static_cast<std::uint8_t>(s | flag(e.shared, 3)));
        byte(static_cast<std::uint8_t>(sockets(e.good) | sockets(e.outdated) << 4));
      }
    }
  }

  std::uint8_t sockets(std::uint8_t bits) const {
    std::uint8_t renamed = 0;
    for (std::uint32_t s = 0; s < shape_.sockets; ++s) renamed |= flag((bits >> renaming_.old_socket[s] & 1) != 0, s);
    return renamed;
  }

  void flight(const WorldState& world) {
    std::array<std::uint32_t, 40> codes;
    std::array<std::uint32_t, 40> orders;
    std::size_t count = 0;
    for (const ShortMessage& m : world.flight) {
      const std::uint32_t value = renamed(m);
      const std::uint32_t order = order_of(value);
      std::size_t i = count++;
      for (; i > 0 && orders[i - 1] > order; --i) {
        orders[i] = orders[i - 1];
        codes[i] = codes[i - 1];
      }
      orders[i] = order;
      codes[i] = value;
    }
    byte(static_cast<std::uint8_t>(count));
    for (std::size_t i = 0; i < count; ++i) code(codes[i]);
  }

  StateBytes& bytes_;
  const Renaming& renaming_;
  const ExplorerShape& shape_;
};

StateCodec::StateCodec(const ExplorerShape& shape, bool home_differs) : shape_(shape) {
  std::vector<std::uint8_t> sockets(shape.sockets);
  std::iota(sockets.begin(), sockets.end(), std::uint8_t{0});
  do {
    Renaming renaming;
    for (std::size_t s = 0; s < sockets.size(); ++s) {
      renaming.old_socket[s] = sockets[s];
      renaming.new_socket[sockets[s]] = static_cast<std::uint8_t>(s);
    }
    add_core_orders(renaming, 0);
  } while (std::next_permutation(sockets.begin() + (home_differs ? 1 : 0), sockets.end()));
  glances_.resize(renamings_.size());
}

void StateCodec::add_core_orders(Renaming renaming, std::uint32_t socket) {
  if (socket == shape_.sockets) {
    renamings_.push_back(renaming);
    return;
  }
  std::vector<std::uint8_t> order(shape_.cores);
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  do {
    for (std::uint32_t c = 0; c < shape_.cores; ++c) {
      const auto here = static_cast<std::uint8_t>(socket * shape_.cores + c);
      const auto was = static_cast<std::uint8_t>(renaming.old_socket[socket] * shape_.cores + order[c]);
      renaming.old_core[here] = was;
      renaming.new_core[was] = here;
    }
    add_core_orders(renaming, socket + 1);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// What sockets and cores are in, at a glance, in the order of the new names.
std::uint64_t StateCodec::glance(const WorldState& world, const Renaming& renaming) const {
  std::uint64_t glance = 0;
  for (std::uint32_t s = 0; s < shape_.sockets; ++s) {
    const SliceState::Line& line = world.slices[renaming.old_socket[s]].lines[0];
    glance = glance << 8 | static_cast<std::uint64_t>(line.state) << 3 | flag(line.fresh, 0) | flag(line.dirty, 1) |
             flag(line.have_cmp, 2);
  }
  for (std::uint32_t c = 0; c < shape_.sockets * shape_.cores; ++c) {
    glance = glance << 4 | static_cast<std::uint64_t>(world.cores[renaming.old_core[c]].lines[0].state);
  }
  return glance;
}

void StateCodec::encode(const WorldState& state, StateBytes& bytes) {
  std::uint64_t least = ~std::uint64_t{0};
  for (std::size_t i = 0; i < renamings_.size(); ++i) {
    glances_[i] = glance(state, renamings_[i]);
    least = std::min(least, glances_[i]);
  }
  bool first = true;
  for (std::size_t i = 0; i < renamings_.size(); ++i) {
    if (glances_[i] != least) continue;
    Writer(first ? bytes : other_, renamings_[i], shape_).state(state);
    if (!first && other_ < bytes) bytes.swap(other_);
    first = false;
  }
}

WorldState StateCodec::decode(const std::uint8_t* bytes) const {
  WorldState world;
  Reader in(bytes);
  for (std::uint32_t s = 0; s < shape_.sockets; ++s) {
    for (std::uint32_t n = 0; n < shape_.lines; ++n) {
      SliceState::Line& line = world.slices[s].lines[n];
      const std::uint8_t first = in.byte();
      line.state = static_cast<SliceProtocol::State>(first & 0x7f);
      line.half = (first & 0x80) != 0;
      if (line.state == SliceProtocol::State::kI && !line.half) continue;
      line.cores = in.byte();
      const std::uint8_t flags = in.byte();
      line.fresh = (flags & 1) != 0;
      line.dirty = (flags & 2) != 0;
      line.have_cmp = (flags & 4) != 0;
      line.answered = (flags & 8) != 0;
      line.awaited = flags >> 4;
      if (slice::rows::kSettled.has(line.state) && !line.half) continue;
      line.request = in.message();
      line.snoop = in.message();
      in.messages(line.waiting);
    }
    if (shape_.lines > 1) in.messages(world.slices[s].wayless);
  }
  for (std::uint32_t c = 0; c < shape_.sockets * shape_.cores; ++c) {
    CoreState& core = world.cores[c];
    bool snoops = false;
    for (std::uint32_t n = 0; n < shape_.lines; ++n) {
      const std::uint8_t bits = in.byte();
      core.lines[n] = {static_cast<PrivateCacheProtocol::State>(bits & 0xf), (bits & 0x10) != 0};
      if ((bits & 0x20) != 0) core.held = static_cast<std::uint8_t>(n);
      snoops = (bits & 0x40) != 0;
    }
    if (snoops) in.messages(core.held_snoops);
  }
  for (std::uint32_t n = 0; n < shape_.lines; ++n) {
    HomeState::Line& line = world.home.lines[n];
    const std::uint8_t bits = in.byte();
    line.state = static_cast<HomeProtocol::State>(bits & 7);
    line.fresh = (bits & 8) != 0;
    line.reading = (bits & 0x10) != 0;
    line.memory_here = (bits & 0x20) != 0;
    line.shared = (bits & 0x40) != 0;
    const std::uint8_t counts = in.byte();
    line.awaited = counts & 0xf;
    line.directory = static_cast<Home::Directory>(counts >> 6);
    const std::uint8_t others = in.byte();
    line.forwarded_to = others & 7;
    line.unasked = (others & 8) != 0;
    for (int left = others >> 4; left > 0; --left) {
      const std::uint8_t about = in.byte();
      const std::uint8_t sockets = in.byte();
      line.early.push_back({static_cast<std::uint8_t>(about & 7), static_cast<std::uint8_t>(sockets & 0xf),
                            static_cast<std::uint8_t>(sockets >> 4), (about & 8) != 0});
    }
    in.messages(line.waiting);
    if (line.state == HomeProtocol::State::kIdle) continue;
    line.request = in.message();
  }
  if (shape_.lines > 1) in.messages(world.home.trackerless);
  in.messages(world.flight);
  return world;
}

std::uint64_t hash_of(const StateBytes& bytes) {
  // The finaliser of SplitMix64 (public domain) over every 8 bytes.
  std::uint64_t hash = bytes.size();
  const auto mix = [&](std::uint64_t word) {
    hash = (hash ^ word) + 0x9e3779b97f4a7c15U;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9U;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebU;
    hash ^= hash >> 31;
  };
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + i, 8);
    mix(word);
  }
  std::uint64_t rest = 0;
  for (; i < bytes.size(); ++i) rest = rest << 8 | bytes[i];
  mix(rest);
  return hash;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The kernel's lock-less list, in the states its cmpxchg loops went through (2011 to 2013): a LIFO of nodes linked by
// their first 8 bytes. Many producers may add at any time. Consumers: any number that use del_all, or a single one that
// uses del_first or del_all (two that use del_first would meet the ABA problem).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "locks/cpu.hpp"

namespace linebounce {

enum class LlistState : std::uint8_t {
  kS0,  ///< first version: PAUSE before every cmpxchg, the first one included
  kS1,  ///< PAUSE after a failed cmpxchg only
  kS2,  ///< no PAUSE
  kS3,  ///< no PAUSE; add reads the head anew on each attempt instead of using what the failed cmpxchg returned
};

/// What the loops of one state do besides load, store and cmpxchg.
struct LlistShape {
  std::string_view name;
  bool pause_before_cmpxchg;
  bool pause_after_failure;
  bool reload_head;
};

inline constexpr std::array<LlistShape, 4> kLlistShapes = {{
    {"s0", true, false, false},
    {"s1", false, true, false},
    {"s2", false, false, false},
    {"s3", false, false, true},
}};

/// The list. It holds only the address of its head (8 bytes of guest memory), so copies name the same list.
template <LlistState S>
class Llist {
 public:
  static constexpr LlistShape kShape = kLlistShapes[static_cast<std::size_t>(S)];
  static constexpr std::string_view kName = "llist";
  static constexpr std::string_view kVariant = kShape.name;
  static constexpr unsigned kHeadBytes = 8;
  static constexpr unsigned kNodeBytes = 8;  ///< the link; whatever embeds the node goes behind it

  /// `head` must be 8 zeroed bytes, naturally aligned.
  explicit Llist(Address head) : head_(head) {}

  /// A list whose head has a line of its own.
  template <Memory M>
  Llist(M& memory, const char* name, std::uint32_t home) : head_(memory.allocate(name, kLineBytes, home)) {}

  /// Adds a node; true iff the list was empty before, so that exactly one producer wakes the consumer. (The first
  /// version did not report this; the answer costs nothing, so every state gives it here.)
  template <Cpu C>
  bool add(C& cpu, Address node) {
    return add_batch(cpu, node, node);
  }

  /// Adds nodes already linked from `first` to `last`; true iff the list was empty before.
  template <Cpu C>
  bool add_batch(C& cpu, Address first, Address last) {
    const PhaseScope<C> scope(cpu, Phase::kRetryLoop);
    std::uint64_t seen = cpu.template load<std::uint64_t>(head_);
    for (;;) {
      cpu.template store<std::uint64_t>(last, seen);
      if (replace_head(cpu, seen, first.value)) return seen == 0;
      if constexpr (kShape.reload_head) seen = cpu.template load<std::uint64_t>(head_);
    }
  }

  /// Takes the newest node, or the null address from an empty list. For one consumer at a time.
  template <Cpu C>
  Address del_first(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    std::uint64_t seen = cpu.template load<std::uint64_t>(head_);
    for (;;) {
      if (seen == 0) return {};
      const Address node{seen};
      const auto next = cpu.template load<std::uint64_t>(node);
      if (replace_head(cpu, seen, next)) return node;
    }
  }

  /// Takes everything: the newest node, linked to the older ones; the null address from an empty list.
  template <Cpu C>
  Address del_all(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    return {cpu.template xchg<std::uint64_t>(head_, 0)};
  }

  template <Cpu C>
  bool empty(C& cpu) {
    return cpu.template load<std::uint64_t>(head_) == 0;
  }

  /// The node behind `node` in a chain that del_all returned; the null address at its end.
  template <Cpu C>
  static Address next(C& cpu, Address node) {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    return {cpu.template load<std::uint64_t>(node)};
  }

  /// Turns a chain that del_all returned around, in place: oldest first.
  template <Cpu C>
  static Address reverse_order(C& cpu, Address node) {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    Address reversed{};
    while (node) {
      const Address rest{cpu.template load<std::uint64_t>(node)};
      cpu.template store<std::uint64_t>(node, reversed.value);
      reversed = node;
      node = rest;
    }
    return reversed;
  }

  Address head() const { return head_; }

 private:
  /// One attempt; after a failed one `seen` is what the cmpxchg found.
  template <Cpu C>
  bool replace_head(C& cpu, std::uint64_t& seen, std::uint64_t desired) {
    if constexpr (kShape.pause_before_cmpxchg) cpu.pause();
    const auto found = cpu.template cmpxchg<std::uint64_t>(head_, seen, desired);
    if (found == seen) return true;
    seen = found;
    if constexpr (kShape.pause_after_failure) cpu.pause();
    return false;
  }

  Address head_;
};

}  // namespace linebounce

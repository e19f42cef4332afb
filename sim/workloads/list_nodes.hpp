// SPDX-License-Identifier: Apache-2.0
// The entries of list-churn and where each one is. The host keeps the books, so that an entry costs the guests exactly
// the loads and stores of the list itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cpus/system.hpp"
#include "locks/cpu.hpp"
#include "units/address.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// One entry: a line of guest memory whose first 8 bytes are the link.
struct ListNode {
  ListNode(Address where, int owner) : address(where), producer(owner) {}

  Address address;
  int producer;                ///< whose pool it belongs to; kEnds: tells a consumer that no more will come
  std::uint64_t sequence = 0;  ///< counts its producer's entries
  std::atomic<std::int64_t> free_since{
      -1};  ///< when a consumer was done with it; the end of time while it is on a list
};

/// All entries. A producer uses its own in turn, each again once a consumer is done with it. An entry may be taken at a cycle
/// strictly after the one that freed it, so the answer does not depend on the order in which the host sees both.
class ListNodes {
 public:
  static constexpr int kPerProducer = 64;
  static constexpr int kEnds = -1;

  /// `homes`: of each producer's entries, which are named list_node[p0.0] …; `ends`: end marks, one a consumer.
  template <Memory M>
  ListNodes(M& memory, const std::vector<std::uint32_t>& homes, int ends, std::uint32_t ends_home)
      : next_(homes.size()), added_(homes.size()) {
    for (std::size_t p = 0; p < homes.size(); ++p) {
      for (int i = 0; i < kPerProducer; ++i) {
        allocate(memory, "p" + std::to_string(p) + "." + std::to_string(i), homes[p], static_cast<int>(p));
      }
    }
    for (int i = 0; i < ends; ++i) allocate(memory, "end." + std::to_string(i), ends_home, kEnds);
  }

  /// The producer's next entry, ready to be added, or nullptr if it is not known to have been free before `now`.
  ListNode* take(int producer, Cycles now) {
    auto& next = next_[static_cast<std::size_t>(producer)];
    ListNode& node = nodes_[static_cast<std::size_t>(producer) * kPerProducer + next];
    if (node.free_since.load(std::memory_order_acquire) >= now.count) return nullptr;
    next = (next + 1) % kPerProducer;
    node.sequence = ++added_[static_cast<std::size_t>(producer)];
    mark_on_list(node);
    return &node;
  }

  static void mark_on_list(ListNode& node) { node.free_since.store(kOnList, std::memory_order_relaxed); }

  /// The end mark of consumer `i`.
  ListNode& end(int i) { return nodes_[next_.size() * kPerProducer + static_cast<std::size_t>(i)]; }

  /// The entry at an address that a list gave out. Throws BrokenModel if there is none.
  ListNode& at(Address address) {
    const auto found = by_address_.find(address.value);
    if (found == by_address_.end()) throw BrokenModel("list-churn: a list gave out an address that is no entry");
    return *found->second;
  }

  /// A consumer is done with an entry. Throws BrokenModel if the entry was not on a list.
  static void release(ListNode& node, Cycles now) {
    if (node.free_since.exchange(now.count, std::memory_order_release) != kOnList) {
      throw BrokenModel("list-churn: an entry of producer " + std::to_string(node.producer) + " came off a list twice");
    }
  }

  /// Entries that their producer has added and no consumer is done with.
  std::uint64_t on_lists() const {
    std::uint64_t n = 0;
    for (const ListNode& node : nodes_) n += node.free_since.load() == kOnList ? 1 : 0;
    return n;
  }

 private:
  static constexpr std::int64_t kOnList = std::numeric_limits<std::int64_t>::max();

  template <Memory M>
  void allocate(M& memory, const std::string& suffix, std::uint32_t home, int producer) {
    const Address address = memory.allocate(("list_node[" + suffix + "]").c_str(), kLineBytes, home);
    by_address_.emplace(address.value, &nodes_.emplace_back(address, producer));
  }

  std::deque<ListNode> nodes_;
  std::unordered_map<std::uint64_t, ListNode*> by_address_;  ///< for look-ups only
  std::vector<std::size_t> next_;                            ///< by producer: its entry to use next
  std::vector<std::uint64_t> added_;                         ///< by producer
};

}  // namespace linebounce

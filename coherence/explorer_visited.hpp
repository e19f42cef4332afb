// SPDX-License-Identifier: Apache-2.0
// The states seen so far, each as a hash of 64 bits and a number in order of discovery: 12 bytes, and 6 to 12 more for
// finding it.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace linebounce {

class VisitedStates {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  VisitedStates() : slots_(std::size_t{1} << 16, kNone) {}

  /// The state's number, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t parent) {
    if (hashes_.size() * 3 >= slots_.size() * 2) grow();
    const std::size_t slot = find(hash);
    if (slots_[slot] != kNone) return {slots_[slot], false};
    slots_[slot] = static_cast<std::uint32_t>(hashes_.size());
    hashes_.push_back(hash);
    parents_.push_back(parent);
    return {slots_[slot], true};
  }
  std::size_t size() const { return hashes_.size(); }
  std::uint64_t hash(std::uint32_t number) const { return hashes_[number]; }

  /// The states on the way from the first state to this one, both included.
  std::vector<std::uint32_t> path(std::uint32_t number) const {
    std::vector<std::uint32_t> numbers;
    for (; number != kNone; number = parents_[number]) numbers.insert(numbers.begin(), number);
    return numbers;
  }

 private:
  std::size_t find(std::uint64_t hash) const {
    std::size_t slot = hash & (slots_.size() - 1);
    while (slots_[slot] != kNone && hashes_[slots_[slot]] != hash) slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    const std::size_t size = slots_.size() * 2;
    slots_ = {};  // gone before the larger one comes
    slots_.resize(size, kNone);
    std::uint32_t number = 0;
    for (const std::uint64_t hash : hashes_) slots_[find(hash)] = number++;
  }

  std::vector<std::uint32_t> slots_;  ///< numbers, by the lowest bits of the hash
  std::deque<std::uint64_t> hashes_;  ///< by number
  std::deque<std::uint32_t> parents_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The states seen so far, each as a hash of 64 bits and a number in order of discovery.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace linebounce {

class VisitedStates {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  VisitedStates() : hashes_(std::size_t{1} << 16), numbers_(hashes_.size(), kNone) {}

  /// The state's number, and whether it is new.
  std::pair<std::uint32_t, bool> insert(std::uint64_t hash, std::uint32_t parent) {
    if (parents_.size() * 3 >= hashes_.size() * 2) grow();
    const std::size_t slot = find(hash);
    if (numbers_[slot] != kNone) return {numbers_[slot], false};
    hashes_[slot] = hash;
    numbers_[slot] = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(parent);
    return {numbers_[slot], true};
  }
  std::size_t size() const { return parents_.size(); }

  /// The states on the way from the first state to this one, both included.
  std::vector<std::uint32_t> path(std::uint32_t number) const {
    std::vector<std::uint32_t> numbers;
    for (; number != kNone; number = parents_[number]) numbers.insert(numbers.begin(), number);
    return numbers;
  }
  std::vector<std::uint64_t> hashes(const std::vector<std::uint32_t>& numbers) const {
    std::vector<std::uint64_t> hashes(numbers.size());
    for (std::size_t slot = 0; slot < numbers_.size(); ++slot) {
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (numbers_[slot] == numbers[i]) hashes[i] = hashes_[slot];
      }
    }
    return hashes;
  }

 private:
  std::size_t find(std::uint64_t hash) const {
    std::size_t slot = hash & (hashes_.size() - 1);
    while (numbers_[slot] != kNone && hashes_[slot] != hash) slot = (slot + 1) & (hashes_.size() - 1);
    return slot;
  }

  void grow() {
    std::vector<std::uint64_t> hashes(hashes_.size() * 2);
    std::vector<std::uint32_t> numbers(hashes.size(), kNone);
    hashes.swap(hashes_);
    numbers.swap(numbers_);
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (numbers[i] == kNone) continue;
      const std::size_t slot = find(hashes[i]);
      hashes_[slot] = hashes[i];
      numbers_[slot] = numbers[i];
    }
  }

  std::vector<std::uint64_t> hashes_;
  std::vector<std::uint32_t> numbers_;
  std::vector<std::uint32_t> parents_;
};

}  // namespace linebounce

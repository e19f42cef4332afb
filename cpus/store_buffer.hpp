// SPDX-License-Identifier: Apache-2.0
// The FIFO store buffer of one hardware thread, by x86-TSO: stores leave in order, and a load takes its value from the
// youngest store that covers it, from here before from the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

struct BufferedStore {
  Address address;
  unsigned bytes = 0;
  std::uint64_t value = 0;
  OpId op;
  std::uint32_t ledger = 0;
  Cycles entered;
  Phase phase = Phase::kNone;  ///< of the algorithm, for who watches
  bool asked = false;          ///< for its line, or found it there
};

class StoreBuffer {
 public:
  enum class Cover : std::uint8_t { kNone, kFull, kPartial };
  struct Look {
    Cover cover = Cover::kNone;
    std::uint64_t value = 0;  ///< kFull: what the load reads
    OpId store;               ///< kPartial: the store to wait for
  };

  bool empty() const { return first_ == stores_.size(); }
  std::size_t size() const { return stores_.size() - first_; }
  BufferedStore& head() { return stores_[first_]; }
  /// By age: 0 is the oldest.
  BufferedStore& at(std::size_t age) { return stores_[first_ + age]; }
  const BufferedStore& newest() const { return stores_.back(); }

  void push(const BufferedStore& store) { stores_.push_back(store); }
  void pop() {
    if (++first_ == stores_.size()) {
      stores_.clear();
      first_ = 0;
    }
  }

  /// What the buffer means for a load: the youngest overlapping store decides.
  Look look(Address address, unsigned bytes) const {
    for (std::size_t i = stores_.size(); i > first_; --i) {
      const BufferedStore& store = stores_[i - 1];
      const bool apart = store.address + store.bytes <= address || address + bytes <= store.address;
      if (apart) continue;
      const bool covered = store.address <= address && address + bytes <= store.address + store.bytes;
      if (!covered) return {Cover::kPartial, 0, store.op};
      return {Cover::kFull, store.value >> ((address.value - store.address.value) * 8), store.op};
    }
    return {};
  }

 private:
  std::vector<BufferedStore> stores_;
  std::size_t first_ = 0;
};

}  // namespace linebounce

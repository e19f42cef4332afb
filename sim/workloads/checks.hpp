// SPDX-License-Identifier: Apache-2.0
// What a lock promises, checked by the host while guests run: the guests neither see nor pay for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>

#include "units/quantity.hpp"

namespace linebounce {

enum class Access : std::uint8_t { kRead, kWrite };

/// Writers are in the critical section alone, readers only among themselves. Throws BrokenModel otherwise.
///
/// Tasks run ahead of simulated time, so one may enter and leave before the host sees another that was there at the
/// same time; therefore stays are compared by their cycles too. Tasks may be host threads.
class ExclusionCheck {
 public:
  void enter(int task, Access access, Cycles now);
  void leave(int task, Access access, Cycles now);

 private:
  static constexpr int kNobody = -1;

  std::atomic<int> writer_{kNobody};
  std::atomic<int> readers_{0};
  std::atomic<std::int64_t> last_write_{0};  ///< when the latest writer left
  std::atomic<std::int64_t> last_read_{0};   ///< when the latest reader left
};

/// Whoever joined a queue gets the lock in the order of joining. Simulation only: the host sees the read-modify-writes of
/// one line in the order in which they had the line. Throws BrokenModel on overtaking.
class QueueOrderCheck {
 public:
  void joined(std::uint32_t cpu) { waiting_.push_back(cpu); }
  /// `cpu` got the lock, from the queue or, if it never joined, past it.
  void acquired(std::uint32_t cpu);

 private:
  std::deque<std::uint32_t> waiting_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A recording, indexed: what a thread was doing at a cycle, how a store came to its line, who took a line away.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/recording.hpp"

namespace linebounce {

class Timeline {
 public:
  /// The recording must live as long, and stay where it is.
  explicit Timeline(const Recording& recording);

  const Recording& recording() const { return recording_; }
  /// A thread's operations, in program order.
  std::span<const OperationRecord* const> of(ThreadId thread) const;
  /// What the thread was doing in the cycle before `at`: begin < at <= end. nullptr if nothing is recorded.
  const OperationRecord* before(ThreadId thread, Cycles at) const;
  /// The operation of that name; nullptr if it is not recorded.
  const OperationRecord* operation(OpId op) const;
  /// How the store came from the store buffer to its line; nullptr if the operation is no store.
  const OperationRecord* commit(OpId op) const;
  /// The last snoop that took the line from the core in (after, until]; nullptr if none did.
  const RecordedMessage* taken_away(CoreId core, LineAddress line, Cycles after, Cycles until) const;
  /// The last write of another thread to any of these bytes that was visible by `until`: a store's commit, or a LOCKed
  /// operation that changed something. nullptr if there is none.
  const OperationRecord* last_write(Address address, unsigned bytes, Cycles until, ThreadId but_of) const;

  /// The last write to the line by the other thread of the thread's core that became visible in (after, until]. nullptr if
  /// there is none.
  const OperationRecord* written_beside(ThreadId thread, LineAddress line, Cycles after, Cycles until) const;

 private:
  /// The last write to the line that became visible in (after, until] and is meant; nullptr if there is none.
  template <class Meant>
  const OperationRecord* last_write_to(LineAddress line, Cycles after, Cycles until, Meant&& meant) const;

  const Recording& recording_;
  std::map<ThreadId, std::vector<const OperationRecord*>> threads_;
  std::unordered_map<std::uint64_t, const OperationRecord*> operations_;
  std::unordered_map<std::uint64_t, const OperationRecord*> commits_;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::vector<const RecordedMessage*>> taken_;  ///< by core and line
  std::map<std::uint64_t, std::vector<const OperationRecord*>> writes_;  ///< by line, in the order of becoming visible
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The phases of a lock or list algorithm, to which cycles and coherence traffic are charged.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linebounce {

enum class Phase : std::uint8_t {
  kNone,             ///< outside any algorithm
  kLocalWork,        ///< the task's own work between operations
  kFastPath,         ///< the uncontended attempt
  kPendingWait,      ///< waiting while holding, or for, the pending bit
  kTailExchange,     ///< joining the queue: the swap of the tail
  kLink,             ///< telling the predecessor who follows
  kQueueSpin,        ///< waiting on one's own queue node
  kHeadWait,         ///< queue head (or plain spinner) waiting for the lock word
  kClaim,            ///< taking the lock as queue head
  kHandOff,          ///< finding and waking the successor in the queue
  kCriticalSection,  ///< work under the lock
  kRelease,          ///< letting the lock go
  kRetryLoop,        ///< a cmpxchg loop of a lock-free operation
  kConsume,          ///< taking entries off a list and walking them
  kCount
};

inline constexpr std::size_t kPhases = static_cast<std::size_t>(Phase::kCount);

// clang-format off
inline constexpr std::array<std::string_view, kPhases> kPhaseNames = {
    "none",       "local_work", "fast_path", "pending_wait", "tail_exchange",    "link",    "queue_spin",
    "head_wait",  "claim",      "hand_off",  "critical_section", "release", "retry_loop", "consume"};
// clang-format on

constexpr std::string_view name_of(Phase phase) { return kPhaseNames[static_cast<std::size_t>(phase)]; }

}  // namespace linebounce

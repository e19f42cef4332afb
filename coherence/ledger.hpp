// SPDX-License-Identifier: Apache-2.0
// Where the cycles of an operation go. Every operation is a run of segments without gap or overlap, so that its
// segments sum to its latency and a hardware thread's segments sum to the length of the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "units/ids.hpp"
#include "units/phase.hpp"
#include "units/quantity.hpp"

namespace linebounce {

/// What a cycle of a hardware thread was spent on. Exactly one of these at any time.
enum class Category : std::uint8_t {
  kCompute,           ///< register work
  kIssue,             ///< issuing a memory instruction
  kL1Hit,             ///< load served by the L1
  kL2Hit,             ///< load served by the L2
  kStoreForward,      ///< load served by the own store buffer
  kStoreForwardFail,  ///< load waits until an older, overlapping store has committed
  kStoreBufferFull,   ///< store waits for a free store-buffer entry
  kStoreBufferDrain,  ///< LOCKed operation or fence waits for older stores
  kMissIssue,         ///< a miss on its way out of the core, and a fill on its way in
  kFillBuffer,        ///< waits for a fill buffer, or for an older miss or write-back of the same line
  kTravel,            ///< ring or crossbar inside a socket
  kQpi,               ///< between sockets
  kLinkQueue,         ///< a ring segment or link was busy with another message
  kSlice,             ///< L3 slice: look-up and data array
  kSliceQueue,        ///< the line or the slice was busy with an earlier request
  kSnoop,             ///< a snooped core looks its caches up
  kHeldByLock,        ///< the snooped core holds the line for a LOCKed operation
  kHome,              ///< home agent: look-up
  kHomeQueue,         ///< the line or the home agent was busy with an earlier request
  kDram,              ///< waiting for DRAM
  kLockedExecution,   ///< LOCKed operation executes with the line held
  kFence,             ///< MFENCE itself
  kPause,             ///< PAUSE
  kMispredict,        ///< branch mispredict on leaving a spin loop
  kSmtSlot,           ///< the sibling had the issue slot
  kUnfinished,        ///< an operation still open when the window closed
  kIdle,              ///< no task, or the task has ended
  kCount
};

inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::kCount);

inline constexpr std::array<std::string_view, kCategories> kCategoryNames = {
    "compute",    "issue",       "l1_hit",     "l2_hit", "store_forward", "store_forward_fail", "store_buffer_full",
    "store_buffer_drain", "miss_issue", "fill_buffer", "travel", "qpi", "link_queue", "slice", "slice_queue",
    "snoop", "held_by_lock", "home", "home_queue", "dram", "locked_execution", "fence", "pause", "mispredict",
    "smt_slot", "unfinished", "idle"};

constexpr std::string_view name_of(Category category) { return kCategoryNames[static_cast<std::size_t>(category)]; }

/// Cycles of one hardware thread (or a sum over several), by algorithm phase and category.
struct Account {
  std::array<std::array<Cycles, kCategories>, kPhases> cycles{};

  Cycles& at(Phase p, Category c) { return cycles[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)]; }
  Cycles at(Phase p, Category c) const { return cycles[static_cast<std::size_t>(p)][static_cast<std::size_t>(c)]; }
  Cycles of(Category c) const;
  Cycles of(Phase p) const;
  Cycles total() const;
  Account& operator+=(const Account& other);
};

}  // namespace linebounce

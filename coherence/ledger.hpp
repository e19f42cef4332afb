// SPDX-License-Identifier: Apache-2.0
// Where the cycles of an operation go. Every operation is a run of segments without gap or overlap, so that its
// segments sum to its latency and a hardware thread's segments sum to the length of the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

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
  kMachineClear,      ///< memory-order machine clear: a spin loop without PAUSE had read the line ahead as it was taken
  kSmtSlot,           ///< the sibling had the issue slot
  kIdle,              ///< no task, or the task has ended
  kCount
};

inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::kCount);

// clang-format off
inline constexpr std::array<std::string_view, kCategories> kCategoryNames = {
    "compute",    "issue",       "l1_hit",     "l2_hit", "store_forward", "store_forward_fail", "store_buffer_full",
    "store_buffer_drain", "miss_issue", "fill_buffer", "travel", "qpi", "link_queue", "slice", "slice_queue",
    "snoop", "held_by_lock", "home", "home_queue", "dram", "locked_execution", "fence", "pause", "mispredict",
    "machine_clear", "smt_slot", "idle"};
// clang-format on

/// The same in words, for reports.
inline constexpr std::array<std::string_view, kCategories> kCategoryMeanings = {
    "register work",
    "issuing a memory instruction",
    "load from its own L1",
    "load from its own L2",
    "load from its own store buffer",
    "waits for an older store that it overlaps",
    "waits for a free store-buffer entry",
    "waits for older stores",
    "leaving and entering the core",
    "waits for an older miss of its own core",
    "travels the ring or crossbar",
    "crosses QPI",
    "waits for a busy link",
    "L3 slice looks up, reads or writes",
    "queued at the L3 slice behind another request",
    "snooped core looks its caches up",
    "held by another core's LOCKed operation",
    "home agent looks up",
    "queued at the home agent behind another request",
    "waits for DRAM",
    "executes LOCKed, with the line held",
    "executes MFENCE",
    "PAUSE",
    "branch mispredict on leaving the spin loop",
    "machine clear: the spin loop had read ahead",
    "the sibling has the issue slot",
    "no task"};
static_assert(!kCategoryMeanings.back().empty());

constexpr std::string_view meaning_of(Category category) {
  return kCategoryMeanings[static_cast<std::size_t>(category)];
}

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

/// A stretch of an operation's life, from the end of the stretch before it.
struct Segment {
  Category category;
  Cycles until;
  OpId cause;  ///< a wait: the operation that held things up
  /// A spin loop: that many equal rounds, by kPause of load, test and PAUSE, by kIssue of load and test without.
  std::uint32_t rounds = 0;
};

/// The open operations' segments. Slots are reused; a charge for an operation that has closed is ignored.
class Ledger {
 public:
  Ledger() : entries_(1) { entries_[0].charged_until = kNever; }

  /// Opens an operation; returns its slot, never 0. Slot 0 takes charges and forgets them.
  std::uint32_t open(OpId op, Cycles begin);
  /// The operation's time from where its last segment ended until `until` went to `category`. Nothing happens when
  /// that time is spoken for already: of things that go on at once, the one that ends last explains the wait.
  void charge(std::uint32_t slot, Category category, Cycles until, OpId cause = {}) {
    Entry& entry = entries_[slot];
    if (until <= entry.charged_until) return;
    entry.charged_until = until;
    if (!entry.segments.empty()) {
      Segment& last = entry.segments.back();
      if (last.category == category && last.cause == cause && last.rounds == 0) {
        last.until = until;
        return;
      }
    }
    entry.segments.push_back({category, until, cause});
  }
  /// The same for `rounds` equal rounds of a spin loop, of the kind that the category says (Segment::rounds).
  void charge_rounds(std::uint32_t slot, Category category, std::uint32_t rounds, Cycles until);
  /// A branch of the operation that goes on beside it, from `now`.
  std::uint32_t fork(std::uint32_t slot, Cycles now);
  /// A branch of a branch that carries the whole story with it: what its stem had by then and what the branch has by
  /// now. It joins what the stem was forked from, and may end before the stem does.
  std::uint32_t split(std::uint32_t branch);
  /// The branch has ended: what it explains beyond the operation's own segments becomes the operation's, unless the
  /// operation has gone on meanwhile. Returns the slot of what it was forked from.
  std::uint32_t join(std::uint32_t branch);
  /// The operation goes on: branches forked before explain nothing any more.
  void go_on(std::uint32_t slot) { ++entries_[slot].epoch; }

  Cycles begin(std::uint32_t slot) const { return entries_[slot].begin; }
  OpId op(std::uint32_t slot) const { return entries_[slot].op; }
  Cycles charged_until(std::uint32_t slot) const { return entries_[slot].charged_until; }
  const std::vector<Segment>& segments(std::uint32_t slot) const { return entries_[slot].segments; }
  void close(std::uint32_t slot);

 private:
  struct Entry {
    OpId op;
    Cycles begin;
    Cycles charged_until;
    std::uint32_t epoch = 0;  ///< counts what has ended here: operations that closed, waits that are over
    std::uint32_t parent = 0;
    std::uint32_t parent_epoch = 0;  ///< when the branch was forked
    std::vector<Segment> segments;
  };
  static constexpr Cycles kNever{std::int64_t{1} << 62};  ///< slot 0 is charged already, for ever
  std::uint32_t take();

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> spare_;
};

}  // namespace linebounce

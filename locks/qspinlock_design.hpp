// SPDX-License-Identifier: Apache-2.0
// What sets the five steps of the queued spinlock apart, as data: the layout of the lock word, how a task joins the queue,
// and how the head of the queue takes the lock.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linebounce {

/// The 32-bit lock word: locked byte in bits 0–7, the pending bit if there is one, and above them the tail
/// (cpu + 1, index of the node in that cpu's array; 0 = nobody queued).
struct QspinlockLayout {
  std::uint32_t pending;  ///< mask of the pending bit; 0 = none
  unsigned index_shift;   ///< two bits of node index
  unsigned cpu_shift;     ///< cpu + 1, up to bit 31

  constexpr std::uint32_t tail_mask() const { return ~std::uint32_t{0} << index_shift; }
  /// Whether the tail is a 16-bit half of its own, so that it can be swapped, and the other half stored, separately.
  constexpr bool separate_tail() const { return index_shift == 16; }
  constexpr std::uint32_t max_cpus() const { return (std::uint32_t{1} << (32 - cpu_shift)) - 1; }
  constexpr std::uint32_t tail_of(std::uint32_t cpu, std::uint32_t index) const {
    return (cpu + 1) << cpu_shift | index << index_shift;
  }
  constexpr std::uint32_t cpu_of(std::uint32_t word) const { return (word >> cpu_shift) - 1; }
  constexpr std::uint32_t index_of(std::uint32_t word) const { return word >> index_shift & 3U; }
};

inline constexpr QspinlockLayout kLayoutNoPending{0, 8, 10};
inline constexpr QspinlockLayout kLayoutPendingBit{0x100, 9, 11};
inline constexpr QspinlockLayout kLayoutPendingByte{0x100, 16, 18};

enum class QspinlockJoin : std::uint8_t {
  kCmpxchgOrTrylock,  ///< one cmpxchg loop over the whole word, which takes the lock if it finds it free
  kTrylockThenTail,   ///< a trylock, then a swap of the tail alone
};

enum class QspinlockClaim : std::uint8_t {
  kCmpxchg,  ///< always a cmpxchg
  kStore,    ///< a plain byte store if others are queued behind, a cmpxchg only for the last one in the queue
};

/// One step of the patch series that built the lock.
enum class QspinlockPatch : std::uint8_t {
  kQ1,  ///< generic queue
  kQ2,  ///< pending bit
  kQ3,  ///< swap of the tail extracted
  kQ4,  ///< pending byte and 16-bit tail: "before"
  kQ5,  ///< "use a simple write to grab the lock": "after"
};
inline constexpr std::array<std::string_view, 5> kQspinlockVariants = {"q1", "q2", "q3", "before", "after"};

struct QspinlockDesign {
  QspinlockPatch patch;
  QspinlockLayout layout;
  QspinlockJoin join;
  QspinlockClaim claim;
  std::uint32_t head_waits_for;  ///< bits that the head of the queue waits to see clear

  constexpr std::string_view variant() const { return kQspinlockVariants[static_cast<std::size_t>(patch)]; }
};

inline constexpr QspinlockDesign kQ1{QspinlockPatch::kQ1, kLayoutNoPending, QspinlockJoin::kCmpxchgOrTrylock,
                                     QspinlockClaim::kCmpxchg, 0xff};
inline constexpr QspinlockDesign kQ2{QspinlockPatch::kQ2, kLayoutPendingBit, QspinlockJoin::kCmpxchgOrTrylock,
                                     QspinlockClaim::kCmpxchg, 0x1ff};
inline constexpr QspinlockDesign kQ3{QspinlockPatch::kQ3, kLayoutPendingBit, QspinlockJoin::kTrylockThenTail,
                                     QspinlockClaim::kCmpxchg, 0x1ff};
inline constexpr QspinlockDesign kQ4{QspinlockPatch::kQ4, kLayoutPendingByte, QspinlockJoin::kTrylockThenTail,
                                     QspinlockClaim::kCmpxchg, 0xffff};
inline constexpr QspinlockDesign kQ5{QspinlockPatch::kQ5, kLayoutPendingByte, QspinlockJoin::kTrylockThenTail,
                                     QspinlockClaim::kStore, 0xffff};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The ledger's categories in a few groups: what people are shown first.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coherence/ledger.hpp"

namespace linebounce {

/// What the categories come to in a few words; every category belongs to exactly one group.
enum class CategoryGroup : std::uint8_t {
  kWork,
  kPause,
  kClears,
  kLocked,
  kStores,
  kMiss,
  kSocket,
  kQpi,
  kMemory,
  kQueues,
  kIdle,
  kCount
};
inline constexpr std::size_t kCategoryGroups = static_cast<std::size_t>(CategoryGroup::kCount);
inline constexpr std::array<std::string_view, kCategoryGroups> kCategoryGroupNames = {
    "work", "PAUSE", "clears", "locked", "stores", "miss", "socket", "QPI", "memory", "queues", "idle"};

constexpr CategoryGroup group_of(Category category) {
  switch (category) {
    case Category::kCompute:
    case Category::kIssue:
    case Category::kL1Hit:
    case Category::kL2Hit:
    case Category::kStoreForward:
    case Category::kMispredict:
    case Category::kSmtSlot: return CategoryGroup::kWork;
    case Category::kPause: return CategoryGroup::kPause;
    case Category::kMachineClear: return CategoryGroup::kClears;
    case Category::kLockedExecution:
    case Category::kFence: return CategoryGroup::kLocked;
    case Category::kStoreForwardFail:
    case Category::kStoreBufferFull:
    case Category::kStoreBufferDrain: return CategoryGroup::kStores;
    case Category::kMissIssue:
    case Category::kFillBuffer:
    case Category::kSnoop: return CategoryGroup::kMiss;
    case Category::kTravel:
    case Category::kSlice: return CategoryGroup::kSocket;
    case Category::kQpi: return CategoryGroup::kQpi;
    case Category::kHome:
    case Category::kDram: return CategoryGroup::kMemory;
    case Category::kLinkQueue:
    case Category::kSliceQueue:
    case Category::kHomeQueue:
    case Category::kHeldByLock: return CategoryGroup::kQueues;
    case Category::kIdle:
    case Category::kCount: return CategoryGroup::kIdle;
  }
  return CategoryGroup::kIdle;
}

/// What the names mean, for people.
inline constexpr std::string_view kCategoryGroupLegend =
    "work: instructions and cache hits; locked: LOCKed operations and fences executing; stores: waiting for the store "
    "buffer; "
    "miss: leaving and entering a core, snooped cores; socket: ring or crossbar and L3; queues: something was busy; "
    "idle: no task";

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/lock_registry.hpp"

#include <algorithm>
#include <stdexcept>

#include "locks/clh.hpp"
#include "locks/mcs.hpp"
#include "locks/qrwlock.hpp"
#include "locks/qspinlock.hpp"
#include "locks/tas.hpp"
#include "locks/ticket.hpp"

namespace linebounce {

namespace {

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

LockRegistry built_in_locks() {
  LockRegistry locks;
  // Up to q3 the tail is swapped by cmpxchg, which the check of the queue's order does not follow.
  locks.add<QspinlockQ1>();
  locks.add<QspinlockQ2>();
  locks.add<QspinlockQ3>();
  locks.add<QspinlockBefore>({.variant = "q4", .queue_by_swap = true});
  locks.add<QspinlockAfter>({.variant = "q5", .queue_by_swap = true});
  locks.add<QspinlockBefore>({.queue_by_swap = true});
  locks.add<QspinlockAfter>({.queue_by_swap = true});
  locks.add<TicketLock>({.queue_by_swap = true});
  locks.add<McsLock>({.queue_by_swap = true});
  locks.add<ClhLock>({.queue_by_swap = true});
  locks.add<TestAndSetLock>();
  locks.add<TestAndTestAndSetLock>();
  locks.add<QrwLock>();
  return locks;
}

}  // namespace

LockRegistry& lock_registry() {
  static LockRegistry registry = built_in_locks();
  return registry;
}

void LockRegistry::add(Entry entry) {
  const LockTraits& traits = entry.traits;
  const auto same = [&](const Entry& other) {
    return other.traits.name == traits.name && other.traits.variant == traits.variant;
  };
  if (std::ranges::any_of(entries_, same)) {
    throw std::invalid_argument("there is a lock '" + traits.name + "'" +
                                (traits.variant.empty() ? "" : " '" + traits.variant + "'") + " already");
  }
  entries_.push_back(std::move(entry));
}

const LockRegistry::Entry* LockRegistry::look_up(std::string_view name, std::string_view variant) const {
  const Entry* newest = nullptr;
  for (const Entry& entry : entries_) {
    if (entry.traits.name == name && (variant.empty() || entry.traits.variant == variant)) newest = &entry;
  }
  return newest;
}

bool LockRegistry::knows(std::string_view name, std::string_view variant) const {
  return look_up(name, variant) != nullptr;
}

const LockRegistry::Entry& LockRegistry::find(std::string_view name, std::string_view variant) const {
  if (const Entry* entry = look_up(name, variant)) return *entry;
  const std::string asked(name);
  if (!knows(name)) throw std::invalid_argument("no lock '" + asked + "'; there are " + join(names()));
  const std::vector<std::string> known = variants(name);
  throw std::invalid_argument("lock '" + asked + "' has no variant '" + std::string(variant) + "'" +
                              (known.empty() ? "" : "; there are " + join(known)));
}

std::vector<std::string> LockRegistry::names() const {
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    if (std::ranges::find(names, entry.traits.name) == names.end()) names.push_back(entry.traits.name);
  }
  return names;
}

std::vector<std::string> LockRegistry::variants(std::string_view name) const {
  std::vector<std::string> variants;
  for (const Entry& entry : entries_) {
    if (entry.traits.name == name && !entry.traits.variant.empty()) variants.push_back(entry.traits.variant);
  }
  return variants;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c_loads.hpp"

#include <algorithm>
#include <iterator>

namespace linebounce {
namespace {

bool has(std::span<const Segment> segments, Category category) {
  return std::ranges::any_of(segments, [category](const Segment& s) { return s.category == category; });
}

/// Waiting for older stores to leave comes before a LOCKed operation's load.
Load load_of_locked(const OperationRecord& o) {
  const bool waits = !o.segments.empty() && o.segments.front().category == Category::kStoreBufferDrain;
  return {waits ? o.segments.front().until : o.begin, o.end, o.segments.subspan(waits ? 1 : 0)};
}

/// What lies between the test of one round of a spin loop and the load of the next.
bool between_rounds(Category category) {
  return category == Category::kSmtSlot || category == Category::kPause || category == Category::kMispredict ||
         category == Category::kMachineClear;
}

/// A round is its load, then its test. Without PAUSE the loop issues its load and goes on; the test is the load's of long
/// ago.
std::vector<Load> loads_of_poll(const OperationRecord& poll) {
  std::vector<Load> loads;
  Cycles begin = poll.begin;  // of the round's load
  Cycles at = poll.begin;
  std::size_t first = 0;
  bool issued = false;
  for (std::size_t i = 0; i < poll.segments.size(); ++i) {
    const Segment& s = poll.segments[i];
    const bool issues = s.category == Category::kIssue;
    const bool tests = s.category == Category::kCompute;
    if (s.rounds > 0) {
      loads.push_back({at, at, {}, s.rounds, true, true});
    } else if (issues || (tests && !issued)) {
      loads.push_back({begin, at, poll.segments.subspan(first, i - first), 1, false, issues});
    }
    issued = s.rounds == 0 && issues;
    at = s.until;
    if (s.rounds > 0 || tests || between_rounds(s.category)) {
      begin = at;
      first = i + 1;
    }
  }
  return loads;
}

}  // namespace

std::vector<Load> loads_of(const OperationRecord& o) {
  switch (o.kind) {
    case OpKind::kLoad: return {{o.begin, o.end, o.segments}};
    case OpKind::kLocked: return {load_of_locked(o)};
    case OpKind::kPoll: return loads_of_poll(o);
    case OpKind::kStore:
    case OpKind::kPause:
    case OpKind::kFence:
    case OpKind::kCompute:
    case OpKind::kPrefetchw:
    case OpKind::kSynchronise: break;
  }
  return {};
}

InCore::InCore(const Recording& recording) : costs_(recording.machine->core) {
  for (const OperationRecord& c : recording.commits) commits_.push_back(&c);
  std::ranges::sort(commits_, {}, &OperationRecord::id);
}

const OperationRecord* InCore::commit(OpId store) const {
  const auto found = std::ranges::lower_bound(commits_, store, {}, &OperationRecord::id);
  return found != commits_.end() && (*found)->id == store ? *found : nullptr;
}

/// One of the thread's older stores that are in its store buffer as the load begins has the word.
bool InCore::forwarded(const OperationRecord& o, const Load& load) const {
  for (auto it = std::ranges::lower_bound(commits_, o.id, {}, &OperationRecord::id); it != commits_.begin();) {
    const OperationRecord& store = **--it;
    if (store.thread != o.thread || store.end <= load.begin) return false;
    if (store.address <= o.address && o.address + o.bytes <= store.address + store.bytes) return true;
  }
  return false;
}

LoadSource InCore::source(const OperationRecord& o, const Load& load) const {
  if (load.hits_l1 || has(load.segments, Category::kL1Hit)) return LoadSource::kL1;
  if (has(load.segments, Category::kL2Hit)) return LoadSource::kL2;
  if (has(load.segments, Category::kStoreForward)) return LoadSource::kStoreBuffer;
  const bool failed_to_forward = has(load.segments, Category::kStoreForwardFail);
  if (load.overlapped && load.segments.size() == (failed_to_forward ? 1 : 0)) {  // nothing to wait for
    return forwarded(o, load) ? LoadSource::kStoreBuffer : LoadSource::kL1;
  }
  const bool at_once = o.kind == OpKind::kLocked && load.segments.size() == 1;  // it executes, and that is all
  return at_once ? LoadSource::kL1 : LoadSource::kFillBuffer;
}

Cycles InCore::latency(const Load& load, LoadSource source) const {
  if (load.overlapped && source == LoadSource::kL1) return load.end - load.begin + costs_.l1_load;
  if (load.overlapped && source == LoadSource::kL2)
    return load.end - load.begin + std::min(costs_.l1_load, costs_.l2_load);
  if (load.overlapped && source == LoadSource::kStoreBuffer) return load.end - load.begin + costs_.store_forward;
  return load.end - load.begin;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/critical_path.hpp"

#include <algorithm>
#include <utility>

#include "coherence/enum_set.hpp"

namespace linebounce {

namespace {

/// Waits that end when another operation has done what it had to.
constexpr Set<Category> kWaits{Category::kSliceQueue,      Category::kHomeQueue,       Category::kHeldByLock,
                               Category::kFillBuffer,      Category::kStoreBufferFull, Category::kStoreBufferDrain,
                               Category::kStoreForwardFail};
/// What a spin loop does while its line is in its cache.
constexpr Set<Category> kSpinning{Category::kPause, Category::kIssue, Category::kL1Hit, Category::kCompute,
                                  Category::kSmtSlot};
/// Operations may wait for each other in a ring at one cycle when causes are known to the cycle only.
constexpr int kMostJumps = 16;

class Walk {
 public:
  Walk(const Timeline& timeline, ThreadId thread, Cycles begin, Cycles end)
      : timeline_(timeline), begin_(begin), at_(end), operation_(timeline.before(thread, end)) {}

  std::vector<PathPiece> run() {
    while (operation_ != nullptr && at_ > begin_) step();
    std::ranges::reverse(pieces_);
    return std::move(pieces_);
  }

 private:
  /// Takes the piece that ends at at_, or goes over to another operation there.
  void step() {
    const auto& segments = operation_->segments;
    const auto here = std::ranges::find_if(segments, [&](const Segment& s) { return s.until >= at_; });
    if (here == segments.end()) return go_to(nullptr, at_);
    const Cycles start = begin_of(*operation_, *here);
    if (const OperationRecord* other = awaited(*here); other != nullptr && other->end > start) {
      take(*here, std::min(at_, other->end));
      return jump_to(other);
    }
    if (operation_->kind == OpKind::kPoll && kSpinning.has(here->category)) {
      const auto [taker, when] = taken();
      if (taker != nullptr && when >= start) {
        take(*here, when);
        return jump_to(taker);
      }
    }
    take(*here, start);
    if (here == segments.begin()) go_to(timeline_.before(operation_->thread, start), start);
  }

  /// The stretch of a segment from `from` to at_.
  void take(const Segment& segment, Cycles from) {
    from = std::max(from, begin_);
    if (from >= at_) return;
    pieces_.push_back({operation_, buffered_, &segment, from, at_});
    at_ = from;
    jumps_ = 0;
  }

  void go_to(const OperationRecord* operation, Cycles at) {
    operation_ = operation;
    buffered_ = false;
    at_ = at;
  }

  void jump_to(const OperationRecord* other) {
    ++jumps_;
    operation_ = other;
    buffered_ = timeline_.commit(other->id) == other;
  }

  /// What was done for the operation `op` at that cycle: a store on its way to its line, or the operation itself.
  const OperationRecord* activity(OpId op, Cycles at) const {
    for (const OperationRecord* record : {timeline_.commit(op), timeline_.operation(op)}) {
      if (record != nullptr && record != operation_ && record->begin < at && record->end >= begin_) return record;
    }
    return nullptr;
  }

  const OperationRecord* awaited(const Segment& segment) const {
    if (!segment.cause || !kWaits.has(segment.category) || jumps_ >= kMostJumps) return nullptr;
    return activity(segment.cause, at_);
  }

  /// Who took the spin loop's line away last, or wrote it beside it, and when that was.
  std::pair<const OperationRecord*, Cycles> taken() const {
    const CoreId core = timeline_.recording().core_of(operation_->thread);
    const LineAddress line = line_of(operation_->address);
    const RecordedMessage* snoop = timeline_.taken_away(core, line, operation_->begin, at_);
    const OperationRecord* write = timeline_.written_beside(operation_->thread, line, operation_->begin, at_);
    if (write != nullptr && (snoop == nullptr || write->end > snoop->arrived)) return {write, write->end};
    if (snoop == nullptr) return {nullptr, {}};
    return {activity(snoop->op, snoop->arrived), snoop->arrived};
  }

  const Timeline& timeline_;
  Cycles begin_;
  Cycles at_;
  const OperationRecord* operation_;
  bool buffered_ = false;
  int jumps_ = 0;
  std::vector<PathPiece> pieces_;
};

}  // namespace

std::vector<PathPiece> critical_path(const Timeline& timeline, ThreadId thread, Cycles begin, Cycles end) {
  return Walk(timeline, thread, begin, end).run();
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/critical_path.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace linebounce {

/// "0-10 #1 travel" for a failed comparison.
static void PrintTo(const PathPiece& piece, std::ostream* out) {
  *out << piece.begin.count << "-" << piece.end.count << " #" << (piece.operation->id.value & 0xff) << " "
       << name_of(piece.segment->category);
}

namespace {

constexpr OpId op(std::uint32_t thread, std::uint32_t number) { return {std::uint64_t{thread + 1} << 40 | number}; }

/// A recording written by hand; the threads are cores of their own.
class Handmade : public testing::Test {
 protected:
  struct Part {
    Category category;
    std::int64_t until;
    OpId cause = {};
  };

  Handmade() {
    auto machine = std::make_shared<Machine>();
    machine->threads_per_core = 1;
    recording_.machine = machine;
  }

  OperationRecord record(OpId id, OpKind kind, std::int64_t begin, std::initializer_list<Part> parts) {
    auto segments = std::make_unique<Segment[]>(parts.size());
    std::size_t n = 0;
    for (const Part& part : parts) segments[n++] = {part.category, Cycles{part.until}, part.cause};
    OperationRecord record;
    record.id = id;
    record.thread = recording_.thread_of(id);
    record.kind = kind;
    record.address = Address{kLineBytes};
    record.bytes = 4;
    record.begin = Cycles{begin};
    record.end = segments[n - 1].until;
    record.segments = {segments.get(), n};
    recording_.segments.push_back(std::move(segments));
    return record;
  }
  void operation(OpId id, OpKind kind, std::int64_t begin, std::initializer_list<Part> parts) {
    recording_.operations.push_back(record(id, kind, begin, parts));
  }
  void commit(OpId id, std::int64_t begin, std::initializer_list<Part> parts) {
    recording_.commits.push_back(record(id, OpKind::kStore, begin, parts));
  }
  void snoop(std::uint32_t core, OpId of, std::int64_t arrived) {
    recording_.messages.push_back(
        {MessageKind::kCoreSnpInv, 0, core, line_of(Address{kLineBytes}), of, Cycles{arrived - 5}, Cycles{arrived}});
  }
  /// "0-10 #1 travel, …" of the path to what the thread does at `end`.
  std::vector<std::string> path(std::uint32_t thread, std::int64_t begin, std::int64_t end) {
    const Timeline timeline(recording_);
    std::vector<std::string> texts;
    for (const PathPiece& piece : critical_path(timeline, ThreadId{thread}, Cycles{begin}, Cycles{end})) {
      std::ostringstream out;
      PrintTo(piece, &out);
      if (piece.buffered) out << " buffered";
      texts.push_back(out.str());
    }
    return texts;
  }

  Recording recording_;
};

using Texts = std::vector<std::string>;

TEST_F(Handmade, WithoutWaitsThePathIsWhatTheThreadDid) {
  operation(op(0, 1), OpKind::kCompute, 0, {{Category::kCompute, 10}});
  operation(op(0, 2), OpKind::kLoad, 10, {{Category::kMissIssue, 12}, {Category::kTravel, 30}});
  EXPECT_EQ(path(0, 5, 30), (Texts{"5-10 #1 compute", "10-12 #2 miss_issue", "12-30 #2 travel"}));
}

TEST_F(Handmade, AWaitForAnotherCoresOperationLeadsIntoThatOperation) {
  operation(op(0, 1), OpKind::kLoad, 0,
            {{Category::kTravel, 8}, {Category::kSliceQueue, 40, op(1, 2)}, {Category::kTravel, 50}});
  operation(op(1, 2), OpKind::kLocked, 3, {{Category::kTravel, 20}, {Category::kSnoop, 60}});
  EXPECT_EQ(path(0, 5, 50), (Texts{"5-20 #2 travel", "20-40 #2 snoop", "40-50 #1 travel"}));
}

TEST_F(Handmade, WhatIsLeftOfAWaitAfterItsCauseHasEndedIsTheWaitersOwn) {
  operation(op(0, 1), OpKind::kLoad, 0, {{Category::kStoreForwardFail, 40, op(1, 2)}});
  operation(op(1, 2), OpKind::kLocked, 0, {{Category::kTravel, 30}});
  EXPECT_EQ(path(0, 10, 40), (Texts{"10-30 #2 travel", "30-40 #1 store_forward_fail"}));
}

TEST_F(Handmade, ASpinLoopThatLosesItsLineLeadsToWhoTookIt) {
  operation(op(0, 1), OpKind::kPoll, 0, {{Category::kL1Hit, 4}, {Category::kPause, 33}, {Category::kTravel, 60}});
  operation(op(1, 2), OpKind::kStore, 9, {{Category::kIssue, 10}});
  commit(op(1, 2), 9, {{Category::kTravel, 40}});
  snoop(0, op(1, 2), 25);
  EXPECT_EQ(path(0, 2, 60), (Texts{"9-25 #2 travel buffered", "25-33 #1 pause", "33-60 #1 travel"}));
}

TEST_F(Handmade, ASpinLoopWithoutPauseDoesSoTooAndItsMachineClearIsItsOwn) {
  operation(op(0, 1), OpKind::kPoll, 0,
            {{Category::kIssue, 33}, {Category::kMachineClear, 60, op(1, 2)}, {Category::kTravel, 90}});
  operation(op(1, 2), OpKind::kStore, 9, {{Category::kIssue, 10}});
  commit(op(1, 2), 9, {{Category::kTravel, 40}});
  snoop(0, op(1, 2), 31);
  EXPECT_EQ(path(0, 2, 90),
            (Texts{"9-31 #2 travel buffered", "31-33 #1 issue", "33-60 #1 machine_clear", "60-90 #1 travel"}));
}

TEST_F(Handmade, ASpinLoopWhoseLineASiblingWritesLeadsToThatStore) {
  auto machine = std::make_shared<Machine>();
  machine->threads_per_core = 2;
  recording_.machine = machine;
  operation(op(0, 1), OpKind::kPoll, 0, {{Category::kPause, 44}, {Category::kL1Hit, 48}});
  operation(op(1, 2), OpKind::kStore, 9, {{Category::kIssue, 10}});
  commit(op(1, 2), 9, {{Category::kTravel, 40}});
  EXPECT_EQ(path(0, 2, 48), (Texts{"9-40 #2 travel buffered", "40-44 #1 pause", "44-48 #1 l1_hit"}));
}

TEST_F(Handmade, AStoreBehindAnotherInTheBufferLeadsToThatOne) {
  operation(op(0, 1), OpKind::kStore, 0, {{Category::kIssue, 1}});
  operation(op(0, 2), OpKind::kStore, 1, {{Category::kIssue, 2}});
  operation(op(0, 3), OpKind::kLocked, 2,
            {{Category::kStoreBufferDrain, 31, op(0, 2)}, {Category::kLockedExecution, 50}});
  commit(op(0, 1), 0, {{Category::kTravel, 30}});
  commit(op(0, 2), 1, {{Category::kStoreBufferDrain, 31, op(0, 1)}});
  EXPECT_EQ(path(0, 0, 50),
            (Texts{"0-30 #1 travel buffered", "30-31 #2 store_buffer_drain buffered", "31-50 #3 locked_execution"}));
}

TEST_F(Handmade, OperationsThatWaitForEachOtherAtOneCycleEndTheSearchForCauses) {
  operation(op(0, 1), OpKind::kLoad, 0, {{Category::kSliceQueue, 20, op(1, 2)}});
  operation(op(1, 2), OpKind::kLoad, 0, {{Category::kSliceQueue, 20, op(0, 1)}});
  const Texts found = path(0, 0, 20);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].substr(0, 4), "0-20");
}

TEST_F(Handmade, APathThatLeavesTheRecordingIsCutShort) {
  operation(op(0, 1), OpKind::kLoad, 15, {{Category::kTravel, 20}});
  EXPECT_EQ(path(0, 0, 20), (Texts{"15-20 #1 travel"}));
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/checks.hpp"

#include <gtest/gtest.h>

#include "cpus/system.hpp"

namespace linebounce {
namespace {

constexpr Access kRead = Access::kRead;
constexpr Access kWrite = Access::kWrite;

TEST(ExclusionCheck, LetsWritersInOneAfterTheOther) {
  ExclusionCheck check;
  check.enter(0, kWrite, {10});
  check.leave(0, kWrite, {20});
  check.enter(1, kWrite, {20});
  check.leave(1, kWrite, {21});
}

TEST(ExclusionCheck, LetsReadersInTogether) {
  ExclusionCheck check;
  check.enter(0, kRead, {10});
  check.enter(1, kRead, {11});
  check.leave(0, kRead, {12});
  check.leave(1, kRead, {30});
  check.enter(2, kWrite, {30});
}

TEST(ExclusionCheck, NoticesASecondWriter) {
  ExclusionCheck check;
  check.enter(0, kWrite, {10});
  EXPECT_THROW(check.enter(1, kWrite, {11}), BrokenModel);
}

TEST(ExclusionCheck, NoticesAWriterAmongReadersAndAReaderBesideAWriter) {
  ExclusionCheck readers;
  readers.enter(0, kRead, {10});
  EXPECT_THROW(readers.enter(1, kWrite, {11}), BrokenModel);
  ExclusionCheck writer;
  writer.enter(0, kWrite, {10});
  EXPECT_THROW(writer.enter(1, kRead, {11}), BrokenModel);
}

TEST(ExclusionCheck, NoticesAStayThatTheHostSawEndBeforeTheOtherBegan) {
  ExclusionCheck check;
  check.enter(0, kWrite, {10});
  check.leave(0, kWrite, {20});
  EXPECT_THROW(check.enter(1, kWrite, {15}), BrokenModel);
  ExclusionCheck readers;
  readers.enter(0, kRead, {10});
  readers.leave(0, kRead, {20});
  readers.enter(1, kRead, {15});
  readers.leave(1, kRead, {16});
  EXPECT_THROW(readers.enter(2, kWrite, {19}), BrokenModel);
}

TEST(ExclusionCheck, NoticesALeaveByAnotherTask) {
  ExclusionCheck check;
  check.enter(0, kWrite, {10});
  EXPECT_THROW(check.leave(1, kWrite, {12}), BrokenModel);
}

TEST(QueueOrderCheck, AcceptsTheOrderOfJoining) {
  QueueOrderCheck order;
  order.joined(4);
  order.joined(2);
  order.acquired(4);
  order.joined(4);
  order.acquired(2);
  order.acquired(4);
}

TEST(QueueOrderCheck, LetsThoseWhoNeverJoinedPass) {
  QueueOrderCheck order;
  order.joined(4);
  order.acquired(7);
  order.acquired(4);
}

TEST(QueueOrderCheck, NoticesOvertaking) {
  QueueOrderCheck order;
  order.joined(4);
  order.joined(2);
  EXPECT_THROW(order.acquired(2), BrokenModel);
}

}  // namespace
}  // namespace linebounce

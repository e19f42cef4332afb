// SPDX-License-Identifier: Apache-2.0
// Time between agents, on the Westmere-EP's crossbar and QPI: what an idle machine takes, what a second packet waits, and
// which channels keep their order.
#include "coherence/fabric.hpp"

#include <gtest/gtest.h>

#include "topologies/core_cycles.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

class FabricTest : public testing::Test {
 protected:
  /// Sends a message about line 0 at `now`, with a ledger of its own.
  Cycles send(AgentKind sender, MessageKind kind, std::uint32_t from, std::uint32_t to, Cycles now, bool read = false) {
    Message message;
    message.kind = kind;
    message.from = from;
    message.to = to;
    message.op = OpId{++ops_};
    message.ledger = slot_ = ledger_.open(message.op, now);
    return fabric_.send(sender, message, now, {}, read, Category::kSlice);
  }
  Cycles charged(Category category) const {
    Cycles from = ledger_.begin(slot_);
    Cycles sum;
    for (const Segment& segment : ledger_.segments(slot_)) {
      if (segment.category == category) sum += segment.until - from;
      from = segment.until;
    }
    return sum;
  }
  OpId cause(Category category) const {
    for (const Segment& segment : ledger_.segments(slot_)) {
      if (segment.category == category) return segment.cause;
    }
    return {};
  }

  const Machine machine_ = load_machine("westmere-ep-2s");
  const Topology topology_{machine_};
  const AgentMap map_{machine_};
  Ledger ledger_;
  Fabric fabric_{machine_, topology_, map_, ledger_};
  std::uint64_t ops_ = 0;
  std::uint32_t slot_ = 0;
  const std::uint32_t far_slice_ = static_cast<std::uint32_t>(machine_.l3_slices_per_socket);
};

TEST_F(FabricTest, AnUnloadedMessageTakesItsRouteAndTheReceiversWork) {
  const Route& way = topology_.route(topology_.core(CoreId{0}), topology_.slice(SliceId{1}));
  const Cycles expected = core_cycles(machine_, way, machine_.slice_lookup);
  EXPECT_EQ(send(AgentKind::kCore, MessageKind::kGetS, 0, 1, {1000}), Cycles{1000} + expected);
  EXPECT_EQ(ledger_.charged_until(slot_), Cycles{1000} + expected);
  EXPECT_EQ(charged(Category::kTravel) + charged(Category::kSlice), expected);
}

TEST_F(FabricTest, ReadingTheDataArrayComesBeforeTheWay) {
  const Cycles without = send(AgentKind::kSlice, MessageKind::kFillS, 0, 0, {1000}) - Cycles{1000};
  const Cycles with = send(AgentKind::kSlice, MessageKind::kFillS, 0, 0, {9000}, true) - Cycles{9000};
  const Cycles read = core_cycles(machine_, machine_.slice_read);
  EXPECT_NEAR(static_cast<double>((with - without).count), static_cast<double>(read.count), 1.0);
  EXPECT_EQ(charged(Category::kSlice), read);
}

TEST_F(FabricTest, ASecondPacketOnALinkWaitsBehindTheFirstAndLeavesOnePacketLater) {
  // From slice 0 to slices of the other socket: one QPI link, different receivers.
  const Cycles packet = core_cycles(machine_, {}, Nanoseconds{(8 + 64) / (2.0 * machine_.qpi_gigatransfers)});
  const Cycles first = send(AgentKind::kSlice, MessageKind::kDataM, 0, far_slice_, {1000});
  EXPECT_EQ(charged(Category::kLinkQueue), Cycles{0});
  const Cycles second = send(AgentKind::kSlice, MessageKind::kDataM, 1, far_slice_ + 1, {1000});
  EXPECT_EQ(second, first + packet);
  EXPECT_EQ(charged(Category::kLinkQueue), packet);
  EXPECT_EQ(cause(Category::kLinkQueue), OpId{1});
  // One cycle before the link is free it waits one cycle; when it is free, none.
  for (const std::int64_t early : {1, 0}) {
    const Cycles start{early == 1 ? 20'000 : 30'000};
    send(AgentKind::kSlice, MessageKind::kDataM, 0, far_slice_, start);
    send(AgentKind::kSlice, MessageKind::kDataM, 1, far_slice_ + 1, start + packet - Cycles{early});
    EXPECT_EQ(charged(Category::kLinkQueue), Cycles{early});
  }
}

TEST_F(FabricTest, ASecondRequestAtASliceWaitsForItsPipeline) {
  const Cycles first = send(AgentKind::kCore, MessageKind::kGetS, 0, 0, {1000});
  const Cycles second = send(AgentKind::kCore, MessageKind::kGetS, 1, 0, {1000});
  const Cycles occupancy = core_cycles(machine_, machine_.slice_occupancy);
  EXPECT_EQ(second, first + occupancy);
  EXPECT_EQ(charged(Category::kSliceQueue) + charged(Category::kLinkQueue), occupancy);
}

TEST_F(FabricTest, MessagesOfOneSliceToOneCoreStayInOrderHoweverFastTheSecond) {
  const Cycles fill = send(AgentKind::kSlice, MessageKind::kFillM, 0, 0, {1000}, true);
  const Cycles grant = send(AgentKind::kSlice, MessageKind::kGrant, 0, 0, {1000});
  EXPECT_EQ(grant, fill);
  const Cycles elsewhere = send(AgentKind::kSlice, MessageKind::kGrant, 0, 1, {1000});
  EXPECT_LT(elsewhere, grant);
}

TEST_F(FabricTest, MessagesOfOneSliceToOneHomeAgentStayInOrderHoweverFastTheSecond) {
  const Cycles write_back = send(AgentKind::kSlice, MessageKind::kWbMtoI, 0, 1, {1000}, true);
  const Cycles answer = send(AgentKind::kSlice, MessageKind::kRspI, 0, 1, {1000});
  EXPECT_GE(answer, write_back);
  const Cycles alone = send(AgentKind::kSlice, MessageKind::kRspI, 0, 1, {50'000}) - Cycles{50'000};
  EXPECT_GT(answer - Cycles{1000}, alone);
}

TEST_F(FabricTest, EveryMessageTakesAtLeastOneCycle) {
  EXPECT_GE(send(AgentKind::kHome, MessageKind::kCmpE, 0, 0, {1000}), Cycles{1001});
}

TEST_F(FabricTest, BytesOfALinkAreHeadersAndLines) {
  send(AgentKind::kSlice, MessageKind::kDataM, 0, far_slice_, {1000});
  send(AgentKind::kSlice, MessageKind::kRspI, 0, 1, {2000});
  const auto bytes_of = [&](std::string_view name) {
    std::size_t i = 0;
    while (topology_.links()[i].name != name) ++i;
    return fabric_.link_bytes()[i];
  };
  EXPECT_EQ(bytes_of("s0>s1"), Bytes{8 + 64 + 8});
  EXPECT_EQ(bytes_of("s1>s0"), Bytes{0});
}

}  // namespace
}  // namespace linebounce

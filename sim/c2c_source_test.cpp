// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c_source.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

using Kind = MessageKind;

/// Messages by hand about one line that is at home in socket 0.
class FetchedLine : public testing::Test {
 protected:
  static constexpr OpId kReader{1};
  static constexpr OpId kOther{2};
  static constexpr LineAddress kLine{100};

  FetchedLine() {
    recording_.machine = std::make_shared<const Machine>(load_machine("westmere-ex-4s"));
    const AgentMap map(*recording_.machine);
    for (std::uint32_t s = 0; s < 2; ++s) slice_[s] = map.slice_of(kLine, SocketId{s}).value;
  }

  void message(Kind kind, std::uint32_t from, std::uint32_t to, OpId op, std::int64_t sent, std::int64_t arrived) {
    recording_.messages.push_back({kind, from, to, kLine, op, {sent}, {arrived}});
  }
  Fetched read(std::uint32_t socket, std::int64_t begin = 100, std::int64_t end = 200) const {
    return FetchIndex(recording_).find(kReader, kLine, SocketId{socket}, {begin}, {end});
  }
  /// Socket 0 has the line and sends it to socket 1, which will write it.
  LoadSource forwarded_for_writing() {
    message(Kind::kGetM, 10, slice_[1], kReader, 100, 110);
    message(Kind::kDataM, slice_[0], slice_[1], kReader, 150, 180);
    message(Kind::kFillM, slice_[1], 10, kReader, 180, 200);
    return read(1).source;
  }

  Recording recording_;
  std::uint32_t slice_[2] = {};
};

TEST_F(FetchedLine, WithoutARequestNobodyServed) { EXPECT_FALSE(read(0).asked); }

TEST_F(FetchedLine, TheL3ServesWhatNobodyElseSends) {
  message(Kind::kGetS, 0, slice_[0], kReader, 100, 110);
  message(Kind::kCoreRspS, 1, slice_[0], kReader, 140, 150);
  message(Kind::kFillS, slice_[0], 0, kReader, 150, 160);
  EXPECT_TRUE(read(0).asked);
  EXPECT_EQ(read(0).source, LoadSource::kLlcHit);
  EXPECT_FALSE(read(0, 300, 400).asked) << "another turn of a spin loop";
}

TEST_F(FetchedLine, ModifiedDataOfTheOwnSocketIsALocalHitm) {
  message(Kind::kGetS, 0, slice_[0], kReader, 100, 110);
  message(Kind::kCoreRspSWb, 1, slice_[0], kReader, 140, 150);
  EXPECT_EQ(read(0).source, LoadSource::kLclHitm);
}

TEST_F(FetchedLine, WhatAForwardingSocketTellsTheHomeMakesItAHitm) {
  message(Kind::kGetS, 10, slice_[1], kReader, 100, 110);
  message(Kind::kCoreRspSWb, 1, slice_[0], kReader, 140, 150);
  message(Kind::kDataS, slice_[0], slice_[1], kReader, 150, 180);
  EXPECT_EQ(read(1).source, LoadSource::kRmtHit);
  message(Kind::kRspFwdSWb, slice_[0], 0, kReader, 150, 230);  // comes after the load has ended
  EXPECT_EQ(read(1).source, LoadSource::kRmtHitm);
}

TEST_F(FetchedLine, DramIsLocalOrRemoteByTheLinesHome) {
  message(Kind::kGetS, 10, slice_[1], kReader, 100, 110);
  message(Kind::kCmpDataE, 0, slice_[1], kReader, 150, 180);
  EXPECT_EQ(read(1).source, LoadSource::kRmtDram);
  EXPECT_EQ(read(0).source, LoadSource::kLclDram);
  EXPECT_TRUE(read(1).exclusive);
  recording_.messages.back().kind = Kind::kCmpDataF;
  EXPECT_FALSE(read(1).exclusive);
}

TEST_F(FetchedLine, ForwardedForWritingItIsAHitmIfACoreOfTheSocketWroteIt) {
  message(Kind::kCmpDataE, 0, slice_[0], kOther, 10, 20);
  message(Kind::kFillE, slice_[0], 0, kOther, 20, 30);
  message(Kind::kCoreRspI, 0, slice_[0], kReader, 140, 150);
  EXPECT_EQ(forwarded_for_writing(), LoadSource::kRmtHit) << "it only read it";
  recording_.messages[2].kind = Kind::kCoreRspIWb;
  EXPECT_EQ(read(1).source, LoadSource::kRmtHitm) << "it wrote without telling and gives its data up";
}

TEST_F(FetchedLine, ForwardedForWritingItIsAHitmIfTheL3HasBeenWrittenTo) {
  message(Kind::kCmpDataE, 0, slice_[0], kOther, 10, 20);
  message(Kind::kFillM, slice_[0], 0, kOther, 20, 30);
  EXPECT_EQ(forwarded_for_writing(), LoadSource::kRmtHitm);
}

TEST_F(FetchedLine, ADataThatHasLeftOnceIsNotModifiedAnyMore) {
  message(Kind::kFillM, slice_[0], 0, kOther, 20, 30);
  message(Kind::kDataM, slice_[0], slice_[1], kOther, 40, 60);
  message(Kind::kCmpDataE, 0, slice_[0], kOther, 70, 80);
  EXPECT_EQ(forwarded_for_writing(), LoadSource::kRmtHit);
}

TEST_F(FetchedLine, AWriteBackCountsUnlessASnoopWasFaster) {
  message(Kind::kCmpDataE, 0, slice_[0], kOther, 10, 20);
  message(Kind::kPutM, 0, slice_[0], {}, 40, 90);
  EXPECT_EQ(forwarded_for_writing(), LoadSource::kRmtHitm);
  message(Kind::kCoreRspIWb, 0, slice_[0], kOther, 50, 60);
  message(Kind::kDataM, slice_[0], slice_[1], kOther, 60, 70);
  message(Kind::kCmpDataE, 0, slice_[0], kOther, 80, 85);  // another copy than the one that was written back
  EXPECT_EQ(read(1).source, LoadSource::kRmtHit);
}

}  // namespace
}  // namespace linebounce

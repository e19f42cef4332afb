// SPDX-License-Identifier: Apache-2.0
// One core's private cache of one way; core 0, slice 0. The core's own events: "load", "own", "hold", "release", each
// with @LINE; the answers are "hit" and "wait", nothing when a request has been sent. The state is that of line 0.
#include "coherence/private_cache.hpp"

#include <gtest/gtest.h>

#include "coherence/test_script.hpp"

namespace linebounce {
namespace {

class PrivateCacheStory : public testing::Test {
 protected:
  void play(const TestShape& shape, std::initializer_list<StoryStep> steps) {
    machine_ = test_machine(shape);
    map_ = std::make_unique<AgentMap>(machine_);
    cache_ = std::make_unique<PrivateCache>(*map_, CoreId{0}, machine_, recorder_, private_cache::kTable);
    for (const StoryStep& step : steps) {
      act(step.in);
      ASSERT_EQ(recorder_.take(), step.out) << step.in;
      ASSERT_EQ(PrivateCacheProtocol::kStateNames[static_cast<std::size_t>(cache_->state(test_line(0)))], step.state)
          << step.in;
    }
  }
  void play(std::initializer_list<StoryStep> steps) { play({.l2_ways = 1}, steps); }

  void act(std::string_view in) {
    const LineAddress line = test_line(number_after(in, '@'));
    const std::string_view what = in.substr(0, in.find('@'));
    if (what == "load") {
      ask(PrivateCache::Event::kLoad, line);
    } else if (what == "own") {
      ask(PrivateCache::Event::kOwn, line);
    } else if (what == "hold") {
      cache_->hold(0, line, OpId{7});
    } else if (what == "release") {
      cache_->release(0);
    } else {
      cache_->receive(message_of(in));
    }
  }
  void ask(PrivateCache::Event wish, LineAddress line) {
    const bool would_hit = cache_->would_hit(wish, line);
    const auto answer = cache_->ask(wish, line, OpId{1}, 0);
    EXPECT_EQ(answer == PrivateCache::Answer::kHit, would_hit);
    if (answer == PrivateCache::Answer::kHit) recorder_.note("hit");
    if (answer == PrivateCache::Answer::kWait) recorder_.note("wait");
  }

  Machine machine_;
  std::unique_ptr<AgentMap> map_;
  std::unique_ptr<PrivateCache> cache_;
  Recorder recorder_;
};

TEST_F(PrivateCacheStory, AReadMissAsksOnceAndThenHits) {
  play({{"load", "GetS>0", "IS_D"},
        {"load", "wait", "IS_D"},
        {"own", "wait", "IS_D"},
        {"FillS<0=7", "", "S"},
        {"load", "hit", "S"}});
  EXPECT_EQ(cache_->data(test_line(0)).words[0], 7U);
}

TEST_F(PrivateCacheStory, TheOnlyCopyBecomesModifiedWithoutAMessage) {
  play({{"load", "GetS>0", "IS_D"},
        {"FillE<0=7", "", "E"},
        {"load", "hit", "E"},
        {"own", "hit", "M"},
        {"own", "hit", "M"}});
}

TEST_F(PrivateCacheStory, AWriteMissAsksForOwnership) {
  play({{"own", "GetM>0", "IM_D"}, {"load", "wait", "IM_D"}, {"FillM<0=7", "", "M"}, {"own", "hit", "M"}});
}

TEST_F(PrivateCacheStory, AnUpgradeReadsOnWhileItWaitsForTheGrant) {
  play({{"load", "GetS>0", "IS_D"},
        {"FillS<0=7", "", "S"},
        {"own", "Upgrade>0", "SM_A"},
        {"load", "hit", "SM_A"},
        {"own", "wait", "SM_A"},
        {"Grant<0", "", "M"},
        {"own", "hit", "M"}});
}

TEST_F(PrivateCacheStory, AnUpgradeThatLosesItsRaceWaitsForData) {
  play({{"load", "GetS>0", "IS_D"},
        {"FillS<0=7", "", "S"},
        {"own", "Upgrade>0", "SM_A"},
        {"CoreSnpInv<0", "CoreRspI>0", "IM_D"},
        {"load", "wait", "IM_D"},
        {"FillM<0=8", "", "M"}});
  EXPECT_EQ(cache_->data(test_line(0)).words[0], 8U);
}

TEST_F(PrivateCacheStory, AnOwnerSharesWhatItHasModified) {
  play({{"own", "GetM>0", "IM_D"}, {"FillM<0=7", "", "M"}, {"CoreSnpShare<0", "CoreRspSWb>0=7", "S"}});
}

TEST_F(PrivateCacheStory, AnOwnerGivesUpWhatItHasModified) {
  play({{"own", "GetM>0", "IM_D"}, {"FillM<0=7", "", "M"}, {"CoreSnpInv<0", "CoreRspIWb>0=7", "I"}});
}

TEST_F(PrivateCacheStory, ACleanOwnerAnswersWithoutData) {
  play({{"load", "GetS>0", "IS_D"},
        {"FillE<0=7", "", "E"},
        {"CoreSnpShare<0", "CoreRspS>0", "S"},
        {"CoreSnpInv<0", "CoreRspI>0", "I"}});
}

TEST_F(PrivateCacheStory, ACleanCopyIsDroppedSilentlyAndALaterSnoopIsTold) {
  play({{"load", "GetS>0", "IS_D"},
        {"FillE<0=7", "", "E"},
        {"load@1", "gone@0 GetS>0@1", "I"},
        {"CoreSnpShare<0", "CoreRspI>0", "I"},
        {"CoreSnpInv<0", "CoreRspI>0", "I"}});
}

TEST_F(PrivateCacheStory, ASnoopOfTheDroppedCopyDoesNotTouchTheRequestForANewOne) {
  play({.l2_ways = 1, .fill_buffers = 1}, {{"load", "GetS>0", "IS_D"},
                                           {"FillE<0=7", "", "E"},
                                           {"load@1", "gone@0 GetS>0@1", "I"},
                                           {"FillE<0@1=8", "", "I"},
                                           {"own", "gone@1 GetM>0", "IM_D"},
                                           {"CoreSnpInv<0", "CoreRspI>0", "IM_D"},
                                           {"FillM<0=9", "", "M"}});
}

TEST_F(PrivateCacheStory, AWriteBackKeepsItsLineClosedUntilItIsAcknowledged) {
  play({{"own", "GetM>0", "IM_D"},
        {"FillM<0=7", "", "M"},
        {"load@1", "PutM>0=7 gone@0 GetS>0@1", "MI_A"},
        {"load", "wait", "MI_A"},
        {"PutAck<0", "", "I"}});
}

TEST_F(PrivateCacheStory, AWriteBackBufferAnswersASnoopThatCrossesIt) {
  play({{"own", "GetM>0", "IM_D"},
        {"FillM<0=7", "", "M"},
        {"load@1", "PutM>0=7 gone@0 GetS>0@1", "MI_A"},
        {"CoreSnpInv<0", "CoreRspIWb>0=7", "II_A"},
        {"own", "wait", "II_A"},
        {"PutAck<0", "", "I"}});
  EXPECT_EQ(cache_->peek(test_line(0)), nullptr);
}

TEST_F(PrivateCacheStory, ARequestThatFindsNoWayOrNoFillBufferWaits) {
  play({.l2_ways = 1, .fill_buffers = 2}, {{"load", "GetS>0", "IS_D"}, {"load@1", "wait", "IS_D"}});
  play({.l2_ways = 2, .fill_buffers = 1},
       {{"load", "GetS>0", "IS_D"}, {"load@1", "wait", "IS_D"}, {"FillS<0=7", "", "S"}, {"load@1", "GetS>0@1", "S"}});
}

TEST_F(PrivateCacheStory, TheLeastRecentlyUsedLineMakesRoom) {
  play({.l2_ways = 2, .fill_buffers = 2}, {{"load", "GetS>0", "IS_D"},
                                           {"FillS<0=1", "", "S"},
                                           {"load@1", "GetS>0@1", "S"},
                                           {"FillS<0@1=2", "", "S"},
                                           {"load", "hit", "S"},
                                           {"load@2", "gone@1 GetS>0@2", "S"}});
}

// LOCKed operations.

TEST_F(PrivateCacheStory, ASnoopWaitsWhileALockedOperationHoldsTheLine) {
  play({{"own", "GetM>0", "IM_D"},
        {"FillM<0=7", "", "M"},
        {"own", "hit", "M"},
        {"hold", "", "M"},
        {"CoreSnpInv<0", "", "M"},
        {"release", "CoreRspIWb>0=7", "I"}});
  EXPECT_EQ(recorder_.causes(), std::vector<OpId>{OpId{7}});
  EXPECT_TRUE(cache_->held_snoops().empty());
}

TEST_F(PrivateCacheStory, AHoldOfOneLineKeepsNoSnoopOfAnotherWaiting) {
  play({.l2_ways = 2, .fill_buffers = 2}, {{"own", "GetM>0", "IM_D"},
                                           {"FillM<0=7", "", "M"},
                                           {"own@1", "GetM>0@1", "M"},
                                           {"FillM<0@1=8", "", "M"},
                                           {"hold", "", "M"},
                                           {"CoreSnpShare<0@1", "CoreRspSWb>0@1=8", "M"}});
}

TEST_F(PrivateCacheStory, AHeldLineIsNotReplaced) {
  play({{"own", "GetM>0", "IM_D"},
        {"FillM<0=7", "", "M"},
        {"hold", "", "M"},
        {"load@1", "wait", "M"},
        {"release", "", "M"},
        {"load@1", "PutM>0=7 gone@0 GetS>0@1", "MI_A"}});
}

TEST_F(PrivateCacheStory, TwoThreadsMayHoldTheSameLine) {
  play({{"own", "GetM>0", "IM_D"}, {"FillM<0=7", "", "M"}, {"hold", "", "M"}});
  cache_->hold(1, test_line(0), OpId{8});
  act("CoreSnpInv<0");
  cache_->release(0);
  EXPECT_EQ(recorder_.take(), "");
  cache_->release(1);
  EXPECT_EQ(recorder_.take(), "CoreRspIWb>0=7");
  EXPECT_EQ(recorder_.causes(), (std::vector<OpId>{OpId{7}, OpId{8}}));
}

TEST_F(PrivateCacheStory, WhatNobodyAskedForIsImpossible) {
  for (const char* in : {"FillS<0=7", "Grant<0", "PutAck<0"}) {
    EXPECT_THROW(play({{in, "", ""}}), std::logic_error) << in;
  }
  EXPECT_THROW(play({{"load", "GetS>0", "IS_D"}, {"FillM<0=7", "", ""}}), std::logic_error);
}

TEST_F(PrivateCacheStory, TheL1ForgetsALineThatLeavesTheCache) {
  play({{"load", "GetS>0", "IS_D"}, {"FillS<0=7", "", "S"}});
  EXPECT_FALSE(cache_->touch_l1(test_line(0)));
  EXPECT_TRUE(cache_->touch_l1(test_line(0)));
  act("CoreSnpInv<0");
  EXPECT_FALSE(cache_->touch_l1(test_line(0)));
}

TEST_F(PrivateCacheStory, TheOpenRequestOfALineSaysWhomItServes) {
  play({{"load", "GetS>0", "IS_D"}});
  EXPECT_EQ(cache_->open_request(test_line(0)), OpId{1});
  EXPECT_EQ(cache_->open_request(test_line(1)), OpId{});
  act("FillS<0=7");
  EXPECT_EQ(cache_->open_request(test_line(0)), OpId{});
}

}  // namespace
}  // namespace linebounce

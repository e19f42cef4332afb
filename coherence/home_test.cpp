// SPDX-License-Identifier: Apache-2.0
// One home agent of a machine of 3 sockets: home agent 0; slices 0, 1 and 2 are the caching agents. The state is that
// of line 0.
#include "coherence/home.hpp"

#include <gtest/gtest.h>

#include "coherence/test_script.hpp"

namespace linebounce {
namespace {

class HomeStory : public testing::Test {
 protected:
  void play(int trackers, std::initializer_list<StoryStep> steps) {
    machine_ = test_machine({.sockets = 3,
                             .cores = 1,
                             .trackers = trackers,
                             .protocol = protocol_,
                             .snoop = snoop_,
                             .broadcast_below = broadcast_below_});
    map_ = std::make_unique<AgentMap>(machine_);
    home_ = std::make_unique<Home>(*map_, HomeId{0}, machine_, recorder_,
                                   tables_of(machine_.protocol, machine_.snoop).home);
    for (const StoryStep& step : steps) {
      home_->receive(message_of(step.in));
      ASSERT_EQ(recorder_.take(), step.out) << step.in;
      ASSERT_EQ(state(), step.state) << step.in;
    }
  }
  void play(std::initializer_list<StoryStep> steps) { play(4, steps); }
  std::string_view state() const {
    for (const Home::Line* line : home_->open_lines()) {
      if (line->address == test_line(0)) return HomeProtocol::kStateNames[static_cast<std::size_t>(line->state)];
    }
    return "Idle";
  }

  Protocol protocol_ = Protocol::kMesi;
  SnoopMode snoop_ = SnoopMode::kHome;
  int broadcast_below_ = 0;
  Machine machine_;
  std::unique_ptr<AgentMap> map_;
  std::unique_ptr<Home> home_;
  Recorder recorder_;
};

TEST_F(HomeStory, AReadCompletesWhenEverybodyAndMemoryHaveAnswered) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RspI<2", "", "Read"},
        {"RspI<0", "", "Read"},
        {"MemData<0", "CmpDataE>1=0", "Idle"}});
}

TEST_F(HomeStory, MemoryMayBeFasterThanThePeers) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"MemData<0", "", "Read"},
        {"RspS<2", "", "Read"},
        {"RspI<0", "CmpDataS>1=0", "Idle"}});
}

TEST_F(HomeStory, AnOwnersForwardGrantsAWriteAtOnceAndMakesTheReadSuperfluous) {
  play({{"RdInvOwn<1", "read SnpInvOwn>0 SnpInvOwn>2", "Own"},
        {"RspFwdI<2r1", "GntFwdE>1 drop", "Done"},
        {"RdInvOwn<2", "", "Done"},  // others wait until everybody has answered
        {"RspI<0", "Cmp>1 read SnpInvOwn>0 SnpInvOwn>1", "Own"},
        {"MemData<0", "", "Own"},
        {"RspI<0", "", "Own"},
        {"RspFwdI<1r2", "CmpFwdE>2", "Idle"}});  // that read has ended by itself; nobody is left to answer
}

TEST_F(HomeStory, AnOwnersForwardToAReaderWaitsForTheOthers) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RspFwdS<2r1", "", "Read"},
        {"RspI<0", "CmpFwdS>1 drop", "Idle"}});
}

TEST_F(HomeStory, AConflictAfterTheGrantCountsAsAnAnswer) {
  play({{"RdInvOwn<1", "read SnpInvOwn>0 SnpInvOwn>2", "Own"},
        {"RspFwdI<2r1", "GntFwdE>1 drop", "Done"},
        {"RdData<0", "", "Done"},
        {"RspCnflt<0", "Cmp>1 read SnpData>1 SnpData>2", "Read"}});
}

TEST_F(HomeStory, ModifiedDataThatIsForwardedToAReaderIsWrittenToMemory) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RspFwdSWb<2=9r1", "write", "Read"},
        {"RspI<0", "CmpFwdS>1 drop", "Idle"}});
  EXPECT_EQ(home_->memory(test_line(0)).words[0], 9U);
}

TEST_F(HomeStory, AnUpgradeNeedsNoMemory) {
  play({{"InvItoE<1", "SnpInvOwn>0 SnpInvOwn>2", "Up"}, {"RspI<2", "", "Up"}, {"RspI<0", "CmpE>1", "Idle"}});
}

TEST_F(HomeStory, AWriteBackIsTakenInWhateverState) {
  play({{"WbMtoI<2=5", "write", "Idle"},
        {"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"WbMtoI<2=6", "write", "Read"},
        {"RspI<2", "", "Read"},
        {"RspI<0", "", "Read"},
        {"MemData<0", "CmpDataE>1=6", "Idle"}});
}

TEST_F(HomeStory, RequestsForOneLineAreServedInOrderOfArrivalAndKnowWhomTheyWaitedFor) {
  play({{"InvItoE<1", "SnpInvOwn>0 SnpInvOwn>2", "Up"},
        {"RdData<0", "", "Up"},
        {"RspI<0", "", "Up"},
        {"RspI<2", "CmpE>1 read SnpData>1 SnpData>2", "Read"}});
  EXPECT_EQ(recorder_.causes(), std::vector<OpId>{OpId{101}});
}

// Conflicts.

TEST_F(HomeStory, AConflictOfAPeerWhoseRequestWaitsHereCountsAsItsAnswer) {
  play({{"RdInvOwn<1", "read SnpInvOwn>0 SnpInvOwn>2", "Own"},
        {"RdInvOwn<2", "", "Own"},
        {"RspCnflt<2", "", "Own"},
        {"RspI<0", "", "Own"},
        {"MemData<0", "CmpDataE>1=0 read SnpInvOwn>0 SnpInvOwn>1", "Own"}});
}

TEST_F(HomeStory, AConflictOfAPeerWhoseRequestCameFirstIsSnoopedAgain) {
  play({{"RdInvOwn<1", "read SnpInvOwn>0 SnpInvOwn>2", "Own"},
        {"RspCnflt<2", "SnpInvOwnLate>2", "Own"},
        {"RspI<0", "", "Own"},
        {"MemData<0", "", "Own"},
        {"RspFwdI<2r1", "CmpFwdE>1", "Idle"}});
}

TEST_F(HomeStory, ALateSnoopForAReaderIsAReadingOne) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RspCnflt<2", "SnpDataLate>2", "Read"},
        {"RspFwdSWb<2=4r1", "write", "Read"},
        {"RspI<0", "CmpFwdS>1 drop", "Idle"}});
}

TEST_F(HomeStory, AWaitingUpgradeWhoseCopyAWriterTakesBecomesAWriteMiss) {
  play({{"InvItoE<1", "SnpInvOwn>0 SnpInvOwn>2", "Up"},
        {"InvItoE<2", "", "Up"},
        {"RspCnflt<2", "", "Up"},
        {"RspI<0", "CmpE>1 read SnpInvOwn>0 SnpInvOwn>1", "Own"}});
}

TEST_F(HomeStory, AWaitingUpgradeKeepsItsCopyWhenAnotherSocketReads) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"InvItoE<2", "", "Read"},
        {"RspCnflt<2", "", "Read"},
        {"RspI<0", "", "Read"},
        {"MemData<0", "CmpDataS>1=0 SnpInvOwn>0 SnpInvOwn>1", "Up"}});
}

// Trackers.

TEST_F(HomeStory, ARequestWaitsForATrackerThatAnotherLineHas) {
  play(1, {{"InvItoE<1", "SnpInvOwn>0 SnpInvOwn>2", "Up"},
           {"InvItoE<2@1", "", "Up"},
           {"RspI<0", "", "Up"},
           {"RspI<2", "CmpE>1 SnpInvOwn>0@1 SnpInvOwn>1@1", "Idle"}});
  EXPECT_EQ(recorder_.causes(), std::vector<OpId>{OpId{101}});
}

TEST_F(HomeStory, AConflictOfAPeerWhoseRequestWaitsForATrackerCountsAsItsAnswerToo) {
  play(1, {{"InvItoE<0@1", "SnpInvOwn>1@1 SnpInvOwn>2@1", "Idle"},
           {"InvItoE<1", "", "Idle"},
           {"InvItoE<2", "", "Idle"},
           {"RspI<1@1", "", "Idle"},
           {"RspI<2@1", "CmpE>0@1 SnpInvOwn>0 SnpInvOwn>2", "Up"},
           {"RspCnflt<2", "", "Up"},
           {"RspI<0", "CmpE>1 read SnpInvOwn>0 SnpInvOwn>1", "Own"}});
}

TEST_F(HomeStory, ALineWithAQueueDoesNotKeepTheTrackerFromOtherLines) {
  play(1, {{"InvItoE<1", "SnpInvOwn>0 SnpInvOwn>2", "Up"},
           {"InvItoE<0", "", "Up"},
           {"InvItoE<2@1", "", "Up"},
           {"RspI<0", "", "Up"},
           {"RspI<2", "CmpE>1 SnpInvOwn>0@1 SnpInvOwn>1@1", "Idle"},
           {"RspI<0@1", "", "Idle"},
           {"RspI<1@1", "CmpE>2@1 read SnpInvOwn>1 SnpInvOwn>2", "Own"}});
}

TEST_F(HomeStory, NoTrackerIsFreeWhileARequestThatCouldUseItWaits) {
  play(2, {{"InvItoE<0@1", "SnpInvOwn>1@1 SnpInvOwn>2@1", "Idle"},
           {"InvItoE<0@2", "SnpInvOwn>1@2 SnpInvOwn>2@2", "Idle"},
           {"InvItoE<1", "", "Idle"},
           {"InvItoE<2", "", "Idle"},
           {"InvItoE<1@3", "", "Idle"},
           {"RspI<1@1", "", "Idle"},
           {"RspI<2@1", "CmpE>0@1 SnpInvOwn>0 SnpInvOwn>2", "Up"},
           {"RspI<1@2", "", "Up"},
           {"RspI<2@2", "CmpE>0@2 SnpInvOwn>0@3 SnpInvOwn>2@3", "Up"}});
}

TEST_F(HomeStory, AWriteBackNeedsNoTracker) {
  play(1, {{"RdData<1@1", "read@1 SnpData>0@1 SnpData>2@1", "Idle"}, {"WbMtoI<2=5", "write", "Idle"}});
}

TEST_F(HomeStory, AnswersThatNobodyAskedForAreImpossible) {
  for (const char* in : {"RspI<1", "RspCnflt<1", "MemData<0"}) {
    EXPECT_THROW(play({{in, "", ""}}), std::logic_error) << in;
  }
}

/// Under MESIF.
class MesifHome : public HomeStory {
 protected:
  MesifHome() { protocol_ = Protocol::kMesif; }
};

TEST_F(MesifHome, TheReaderThatMemoryServesWhileOthersShareIsTheForwarder) {
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RspS<2", "", "Read"},
        {"RspI<0", "", "Read"},
        {"MemData<0", "CmpDataF>1=0", "Idle"}});
}

/// Source snoop: slices snoop each other, the home collects the answers.
class SourceHome : public HomeStory {
 protected:
  SourceHome() { snoop_ = SnoopMode::kSource; }
};

TEST_F(SourceHome, SnoopsNobodyAndCompletesWhenEverybodyAndMemoryHaveAnswered) {
  play({{"RdData<1", "read", "Read"},
        {"RspI<2r1", "", "Read"},
        {"MemData<0", "", "Read"},
        {"RspI<0r1", "CmpDataE>1=0", "Idle"}});
}

TEST_F(SourceHome, AnswersMayComeBeforeTheRequest) {
  play({{"RspS<2r1", "", "Idle"},
        {"RspI<0r1", "", "Idle"},
        {"RdData<1", "read", "Read"},
        {"MemData<0", "CmpDataS>1=0", "Idle"}});
}

TEST_F(SourceHome, TheRequesterWhomAPeerHasSentTheDataIsServedFirstAndThenAskedForTheOther) {
  play({{"RdInvOwn<1", "read", "Own"},
        {"MemData<0", "", "Own"},
        {"RspFwdI<0r2", "", "Own"},  // the owner saw socket 2's snoop first
        {"RspI<0r1", "", "Own"},
        {"RspI<2r1", "", "Idle"},  // socket 2 had not asked yet; the home waits for its request
        {"RdInvOwn<2", "GntFwdE>2", "Done"},
        {"RspCnflt<1r2", "Cmp>2 read SnpInvOwnLate>2", "Own"},  // socket 0 is where it was
        {"RspFwdI<2r1", "CmpFwdE>1 drop", "Idle"}});
}

TEST_F(SourceHome, TheRequesterWhomAPeerHasSentTheDataGetsTheTrackerThatAnotherOneWaitedFor) {
  play(1, {{"RdInvOwn<0", "read", "Own"},
           {"RdInvOwn<1", "", "Own"},
           {"RdInvOwn<2", "", "Own"},
           {"RdData<1@1", "", "Own"},
           {"RspCnflt<1r0", "", "Own"},
           {"RspCnflt<2r0", "", "Own"},
           {"MemData<0", "CmpDataE>0=0 read@1", "Idle"},  // now slice 1 waits for the tracker, slice 2 for slice 1
           {"RspFwdI<0r2", "", "Idle"},
           {"RspI<0@1r1", "", "Idle"},
           {"RspI<2@1r1", "", "Idle"},
           {"MemData<0@1", "CmpDataE>1@1=0 GntFwdE>2", "Done"},
           {"RspCnflt<1r2", "Cmp>2 read", "Own"}});
}

TEST_F(SourceHome, WhatTheWriterAnswersBeforeItsGrantIsAskedForAgainAndWhatAfterHolds) {
  play({{"RdInvOwn<2", "read", "Own"},
        {"RspFwdI<0r2", "GntFwdE>2 drop", "Done"},
        {"RspCnflt<2r1", "", "Done"},  // sent before the grant came
        {"RspI<0r1", "", "Done"},
        {"RspI<1r2", "Cmp>2", "Idle"},
        {"RdInvOwn<1", "read SnpInvOwnLate>2", "Own"},
        {"RspFwdI<2r0", "", "Own"},  // the writer saw socket 0's snoop first
        {"RspI<2r1", "drop", "Idle"},
        {"RspI<1r0", "", "Idle"},
        {"RdInvOwn<0", "CmpFwdE>0 read SnpInvOwnLate>0", "Own"}});
}

TEST_F(SourceHome, AGrantedWritersDataMayGoToTheNextWriterBeforeTheTransactionEnds) {
  play({{"RdInvOwn<2", "read", "Own"},
        {"RspFwdI<0r2", "GntFwdE>2 drop", "Done"},
        {"RspFwdI<2r1", "", "Done"},
        {"RspI<0r1", "", "Done"},
        {"RdInvOwn<1", "", "Done"},
        {"RspCnflt<1r2", "Cmp>2 CmpFwdE>1", "Idle"}});
}

TEST_F(SourceHome, AnswersThatWereGivenBeforeAnotherRequestCompletedAreAskedForAgain) {
  play({{"RspI<2r1", "", "Idle"},  // before socket 2 got the line
        {"RdData<2", "read", "Read"},
        {"RspI<0r2", "", "Read"},
        {"RspI<1r2", "", "Read"},
        {"MemData<0", "CmpDataE>2=0", "Idle"},
        {"RdData<1", "read SnpDataLate>2", "Read"},
        {"RspI<0r1", "", "Read"},
        {"MemData<0", "", "Read"},
        {"RspFwdS<2r1", "CmpFwdS>1", "Idle"}});
}

TEST_F(SourceHome, AnswersOfOthersHoldWhenARequestCompletes) {
  play({{"RspI<0r1", "", "Idle"},
        {"RdData<2", "read", "Read"},
        {"RspI<0r2", "", "Read"},
        {"RspI<1r2", "", "Read"},
        {"MemData<0", "CmpDataE>2=0", "Idle"},
        {"RdData<1", "read", "Read"},
        {"RspFwdS<2r1", "CmpFwdS>1 drop", "Idle"}});
}

TEST_F(SourceHome, AnEarlyConflictOfAPeerWhoseRequestIsServedFirstIsAskedForAgain) {
  play({{"RdInvOwn<2", "read", "Own"},
        {"RspCnflt<2r1", "", "Own"},
        {"RspI<0r1", "", "Own"},
        {"RspI<0r2", "", "Own"},
        {"RspI<1r2", "", "Own"},
        {"MemData<0", "CmpDataE>2=0", "Idle"},
        {"RdInvOwn<1", "read SnpInvOwnLate>2", "Own"},
        {"RspFwdI<2r1", "CmpFwdE>1 drop", "Idle"}});
}

TEST_F(SourceHome, AnEarlyConflictOfAPeerThatHasBeenServedIsAskedForAgain) {
  play({{"RdInvOwn<2", "read", "Own"},
        {"RspI<0r2", "", "Own"},
        {"RspI<1r2", "", "Own"},
        {"MemData<0", "CmpDataE>2=0", "Idle"},
        {"RspCnflt<2r1", "", "Idle"},
        {"RspI<0r1", "", "Idle"},
        {"RdInvOwn<1", "read SnpInvOwnLate>2", "Own"},
        {"RspFwdI<2r1", "CmpFwdE>1 drop", "Idle"}});
}

TEST_F(SourceHome, AnEarlyConflictOfAPeerThatIsServedLaterCountsAsItsAnswer) {
  play(1, {{"InvItoE<0@1", "", "Idle"},  // has the only tracker
           {"RdInvOwn<2", "", "Idle"},
           {"RspFwdI<0r1", "", "Idle"},  // so that slice 1 is served before slice 2
           {"RspCnflt<2r1", "", "Idle"},
           {"RdInvOwn<1", "", "Idle"},
           {"RspI<1@1r0", "", "Idle"},
           {"RspI<2@1r0", "CmpE>0@1 CmpFwdE>1 read", "Own"}});
}

TEST_F(SourceHome, WhoIsAskedAgainAndHasAskedAgainItselfNeedNotWaitForItsFill) {
  play({{"RspI<2r1", "", "Idle"},
        {"RdData<2", "read", "Read"},
        {"RspI<0r2", "", "Read"},
        {"RspI<1r2", "", "Read"},
        {"MemData<0", "CmpDataE>2=0", "Idle"},
        {"RspFwdS<0r1", "", "Idle"},  // so that slice 2's next request waits for slice 1's
        {"RdData<2", "", "Idle"},
        {"RdData<1", "read SnpData>2", "Read"},
        {"RspCnflt<2r1", "CmpFwdS>1 drop read", "Read"}});
}

/// The home's own socket is 0.
class DirectoryHome : public HomeStory {
 protected:
  DirectoryHome() { snoop_ = SnoopMode::kDirectory; }
};

TEST_F(DirectoryHome, ALineThatNobodyHasIsServedWithoutSnoopingOtherSockets) {
  play({{"RdData<1", "read SnpData>0", "LookRead"},
        {"RspI<0", "", "LookRead"},
        {"MemData<0", "CmpDataE>1=0 write", "Idle"}});
}

TEST_F(DirectoryHome, ALineThatMayBeModifiedElsewhereIsSnoopedForOnceTheDirectoryHasSaidSo) {
  play({{"RdInvOwn<1", "read SnpInvOwn>0", "LookOwn"},
        {"MemData<0", "", "Own"},
        {"RspI<0", "CmpDataE>1=0 write", "Idle"},
        {"RdData<2", "read SnpData>0", "LookRead"},
        {"RspI<0", "", "LookRead"},
        {"MemData<0", "SnpData>1", "Read"},
        {"RspFwdSWb<1=7r2", "write CmpFwdS>2 write", "Idle"}});
  EXPECT_EQ(home_->memory(test_line(0)).words[0], 7U);
}

TEST_F(DirectoryHome, CleanCopiesElsewhereAreNotAskedForARead) {
  protocol_ = Protocol::kMesif;
  play({{"RdData<1", "read SnpData>0", "LookRead"},
        {"RspS<0", "", "LookRead"},
        {"MemData<0", "CmpDataF>1=0 write", "Idle"},
        {"RdData<2", "read SnpData>0", "LookRead"},
        {"RspS<0", "", "LookRead"},
        {"MemData<0", "CmpDataS>2=0", "Idle"}});  // socket 1 may be the forwarder still
}

TEST_F(DirectoryHome, CleanCopiesElsewhereGoBeforeAWrite) {
  play({{"RdData<1", "read SnpData>0", "LookRead"},
        {"RspS<0", "", "LookRead"},
        {"MemData<0", "CmpDataS>1=0 write", "Idle"},
        {"RdInvOwn<2", "read SnpInvOwn>0", "LookOwn"},
        {"RspI<0", "", "LookOwn"},
        {"MemData<0", "SnpInvOwn>1", "Own"},
        {"RspI<1", "CmpDataE>2=0 write", "Idle"}});
}

TEST_F(DirectoryHome, TheHomesOwnSocketIsNotInTheDirectory) {
  play({{"RdInvOwn<0", "read", "LookOwn"}, {"MemData<0", "CmpDataE>0=0", "Idle"}});
}

TEST_F(DirectoryHome, WithFewRequestsInProgressSnoopsHideTheLookUp) {
  broadcast_below_ = 1;
  play({{"RdData<1", "read SnpData>0 SnpData>2", "Read"},
        {"RdData<1@1", "read@1 SnpData>0@1", "Read"},
        {"RspI<0", "", "Read"},
        {"RspI<2", "", "Read"},
        {"MemData<0", "CmpDataE>1=0 write", "Idle"}});
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// One L3 slice of a machine of 2 sockets with 3 cores each. The slice is slice 0, its cores are 0, 1, 2; home agent 0
// answers for every line; the other socket's slice is 1. The state is that of line 0.
#include "coherence/slice.hpp"

#include <gtest/gtest.h>

#include "coherence/test_script.hpp"

namespace linebounce {
namespace {

class SliceStory : public testing::Test {
 protected:
  void play(int l3_ways, std::initializer_list<StoryStep> steps) {
    machine_ = test_machine({.sockets = 2, .cores = 3, .l3_ways = l3_ways, .protocol = protocol_, .snoop = snoop_});
    map_ = std::make_unique<AgentMap>(machine_);
    slice_ = std::make_unique<Slice>(*map_, SliceId{0}, machine_.l3_slice, recorder_,
                                     tables_of(machine_.protocol, machine_.snoop).slice);
    for (const StoryStep& step : steps) {
      slice_->receive(message_of(step.in));
      ASSERT_EQ(recorder_.take(), step.out) << step.in;
      ASSERT_EQ(state(), step.state) << step.in;
    }
  }
  void play(std::initializer_list<StoryStep> steps) { play(2, steps); }
  std::string_view state() const {
    const Slice::Line* line = slice_->find(test_line(0));
    return SliceProtocol::kStateNames[static_cast<std::size_t>(line != nullptr ? line->state : Slice::State::kI)];
  }

  Protocol protocol_ = Protocol::kMesi;
  SnoopMode snoop_ = SnoopMode::kHome;
  Machine machine_;
  std::unique_ptr<AgentMap> map_;
  std::unique_ptr<Slice> slice_;
  Recorder recorder_;
};

TEST_F(SliceStory, ALineThatNobodyElseHasGoesToItsReaderAsItsOwner) {
  play({{"GetS<0", "RdData>0", "IS_G"}, {"CmpDataE<0=7", "FillE>0=7", "EO"}});
}

TEST_F(SliceStory, ALineThatOthersShareIsShared) {
  play({{"GetS<0", "RdData>0", "IS_G"}, {"CmpDataS<0=7", "FillS>0=7", "S"}, {"GetS<1", "FillS>1=7", "S"}});
}

TEST_F(SliceStory, AnOwnerThatDroppedItsCleanCopyGetsItBack) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"GetS<0", "FillE>0=7", "EO"},
        {"GetM<0", "FillM>0=7", "MO"}});
}

TEST_F(SliceStory, AnOwnerIsAskedToShareAndTheL3BecomesTheDirtyOwner) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspSWb<0=8", "FillS>1=8", "M"},
        {"GetS<2", "FillS>2=8", "M"}});
}

TEST_F(SliceStory, AnOwnerThatSilentlyDroppedItsCopyMakesTheReaderTheOwner) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspI<0", "FillE>1=7", "EO"}});
}

TEST_F(SliceStory, AWriterWaitsUntilTheLastOtherCopyIsGone) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspS<0", "FillS>1=7", "E"},
        {"GetM<2", "CoreSnpInv>0 CoreSnpInv>1", "BI"},
        {"CoreRspI<1", "", "BI"},
        {"CoreRspI<0", "FillM>2=7", "MO"}});
}

TEST_F(SliceStory, AnUpgradeOfAGoodCopyIsGrantedWithoutData) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspS<0", "FillS>1=7", "E"},
        {"Upgrade<0", "CoreSnpInv>1", "BI"},
        {"CoreRspI<1", "Grant>0", "MO"}});
}

TEST_F(SliceStory, AnUpgradeThatLosesItsRaceGetsData) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspS<0", "FillS>1=7", "E"},
        {"Upgrade<0", "CoreSnpInv>1", "BI"},
        {"Upgrade<1", "", "BI"},
        {"CoreRspI<1", "Grant>0 CoreSnpInv>0", "BI"},
        {"CoreRspIWb<0=8", "FillM>1=8", "MO"}});
}

TEST_F(SliceStory, RequestsForABusyLineAreServedInOrderOfArrivalAndKnowWhomTheyWaitedFor) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"GetM<2", "", "IM_G"},
        {"GetM<1", "", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7 CoreSnpInv>0", "BI"},
        {"CoreRspIWb<0=8", "FillM>2=8 CoreSnpInv>2", "BI"},
        {"CoreRspIWb<2=9", "FillM>1=9", "MO"}});
  EXPECT_EQ(recorder_.causes(), (std::vector<OpId>{OpId{100}, OpId{102}}));
  EXPECT_TRUE(slice_->open_lines().empty());
}

TEST_F(SliceStory, AWriteBackMakesTheL3TheDirtyOwner) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"PutM<0=8", "PutAck>0", "M"},
        {"GetS<1", "FillE>1=8", "MO"}});
}

TEST_F(SliceStory, AWriteBackThatCrossedASnoopIsOnlyAcknowledged) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"GetM<1", "CoreSnpInv>0", "BI"},
        {"CoreRspIWb<0=8", "FillM>1=8", "MO"},
        {"PutM<0=8", "PutAck>0", "MO"}});
}

TEST_F(SliceStory, AWriteBackThatOvertakesTheAnswerToASnoopWaitsForIt) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"GetM<1", "CoreSnpInv>0", "BI"},
        {"PutM<0=8", "", "BI"},
        {"CoreRspIWb<0=8", "FillM>1=8 PutAck>0", "MO"}});
}

// Evictions: one way for all lines.

TEST_F(SliceStory, AnEvictionTakesTheCoresCopiesFirstAndDropsACleanLine) {
  play(1, {{"GetS<0", "RdData>0", "IS_G"},
           {"CmpDataE<0=7", "FillE>0=7", "EO"},
           {"GetS<1@1", "CoreSnpInv>0", "V"},
           {"CoreRspI<0", "RdData>0@1", "I"}});
}

TEST_F(SliceStory, AnEvictionOfModifiedDataGoesToMemory) {
  play(1, {{"GetM<0", "RdInvOwn>0", "IM_G"},
           {"CmpDataE<0=7", "FillM>0=7", "MO"},
           {"GetS<1@1", "CoreSnpInv>0", "V"},
           {"CoreRspIWb<0=8", "WbMtoI>0=8 RdData>0@1", "I"}});
}

TEST_F(SliceStory, ALineWithoutCopiesInCoresGoesAtOnce) {
  play(1, {{"GetM<0", "RdInvOwn>0", "IM_G"},
           {"CmpDataE<0=7", "FillM>0=7", "MO"},
           {"PutM<0=8", "PutAck>0", "M"},
           {"GetS<1@1", "WbMtoI>0=8 RdData>0@1", "I"}});
}

TEST_F(SliceStory, ARequestWaitsForAWayWhileEveryLineIsBusyAndThenTakesTheFirst) {
  play(1, {{"GetS<0", "RdData>0", "IS_G"},
           {"GetS<1@1", "", "IS_G"},
           {"CmpDataE<0=7", "FillE>0=7 CoreSnpInv>0", "V"},
           {"CoreRspI<0", "RdData>0@1", "I"},
           {"CmpDataE<0@1=9", "FillE>1@1=9", "I"}});
  EXPECT_TRUE(slice_->waiting_for_a_way().empty());
}

TEST_F(SliceStory, ARequestForTheLineThatIsBeingEvictedComesBeforeTheOneThatNeedsTheWay) {
  play(1, {{"GetS<0", "RdData>0", "IS_G"},
           {"CmpDataE<0=7", "FillE>0=7", "EO"},
           {"GetS<1@1", "CoreSnpInv>0", "V"},
           {"GetS<2", "", "V"},
           {"CoreRspI<0", "RdData>0", "IS_G"}});
  EXPECT_EQ(slice_->waiting_for_a_way().size(), 1U);
}

// Another socket wants the line.

TEST_F(SliceStory, ASocketThatHasNothingSaysSo) {
  play({{"SnpData<0r1", "RspI>0", "I"}, {"SnpInvOwn<0r1", "RspI>0", "I"}});
}

TEST_F(SliceStory, ACleanLineIsForwardedToAReaderAndStays) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataE<0=7", "FillE>0=7", "EO"},
        {"SnpData<0r1", "CoreSnpShare>0", "XS"},
        {"CoreRspS<0", "DataS>1=7 RspFwdS>0", "S"},
        {"SnpData<0r1", "RspS>0", "S"}});
}

TEST_F(SliceStory, AModifiedLineIsForwardedToAReaderAndMemoryGetsItToo) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"SnpData<0r1", "CoreSnpShare>0", "XS"},
        {"CoreRspSWb<0=8", "DataS>1=8 RspFwdSWb>0=8", "S"}});
}

TEST_F(SliceStory, AModifiedLineGoesToAWriterWithOwnership) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"SnpInvOwn<0r1", "CoreSnpInv>0", "XI"},
        {"CoreRspIWb<0=8", "DataM>1=8 RspFwdI>0", "I"}});
}

TEST_F(SliceStory, ASharedLineIsTakenFromEveryCoreBeforeTheWriterHasIt) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataS<0=7", "FillS>0=7", "S"},
        {"GetS<1", "FillS>1=7", "S"},
        {"SnpInvOwn<0r1", "CoreSnpInv>0 CoreSnpInv>1", "XSI"},
        {"CoreRspI<1", "", "XSI"},
        {"CoreRspI<0", "RspI>0", "I"}});
}

TEST_F(SliceStory, ASnoopWaitsForARequestThatNeedsNoOtherSocket) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"GetM<1", "CoreSnpInv>0", "BI"},
        {"SnpInvOwn<0r1", "", "BI"},
        {"CoreRspIWb<0=8", "FillM>1=8 CoreSnpInv>1", "XI"},
        {"CoreRspIWb<1=9", "DataM>1=9 RspFwdI>0", "I"}});
}

// Two sockets want the line at once.

TEST_F(SliceStory, AConflictIsAnsweredAndTheFillServesOnceBeforeTheLateSnoopTakesTheLine) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"SnpInvOwn<0r1", "RspCnflt>0", "IM_G"},
        {"SnpInvOwnLate<0r1", "", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7 CoreSnpInv>0", "XI"},
        {"CoreRspIWb<0=8", "DataM>1=8 RspFwdI>0", "I"}});
}

TEST_F(SliceStory, ALateReaderSharesWhatTheFirstHasWritten) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"SnpData<0r1", "RspCnflt>0", "IM_G"},
        {"CmpDataE<0=7", "FillM>0=7", "MO"},
        {"SnpDataLate<0r1", "CoreSnpShare>0", "XS"},
        {"CoreRspSWb<0=8", "DataS>1=8 RspFwdSWb>0=8", "S"}});
}

TEST_F(SliceStory, AnUpgradeThatLosesToAnotherSocketGivesItsCopiesUpAndWaitsForData) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataS<0=7", "FillS>0=7", "S"},
        {"Upgrade<0", "InvItoE>0", "SM_G"},
        {"SnpInvOwn<0r1", "CoreSnpInv>0", "CI"},
        {"CoreRspI<0", "RspCnflt>0", "SM_G"},
        {"CmpFwdE<0", "", "SM_G"},
        {"DataM<1=9", "FillM>0=9", "MO"}});
}

TEST_F(SliceStory, AnUpgradeThatWonAlthoughItsCopiesWereGivenUpUsesTheL3sCopy) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataS<0=7", "FillS>0=7", "S"},
        {"Upgrade<0", "InvItoE>0", "SM_G"},
        {"SnpInvOwn<0r1", "CoreSnpInv>0", "CI"},
        {"CmpE<0", "", "CI"},
        {"CoreRspI<0", "RspCnflt>0 FillM>0=7", "MO"},
        {"SnpInvOwnLate<0r1", "CoreSnpInv>0", "XI"}});
}

TEST_F(SliceStory, AnUpgradeKeepsItsCopiesWhenTheOtherSocketOnlyReads) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataS<0=7", "FillS>0=7", "S"},
        {"GetS<1", "FillS>1=7", "S"},
        {"Upgrade<0", "InvItoE>0", "SM_G"},
        {"SnpData<0r1", "RspCnflt>0", "SM_G"},
        {"CmpE<0", "CoreSnpInv>1", "BI"},
        {"CoreRspI<1", "Grant>0", "MO"}});
}

TEST_F(SliceStory, APeersDataServesTheReaderBeforeTheHomesCompletion) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"DataS<1=7", "FillS>0=7", "IS_C"},
        {"GetS<1", "", "IS_C"},
        {"CmpFwdS<0", "FillS>1=7", "S"}});
}

TEST_F(SliceStory, AWriterWithAPeersDataWaitsForTheHomesGrant) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"DataM<1=7", "", "IM_C"},
        {"SnpInvOwn<0r1", "RspCnflt>0", "IM_C"},
        {"CmpFwdE<0", "FillM>0=7", "MO"}});
}

TEST_F(SliceStory, AGrantedLineIsUsedAndSnoopedAsAnyOtherBeforeTheTransactionEnds) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"DataM<1=7", "", "IM_C"},
        {"GntFwdE<0", "FillM>0=7", "MO"},
        {"GetS<1", "CoreSnpShare>0", "BS"},
        {"CoreRspSWb<0=8", "FillS>1=8", "M"},
        {"SnpData<0r1", "DataS>1=8 RspFwdSWb>0=8", "S"},
        {"GetS<2", "FillS>2=8", "S"},
        {"Cmp<0", "", "S"}});
}

TEST_F(SliceStory, WhoNeedsTheHomeAgainWaitsForTheEndOfTheLastTransactionAndOthersPassBy) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"GntFwdE<0", "", "IM_G"},
        {"DataM<1=7", "FillM>0=7", "MO"},
        {"SnpData<0r1", "CoreSnpShare>0", "XS"},
        {"GetM<1", "", "XS"},
        {"GetS<2", "", "XS"},
        {"CoreRspSWb<0=8", "DataS>1=8 RspFwdSWb>0=8 FillS>2=8", "S"},
        {"Upgrade<0", "", "S"},
        {"Cmp<0", "InvItoE>0", "SM_G"}});
  EXPECT_EQ(recorder_.causes(), (std::vector<OpId>{OpId{100}, OpId{100}}));
}

TEST_F(SliceStory, ALostLineKeepsItsWayUntilTheTransactionEnds) {
  play(1, {{"GetM<0", "RdInvOwn>0", "IM_G"},
           {"DataM<1=7", "", "IM_C"},
           {"GntFwdE<0", "FillM>0=7", "MO"},
           {"SnpInvOwn<0r1", "CoreSnpInv>0", "XI"},
           {"CoreRspIWb<0=8", "DataM>1=8 RspFwdI>0", "I"},
           {"GetS<1@1", "", "I"},
           {"Cmp<0", "RdData>0@1", "I"}});
}

TEST_F(SliceStory, TheEndMayComeBeforeTheGrant) {
  play({{"GetM<0", "RdInvOwn>0", "IM_G"},
        {"Cmp<0", "", "IM_G"},
        {"GntFwdE<0", "", "IM_G"},
        {"DataM<1=7", "FillM>0=7", "MO"},
        {"SnpInvOwn<0r1", "CoreSnpInv>0", "XI"},
        {"CoreRspIWb<0=8", "DataM>1=8 RspFwdI>0", "I"},
        {"GetM<1", "RdInvOwn>0", "IM_G"}});
}

TEST_F(SliceStory, TheCompletionMayComeBeforeThePeersData) {
  play({{"GetS<0", "RdData>0", "IS_G"}, {"CmpFwdS<0", "", "IS_G"}, {"DataS<1=7", "FillS>0=7", "S"}});
}

TEST_F(SliceStory, AnswersThatNobodyAskedForAreImpossible) {
  for (const char* in : {"CoreRspI<0", "CmpE<0", "DataM<1=7", "Cmp<0"}) {
    EXPECT_THROW(play({{in, "", ""}}), std::logic_error) << in;
  }
}

TEST_F(SliceStory, HitsAndMissesAreTheRequestsAnsweredInsideTheSocketAndTheOthers) {
  play({{"GetS<0", "RdData>0", "IS_G"},
        {"CmpDataS<0=7", "FillS>0=7", "S"},
        {"GetS<1", "FillS>1=7", "S"},
        {"Upgrade<0", "InvItoE>0", "SM_G"}});
  EXPECT_EQ(slice_->hits(), 1U);
  EXPECT_EQ(slice_->misses(), 2U);
}

/// MESIF with source snoop; slice 0 of 2 sockets.
class MesifSourceSlice : public SliceStory {
 protected:
  MesifSourceSlice() {
    protocol_ = Protocol::kMesif;
    snoop_ = SnoopMode::kSource;
  }
};

TEST_F(MesifSourceSlice, SnoopsItsPeersWhileItAsksTheHome) {
  play({{"GetS<0", "RdData>0 PeerSnpData>1", "IS_G"}, {"CmpDataE<0=3", "FillE>0=3", "EO"}});
  play({{"GetM<0", "RdInvOwn>0 PeerSnpInvOwn>1", "IM_G"}});
}

TEST_F(MesifSourceSlice, TheNewestReaderIsTheForwarderAndPassesThatOnWithTheData) {
  play({{"GetS<0", "RdData>0 PeerSnpData>1", "IS_G"},
        {"CmpDataF<0=3", "FillS>0=3", "F"},
        {"PeerSnpData<1r1", "DataS>1=3 RspFwdS>0", "S"},
        {"PeerSnpData<1r1", "RspS>0", "S"}});
}

TEST_F(MesifSourceSlice, AForwarderLeavesTheDataOfAWriteToMemory) {
  play({{"GetS<0", "RdData>0 PeerSnpData>1", "IS_G"},
        {"CmpDataF<0=3", "FillS>0=3", "F"},
        {"PeerSnpInvOwn<1r1", "CoreSnpInv>0", "XSI"},
        {"CoreRspI<0", "RspI>0", "I"}});
}

TEST_F(MesifSourceSlice, ASnoopOfAPeerThatMeetsAnOpenRequestIsAConflictAndDoesNotCountAsTheHomes) {
  play({{"GetM<0", "RdInvOwn>0 PeerSnpInvOwn>1", "IM_G"},
        {"PeerSnpInvOwn<1r1", "RspCnflt>0", "IM_G"},
        {"SnpInvOwnLate<0r1", "RspCnflt>0", "IM_G"},  // this request has not answered the home before
        {"SnpInvOwnLate<0r1", "", "IM_G"},            // now it has: it came first, the line goes after its fill
        {"CmpDataE<0=3", "FillM>0=3 CoreSnpInv>0", "XI"}});
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// MESI and MESIF as a socket's caching agent (an inclusive L3 slice with core-valid bits) plays them, towards its cores,
// its peers in other sockets and the home agents.
//
// Settled states say what the socket may do: S shared with other sockets, F the same and the one that forwards the data
// to the next reader (MESIF: at most one socket, the newest reader), E and M the only socket with a copy (M: the L3's
// data is newer than memory's); in EO and MO one core owns the line and may have modified it without telling.
// Bxx wait for cores on behalf of a core, Xxx on behalf of another socket, V for an eviction; xx_G wait for the home.
// A slice is done with a request once its answer is sent. The home orders requests of different sockets; whoever is
// snooped while its own request is open answers RspCnflt, and is snooped again ("Late") if its request came first.
// A write whose data an owner sends may be granted (GntFwdE) before the home has collected all answers (Cmp). Between
// the two, which come in either order, the socket uses the line, is snooped and may lose it like any other, but keeps
// its way and sends the home no further request for it.
//
// Who snoops: the home agent, or (source snoop) the requester's caching agent itself while it asks the home. Everybody
// answers the home.
#pragma once

#include <array>
#include <string_view>

#include "coherence/protocol_table.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

// clang-format off
struct SliceProtocol {
  enum class State : std::uint8_t {
    kI, kS, kF, kE, kM, kEO, kMO,  // settled
    kBS,                       // owner asked to share, for a core's GetS
    kBI,                       // cores invalidated, for a core's GetM or Upgrade
    kXS,                       // owner asked to share, for another socket's read
    kXI,                       // cores invalidated, for another socket's write; the data will be forwarded
    kXSI,                      // the same from S: memory has the data
    kV,                        // cores invalidated, for an eviction
    kISG, kIMG, kSMG,          // waiting for the home: read, write miss, upgrade
    kISC,                      // read, served with a peer's data, waiting for the home's completion
    kIMC,                      // write, a peer's data is here, waiting for the home's completion
    kCI,                       // in SM_G, snooped by the winner: cores invalidated first
    kCount
  };
  static constexpr std::array<std::string_view, 19> kStateNames = {
      "I", "S", "F", "E", "M", "EO", "MO", "BS", "BI", "XS", "XI", "XSI", "V", "IS_G", "IM_G", "SM_G", "IS_C", "IM_C", "CI"};

  enum class Event : std::uint8_t {
    kGetS, kGetM, kUpgrade, kPutM,                   // from cores
    kRspI, kRspS, kRspIWb, kRspSWb,                  // cores' answers
    kSnpData, kSnpInvOwn, kSnpDataLate, kSnpInvOwnLate,  // from the home
    kCmpE, kCmpFwdS, kCmpFwdE, kGntFwdE, kCmp, kCmpDataS, kCmpDataF, kCmpDataE,
    kPeerSnpData, kPeerSnpInvOwn, kDataS, kDataM,    // from another caching agent
    kEvict,                                          // the way is needed
    kCount
  };
  static constexpr std::array<std::string_view, 25> kEventNames = {
      "GetS",    "GetM",      "Upgrade",     "PutM",          "CoreRspI", "CoreRspS", "CoreRspIWb",
      "CoreRspSWb", "SnpData", "SnpInvOwn",  "SnpDataLate",   "SnpInvOwnLate", "CmpE", "CmpFwdS",
      "CmpFwdE", "GntFwdE", "Cmp", "CmpDataS",  "CmpDataF",    "CmpDataE",      "PeerSnpData", "PeerSnpInvOwn", "DataS", "DataM",
      "Evict"};

  enum class Guard : std::uint8_t {
    kAlways,
    kAlone,       ///< no core but the requesting one has a copy (for snoops and evictions: no core at all)
    kFromOwner,   ///< the message comes from the core that owns the line
    kMore,        ///< further answers are awaited after this one
    kDirty,       ///< the L3's data is newer than memory's
    kHaveCmp,     ///< the home's completion is already here
    kAnswered,    ///< this request has already answered a snoop with RspCnflt
    kHalf,        ///< of GntFwdE and Cmp, one is here: in a state where the socket has asked for nothing, GntFwdE
  };
  static constexpr std::array<std::string_view, 8> kGuardNames = {
      "", "no other core has it", "from the owner", "more answers to come", "L3 dirty",
      "completion here", "conflict answered", "granted, Cmp to come"};

  enum class Action : std::uint8_t {
    kNone,
    kAddSharer,    ///< core-valid bit of the requesting core
    kSetOwner,     ///< the requesting core alone
    kClearCores,   ///< no core-valid bits
    kFillS, kFillE, kFillM,
    kGiveM,        ///< FillM, or Grant to a core whose own copy is good
    kPutAck,
    kSnoopOwnerShare,
    kInvalidateOthers,  ///< every core with a copy but the requesting one
    kInvalidateAll,
    kCollect,      ///< count an answer; a core without a copy loses its core-valid bit
    kStore,        ///< a core's modified data into the L3
    kInstall,      ///< data from memory or a peer into the L3
    kNoteCmp,
    kNoteHalf,      ///< GntFwdE or Cmp has come; the second of them ends the transaction
    kNoteConflict,  ///< if the home has asked: it knows what this request is worth
    kServe,        ///< the waiting request meets the new state
    kRdData, kRdInvOwn, kInvItoE, kWbMtoI,
    kSnoopPeersData, kSnoopPeersInvOwn,
    kRspI, kRspS, kRspFwdI, kRspFwdS, kRspFwdSWb, kRspCnflt,
    kForwardS, kForwardM,  ///< data straight to the requesting socket
    kCount
  };
  static constexpr std::array<std::string_view, 33> kActionNames = {
      "", "set core-valid bit", "set sole core-valid bit", "clear core-valid bits", "send FillS", "send FillE",
      "send FillM", "send FillM or Grant", "send PutAck", "snoop owner to share", "invalidate other cores",
      "invalidate cores", "collect answer", "store data", "install data", "note completion", "note half of GntFwdE and Cmp",
      "note conflict", "serve request", "send RdData", "send RdInvOwn", "send InvItoE", "send WbMtoI",
      "send PeerSnpData to all", "send PeerSnpInvOwn to all", "answer RspI", "answer RspS", "answer RspFwdI", "answer RspFwdS", "answer RspFwdSWb", "answer RspCnflt", "forward DataS",
      "forward DataM"};
};
// clang-format on

namespace slice {

using State = SliceProtocol::State;
using Event = SliceProtocol::Event;
using Guard = SliceProtocol::Guard;
using Action = SliceProtocol::Action;

namespace rows {
using S = State;
using E = Event;
using G = Guard;
using A = Action;
using R = Row<SliceProtocol>;

inline constexpr Set<State> kLocalBusy{S::kBS, S::kBI, S::kXS, S::kXI, S::kXSI, S::kV, S::kCI};
inline constexpr Set<State> kGlobalBusy{S::kISG, S::kIMG, S::kSMG, S::kISC, S::kIMC};
inline constexpr Set<State> kSettled{S::kI, S::kS, S::kF, S::kE, S::kM, S::kEO, S::kMO};
inline constexpr Set<Event> kCoreAnswers{E::kRspI, E::kRspS, E::kRspIWb, E::kRspSWb};
inline constexpr Set<Event> kLate{E::kSnpDataLate, E::kSnpInvOwnLate};
inline constexpr Set<Event> kHomeSnoops{E::kSnpData, E::kSnpInvOwn, E::kSnpDataLate, E::kSnpInvOwnLate};
inline constexpr Set<Event> kPeerSnoops{E::kPeerSnpData, E::kPeerSnpInvOwn};
inline constexpr Set<Event> kFromHome{E::kCmpE,     E::kCmpFwdS,  E::kCmpFwdE, E::kGntFwdE, E::kCmpDataS,
                                      E::kCmpDataF, E::kCmpDataE, E::kDataS,   E::kDataM};

// clang-format off
/// What the sockets that share a line do is the same under both protocols; F only answers reads differently.
template <Protocol kProtocol>
inline constexpr Set<State> kShared = kProtocol == Protocol::kMesif ? Set<State>{S::kS, S::kF} : Set<State>{S::kS};

template <Protocol kProtocol>
inline constexpr Set<State> kClean =
    kProtocol == Protocol::kMesif ? Set<State>{S::kS, S::kF, S::kE} : Set<State>{S::kS, S::kE};
/// Who has clean data to forward to a reader.
template <Protocol kProtocol>
inline constexpr Set<State> kForwarders = kProtocol == Protocol::kMesif ? Set<State>{S::kE, S::kF} : Set<State>{S::kE};
template <Protocol kProtocol>
inline constexpr Set<State> kStates =
    kProtocol == Protocol::kMesif ? Set<State>::all() : Set<State>::all().without(S::kF);

/// Between a socket and its own cores, and what the home says.
template <Protocol kProtocol>
inline constexpr R kSocketRows[] = {
    // Cores ask; the socket can decide alone.
    R::go(kShared<kProtocol>, E::kGetS, {A::kAddSharer, A::kFillS}, S::kCount, "the L3 has it"),
    R::go_if(G::kAlone, S::kE, E::kGetS, {A::kSetOwner, A::kFillE}, S::kEO, "nobody else has it"),
    R::go(S::kE, E::kGetS, {A::kAddSharer, A::kFillS}, S::kE, "the L3 has it, several cores share"),
    R::go_if(G::kAlone, S::kM, E::kGetS, {A::kSetOwner, A::kFillE}, S::kMO, "no other core has it"),
    R::go(S::kM, E::kGetS, {A::kAddSharer, A::kFillS}, S::kM, "the L3 has it, several cores share"),
    R::go_if(G::kFromOwner, {S::kEO, S::kMO}, E::kGetS, {A::kFillE}, S::kCount, "it had dropped its clean copy"),
    R::go({S::kEO, S::kMO}, E::kGetS, {A::kSnoopOwnerShare}, S::kBS, "the owner may have modified it"),
    R::go_if(G::kAlone, {S::kE, S::kM}, {E::kGetM, E::kUpgrade}, {A::kGiveM, A::kSetOwner}, S::kMO,
             "no other core has it"),
    R::go({S::kE, S::kM}, {E::kGetM, E::kUpgrade}, {A::kInvalidateOthers}, S::kBI, "the other copies go first"),
    R::go_if(G::kFromOwner, {S::kEO, S::kMO}, E::kGetM, {A::kFillM}, S::kMO, "it had dropped its clean copy"),
    R::go({S::kEO, S::kMO}, E::kGetM, {A::kInvalidateOthers}, S::kBI, "the owner gives it up"),
    R::never({S::kEO, S::kMO}, E::kUpgrade, "an owner needs none and nobody else has a copy"),
    R::go_if(G::kFromOwner, {S::kEO, S::kMO}, E::kPutM, {A::kStore, A::kClearCores, A::kPutAck}, S::kM,
             "the L3 becomes the dirty owner"),
    R::go({S::kEO, S::kMO, S::kI, S::kE, S::kM, S::kISG, S::kIMG, S::kSMG, S::kISC, S::kIMC}, E::kPutM, {A::kPutAck},
          S::kCount, "a snoop took the line before: nothing to write back"),
    R::go(kShared<kProtocol>, E::kPutM, {A::kPutAck}, S::kCount, "a snoop shared the line before: nothing to write back"),

    // Cores ask while a request is open.
    R::never(S::kI, E::kUpgrade, "the L3 includes what its cores have"),
    R::stall(S::kI, {E::kGetS, E::kGetM}, "the last request is granted, not over", G::kHalf),
    R::stall(kShared<kProtocol>, {E::kGetM, E::kUpgrade}, "the last request is granted, not over", G::kHalf),
    R::stall(kGlobalBusy, {E::kGetS, E::kGetM}, "the open request comes first"),
    R::stall({S::kSMG, S::kISC}, E::kUpgrade, "the open request comes first"),
    R::never({S::kISG, S::kIMG, S::kIMC}, E::kUpgrade, "no core shares it: an upgrade comes as a GetM"),
    R::stall(kLocalBusy, {E::kGetS, E::kGetM, E::kUpgrade, E::kPutM}, "the open request comes first"),

    // Cores answer.
    R::go_if(G::kDirty, S::kBS, E::kRspI, {A::kCollect, A::kSetOwner, A::kFillE}, S::kMO, "the owner had dropped it"),
    R::go(S::kBS, E::kRspI, {A::kCollect, A::kSetOwner, A::kFillE}, S::kEO, "the owner had dropped it"),
    R::go_if(G::kDirty, S::kBS, E::kRspS, {A::kCollect, A::kAddSharer, A::kFillS}, S::kM, "both share"),
    R::go(S::kBS, E::kRspS, {A::kCollect, A::kAddSharer, A::kFillS}, S::kE, "both share"),
    R::go(S::kBS, E::kRspIWb, {A::kCollect, A::kStore, A::kSetOwner, A::kFillE}, S::kMO,
          "the owner was writing it back"),
    R::go(S::kBS, E::kRspSWb, {A::kCollect, A::kStore, A::kAddSharer, A::kFillS}, S::kM,
          "the L3 becomes the dirty owner, both share"),
    R::go_if(G::kMore, {S::kBI, S::kXI, S::kXSI, S::kV, S::kCI}, E::kRspI, {A::kCollect}, S::kCount, "others to answer"),
    R::go(S::kBI, E::kRspI, {A::kCollect, A::kGiveM, A::kSetOwner}, S::kMO, "the last other copy is gone"),
    R::go(S::kBI, E::kRspIWb, {A::kCollect, A::kStore, A::kGiveM, A::kSetOwner}, S::kMO, "the owner gave it up"),
    R::never({S::kBI, S::kXI, S::kXSI, S::kV, S::kCI}, {E::kRspS, E::kRspSWb}, "cores were told to give it up"),
    R::never({S::kXSI, S::kCI}, E::kRspIWb, "nobody can have modified a line that other sockets share"),
    R::never({S::kI, S::kE, S::kM, S::kEO, S::kMO}, kCoreAnswers, "no core was asked"),
    R::never(kShared<kProtocol>, kCoreAnswers, "no core was asked"),
    R::never(kGlobalBusy, kCoreAnswers, "no core was asked"),
    R::go_if(G::kDirty, S::kXS, E::kRspI, {A::kCollect, A::kForwardS, A::kRspFwdSWb}, S::kS, "the owner had dropped it"),
    R::go(S::kXS, E::kRspI, {A::kCollect, A::kForwardS, A::kRspFwdS}, S::kS, "the owner had dropped it"),
    R::go_if(G::kDirty, S::kXS, E::kRspS, {A::kCollect, A::kForwardS, A::kRspFwdSWb}, S::kS, "both sockets share"),
    R::go(S::kXS, E::kRspS, {A::kCollect, A::kForwardS, A::kRspFwdS}, S::kS, "both sockets share"),
    R::go(S::kXS, {E::kRspIWb, E::kRspSWb}, {A::kCollect, A::kStore, A::kForwardS, A::kRspFwdSWb}, S::kS,
          "both sockets share, memory gets the data too"),
    R::go(S::kXI, E::kRspI, {A::kCollect, A::kForwardM, A::kRspFwdI}, S::kI, "the data goes with ownership"),
    R::go(S::kXI, E::kRspIWb, {A::kCollect, A::kStore, A::kForwardM, A::kRspFwdI}, S::kI,
          "the data goes with ownership"),
    R::go(S::kXSI, E::kRspI, {A::kCollect, A::kRspI}, S::kI, "memory has the data"),

    // The home answers.
    R::stall(S::kCI, E::kCmpE, "the conflict is answered first"),
    R::never(S::kCI, {E::kCmpFwdS, E::kCmpFwdE, E::kGntFwdE, E::kCmp, E::kCmpDataS, E::kCmpDataF, E::kCmpDataE, E::kDataS, E::kDataM},
             "an upgrade whose copy still counts is granted without data"),
    R::go(S::kISG, E::kCmpDataE, {A::kInstall, A::kServe}, S::kE, "nobody else has it"),
    R::go(S::kISG, E::kCmpFwdS, {A::kNoteCmp}, S::kISG, "the data is on its way"),
    R::go(S::kISG, E::kDataS, {A::kInstall, A::kAddSharer, A::kFillS}, S::kISC,
          "the peer's data is good: nobody can write before the home has completed this read"),
    R::never(S::kISG, {E::kCmpE, E::kCmpFwdE, E::kGntFwdE, E::kCmp, E::kDataM}, "reading was asked for"),
    R::go({S::kIMG, S::kSMG}, E::kCmpDataE, {A::kInstall, A::kServe}, S::kE, "the only socket now"),
    R::go({S::kIMG, S::kSMG}, E::kCmpFwdE, {A::kNoteCmp}, S::kCount, "the data is on its way"),
    R::go({S::kIMG, S::kSMG}, E::kGntFwdE, {A::kNoteCmp, A::kNoteHalf}, S::kCount, "the data is on its way"),
    R::go_if(G::kHaveCmp, {S::kIMG, S::kSMG}, E::kDataM, {A::kInstall, A::kServe}, S::kM, "the only socket now"),
    R::go({S::kIMG, S::kSMG}, E::kDataM, {A::kInstall}, S::kIMC, "a write counts once the home has granted it"),
    R::go(S::kIMC, E::kCmpFwdE, {A::kServe}, S::kM, "the only socket now"),
    R::go(S::kIMC, E::kGntFwdE, {A::kNoteHalf, A::kServe}, S::kM, "the only socket now"),
    R::go({S::kIMG, S::kSMG, S::kIMC}, E::kCmp, {A::kNoteHalf}, S::kCount, "everybody has answered"),
    R::go_if(G::kHalf, {S::kI, S::kE, S::kM, S::kEO, S::kMO, S::kBS, S::kBI, S::kXS, S::kXI, S::kXSI}, E::kCmp, {A::kNoteHalf},
             S::kCount, "everybody has answered"),
    R::go_if(G::kHalf, kShared<kProtocol>, E::kCmp, {A::kNoteHalf}, S::kCount, "everybody has answered"),
    R::never({S::kI, S::kE, S::kM, S::kEO, S::kMO, S::kBS, S::kBI, S::kXS, S::kXI, S::kXSI}, E::kCmp, "nothing was granted"),
    R::never(kShared<kProtocol>, E::kCmp, "nothing was granted"),
    R::never(S::kV, E::kCmp, "a line with an open transaction is never evicted"),
    R::never(S::kISC, {E::kCmpE, E::kCmpFwdE, E::kGntFwdE, E::kCmp, E::kCmpDataS, E::kCmpDataF, E::kCmpDataE, E::kDataS, E::kDataM},
             "a peer has answered"),
    R::never(S::kIMC, {E::kCmpE, E::kCmpFwdS, E::kCmpDataS, E::kCmpDataF, E::kCmpDataE, E::kDataS, E::kDataM},
             "a peer has answered"),
    R::go(S::kSMG, E::kCmpE, {A::kServe}, S::kE, "the only socket now, with the copy that was here"),
    R::never(S::kIMG, E::kCmpE, "there is no copy here to keep"),
    R::never({S::kIMG, S::kSMG}, {E::kCmpFwdS, E::kCmpDataS, E::kCmpDataF, E::kDataS}, "ownership was asked for"),
    R::never({S::kI, S::kE, S::kM, S::kEO, S::kMO}, kFromHome, "nothing was asked for"),
    R::never(kShared<kProtocol>, kFromHome, "nothing was asked for"),
    R::never({S::kBS, S::kBI, S::kXS, S::kXI, S::kXSI, S::kV}, kFromHome, "nothing was asked for"),

    // The way is needed.
    R::go_if(G::kAlone, kClean<kProtocol>, E::kEvict, {}, S::kI, "a clean line is dropped silently"),
    R::go_if(G::kAlone, S::kM, E::kEvict, {A::kWbMtoI}, S::kI, "memory gets the data"),
    R::go(kClean<kProtocol>, E::kEvict, {A::kInvalidateAll}, S::kV, "the L3 is inclusive: the cores' copies go first"),
    R::go({S::kM, S::kEO, S::kMO}, E::kEvict, {A::kInvalidateAll}, S::kV,
          "the L3 is inclusive: the cores' copies go first"),
    R::go_if(G::kDirty, S::kV, E::kRspI, {A::kCollect, A::kWbMtoI}, S::kI, "memory gets the data"),
    R::go(S::kV, E::kRspI, {A::kCollect}, S::kI, "a clean line is dropped silently"),
    R::go(S::kV, E::kRspIWb, {A::kCollect, A::kStore, A::kWbMtoI}, S::kI, "memory gets the data"),
    R::never(kLocalBusy, E::kEvict, "a line with an open transaction is never evicted"),
    R::never(kGlobalBusy, E::kEvict, "a line with an open transaction is never evicted"),
    R::never(S::kI, E::kEvict, "nothing here"),
};

/// MESI: data between sockets comes from an owner or from memory.
template <Protocol kProtocol, SnoopMode kMode>
inline constexpr R kForwardingRows[] = {
    R::go(S::kISC, E::kCmpFwdS, {}, S::kS, "others share"),
    R::go_if(G::kHaveCmp, S::kISG, E::kDataS, {A::kInstall, A::kServe}, S::kS, "others share"),
    R::go(S::kISG, E::kCmpDataS, {A::kInstall, A::kServe}, S::kS, "others share"),
    R::never(S::kISG, E::kCmpDataF, "MESI has no forwarder"),
    R::never(S::kF, Set<Event>::all(), "MESI has no forwarder"),
};

/// MESIF: the newest of several readers forwards a clean line to the next one.
template <SnoopMode kMode>
inline constexpr R kForwardingRows<Protocol::kMesif, kMode>[] = {
    R::go(S::kISC, E::kCmpFwdS, {}, S::kF, "others share; the newest reader is the forwarder"),
    R::go_if(G::kHaveCmp, S::kISG, E::kDataS, {A::kInstall, A::kServe}, S::kF,
             "others share; the newest reader is the forwarder"),
    R::go(S::kISG, E::kCmpDataF, {A::kInstall, A::kServe}, S::kF, "others share; the newest reader is the forwarder"),
    kMode == SnoopMode::kDirectory
        ? R::go(S::kISG, E::kCmpDataS, {A::kInstall, A::kServe}, S::kS, "a sharer who was not asked may be the forwarder")
        : R::never(S::kISG, E::kCmpDataS, "everybody was asked: the newest reader is the forwarder"),
};

template <SnoopMode kMode>
inline constexpr Set<Event> kReads = kMode == SnoopMode::kSource
                                         ? Set<Event>{E::kSnpData, E::kSnpDataLate, E::kPeerSnpData}
                                         : Set<Event>{E::kSnpData, E::kSnpDataLate};
template <SnoopMode kMode>
inline constexpr Set<Event> kWrites = kMode == SnoopMode::kSource
                                          ? Set<Event>{E::kSnpInvOwn, E::kSnpInvOwnLate, E::kPeerSnpInvOwn}
                                          : Set<Event>{E::kSnpInvOwn, E::kSnpInvOwnLate};

/// Another socket wants the line, whoever tells.
template <Protocol kProtocol, SnoopMode kMode>
inline constexpr R kSnoopedRows[] = {
    R::go(S::kI, kReads<kMode>, {A::kRspI}, S::kI, "not here"),
    R::go(S::kI, kWrites<kMode>, {A::kRspI}, S::kI, "not here"),
    R::go(S::kS, kReads<kMode>, {A::kRspS}, S::kS, "memory or the forwarder has the data"),
    R::go(kForwarders<kProtocol>, kReads<kMode>, {A::kForwardS, A::kRspFwdS}, S::kS, "both sockets share"),
    R::go(S::kM, kReads<kMode>, {A::kForwardS, A::kRspFwdSWb}, S::kS, "both sockets share, memory gets the data too"),
    R::go({S::kEO, S::kMO}, kReads<kMode>, {A::kSnoopOwnerShare}, S::kXS, "the owner may have modified it"),
    R::go_if(G::kAlone, kShared<kProtocol>, kWrites<kMode>, {A::kRspI}, S::kI, "memory has the data"),
    R::go(kShared<kProtocol>, kWrites<kMode>, {A::kInvalidateAll}, S::kXSI, "the cores' copies go first"),
    R::go_if(G::kAlone, {S::kE, S::kM}, kWrites<kMode>, {A::kForwardM, A::kRspFwdI}, S::kI,
             "the data goes with ownership"),
    R::go({S::kE, S::kM, S::kEO, S::kMO}, kWrites<kMode>, {A::kInvalidateAll}, S::kXI, "the cores' copies go first"),
    R::stall({S::kBS, S::kBI, S::kV}, kReads<kMode>, "needs no other socket to end: it comes first"),
    R::stall({S::kBS, S::kBI, S::kV}, kWrites<kMode>, "needs no other socket to end: it comes first"),

    // This socket's own request is open: the home knows who came first.
    R::stall(kGlobalBusy, kLate, "this request came first; it is served once, then the line goes", G::kAnswered),
    R::go({S::kISG, S::kIMG, S::kISC, S::kIMC}, kReads<kMode>, {A::kNoteConflict, A::kRspCnflt}, S::kCount,
          "the home knows whose request came first"),
    R::go({S::kISG, S::kIMG, S::kISC, S::kIMC}, kWrites<kMode>, {A::kNoteConflict, A::kRspCnflt}, S::kCount,
          "the home knows whose request came first"),
    R::go(S::kSMG, kReads<kMode>, {A::kNoteConflict, A::kRspCnflt}, S::kCount, "the home knows whose request came first"),
    R::go_if(G::kAlone, S::kSMG, kWrites<kMode>, {A::kNoteConflict, A::kRspCnflt}, S::kSMG,
             "the copy counts no more unless the home still grants the upgrade"),
    R::go(S::kSMG, kWrites<kMode>, {A::kInvalidateAll}, S::kCI, "the cores' copies go first"),
    R::go(S::kCI, E::kRspI, {A::kCollect, A::kNoteConflict, A::kRspCnflt}, S::kSMG,
          "the copy counts no more unless the home still grants the upgrade"),
};

/// The home snoops, from a directory or not.
template <Protocol kProtocol, SnoopMode kMode>
inline constexpr R kAskingRows[] = {
    R::go(S::kI, E::kGetS, {A::kRdData}, S::kISG, "not in this socket"),
    R::go(S::kI, E::kGetM, {A::kRdInvOwn}, S::kIMG, "not in this socket"),
    R::go(kShared<kProtocol>, {E::kGetM, E::kUpgrade}, {A::kInvItoE}, S::kSMG, "other sockets may share"),
    R::never({S::kXS, S::kXI, S::kXSI, S::kCI}, kHomeSnoops, "the home snoops for one request at a time"),
    R::never(kStates<kProtocol>, kPeerSnoops, "the home snoops"),
};

/// The requester snoops its peers while it asks the home; where requests meet, the home snoops again.
template <Protocol kProtocol>
inline constexpr R kAskingRows<kProtocol, SnoopMode::kSource>[] = {
    R::go(S::kI, E::kGetS, {A::kRdData, A::kSnoopPeersData}, S::kISG, "not in this socket"),
    R::go(S::kI, E::kGetM, {A::kRdInvOwn, A::kSnoopPeersInvOwn}, S::kIMG, "not in this socket"),
    R::go(kShared<kProtocol>, {E::kGetM, E::kUpgrade}, {A::kInvItoE, A::kSnoopPeersInvOwn}, S::kSMG,
          "other sockets may share"),
    R::stall({S::kXS, S::kXI, S::kXSI, S::kCI}, kHomeSnoops, "one socket after the other"),
    R::stall({S::kXS, S::kXI, S::kXSI, S::kCI}, kPeerSnoops, "one socket after the other"),
};
// clang-format on
}  // namespace rows

using Table = ProtocolTable<SliceProtocol>;

template <Protocol kProtocol, SnoopMode kMode>
inline constexpr Table kTable = make_table(rows::kForwardingRows<kProtocol, kMode>, rows::kSocketRows<kProtocol>,
                                           rows::kSnoopedRows<kProtocol, kMode>, rows::kAskingRows<kProtocol, kMode>);

}  // namespace slice
}  // namespace linebounce

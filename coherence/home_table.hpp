// SPDX-License-Identifier: Apache-2.0
// The home agent: the ordering point of its lines between sockets. It reads memory, sees to it that every caching agent
// that may have a copy is snooped, and completes the request once all of them have answered.
//
// A write is granted sooner: once an owner has sent the requester its data, nobody else can have a copy, and who has not
// answered yet is waited for in state Done. Nobody else is served meanwhile, and the requester asks for the line no more
// before the final Cmp: answers name the requester, not the request, so that late ones to this request would be taken
// for early ones to its next.
//
// Who is snooped, and by whom: home snoop, every other caching agent by the home; source snoop, every other one by the
// requester's caching agent, which the home repeats when requests have met; directory, those that two bits of memory
// about the line do not rule out (the home's own socket is not in them, and always asked).
//
// Requests and answers of one caching agent about one line arrive in the order sent; nothing else is ordered. A peer
// that was snooped with a request of its own open answers RspCnflt: if that request waits here, it has not been served
// and the peer holds nothing that counts (an upgrade's copy is as good as lost to a writer); if it does not wait here,
// it came first, its completion is on its way, and the peer is snooped again to give the line up after that.
//
// Source snoop adds two rules. Answers may come before the request that they are about, and while another is in
// progress. Only by a request of its own can a peer get more than it had when it answered: once that has completed, the
// peer is asked again; what the others have said still holds (a sharer may be gone, which does no harm). And a peer may
// have sent its data to a requester who is not in progress: that one is completed next, and whoever was in progress
// waits for its turn after it.
#pragma once

#include <array>
#include <string_view>

#include "coherence/protocol_table.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

// clang-format off
struct HomeProtocol {
  enum class State : std::uint8_t {
    kIdle,
    kRead, kOwn, kUp,        // everybody who may have a copy has been snooped
    kLookRead, kLookOwn,     // the directory is being read
    kDone,                   // a write is granted with its owner's data; answers of others are still to come
    kCount
  };
  static constexpr std::array<std::string_view, 7> kStateNames = {"Idle",     "Read",    "Own", "Up",
                                                                  "LookRead", "LookOwn", "Done"};

  enum class Event : std::uint8_t {
    kRdData, kRdInvOwn, kInvItoE, kWbMtoI,
    kRspI, kRspS, kRspFwdI, kRspFwdS, kRspFwdSWb, kRspCnflt,
    kMemData,
    kSettled,  ///< everybody has answered, and the data is on its way or here; or an owner has sent it to a writer
    kCount
  };
  static constexpr std::array<std::string_view, 12> kEventNames = {
      "RdData", "RdInvOwn", "InvItoE", "WbMtoI", "RspI", "RspS", "RspFwdI", "RspFwdS", "RspFwdSWb", "RspCnflt",
      "MemData", "settled"};

  enum class Guard : std::uint8_t {
    kAlways,
    kNoTracker,          ///< all trackers are in use
    kOpportune,          ///< few requests are in progress: snoop while the directory is read
    kPeerWaits,          ///< a request of the answering peer waits here
    kEarlyUnserved,      ///< the answer is to a request that is not in progress, and the peer's own waits, or is in progress
                         ///< and not granted
    kEarly,              ///< the answer is to a request that is not in progress
    kNoneElsewhere,      ///< the directory: no other socket has a copy
    kCleanElsewhere,     ///< the directory: other sockets have clean copies at most
    kForwardedFirst,     ///< a peer has sent the data, and others have not answered yet
    kForwarded,          ///< a peer has sent the data
    kForwardedElsewhere, ///< a peer has sent the data to a requester who is not in progress
    kUnasked,            ///< memory serves the read, and sockets that may share were not snooped
    kShared,             ///< a peer keeps a copy
  };
  static constexpr std::array<std::string_view, 13> kGuardNames = {
      "", "no tracker free", "few in progress", "peer's request waits",
      "for a request not in progress, peer not served", "for a request not in progress", "none elsewhere",
      "clean elsewhere", "forwarded, more answers to come", "forwarded", "forwarded to another requester", "sharers not asked", "shared"};

  enum class Action : std::uint8_t {
    kNone,
    kReadMemory, kWriteMemory,
    kSnoopData, kSnoopInvOwn,        ///< to every caching agent but the requester's
    kSnoopOwnData, kSnoopOwnInvOwn,  ///< to the one of the home's own socket
    kSnoopFarData, kSnoopFarInvOwn,  ///< to those of all other sockets
    kSnoopLate,                      ///< again to the peer that answered
    kExpectAnswers,                  ///< to the requester's own snoops, less those that are here; outdated ones again
    kOneAnswer,                      ///< one answer fewer to wait for
    kKeepAnswer, kKeepShared, kKeepOutdated,  ///< for the request that it is about
    kNoteShared, kNoteForwarded, kNoteMemory, kNoteUnasked,
    kDropRead,                       ///< of memory, if it is under way: a peer was faster
    kCmpE, kCmpFwdS, kCmpFwdE, kGntFwdE, kCmp, kCmpDataS, kCmpDataF, kCmpDataE,
    kUpgradesLose,                   ///< waiting upgrades will need data: their copies are gone
    kOutdateAnswers,                 ///< those that the requester has given to other requests
    kDirectoryShared, kDirectorySole,  ///< the directory learns what the requester has now
    kDirectoryNone,
    kYield,                          ///< wait again, first in the queue
  };
  static constexpr std::array<std::string_view, 34> kActionNames = {
      "", "read memory", "write memory", "send SnpData to all", "send SnpInvOwn to all",
      "send SnpData to the own socket", "send SnpInvOwn to the own socket", "send SnpData to the other sockets",
      "send SnpInvOwn to the other sockets", "snoop the peer again", "expect answers", "count answer",
      "keep answer", "keep sharer", "keep as outdated", "note sharer", "note forward", "note memory data",
      "note unasked sharers", "drop read of memory", "send CmpE", "send CmpFwdS", "send CmpFwdE", "send GntFwdE", "send Cmp", "send CmpDataS",
      "send CmpDataF", "send CmpDataE", "waiting upgrades become RdInvOwn", "outdate the requester's answers",
      "directory: clean elsewhere", "directory: requester alone", "directory: none", "wait again"};
};
// clang-format on

namespace home {

using State = HomeProtocol::State;
using Event = HomeProtocol::Event;
using Guard = HomeProtocol::Guard;
using Action = HomeProtocol::Action;

namespace rows {
using S = State;
using E = Event;
using G = Guard;
using A = Action;
using R = Row<HomeProtocol>;

inline constexpr Set<State> kBusy{S::kRead, S::kOwn, S::kUp, S::kLookRead, S::kLookOwn, S::kDone};
inline constexpr Set<State> kReading{S::kRead, S::kLookRead};
inline constexpr Set<State> kOwning{S::kOwn, S::kLookOwn};
inline constexpr Set<State> kLooking{S::kLookRead, S::kLookOwn};
inline constexpr Set<State> kNotLooking{S::kIdle, S::kRead, S::kOwn, S::kUp, S::kDone};
inline constexpr Set<Event> kRequests{E::kRdData, E::kRdInvOwn, E::kInvItoE};
inline constexpr Set<Event> kAnswers{E::kRspI, E::kRspS, E::kRspFwdI, E::kRspFwdS, E::kRspFwdSWb, E::kRspCnflt};

// clang-format off
/// The home snoops everybody at once.
template <SnoopMode kMode>
inline constexpr R kRequestRows[] = {
    R::stall(S::kIdle, kRequests, "all trackers are in use", G::kNoTracker),
    R::go(S::kIdle, E::kRdData, {A::kReadMemory, A::kSnoopData}, S::kRead, "a socket reads"),
    R::go(S::kIdle, E::kRdInvOwn, {A::kReadMemory, A::kSnoopInvOwn}, S::kOwn, "a socket writes"),
    R::go(S::kIdle, E::kInvItoE, {A::kSnoopInvOwn}, S::kUp, "a socket writes and has the data"),
    R::go(S::kIdle, E::kWbMtoI, {A::kWriteMemory}, S::kIdle, "an eviction"),
    R::never(kLooking, Set<Event>::all(), "there is no directory"),
};

/// The requester has snooped everybody already.
template <>
inline constexpr R kRequestRows<SnoopMode::kSource>[] = {
    R::stall(S::kIdle, kRequests, "a peer's data went to a requester who comes first", G::kForwardedElsewhere),
    R::stall(S::kIdle, kRequests, "all trackers are in use", G::kNoTracker),
    R::go(S::kIdle, E::kRdData, {A::kReadMemory, A::kExpectAnswers}, S::kRead, "a socket reads"),
    R::go_if(G::kForwarded, S::kIdle, E::kRdInvOwn, {A::kExpectAnswers}, S::kOwn, "a socket writes, the owner's data is on its way"),
    R::go(S::kIdle, E::kRdInvOwn, {A::kReadMemory, A::kExpectAnswers}, S::kOwn, "a socket writes"),
    R::go(S::kIdle, E::kInvItoE, {A::kExpectAnswers}, S::kUp, "a socket writes and has the data"),
    R::go(S::kIdle, E::kWbMtoI, {A::kWriteMemory}, S::kIdle, "an eviction"),
    R::go_if(G::kEarly, kNotLooking, E::kRspI, {A::kKeepAnswer}, S::kCount, "its request comes later"),
    R::go_if(G::kEarly, kNotLooking, E::kRspS, {A::kKeepAnswer, A::kKeepShared}, S::kCount, "its request comes later"),
    R::go_if(G::kEarly, kNotLooking, E::kRspFwdI, {A::kKeepAnswer, A::kNoteForwarded}, S::kCount,
             "its request comes later, and before all others"),
    R::go_if(G::kEarly, kNotLooking, E::kRspFwdS, {A::kKeepAnswer, A::kKeepShared, A::kNoteForwarded}, S::kCount,
             "its request comes later, and before all others"),
    R::go_if(G::kEarly, kNotLooking, E::kRspFwdSWb,
             {A::kWriteMemory, A::kKeepAnswer, A::kKeepShared, A::kNoteForwarded}, S::kCount,
             "its request comes later, and before all others"),
    R::go_if(G::kEarlyUnserved, kNotLooking, E::kRspCnflt, {A::kKeepAnswer}, S::kCount,
             "it has no copy that counts, unless it is served first"),
    R::go_if(G::kEarly, kNotLooking, E::kRspCnflt, {A::kKeepOutdated}, S::kCount,
             "the peer's own request came first: it will be asked again"),
    R::go_if(G::kForwardedElsewhere, {S::kRead, S::kOwn, S::kUp}, E::kSettled, {A::kDropRead, A::kYield}, S::kIdle,
             "a peer's data went to a requester who comes first"),
    R::never(kLooking, Set<Event>::all(), "there is no directory"),
};

/// The home snoops its own socket at once, the others if the directory says so.
template <>
inline constexpr R kRequestRows<SnoopMode::kDirectory>[] = {
    R::stall(S::kIdle, kRequests, "all trackers are in use", G::kNoTracker),
    R::go_if(G::kOpportune, S::kIdle, E::kRdData, {A::kReadMemory, A::kSnoopData}, S::kRead,
             "a socket reads; snooping hides the look-up"),
    R::go_if(G::kOpportune, S::kIdle, E::kRdInvOwn, {A::kReadMemory, A::kSnoopInvOwn}, S::kOwn,
             "a socket writes; snooping hides the look-up"),
    R::go(S::kIdle, E::kRdData, {A::kReadMemory, A::kSnoopOwnData}, S::kLookRead, "a socket reads"),
    R::go(S::kIdle, E::kRdInvOwn, {A::kReadMemory, A::kSnoopOwnInvOwn}, S::kLookOwn, "a socket writes"),
    R::go(S::kIdle, E::kInvItoE, {A::kSnoopInvOwn}, S::kUp, "a socket writes what others may share"),
    R::go(S::kIdle, E::kWbMtoI, {A::kWriteMemory, A::kDirectoryNone}, S::kIdle, "an eviction"),
    R::stall(kLooking, kRequests, "one request for a line at a time, in order of arrival"),
    R::go(kLooking, E::kWbMtoI, {A::kWriteMemory}, S::kCount, "an eviction"),
    R::go_if(G::kNoneElsewhere, S::kLookRead, E::kMemData, {A::kNoteMemory}, S::kRead, "nobody else to ask"),
    R::go_if(G::kCleanElsewhere, S::kLookRead, E::kMemData, {A::kNoteMemory, A::kNoteUnasked}, S::kRead,
             "memory's data is good, whoever shares it"),
    R::go(S::kLookRead, E::kMemData, {A::kNoteMemory, A::kSnoopFarData}, S::kRead, "another socket may have modified it"),
    R::go_if(G::kNoneElsewhere, S::kLookOwn, E::kMemData, {A::kNoteMemory}, S::kOwn, "nobody else to ask"),
    R::go(S::kLookOwn, E::kMemData, {A::kNoteMemory, A::kSnoopFarInvOwn}, S::kOwn, "another socket may have a copy"),
    R::never(kLooking, E::kSettled, "the directory has not answered"),
    R::go_if(G::kUnasked, S::kRead, E::kSettled, {A::kCmpDataS, A::kDirectoryShared}, S::kIdle,
             "memory's data serves the read; a sharer who was not asked may be the forwarder"),
};

/// The states in which answers come: those of a request whose peers have been snooped, or its own socket at least.
template <SnoopMode kMode>
inline constexpr Set<State> kReads = kMode == SnoopMode::kDirectory ? kReading : Set<State>{S::kRead};
template <SnoopMode kMode>
inline constexpr Set<State> kWrites = kMode == SnoopMode::kDirectory ? kOwning : Set<State>{S::kOwn};
template <SnoopMode kMode>
inline constexpr Set<State> kAsked =
    kMode == SnoopMode::kDirectory ? kBusy : Set<State>{S::kRead, S::kOwn, S::kUp, S::kDone};

/// What the peers' answers mean: the same whoever has snooped.
template <SnoopMode kMode>
inline constexpr R kAnswerRows[] = {
    R::stall({S::kRead, S::kOwn, S::kUp, S::kDone}, kRequests, "one request for a line at a time, in order of arrival"),
    R::go({S::kRead, S::kOwn}, E::kWbMtoI, {A::kWriteMemory}, S::kCount, "an eviction"),
    R::never(S::kUp, E::kWbMtoI, "nobody else can have modified what the requester shares"),
    R::never(S::kDone, E::kWbMtoI, "only the requester has been granted the line, and it keeps its way until Cmp"),

    R::go(kAsked<kMode>, E::kRspI, {A::kOneAnswer}, S::kCount, "the peer has none, or none any more"),
    R::go(kReads<kMode>, E::kRspS, {A::kOneAnswer, A::kNoteShared}, S::kCount, "the peer shares"),
    R::go(kReads<kMode>, E::kRspFwdS, {A::kOneAnswer, A::kNoteShared, A::kNoteForwarded}, S::kCount,
          "the peer sent its data"),
    R::go(kReads<kMode>, E::kRspFwdSWb, {A::kWriteMemory, A::kOneAnswer, A::kNoteShared, A::kNoteForwarded}, S::kCount,
          "the peer sent its modified data; memory is written in the same transaction"),
    R::go(kWrites<kMode>, E::kRspFwdI, {A::kOneAnswer, A::kNoteForwarded}, S::kCount, "the peer sent data and ownership"),
    R::go_if(G::kPeerWaits, kAsked<kMode>, E::kRspCnflt, {A::kOneAnswer}, S::kCount,
             "not served yet: it has no copy that counts, or waits to upgrade the one it has"),
    R::never(S::kDone, E::kRspCnflt, "the owner had the only copy: no completion is on its way to anybody else"),
    R::go(kAsked<kMode>.without(S::kDone), E::kRspCnflt, {A::kSnoopLate}, S::kCount, "it came first; it forwards after its fill"),
    R::never(kReads<kMode>, E::kRspFwdI, "peers were asked to share"),
    R::never(kWrites<kMode>, {E::kRspS, E::kRspFwdS, E::kRspFwdSWb}, "peers were asked to give the line up"),
    R::never(S::kUp, {E::kRspS, E::kRspFwdI, E::kRspFwdS, E::kRspFwdSWb}, "nobody else can own what the requester shares"),
    R::never(S::kDone, {E::kRspS, E::kRspFwdI, E::kRspFwdS, E::kRspFwdSWb}, "the owner had the only copy"),
    R::never(S::kIdle, kAnswers, "nobody was snooped"),

    R::go({S::kRead, S::kOwn}, E::kMemData, {A::kNoteMemory}, S::kCount, "memory has answered"),
    R::never({S::kIdle, S::kUp, S::kDone}, E::kMemData, "no read is open"),
};

/// What the home remembers of a completed request: that the requester shares the line, or has it alone.
template <SnoopMode kMode>
inline constexpr A kShares = kMode == SnoopMode::kSource      ? A::kOutdateAnswers
                             : kMode == SnoopMode::kDirectory ? A::kDirectoryShared
                                                              : A::kNone;
template <SnoopMode kMode>
inline constexpr A kAlone = kMode == SnoopMode::kSource      ? A::kOutdateAnswers
                            : kMode == SnoopMode::kDirectory ? A::kDirectorySole
                                                             : A::kNone;
template <Protocol kProtocol>
inline constexpr A kCmpData = kProtocol == Protocol::kMesif ? A::kCmpDataF : A::kCmpDataS;

template <Protocol kProtocol, SnoopMode kMode>
inline constexpr R kCompletionRows[] = {
    R::go_if(G::kForwarded, S::kRead, E::kSettled, {A::kCmpFwdS, A::kDropRead, kShares<kMode>}, S::kIdle,
             "the peer's data serves the read"),
    R::go_if(G::kShared, S::kRead, E::kSettled, {kCmpData<kProtocol>, kShares<kMode>}, S::kIdle,
             "memory's data serves the read"),
    R::go(S::kRead, E::kSettled, {A::kCmpDataE, kAlone<kMode>}, S::kIdle, "nobody else has the line"),
    R::go_if(G::kForwardedFirst, S::kOwn, E::kSettled, {A::kGntFwdE, A::kDropRead, A::kUpgradesLose, kAlone<kMode>}, S::kDone,
             "the owner's data serves the write: it had the only copy"),
    R::go_if(G::kForwarded, S::kOwn, E::kSettled, {A::kCmpFwdE, A::kDropRead, A::kUpgradesLose, kAlone<kMode>}, S::kIdle,
             "the peer's data serves the write"),
    R::go(S::kOwn, E::kSettled, {A::kCmpDataE, A::kUpgradesLose, kAlone<kMode>}, S::kIdle,
          "memory's data serves the write"),
    R::go(S::kUp, E::kSettled, {A::kCmpE, A::kUpgradesLose, kAlone<kMode>}, S::kIdle, "nobody else has the line"),
    R::go(S::kDone, E::kSettled, {A::kCmp}, S::kIdle, "everybody has answered"),
    R::never(S::kIdle, E::kSettled, "no request is open"),
};
// clang-format on
}  // namespace rows

using Table = ProtocolTable<HomeProtocol>;

template <Protocol kProtocol, SnoopMode kMode>
inline constexpr Table kTable = make_table(rows::kRequestRows<kMode>, rows::kAnswerRows<kMode>,
                                           rows::kCompletionRows<kProtocol, kMode>);

}  // namespace home
}  // namespace linebounce

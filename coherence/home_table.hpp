// SPDX-License-Identifier: Apache-2.0
// The home agent: the ordering point of its lines between sockets. It snoops every other caching agent (home snoop by
// broadcast; it keeps no directory), reads memory meanwhile, and completes the request once everybody has answered.
//
// Requests and answers of one caching agent about one line arrive in the order sent; nothing else is ordered. A peer
// that was snooped with a request of its own open answers RspCnflt: if that request waits here, it has not been served
// and the peer holds nothing that counts (an upgrade's copy is as good as lost to a writer); if it does not wait here,
// it came first, its completion is on its way, and the peer is snooped again to give the line up after that.
#pragma once

#include <array>
#include <string_view>

#include "coherence/protocol_table.hpp"

namespace linebounce {

// clang-format off
struct HomeProtocol {
  enum class State : std::uint8_t { kIdle, kRead, kOwn, kUp, kCount };
  static constexpr std::array<std::string_view, 4> kStateNames = {"Idle", "Read", "Own", "Up"};

  enum class Event : std::uint8_t {
    kRdData, kRdInvOwn, kInvItoE, kWbMtoI,
    kRspI, kRspS, kRspFwdI, kRspFwdS, kRspFwdSWb, kRspCnflt,
    kMemData,
    kSettled,  ///< everybody has answered and the data is on its way or here
    kCount
  };
  static constexpr std::array<std::string_view, 12> kEventNames = {
      "RdData", "RdInvOwn", "InvItoE", "WbMtoI", "RspI", "RspS", "RspFwdI", "RspFwdS", "RspFwdSWb", "RspCnflt",
      "MemData", "settled"};

  enum class Guard : std::uint8_t {
    kAlways,
    kNoTracker,          ///< all trackers are in use
    kPeerWaits,          ///< a read or write miss of the answering peer waits here
    kPeerWaitsToUpgrade, ///< an upgrade of the answering peer waits here
    kLeftOver,           ///< a read of memory that an earlier request no longer needed
    kForwarded,          ///< a peer has sent the data
    kShared,             ///< a peer keeps a copy
  };
  static constexpr std::array<std::string_view, 7> kGuardNames = {
      "", "no tracker free", "peer's request waits", "peer's upgrade waits", "left over", "forwarded", "shared"};

  enum class Action : std::uint8_t {
    kNone,
    kReadMemory, kWriteMemory,
    kSnoopData, kSnoopInvOwn,        ///< to every caching agent but the requester's
    kSnoopLate,                      ///< again to the peer that answered
    kOneAnswer,                         ///< one answer fewer to wait for
    kNoteShared, kNoteForwarded, kNoteMemory, kDropRead,
    kTakeCopy,                       ///< the peer's waiting upgrade will need data
    kCmpE, kCmpFwdS, kCmpFwdE, kCmpDataS, kCmpDataE,
  };
  static constexpr std::array<std::string_view, 17> kActionNames = {
      "", "read memory", "write memory", "send SnpData to all", "send SnpInvOwn to all", "snoop the peer again",
      "count answer", "note sharer", "note forward", "note memory data", "drop memory data",
      "peer's upgrade becomes RdInvOwn", "send CmpE", "send CmpFwdS", "send CmpFwdE", "send CmpDataS",
      "send CmpDataE"};
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

inline constexpr Set<State> kBusy{S::kRead, S::kOwn, S::kUp};
inline constexpr Set<Event> kRequests{E::kRdData, E::kRdInvOwn, E::kInvItoE};
inline constexpr Set<Event> kAnswers{E::kRspI, E::kRspS, E::kRspFwdI, E::kRspFwdS, E::kRspFwdSWb, E::kRspCnflt};

// clang-format off
inline constexpr R kRows[] = {
    R::stall(S::kIdle, kRequests, "all trackers are in use", G::kNoTracker),
    R::go(S::kIdle, E::kRdData, {A::kReadMemory, A::kSnoopData}, S::kRead, "a socket reads"),
    R::go(S::kIdle, E::kRdInvOwn, {A::kReadMemory, A::kSnoopInvOwn}, S::kOwn, "a socket writes"),
    R::go(S::kIdle, E::kInvItoE, {A::kSnoopInvOwn}, S::kUp, "a socket writes and has the data"),
    R::stall(kBusy, kRequests, "one request for a line at a time, in order of arrival"),
    R::go({S::kIdle, S::kRead, S::kOwn}, E::kWbMtoI, {A::kWriteMemory}, S::kCount, "an eviction"),
    R::never(S::kUp, E::kWbMtoI, "nobody else can have modified what the requester shares"),

    R::go(kBusy, E::kRspI, {A::kOneAnswer}, S::kCount, "the peer has none, or none any more"),
    R::go(S::kRead, E::kRspS, {A::kOneAnswer, A::kNoteShared}, S::kRead, "the peer shares"),
    R::go(S::kRead, E::kRspFwdS, {A::kOneAnswer, A::kNoteShared, A::kNoteForwarded}, S::kRead, "the peer sent its data"),
    R::go(S::kRead, E::kRspFwdSWb, {A::kWriteMemory, A::kOneAnswer, A::kNoteShared, A::kNoteForwarded}, S::kRead,
          "the peer sent its modified data; memory is written in the same transaction"),
    R::go(S::kOwn, E::kRspFwdI, {A::kOneAnswer, A::kNoteForwarded}, S::kOwn, "the peer sent data and ownership"),
    R::go_if(G::kPeerWaitsToUpgrade, S::kRead, E::kRspCnflt, {A::kOneAnswer, A::kNoteShared}, S::kRead,
             "not served yet; it keeps its shared copy"),
    R::go_if(G::kPeerWaits, S::kRead, E::kRspCnflt, {A::kOneAnswer}, S::kRead, "not served yet; it has no copy"),
    R::go(S::kRead, E::kRspCnflt, {A::kSnoopLate}, S::kRead, "it came first; it forwards after its fill"),
    R::go_if(G::kPeerWaitsToUpgrade, {S::kOwn, S::kUp}, E::kRspCnflt, {A::kOneAnswer, A::kTakeCopy}, S::kCount,
             "not served yet; its shared copy is gone"),
    R::go_if(G::kPeerWaits, {S::kOwn, S::kUp}, E::kRspCnflt, {A::kOneAnswer}, S::kCount, "not served yet; no copy"),
    R::go({S::kOwn, S::kUp}, E::kRspCnflt, {A::kSnoopLate}, S::kCount, "it came first; it forwards after its fill"),
    R::never(S::kRead, E::kRspFwdI, "peers were asked to share"),
    R::never(S::kOwn, {E::kRspS, E::kRspFwdS, E::kRspFwdSWb}, "peers were asked to give the line up"),
    R::never(S::kUp, {E::kRspS, E::kRspFwdI, E::kRspFwdS, E::kRspFwdSWb}, "nobody else can own what the requester shares"),
    R::never(S::kIdle, kAnswers, "nobody was snooped"),

    R::go_if(G::kLeftOver, {S::kIdle, S::kRead, S::kOwn, S::kUp}, E::kMemData, {A::kDropRead}, S::kCount,
             "a peer was faster than memory"),
    R::go({S::kRead, S::kOwn}, E::kMemData, {A::kNoteMemory}, S::kCount, "memory has answered"),
    R::never({S::kIdle, S::kUp}, E::kMemData, "no read is open"),

    R::go_if(G::kForwarded, S::kRead, E::kSettled, {A::kCmpFwdS}, S::kIdle, "the peer's data serves the read"),
    R::go_if(G::kShared, S::kRead, E::kSettled, {A::kCmpDataS}, S::kIdle, "memory's data serves the read"),
    R::go(S::kRead, E::kSettled, {A::kCmpDataE}, S::kIdle, "nobody else has the line"),
    R::go_if(G::kForwarded, S::kOwn, E::kSettled, {A::kCmpFwdE}, S::kIdle, "the peer's data serves the write"),
    R::go(S::kOwn, E::kSettled, {A::kCmpDataE}, S::kIdle, "memory's data serves the write"),
    R::go(S::kUp, E::kSettled, {A::kCmpE}, S::kIdle, "nobody else has the line"),
    R::never(S::kIdle, E::kSettled, "no request is open"),
};
// clang-format on
}  // namespace rows

inline constexpr auto kTable = make_table<HomeProtocol>(rows::kRows);

}  // namespace home
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// MESI as a core's private cache (L1 and L2 together) plays it towards its socket's caching agent.
//
// Names after the Primer: IS_D waits in I for shared data, IM_D for owned data, SM_A holds S and waits for the grant,
// MI_A has written back and waits for the acknowledgement, II_A too, but a snoop took the line meanwhile.
// Messages from a slice to one core about one line stay in order; a snoop that arrives before the fill was therefore
// sent before it and concerns the copy that was there earlier.
#pragma once

#include <array>
#include <string_view>

#include "coherence/protocol_table.hpp"

namespace linebounce {

// clang-format off
struct PrivateCacheProtocol {
  enum class State : std::uint8_t { kI, kS, kE, kM, kIsD, kImD, kSmA, kMiA, kIiA, kCount };
  static constexpr std::array<std::string_view, 9> kStateNames = {"I",    "S",    "E",    "M",   "IS_D",
                                                                  "IM_D", "SM_A", "MI_A", "II_A"};

  enum class Event : std::uint8_t {
    kLoad, kOwn, kReplace, kFillS, kFillE, kFillM, kGrant, kSnpShare, kSnpInv, kPutAck, kCount
  };
  static constexpr std::array<std::string_view, 10> kEventNames = {
      "Load", "Own", "Replace", "FillS", "FillE", "FillM", "Grant", "CoreSnpShare", "CoreSnpInv", "PutAck"};

  enum class Guard : std::uint8_t { kAlways, kHeld };
  static constexpr std::array<std::string_view, 2> kGuardNames = {"", "held by a LOCKed operation"};

  enum class Action : std::uint8_t {
    kNone,
    kSendGetS,
    kSendGetM,
    kSendUpgrade,
    kSendPutM,  ///< the data moves to a write-back buffer and to the slice
    kInstall,   ///< take the message's data
    kRspI,
    kRspS,
    kRspIWb,
    kRspSWb,
  };
  static constexpr std::array<std::string_view, 10> kActionNames = {
      "", "send GetS", "send GetM", "send Upgrade", "send PutM", "install data", "answer CoreRspI",
      "answer CoreRspS", "answer CoreRspIWb", "answer CoreRspSWb"};
};
// clang-format on

namespace private_cache {

using State = PrivateCacheProtocol::State;
using Event = PrivateCacheProtocol::Event;
using Guard = PrivateCacheProtocol::Guard;
using Action = PrivateCacheProtocol::Action;

namespace rows {
using S = State;
using E = Event;
using A = Action;
using R = Row<PrivateCacheProtocol>;

// clang-format off
inline constexpr R kRows[] = {
    // A core asks.
    R::go({S::kS, S::kE, S::kM, S::kSmA}, E::kLoad, {}, S::kCount, "read hit"),
    R::go(S::kM, E::kOwn, {}, S::kM, "write hit"),
    R::go(S::kE, E::kOwn, {}, S::kM, "the only copy becomes modified without a message"),
    R::go(S::kI, E::kLoad, {A::kSendGetS}, S::kIsD, "read miss"),
    R::go(S::kI, E::kOwn, {A::kSendGetM}, S::kImD, "write miss"),
    R::go(S::kS, E::kOwn, {A::kSendUpgrade}, S::kSmA, "ownership, the data is here"),
    R::stall({S::kIsD, S::kImD}, {E::kLoad, E::kOwn}, "the open request comes first"),
    R::stall(S::kSmA, E::kOwn, "the open request serves this write too"),
    R::stall({S::kMiA, S::kIiA}, {E::kLoad, E::kOwn}, "the write-back comes first"),

    // A way is needed.
    R::go({S::kS, S::kE}, E::kReplace, {}, S::kI, "a clean copy is dropped silently"),
    R::go(S::kM, E::kReplace, {A::kSendPutM}, S::kMiA, "modified data goes back to the L3"),
    R::never({S::kI, S::kIsD, S::kImD, S::kSmA, S::kMiA, S::kIiA}, E::kReplace, "only a settled copy is replaced"),

    // The slice answers.
    R::go(S::kIsD, E::kFillS, {A::kInstall}, S::kS, "others share"),
    R::go(S::kIsD, E::kFillE, {A::kInstall}, S::kE, "nobody else has it"),
    R::go(S::kImD, E::kFillM, {A::kInstall}, S::kM, "owner now"),
    R::go(S::kSmA, E::kGrant, {}, S::kM, "owner now, with the copy that was here"),
    R::never(S::kIsD, {E::kFillM, E::kGrant}, "reading was asked for"),
    R::never({S::kImD, S::kSmA}, {E::kFillS, E::kFillE}, "ownership was asked for"),
    R::never(S::kImD, E::kGrant, "the slice knows that the copy is gone and sends data"),
    R::never(S::kSmA, E::kFillM, "the slice knows that the copy is good and sends none"),
    R::never({S::kI, S::kS, S::kE, S::kM, S::kMiA, S::kIiA}, {E::kFillS, E::kFillE, E::kFillM, E::kGrant},
             "nothing was asked for"),
    R::go({S::kMiA, S::kIiA}, E::kPutAck, {}, S::kI, "the slice has dealt with the write-back"),
    R::never({S::kI, S::kS, S::kE, S::kM, S::kIsD, S::kImD, S::kSmA}, E::kPutAck, "no write-back is on its way"),

    // The slice snoops.
    R::go(S::kI, {E::kSnpShare, E::kSnpInv}, {A::kRspI}, S::kI, "the clean copy was dropped silently"),
    R::go({S::kIsD, S::kImD}, {E::kSnpShare, E::kSnpInv}, {A::kRspI}, S::kCount, "concerns the copy dropped before"),
    R::go(S::kS, E::kSnpInv, {A::kRspI}, S::kI, "another core takes ownership"),
    R::go(S::kSmA, E::kSnpInv, {A::kRspI}, S::kImD, "lost the race; the slice will answer with data"),
    R::never({S::kS, S::kSmA}, E::kSnpShare, "only an owner is asked to share"),
    R::go(S::kE, E::kSnpShare, {A::kRspS}, S::kS, "clean: the L3 has the same data"),
    R::go(S::kE, E::kSnpInv, {A::kRspI}, S::kI, "clean: the L3 has the same data"),
    R::stall(S::kM, {E::kSnpShare, E::kSnpInv}, "a LOCKed operation has the line until it has executed", Guard::kHeld),
    R::go(S::kM, E::kSnpShare, {A::kRspSWb}, S::kS, "the L3 becomes the dirty owner, both cores share"),
    R::go(S::kM, E::kSnpInv, {A::kRspIWb}, S::kI, "the data goes to the next owner"),
    R::go(S::kMiA, {E::kSnpShare, E::kSnpInv}, {A::kRspIWb}, S::kIiA, "the write-back buffer answers"),
    R::never(S::kIiA, {E::kSnpShare, E::kSnpInv}, "the slice knows that the copy is gone"),
};
// clang-format on
}  // namespace rows

using Table = ProtocolTable<PrivateCacheProtocol>;

inline constexpr Table kTable = make_table(rows::kRows);

}  // namespace private_cache
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The coherence messages. Inside a socket they carry the names of "A Primer on Memory Consistency and Cache
// Coherence" (GetS, GetM, PutM …), between sockets those of QPI (RdData, RdInvOwn, InvItoE, Snp…, Rsp…, Cmp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "coherence/line.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

enum class MessageKind : std::uint8_t {
  // core → slice: requests and write-back
  kGetS,
  kGetM,
  kUpgrade,
  kPutM,
  // core → slice: answers to snoops; I = keeps nothing, S = keeps a shared copy, Wb = modified data comes along
  kCoreRspI,
  kCoreRspS,
  kCoreRspIWb,
  kCoreRspSWb,
  // slice → core
  kFillS,
  kFillE,
  kFillM,
  kGrant,
  kCoreSnpShare,
  kCoreSnpInv,
  kPutAck,
  // caching agent (slice) → home agent: requests and write-back
  kRdData,
  kRdInvOwn,
  kInvItoE,
  kWbMtoI,
  // caching agent → home agent: answers to snoops
  kRspI,
  kRspS,
  kRspFwdI,
  kRspFwdS,
  kRspFwdSWb,
  kRspCnflt,
  // home agent → caching agent
  kSnpData,
  kSnpInvOwn,
  kSnpDataLate,
  kSnpInvOwnLate,
  kCmpE,     ///< ownership, no data: the requester's own copy is good
  kCmpFwdS,  ///< a peer sends the data
  kCmpFwdE,
  kGntFwdE,   ///< a peer, who had the only copy, sends the data, and Cmp follows: others have not answered yet
  kCmp,       ///< they have: the transaction is over
  kCmpDataS,  ///< data from memory
  kCmpDataF,  ///< the same, and the reader is the line's forwarder from now on (MESIF)
  kCmpDataE,
  // caching agent → caching agent
  kPeerSnpData,  ///< the requester snoops its peers itself (source snoop); they answer the home
  kPeerSnpInvOwn,
  kDataS,
  kDataM,
  // DRAM → home agent
  kMemData,
  kCount
};

inline constexpr std::size_t kMessageKinds = static_cast<std::size_t>(MessageKind::kCount);

enum class AgentKind : std::uint8_t { kCore, kSlice, kHome };

/// What one kind of message is: its printed name, who sends and who receives it, whether 64 bytes of data travel with it.
struct MessageTraits {
  std::string_view name;
  AgentKind from;
  AgentKind to;
  bool data;
};

// clang-format off
inline constexpr std::array<MessageTraits, kMessageKinds> kMessageTraits = {{
    {"GetS", AgentKind::kCore, AgentKind::kSlice, false},
    {"GetM", AgentKind::kCore, AgentKind::kSlice, false},
    {"Upgrade", AgentKind::kCore, AgentKind::kSlice, false},
    {"PutM", AgentKind::kCore, AgentKind::kSlice, true},
    {"CoreRspI", AgentKind::kCore, AgentKind::kSlice, false},
    {"CoreRspS", AgentKind::kCore, AgentKind::kSlice, false},
    {"CoreRspIWb", AgentKind::kCore, AgentKind::kSlice, true},
    {"CoreRspSWb", AgentKind::kCore, AgentKind::kSlice, true},
    {"FillS", AgentKind::kSlice, AgentKind::kCore, true},
    {"FillE", AgentKind::kSlice, AgentKind::kCore, true},
    {"FillM", AgentKind::kSlice, AgentKind::kCore, true},
    {"Grant", AgentKind::kSlice, AgentKind::kCore, false},
    {"CoreSnpShare", AgentKind::kSlice, AgentKind::kCore, false},
    {"CoreSnpInv", AgentKind::kSlice, AgentKind::kCore, false},
    {"PutAck", AgentKind::kSlice, AgentKind::kCore, false},
    {"RdData", AgentKind::kSlice, AgentKind::kHome, false},
    {"RdInvOwn", AgentKind::kSlice, AgentKind::kHome, false},
    {"InvItoE", AgentKind::kSlice, AgentKind::kHome, false},
    {"WbMtoI", AgentKind::kSlice, AgentKind::kHome, true},
    {"RspI", AgentKind::kSlice, AgentKind::kHome, false},
    {"RspS", AgentKind::kSlice, AgentKind::kHome, false},
    {"RspFwdI", AgentKind::kSlice, AgentKind::kHome, false},
    {"RspFwdS", AgentKind::kSlice, AgentKind::kHome, false},
    {"RspFwdSWb", AgentKind::kSlice, AgentKind::kHome, true},
    {"RspCnflt", AgentKind::kSlice, AgentKind::kHome, false},
    {"SnpData", AgentKind::kHome, AgentKind::kSlice, false},
    {"SnpInvOwn", AgentKind::kHome, AgentKind::kSlice, false},
    {"SnpDataLate", AgentKind::kHome, AgentKind::kSlice, false},
    {"SnpInvOwnLate", AgentKind::kHome, AgentKind::kSlice, false},
    {"CmpE", AgentKind::kHome, AgentKind::kSlice, false},
    {"CmpFwdS", AgentKind::kHome, AgentKind::kSlice, false},
    {"CmpFwdE", AgentKind::kHome, AgentKind::kSlice, false},
    {"GntFwdE", AgentKind::kHome, AgentKind::kSlice, false},
    {"Cmp", AgentKind::kHome, AgentKind::kSlice, false},
    {"CmpDataS", AgentKind::kHome, AgentKind::kSlice, true},
    {"CmpDataF", AgentKind::kHome, AgentKind::kSlice, true},
    {"CmpDataE", AgentKind::kHome, AgentKind::kSlice, true},
    {"PeerSnpData", AgentKind::kSlice, AgentKind::kSlice, false},
    {"PeerSnpInvOwn", AgentKind::kSlice, AgentKind::kSlice, false},
    {"DataS", AgentKind::kSlice, AgentKind::kSlice, true},
    {"DataM", AgentKind::kSlice, AgentKind::kSlice, true},
    {"MemData", AgentKind::kHome, AgentKind::kHome, false},
}};
// clang-format on

constexpr const MessageTraits& traits(MessageKind kind) { return kMessageTraits[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(MessageKind kind) { return traits(kind).name; }

/// Bytes of a packet: QPI flits of 80 bits carry 8 bytes of content; a header is one flit, a line eight more.
inline constexpr std::int64_t kHeaderBytes = 8;
inline constexpr std::int64_t kDataBytes = kHeaderBytes + kLineBytes;
constexpr Bytes packet_bytes(MessageKind kind) { return {traits(kind).data ? kDataBytes : kHeaderBytes}; }

/// Do messages of this kind stay in order? Those of one slice to one core and of one slice to one home agent do, line by
/// line; nothing else does.
constexpr bool stays_in_order(MessageKind kind) {
  return traits(kind).from == AgentKind::kSlice && traits(kind).to != AgentKind::kSlice;
}

/// For a protocol table: the event that a kind of message is, which has the message's name; Event::kCount if it has none.
template <class Rules>
constexpr auto events_of_messages() {
  std::array<typename Rules::Event, kMessageKinds> events{};
  for (std::size_t k = 0; k < kMessageKinds; ++k) {
    std::size_t e = 0;
    while (e < Rules::kEventNames.size() && Rules::kEventNames[e] != kMessageTraits[k].name) ++e;
    events[k] = static_cast<typename Rules::Event>(e);
  }
  return events;
}

/// A message between two agents. Who "an agent" is depends on the kind: cores, slices and home agents each count
/// from 0 over the whole machine.
struct Message {
  MessageKind kind = MessageKind::kCount;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t requester = 0;  ///< snoops, their answers and forwarded data: the slice whose request they serve
  std::uint32_t ledger = 0;     ///< ledger slot that the message's time is charged to
  LineAddress line;
  OpId op;        ///< the guest operation that this message serves
  LineData data;  ///< meaningful for kinds that carry data
};

/// Must `later` arrive after `earlier`, which was sent before it? Of a Message, or of what else says who sends what to whom.
template <class AnyMessage>
constexpr bool must_follow(const AnyMessage& later, const AnyMessage& earlier) {
  return stays_in_order(later.kind) && stays_in_order(earlier.kind) &&
         traits(later.kind).to == traits(earlier.kind).to && later.from == earlier.from && later.to == earlier.to &&
         later.line == earlier.line;
}

}  // namespace linebounce

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
  kCmpDataS,  ///< data from memory
  kCmpDataE,
  // caching agent → caching agent
  kDataS,
  kDataM,
  // DRAM → home agent
  kMemData,
  kCount
};

inline constexpr std::size_t kMessageKinds = static_cast<std::size_t>(MessageKind::kCount);

enum class AgentKind : std::uint8_t { kCore, kSlice, kHome };

/// What one kind of message is: its printed name, who receives it, whether 64 bytes of data travel with it.
struct MessageTraits {
  std::string_view name;
  AgentKind to;
  bool data;
};

// clang-format off
inline constexpr std::array<MessageTraits, kMessageKinds> kMessageTraits = {{
    {"GetS", AgentKind::kSlice, false},
    {"GetM", AgentKind::kSlice, false},
    {"Upgrade", AgentKind::kSlice, false},
    {"PutM", AgentKind::kSlice, true},
    {"CoreRspI", AgentKind::kSlice, false},
    {"CoreRspS", AgentKind::kSlice, false},
    {"CoreRspIWb", AgentKind::kSlice, true},
    {"CoreRspSWb", AgentKind::kSlice, true},
    {"FillS", AgentKind::kCore, true},
    {"FillE", AgentKind::kCore, true},
    {"FillM", AgentKind::kCore, true},
    {"Grant", AgentKind::kCore, false},
    {"CoreSnpShare", AgentKind::kCore, false},
    {"CoreSnpInv", AgentKind::kCore, false},
    {"PutAck", AgentKind::kCore, false},
    {"RdData", AgentKind::kHome, false},
    {"RdInvOwn", AgentKind::kHome, false},
    {"InvItoE", AgentKind::kHome, false},
    {"WbMtoI", AgentKind::kHome, true},
    {"RspI", AgentKind::kHome, false},
    {"RspS", AgentKind::kHome, false},
    {"RspFwdI", AgentKind::kHome, false},
    {"RspFwdS", AgentKind::kHome, false},
    {"RspFwdSWb", AgentKind::kHome, true},
    {"RspCnflt", AgentKind::kHome, false},
    {"SnpData", AgentKind::kSlice, false},
    {"SnpInvOwn", AgentKind::kSlice, false},
    {"SnpDataLate", AgentKind::kSlice, false},
    {"SnpInvOwnLate", AgentKind::kSlice, false},
    {"CmpE", AgentKind::kSlice, false},
    {"CmpFwdS", AgentKind::kSlice, false},
    {"CmpFwdE", AgentKind::kSlice, false},
    {"CmpDataS", AgentKind::kSlice, true},
    {"CmpDataE", AgentKind::kSlice, true},
    {"DataS", AgentKind::kSlice, true},
    {"DataM", AgentKind::kSlice, true},
    {"MemData", AgentKind::kHome, false},
}};
// clang-format on

constexpr const MessageTraits& traits(MessageKind kind) { return kMessageTraits[static_cast<std::size_t>(kind)]; }
constexpr std::string_view name_of(MessageKind kind) { return traits(kind).name; }

/// A message between two agents. Who "an agent" is depends on the kind: cores, slices and home agents each count
/// from 0 over the whole machine.
struct Message {
  MessageKind kind = MessageKind::kCount;
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t requester = 0;  ///< snoops and forwarded data: the slice that the home agent serves
  std::uint32_t ledger = 0;     ///< ledger slot that the message's time is charged to
  LineAddress line;
  OpId op;        ///< the guest operation that this message serves
  LineData data;  ///< meaningful for kinds that carry data
};

}  // namespace linebounce

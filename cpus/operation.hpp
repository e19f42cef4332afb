// SPDX-License-Identifier: Apache-2.0
// The kinds of operations that a guest performs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace linebounce {

enum class OpKind : std::uint8_t { kLoad, kStore, kLocked, kPause, kFence, kCompute, kPrefetchw, kPoll, kSynchronise };
inline constexpr std::array<std::string_view, 9> kOpKindNames = {
    "load", "store", "LOCKed operation", "PAUSE", "MFENCE", "compute", "prefetchw", "spin loop", "synchronise"};
constexpr std::string_view name_of(OpKind kind) { return kOpKindNames[static_cast<std::size_t>(kind)]; }

enum class LockedKind : std::uint8_t { kCmpxchg, kXchg, kXadd, kBts };
inline constexpr std::array<std::string_view, 4> kLockedKindNames = {"cmpxchg", "xchg", "xadd", "bts"};
constexpr std::string_view name_of(LockedKind kind) { return kLockedKindNames[static_cast<std::size_t>(kind)]; }

}  // namespace linebounce

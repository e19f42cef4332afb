// SPDX-License-Identifier: Apache-2.0
// The x86-TSO abstract machine (Owens, Sarkar, Sewell: A Better x86 Memory Model, TPHOLs 2009): one memory, and for each
// thread a FIFO store buffer that it reads its own stores from. Fences and LOCKed operations wait for the own buffer.
#pragma once

#include <cstdint>
#include <set>

#include "sim/litmus/program.hpp"

namespace linebounce::litmus {

enum class MemoryModel : std::uint8_t { kX86Tso, kSequentialConsistency };

/// More states than this on the way are LimitReached (cpus/system.hpp).
inline constexpr std::size_t kMostAbstractStates = 3'000'000;

/// Every final state, found by walking through every interleaving.
std::set<FinalState> allowed_states(const Program& program, MemoryModel model = MemoryModel::kX86Tso);

}  // namespace linebounce::litmus

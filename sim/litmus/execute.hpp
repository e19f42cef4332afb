// SPDX-License-Identifier: Apache-2.0
// What each instruction does to the registers and to a memory; the same text for the abstract machine and for a guest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/litmus/program.hpp"

namespace linebounce::litmus {

/// `memory` has load(variable, bytes), store(variable, value, bytes), mfence(), xchg, xadd and cmpxchg likewise; its
/// values are as narrow() leaves them.
template <class Memory>
void execute(const Instruction& i, std::vector<std::int64_t>& registers, Memory& memory) {
  std::int64_t none = 0;
  std::int64_t& target = i.target < 0 ? none : registers[static_cast<std::size_t>(i.target)];
  const std::int64_t value = narrow(i.source < 0 ? i.value : registers[static_cast<std::size_t>(i.source)], i.bytes);
  const std::int64_t operand = narrow(target, i.bytes);
  switch (i.kind) {
    case InstructionKind::kLoad: target = memory.load(i.variable, i.bytes); break;
    case InstructionKind::kStore: memory.store(i.variable, value, i.bytes); break;
    case InstructionKind::kMove: target = value; break;
    case InstructionKind::kFence: memory.mfence(); break;
    case InstructionKind::kExchange: target = memory.xchg(i.variable, operand, i.bytes); break;
    case InstructionKind::kAdd: target = memory.xadd(i.variable, operand, i.bytes); break;
    case InstructionKind::kCompareExchange:
      // RAX gets the old value; if they were equal, that is what it had.
      registers[0] = memory.cmpxchg(i.variable, narrow(registers[0], i.bytes), operand, i.bytes);
      break;
  }
}

}  // namespace linebounce::litmus

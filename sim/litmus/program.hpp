// SPDX-License-Identifier: Apache-2.0
// A litmus test as data: a few instructions a thread, and a question about the final states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "sim/litmus/condition.hpp"

namespace linebounce::litmus {

enum class InstructionKind : std::uint8_t { kLoad, kStore, kMove, kFence, kExchange, kAdd, kCompareExchange };

/// Waits for the thread's earlier stores to be in memory; the LOCKed ones do so even if a comparison fails.
constexpr bool is_fence(InstructionKind kind) {
  return kind != InstructionKind::kLoad && kind != InstructionKind::kStore && kind != InstructionKind::kMove;
}

struct Instruction {
  InstructionKind kind = InstructionKind::kFence;
  unsigned bytes = 4;      ///< width of the access, 4 or 8
  int target = -1;         ///< register that is written, or is the operand of a LOCKed operation
  int source = -1;         ///< register that a store or move takes its value from; without one it is `value`
  int variable = -1;       ///< of an access to memory
  std::int64_t value = 0;  ///< immediate operand
};

/// A register or a variable.
struct Location {
  std::string name;
  std::int64_t initial = 0;
};

struct Thread {
  std::vector<Instruction> instructions;
  std::vector<Location> registers;  ///< those that the test names, and RAX at index 0, the one that CMPXCHG uses
};

/// Something that a final state is printed with.
struct Column {
  std::string name;    ///< "0:eax" or "x"
  std::size_t at = 0;  ///< index into a FinalState
};

enum class Quantifier : std::uint8_t { kExists, kNotExists, kForall };

struct Program {
  std::string architecture;  ///< "X86" or "X86_64"
  std::string name;
  std::vector<Thread> threads;
  std::vector<Location> variables;
  std::vector<unsigned> variable_bytes;  ///< by variable: 4 or 8
  std::vector<Column> columns;           ///< what `locations` and the condition name, in the order of a final state
  Quantifier quantifier = Quantifier::kForall;
  Condition condition;

  /// Where the first register of a thread stands in a FinalState; of thread number threads.size(): the first variable.
  std::size_t first_of(std::size_t thread) const;
};

/// The value as a register or variable of this width holds it: cut off, signed.
constexpr std::int64_t narrow(std::int64_t value, unsigned bytes) {
  return bytes == 4 ? static_cast<std::int32_t>(static_cast<std::uint64_t>(value) & 0xffff'ffffU) : value;
}

/// The values of the columns: "0:eax=0; x=1;".
std::string to_text(const Program& program, const FinalState& state);
/// Only the values of the columns, in their order.
FinalState project(const Program& program, const FinalState& state);

}  // namespace linebounce::litmus

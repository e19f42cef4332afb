// SPDX-License-Identifier: Apache-2.0
// Puts a program together: gives registers and variables their indices and checks each instruction's operands.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "sim/litmus/lexer.hpp"
#include "sim/litmus/program.hpp"
#include "sim/litmus/registers.hpp"

namespace linebounce::litmus {

struct Operand {
  enum class Kind : std::uint8_t { kRegister, kMemory, kImmediate };
  Kind kind = Kind::kImmediate;
  int index = -1;          ///< of the register or variable
  unsigned bytes = 0;      ///< kRegister
  std::int64_t value = 0;  ///< kImmediate
  const Token* token = nullptr;
};

class ProgramBuilder {
 public:
  ProgramBuilder(std::string_view architecture, std::string_view name);

  void set_threads(std::size_t threads);
  /// The variable's index; makes it if it is new.
  int variable(std::string_view name);
  /// -1 if there is none.
  int find_variable(std::string_view name) const;

  void set_register(std::size_t thread, const Token& name, std::int64_t value);
  /// The register holds the variable's address from the beginning to the end.
  void set_address(std::size_t thread, const Token& name, int variable);

  Operand register_operand(std::size_t thread, const Token& token);
  /// The memory at a variable's name, or at an address that a register holds.
  Operand memory_operand(std::size_t thread, const Token& token);

  /// `suffix` is 4, 8, or 0 if the mnemonic has none; `first` is the destination for X86, the source for X86_64.
  void add_move(std::size_t thread, unsigned suffix, const Operand& first, const Operand& second);
  /// `kind` is one of the LOCKed ones; one of the operands is a register and one is memory, in either order.
  void add_locked(std::size_t thread, InstructionKind kind, unsigned suffix, const Operand& a, const Operand& b);
  void add_fence(std::size_t thread) { program.threads[thread].instructions.emplace_back(); }

  /// Where the register or variable stands in a final state; what the test does not use is an InputError.
  std::size_t column_of_register(std::size_t thread, const Token& name) const;
  std::size_t column_of_variable(const Token& name) const;

  Program program;

 private:
  struct Known {
    std::array<int, 16> index;    ///< by register number: into Thread::registers; -1 if the test does not name it
    std::array<int, 16> address;  ///< the variable whose address it holds; -1 if it holds a number
  };
  int register_index(std::size_t thread, const Token& name);
  void check_width(Instruction& instruction, unsigned suffix, const Operand& a, const Operand& b);

  std::vector<Known> known_;
};

}  // namespace linebounce::litmus

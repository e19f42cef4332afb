// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/program_builder.hpp"

#include <fmt/format.h>

#include "sim/litmus/token_reader.hpp"

namespace linebounce::litmus {
namespace {

using Kind = Operand::Kind;

RegisterName register_name(const Token& token) {
  const auto name = find_register(token.text);
  if (!name) TokenReader::fail(token, "a general register of 4 or 8 bytes, such as eax or rax");
  return *name;
}

}  // namespace

ProgramBuilder::ProgramBuilder(std::string_view architecture, std::string_view name) {
  program.architecture = architecture;
  program.name = name;
}

void ProgramBuilder::set_threads(std::size_t threads) {
  program.threads.resize(threads);
  known_.resize(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    known_[t].index.fill(-1);
    known_[t].address.fill(-1);
    known_[t].index[0] = 0;
    program.threads[t].registers.push_back({program.architecture == "X86" ? "EAX" : "rax", 0});
  }
}

int ProgramBuilder::find_variable(std::string_view name) const {
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    if (program.variables[v].name == name) return static_cast<int>(v);
  }
  return -1;
}

int ProgramBuilder::variable(std::string_view name) {
  const int known = find_variable(name);
  if (known >= 0) return known;
  program.variables.push_back({std::string(name), 0});
  program.variable_bytes.push_back(0);
  return static_cast<int>(program.variables.size()) - 1;
}

int ProgramBuilder::register_index(std::size_t thread, const Token& name) {
  int& index = known_[thread].index[static_cast<std::size_t>(register_name(name).number)];
  auto& registers = program.threads[thread].registers;
  if (index < 0) {
    index = static_cast<int>(registers.size());
    registers.push_back({name.text, 0});
  }
  return index;
}

void ProgramBuilder::set_register(std::size_t thread, const Token& name, std::int64_t value) {
  program.threads[thread].registers[static_cast<std::size_t>(register_index(thread, name))].initial = value;
}

void ProgramBuilder::set_address(std::size_t thread, const Token& name, int variable) {
  known_[thread].address[static_cast<std::size_t>(register_name(name).number)] = variable;
}

Operand ProgramBuilder::register_operand(std::size_t thread, const Token& token) {
  const RegisterName name = register_name(token);
  if (known_[thread].address[static_cast<std::size_t>(name.number)] >= 0) {
    TokenReader::fail(token, "another register: this one keeps the address of a variable");
  }
  if (name.bytes == 8 && program.architecture == "X86")
    TokenReader::fail(token, "a register of 4 bytes in an X86 test");
  return {Kind::kRegister, register_index(thread, token), name.bytes, 0, &token};
}

Operand ProgramBuilder::memory_operand(std::size_t thread, const Token& token) {
  const auto name = find_register(token.text);
  if (!name) return {Kind::kMemory, variable(token.text), 0, 0, &token};
  const int address = known_[thread].address[static_cast<std::size_t>(name->number)];
  if (address < 0) TokenReader::fail(token, "a variable, or a register that the initial state gives an address");
  return {Kind::kMemory, address, 0, 0, &token};
}

void ProgramBuilder::check_width(Instruction& instruction, unsigned suffix, const Operand& a, const Operand& b) {
  unsigned bytes = suffix;
  for (const Operand* operand : {&a, &b}) {
    if (operand->kind != Kind::kRegister) continue;
    if (bytes != 0 && bytes != operand->bytes) {
      TokenReader::fail(*operand->token, fmt::format("a register of {} bytes", bytes));
    }
    bytes = operand->bytes;
  }
  instruction.bytes = bytes == 0 ? 4 : bytes;
  for (const Operand* operand : {&a, &b}) {
    if (operand->kind != Kind::kMemory) continue;
    unsigned& width = program.variable_bytes[static_cast<std::size_t>(operand->index)];
    if (width != 0 && width != instruction.bytes) {
      TokenReader::fail(*operand->token, fmt::format("an access of {} bytes as before", width));
    }
    width = instruction.bytes;
  }
}

void ProgramBuilder::add_move(std::size_t thread, unsigned suffix, const Operand& first, const Operand& second) {
  const bool destination_first = program.architecture == "X86";
  const Operand& to = destination_first ? first : second;
  const Operand& from = destination_first ? second : first;
  if (to.kind == Kind::kImmediate) TokenReader::fail(*to.token, "a register or memory as the destination");
  if (to.kind == Kind::kMemory && from.kind == Kind::kMemory) {
    TokenReader::fail(*second.token, "a register: mov accesses memory once");
  }
  Instruction i;
  check_width(i, suffix, first, second);
  i.value = from.value;
  if (from.kind == Kind::kMemory) {
    i.kind = InstructionKind::kLoad;
    i.variable = from.index;
    i.target = to.index;
  } else {
    i.kind = to.kind == Kind::kMemory ? InstructionKind::kStore : InstructionKind::kMove;
    (to.kind == Kind::kMemory ? i.variable : i.target) = to.index;
    if (from.kind == Kind::kRegister) i.source = from.index;
  }
  program.threads[thread].instructions.push_back(i);
}

void ProgramBuilder::add_locked(std::size_t thread, InstructionKind kind, unsigned suffix, const Operand& a,
                                const Operand& b) {
  for (const Operand* operand : {&a, &b}) {
    if (operand->kind == Kind::kImmediate) TokenReader::fail(*operand->token, "a register or memory");
  }
  if (a.kind == b.kind) {
    TokenReader::fail(*b.token, a.kind == Kind::kRegister ? "memory as the other operand" : "a register");
  }
  if (kind == InstructionKind::kCompareExchange && known_[thread].address[0] >= 0) {
    TokenReader::fail(*a.token, "a number in the register that cmpxchg compares with, not an address");
  }
  Instruction i;
  check_width(i, suffix, a, b);
  i.kind = kind;
  i.variable = a.kind == Kind::kMemory ? a.index : b.index;
  i.target = a.kind == Kind::kMemory ? b.index : a.index;
  program.threads[thread].instructions.push_back(i);
}

std::size_t ProgramBuilder::column_of_register(std::size_t thread, const Token& name) const {
  const int index = known_[thread].index[static_cast<std::size_t>(register_name(name).number)];
  if (index < 0) TokenReader::fail(name, fmt::format("a register that P{} uses", thread));
  return program.first_of(thread) + static_cast<std::size_t>(index);
}

std::size_t ProgramBuilder::column_of_variable(const Token& name) const {
  const int index = find_variable(name.text);
  if (index < 0) TokenReader::fail(name, "a variable of this test");
  return program.first_of(program.threads.size()) + static_cast<std::size_t>(index);
}

}  // namespace linebounce::litmus

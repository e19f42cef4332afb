// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/parser.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "sim/litmus/condition_parser.hpp"
#include "sim/litmus/program_builder.hpp"
#include "sim/litmus/token_reader.hpp"

namespace linebounce::litmus {
namespace {

using Kind = Token::Kind;

constexpr std::array<std::pair<std::string_view, InstructionKind>, 3> kLocked = {
    {{"xchg", InstructionKind::kExchange},
     {"xadd", InstructionKind::kAdd},
     {"cmpxchg", InstructionKind::kCompareExchange}}};
constexpr std::string_view kInstructions = "mov, mfence, xchg, lock xadd or lock cmpxchg";
constexpr std::array<std::string_view, 6> kTypes = {"int", "long", "int32_t", "int64_t", "uint32_t", "uint64_t"};

class Parser {
 public:
  explicit Parser(const LexedFile& file) : in_(file.tokens), out_(file.architecture, file.name) {}

  Program parse() {
    initial_state();
    thread_names();
    for (const auto& [thread, name, value] : registers_) set_register(*thread, *name, *value);
    while (!at_questions()) row();
    for (unsigned& bytes : out_.program.variable_bytes) bytes = bytes == 0 ? 4 : bytes;
    parse_questions(in_, out_);
    return std::move(out_.program);
  }

 private:
  bool at_questions() const {
    const Token& t = in_.peek();
    if (t.is("~")) return true;
    return t.kind == Kind::kWord && (t.text == "exists" || t.text == "forall" || t.text == "locations");
  }

  void initial_state() {
    in_.expect("{");
    while (!in_.accept("}")) {
      if (in_.accept(";")) continue;
      for (const std::string_view type : kTypes) {
        if (in_.peek().text == type) {
          in_.next();
          break;
        }
      }
      if (in_.peek().kind == Kind::kNumber) {
        const Token& thread = in_.next();
        in_.expect(":");
        const Token& name = in_.expect(Kind::kWord, "a register");
        in_.expect("=");
        if (in_.peek().kind != Kind::kWord && in_.peek().kind != Kind::kNumber) in_.fail(kValue);
        registers_.push_back({&thread, &name, &in_.next()});
      } else {
        variable();
      }
      if (!in_.peek().is("}") && !in_.accept(";")) in_.fail("';' or '}'");
    }
  }

  void variable() {
    const bool bracket = in_.accept("[");
    const Token& name = in_.expect(Kind::kWord, "a variable or THREAD:REGISTER");
    if (find_register(name.text)) TokenReader::fail(name, "a variable, or THREAD: before the register");
    if (bracket) in_.expect("]");
    const int index = out_.variable(name.text);
    if (!in_.accept("=")) return;
    out_.program.variables[static_cast<std::size_t>(index)].initial = in_.expect(Kind::kNumber, "a whole number").value;
  }

  void set_register(const Token& thread, const Token& name, const Token& value) {
    const std::size_t t = thread_of(thread, out_.program.threads.size());
    if (value.kind == Kind::kNumber) return out_.set_register(t, name, value.value);
    if (find_register(value.text)) TokenReader::fail(value, kValue);
    out_.set_address(t, name, out_.variable(value.text));
  }

  void thread_names() {
    std::size_t threads = 0;
    do {
      const std::string wanted = fmt::format("P{}", threads);
      if (in_.peek().text != wanted) in_.fail("'" + wanted + "'");
      if (threads++ == kMostThreads) in_.fail(fmt::format("at most {} threads", kMostThreads));
      in_.next();
    } while (in_.accept("|"));
    if (!in_.accept(";")) in_.fail("'|' or ';'");
    out_.set_threads(threads);
  }

  void row() {
    const std::size_t threads = out_.program.threads.size();
    for (std::size_t t = 0; t < threads; ++t) {
      if (!in_.peek().is("|") && !in_.peek().is(";")) instruction(t);
      const std::string_view end = t + 1 == threads ? ";" : "|";
      if (!in_.accept(end)) in_.fail(fmt::format("'{}' after the instruction of P{}", end, t));
    }
  }

  void instruction(std::size_t thread) {
    const Token& first = in_.peek();
    if (out_.program.threads[thread].instructions.size() == kMostInstructions) {
      in_.fail(fmt::format("at most {} instructions of a thread", kMostInstructions));
    }
    if (first.kind != Kind::kWord)
      in_.fail(first.kind == Kind::kEnd ? "an instruction or the condition" : kInstructions);
    const bool lock = in_.accept_word("lock");
    if (!lock && in_.accept_word("mfence")) return out_.add_fence(thread);
    const Token& word = in_.expect(Kind::kWord, kInstructions);
    unsigned suffix = 0;
    const std::string mnemonic = without_suffix(lower(word.text), suffix);
    if (mnemonic == "mov" && !lock) {
      const Operand a = operand(thread);
      in_.expect(",");
      return out_.add_move(thread, suffix, a, operand(thread));
    }
    for (const auto& [name, kind] : kLocked) {
      if (mnemonic != name) continue;
      if (!lock && kind != InstructionKind::kExchange) TokenReader::fail(word, fmt::format("lock before {}", name));
      const Operand a = operand(thread);
      in_.expect(",");
      return out_.add_locked(thread, kind, suffix, a, operand(thread));
    }
    TokenReader::fail(word, lock ? "xchg, xadd or cmpxchg after lock" : kInstructions);
  }

  static std::string without_suffix(std::string mnemonic, unsigned& suffix) {
    const bool plain = mnemonic == "mov" || mnemonic == "xadd" || mnemonic == "xchg" || mnemonic == "cmpxchg";
    if (plain || mnemonic.empty()) return mnemonic;
    if (mnemonic.back() == 'l') suffix = 4;
    if (mnemonic.back() == 'q') suffix = 8;
    if (suffix != 0) mnemonic.pop_back();
    return mnemonic;
  }

  Operand operand(std::size_t thread) {
    const Token& token = in_.peek();
    if (token.kind == Kind::kNumber) {
      in_.next();
      return {Operand::Kind::kImmediate, -1, 0, token.value, &token};
    }
    if (token.kind == Kind::kWord && find_register(token.text)) return out_.register_operand(thread, in_.next());
    for (const auto& [open, close] : {std::pair{"[", "]"}, std::pair{"(", ")"}}) {
      if (!in_.accept(open)) continue;
      const Token& name = in_.expect(Kind::kWord, "a variable or a register that holds an address");
      in_.expect(close);
      return out_.memory_operand(thread, name);
    }
    in_.fail("a register, $NUMBER, [x] or (x)");
  }

  static constexpr std::string_view kValue = "a whole number, or a variable for its address";

  struct InitialRegister {
    const Token* thread;
    const Token* name;
    const Token* value;
  };

  TokenReader in_;
  ProgramBuilder out_;
  std::vector<InitialRegister> registers_;
};

}  // namespace

Program parse(std::string_view text, std::string_view file_name) {
  const LexedFile file = lex(text, file_name);
  return Parser(file).parse();
}

Program load(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string text;
  std::error_code none;
  if (in && !std::filesystem::is_directory(file, none)) {
    text.resize(kMaxInputBytes + 1);
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
  } else {
    fail_input(file.string() + ":1:1", "a file that cannot be read", "a .litmus file");
  }
  if (text.size() > kMaxInputBytes) fail_input(file.string() + ":1:1", "more than 1 MiB", "a .litmus file");
  return parse(text, file.string());
}

}  // namespace linebounce::litmus

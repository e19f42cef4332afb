// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/condition_parser.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace linebounce::litmus {
namespace {

using Kind = Token::Kind;

constexpr int kDeepest = 100;  ///< nested brackets and negations
constexpr int kMostTerms = 1000;

class ConditionParser {
 public:
  ConditionParser(TokenReader& in, ProgramBuilder& out) : in_(in), out_(out) {}

  void parse() {
    const bool any_locations = in_.accept_word("locations");
    if (any_locations) locations();
    Program& program = out_.program;
    if (in_.accept("~")) {
      program.quantifier = Quantifier::kNotExists;
      if (!in_.accept_word("exists")) in_.fail("'exists'");
      program.condition = any_of();
    } else if (in_.accept_word("exists")) {
      program.quantifier = Quantifier::kExists;
      program.condition = any_of();
    } else if (in_.accept_word("forall")) {
      program.condition = any_of();
    } else if (!any_locations) {
      in_.fail("locations, exists, ~exists or forall");
    }
    if (in_.peek().kind != Kind::kEnd) in_.fail("'/\\', '\\/' or the end of the file");
    for (const auto& [at, name] : columns_) program.columns.push_back({name, at});
  }

 private:
  struct Place {
    std::string name;
    std::size_t at = 0;
  };

  void locations() {
    in_.expect("[");
    while (!in_.accept("]")) {
      place();
      if (!in_.accept(";") && !in_.peek().is("]")) in_.fail("';' or ']'");
    }
  }

  Place place() {
    Place place;
    if (in_.peek().kind == Kind::kNumber) {
      const std::size_t thread = thread_of(in_.next(), out_.program.threads.size());
      in_.expect(":");
      const Token& name = in_.expect(Kind::kWord, "a register");
      place = {fmt::format("{}:{}", thread, name.text), out_.column_of_register(thread, name)};
    } else {
      const bool bracket = in_.accept("[");
      const Token& name = in_.expect(Kind::kWord, "a variable or THREAD:REGISTER");
      if (bracket) in_.expect("]");
      place = {name.text, out_.column_of_variable(name)};
    }
    return {columns_.emplace(place.at, place.name).first->second, place.at};
  }

  Condition any_of() {
    Condition left = all_of();
    while (in_.accept("\\/")) left = join(Condition::Kind::kOr, std::move(left), all_of());
    return left;
  }

  Condition all_of() {
    Condition left = single();
    while (in_.accept("/\\")) left = join(Condition::Kind::kAnd, std::move(left), single());
    return left;
  }

  static Condition join(Condition::Kind kind, Condition left, Condition right) {
    Condition both;
    both.kind = kind;
    both.parts.push_back(std::move(left));
    both.parts.push_back(std::move(right));
    return both;
  }

  Condition single() {
    Condition c;
    if (++depth_ > kDeepest) in_.fail(fmt::format("at most {} nested brackets", kDeepest));
    if (++terms_ > kMostTerms) in_.fail(fmt::format("at most {} terms", kMostTerms));
    if (in_.accept("(")) {
      c = any_of();
      if (!in_.accept(")")) in_.fail("'/\\', '\\/' or ')'");
    } else if (in_.accept("~") || in_.accept_word("not")) {
      c.kind = Condition::Kind::kNot;
      c.parts.push_back(single());
    } else if (in_.accept_word("true")) {
      c.kind = Condition::Kind::kTrue;
    } else if (in_.accept_word("false")) {
      c.kind = Condition::Kind::kFalse;
    } else {
      c.kind = Condition::Kind::kEquals;
      Place p = place();
      c.name = std::move(p.name);
      c.at = p.at;
      in_.expect("=");
      c.value = in_.expect(Kind::kNumber, "a whole number").value;
    }
    --depth_;
    return c;
  }

  TokenReader& in_;
  ProgramBuilder& out_;
  std::map<std::size_t, std::string> columns_;
  int depth_ = 0;
  int terms_ = 0;
};

}  // namespace

std::size_t thread_of(const Token& token, std::size_t threads) {
  if (token.value < 0 || static_cast<std::size_t>(token.value) >= threads) {
    TokenReader::fail(token, fmt::format("a thread from 0 to {}", threads - 1));
  }
  return static_cast<std::size_t>(token.value);
}

void parse_questions(TokenReader& in, ProgramBuilder& out) { ConditionParser(in, out).parse(); }

}  // namespace linebounce::litmus

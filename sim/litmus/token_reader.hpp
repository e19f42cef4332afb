// SPDX-License-Identifier: Apache-2.0
// A cursor on the words of a .litmus file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/litmus/lexer.hpp"
#include "sim/litmus/registers.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce::litmus {

class TokenReader {
 public:
  explicit TokenReader(const std::vector<Token>& tokens) : tokens_(tokens) {}

  const Token& peek() const { return tokens_[at_]; }
  const Token& next() { return at_ + 1 < tokens_.size() ? tokens_[at_++] : tokens_[at_]; }

  bool accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    next();
    return true;
  }
  /// The same for a word in upper or lower case.
  bool accept_word(std::string_view word) {
    if (peek().kind != Token::Kind::kWord || lower(peek().text) != word) return false;
    next();
    return true;
  }
  void expect(std::string_view symbol) {
    if (!accept(symbol)) fail("'" + std::string(symbol) + "'");
  }
  const Token& expect(Token::Kind kind, std::string_view what) {
    if (peek().kind != kind) fail(what);
    return next();
  }

  [[noreturn]] void fail(std::string_view expected) const { fail(peek(), expected); }
  [[noreturn]] static void fail(const Token& token, std::string_view expected) {
    const bool end = token.kind == Token::Kind::kEnd;
    fail_input(token.where, end ? "the end of the file" : "'" + token.text + "'", expected);
  }

 private:
  const std::vector<Token>& tokens_;
  std::size_t at_ = 0;
};

}  // namespace linebounce::litmus

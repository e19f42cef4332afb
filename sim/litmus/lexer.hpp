// SPDX-License-Identifier: Apache-2.0
// The words of a .litmus file. Its head (first line, comment, key=value lines) is free text up to the opening brace.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linebounce::litmus {

struct Token {
  enum class Kind : std::uint8_t { kWord, kNumber, kSymbol, kEnd };

  Kind kind = Kind::kEnd;
  std::string text;        ///< as written; a register without its '%'
  std::int64_t value = 0;  ///< kNumber, with or without '$'
  std::string where;       ///< "file:line:column", both from 1, columns in bytes

  bool is(std::string_view symbol) const { return kind == Kind::kSymbol && text == symbol; }
};

struct LexedFile {
  std::string architecture;
  std::string name;
  std::vector<Token> tokens;  ///< from the opening brace on; the last is kEnd
};

/// Throws InputError at what is no word of the language, and at a head that is none.
LexedFile lex(std::string_view text, std::string_view file_name);

}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <limits>

#include "topologies/toml_input.hpp"

namespace linebounce::litmus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {
    blank_comments();
    count_lines();
  }

  LexedFile lex() {
    LexedFile file;
    head(file);
    while (true) {
      while (at_ < text_.size() && is_space(text_[at_])) ++at_;
      file.tokens.push_back(next());
      if (file.tokens.back().kind == Token::Kind::kEnd) return file;
    }
  }

 private:
  /// (* … *), nested, becomes spaces, so that positions stay.
  void blank_comments() {
    int depth = 0;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < text_.size(); ++i) {
      const std::string_view two = std::string_view(text_).substr(i, 2);
      const bool opens = two == "(*";
      if (!opens && depth == 0) continue;
      if (opens && depth++ == 0) opened = i;
      const bool closes = two == "*)";
      if (opens || closes) text_[i] = text_[i + 1] = ' ', ++i;
      if (closes) --depth;
      if (!opens && !closes && text_[i] != '\n') text_[i] = ' ';
    }
    count_lines();
    if (depth > 0) fail_input(where(opened), "a comment without end", "'*)'");
  }

  void count_lines() {
    lines_ = {0};
    for (std::size_t i = 0; i < text_.size(); ++i) {
      if (text_[i] == '\n') lines_.push_back(i + 1);
    }
  }

  std::string where(std::size_t at) const {
    const auto line = std::upper_bound(lines_.begin(), lines_.end(), at) - lines_.begin();
    return fmt::format("{}:{}:{}", file_name_, line, at - lines_[static_cast<std::size_t>(line) - 1] + 1);
  }

  static std::string trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return std::string(text);
  }

  void head(LexedFile& file) {
    while (at_ < text_.size() && is_space(text_[at_])) ++at_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_space(text_[at_])) ++at_;
    file.architecture = text_.substr(begin, at_ - begin);
    if (file.architecture != "X86" && file.architecture != "X86_64") {
      fail_input(where(begin), file.architecture.empty() ? "nothing" : "'" + printable(file.architecture) + "'",
                 "'X86' or 'X86_64' and the test's name");
    }
    const std::size_t line_end = std::min(text_.find('\n', at_), text_.size());
    const std::size_t name_at = at_;
    file.name = trimmed(std::string_view(text_).substr(at_, line_end - at_));
    const bool plain = std::all_of(file.name.begin(), file.name.end(), [](char c) { return c > ' ' && c < 127; });
    if (file.name.empty() || !plain) {
      fail_input(where(name_at), file.name.empty() ? "no name" : "'" + printable(file.name) + "'",
                 "the test's name in one word");
    }
    at_ = line_end;
    at_ = std::min(skip_head_lines(), text_.size());
    if (at_ == text_.size()) fail_input(where(at_), "the end of the file", "'{' and the initial state");
  }

  /// A text in quotes and key=value lines; returns where the brace is.
  std::size_t skip_head_lines() const {
    std::size_t at = at_;
    while (at < text_.size() && text_[at] != '{') {
      if (text_[at] == '"') {
        const std::size_t begin = at;
        at = text_.find('"', at + 1);
        if (at == std::string::npos) fail_input(where(begin), "a text without end", "'\"'");
        ++at;
      } else if (is_space(text_[at])) {
        ++at;
      } else {
        const std::size_t end = std::min(text_.find('\n', at), text_.size());
        const std::string_view line = std::string_view(text_).substr(at, end - at);
        if (line.find('=') == std::string_view::npos) {
          fail_input(where(at), "'" + printable(line.substr(0, line.find(' '))) + "'",
                     "a text in quotes, a KEY=VALUE line, or '{' and the initial state");
        }
        at = end;
      }
    }
    return at;
  }

  static std::string printable(std::string_view text) {
    std::string out;
    for (const char c : text.substr(0, 40)) {
      if (c >= ' ' && c < 127)
        out += c;
      else
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return out;
  }

  Token next() {
    Token token;
    token.where = where(at_);
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    if (is_digit(c) || ((c == '$' || c == '-') && (is_digit(after) || after == '-'))) return number(token);
    if (is_letter(c) || (c == '%' && is_letter(after))) {
      if (c == '%') ++at_;
      const std::size_t begin = at_;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      token.kind = Token::Kind::kWord;
      token.text = text_.substr(begin, at_ - begin);
      return token;
    }
    static constexpr std::array<std::string_view, 14> kSymbols = {"/\\", "\\/", "{", "}", ";", "|", ",",
                                                                  ":",   "[",   "]", "(", ")", "=", "~"};
    for (const std::string_view symbol : kSymbols) {
      if (std::string_view(text_).substr(at_, symbol.size()) != symbol) continue;
      at_ += symbol.size();
      token.kind = Token::Kind::kSymbol;
      token.text = symbol;
      return token;
    }
    fail_input(token.where, fmt::format("'{}'", printable(std::string_view(text_).substr(at_, 1))),
               "a word, a number or a sign of the litmus language");
  }

  Token number(Token& token) {
    const std::size_t begin = at_;
    if (text_[at_] == '$') ++at_;
    const std::size_t digits = at_;
    if (text_[at_] == '-') ++at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || is_letter(text_[at_]))) ++at_;
    token.kind = Token::Kind::kNumber;
    token.text = text_.substr(begin, at_ - begin);
    const char* const last = text_.data() + at_;
    const auto [end, error] = std::from_chars(text_.data() + digits, last, token.value);
    if (error != std::errc() || end != last || token.value > std::numeric_limits<std::int32_t>::max() ||
        token.value < std::numeric_limits<std::int32_t>::min()) {
      fail_input(token.where, "'" + printable(token.text) + "'", "a whole number from -2147483648 to 2147483647");
    }
    return token;
  }

  std::string text_;
  std::string_view file_name_;
  std::vector<std::size_t> lines_;  ///< where each line begins
  std::size_t at_ = 0;
};

}  // namespace

LexedFile lex(std::string_view text, std::string_view file_name) { return Lexer(text, file_name).lex(); }

}  // namespace linebounce::litmus

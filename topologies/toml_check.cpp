// SPDX-License-Identifier: Apache-2.0
#include "topologies/toml_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <system_error>

#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

constexpr int kMaxNesting = 32;
constexpr int kMaxDots = 15;

/// Length of the well-formed UTF-8 sequence at the start of `text` (Unicode 15, table 3-7); 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto between = [&](std::size_t i, unsigned low, unsigned high) { return byte(i) >= low && byte(i) <= high; };
  const auto tail = [&](std::size_t i) { return between(i, 0x80, 0xBF); };
  if (byte(0) < 0x80) return 1;
  if (between(0, 0xC2, 0xDF) && tail(1)) return 2;
  const unsigned low3 = byte(0) == 0xE0 ? 0xA0 : 0x80;
  const unsigned high3 = byte(0) == 0xED ? 0x9F : 0xBF;
  if (between(0, 0xE0, 0xEF) && between(1, low3, high3) && tail(2)) return 3;
  const unsigned low4 = byte(0) == 0xF0 ? 0x90 : 0x80;
  const unsigned high4 = byte(0) == 0xF4 ? 0x8F : 0xBF;
  if (between(0, 0xF0, 0xF4) && between(1, low4, high4) && tail(2) && tail(3)) return 4;
  return 0;
}

/// Follows brackets and dotted keys through a text, skipping strings and comments.
class NestingCheck {
 public:
  /// Looks at text[i]; returns how many bytes it understood.
  std::size_t step(std::string_view text, std::size_t i) {
    const char c = text[i];
    if (quote_ != '\0') return in_string(text, i);
    if (c == '#') {
      const std::size_t end = text.find('\n', i);
      return end == std::string_view::npos ? text.size() - i : end - i;
    }
    if (c == '"' || c == '\'') {
      quote_ = c;
      triple_ = text.substr(i, 3) == std::string(3, c);
      return triple_ ? 3 : 1;
    }
    if (c == '[' || c == '{') ++depth_;
    if ((c == ']' || c == '}') && depth_ > 0) --depth_;
    if (c == '.') ++dots_;
    if (std::string_view(",=[]{}\n").find(c) != std::string_view::npos) dots_ = 0;
    return 1;
  }

  bool too_deep() const { return depth_ > kMaxNesting || dots_ > kMaxDots; }

 private:
  std::size_t in_string(std::string_view text, std::size_t i) {
    if (text[i] == '\\' && quote_ == '"') return i + 1 < text.size() ? 2 : 1;
    if (!triple_ && (text[i] == quote_ || text[i] == '\n')) {  // an unfinished string is the parser's to report
      quote_ = '\0';
      return 1;
    }
    if (triple_ && text.substr(i, 3) == std::string(3, quote_)) {
      quote_ = '\0';
      return 3;
    }
    return 1;
  }

  int depth_ = 0;
  int dots_ = 0;
  char quote_ = '\0';
  bool triple_ = false;
};

struct Place {
  int line = 1;
  int column = 1;
};

Place place_of(std::string_view text, std::size_t at) {
  Place place;
  for (std::size_t i = 0; i < at; ++i) {
    if (text[i] == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {  // count code points
      ++place.column;
    }
  }
  return place;
}

}  // namespace

std::string read_input(const std::filesystem::path& file) {
  const std::string where = file.string() + ":1:1";
  const auto cannot = [&](int error) {
    fail_input(where, fmt::format("cannot be read ({})", std::generic_category().message(error)), "a readable file");
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) cannot(EISDIR);
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) cannot(errno);
  std::string text(kMaxInputBytes + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) cannot(errno);
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > kMaxInputBytes) {
    fail_input(where, "the file is too big", fmt::format("at most {} bytes", kMaxInputBytes));
  }
  return text;
}

void check_input_text(std::string_view text, std::string_view file_name) {
  const auto fail = [&](std::size_t at, std::string_view found, std::string_view expected) {
    const Place place = place_of(text, at);
    fail_input(fmt::format("{}:{}:{}", file_name, place.line, place.column), found, expected);
  };
  if (text.size() > kMaxInputBytes) fail(0, "the file is too big", fmt::format("at most {} bytes", kMaxInputBytes));
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '\0') fail(i, "a NUL byte", "a text file");
    const std::size_t length = utf8_length(text.substr(i));
    if (length == 0) {
      fail(i, fmt::format("byte 0x{:02X}", static_cast<unsigned char>(text[i])), "UTF-8 text");
    }
    i += length;
  }
  NestingCheck nesting;
  for (std::size_t i = 0; i < text.size();) {
    i += nesting.step(text, i);
    if (nesting.too_deep()) {
      fail(i - 1, "too deep a nesting",
           fmt::format("at most {} brackets in each other and keys of {} parts", kMaxNesting, kMaxDots + 1));
    }
  }
}

std::string printable(std::string_view text) {
  constexpr std::size_t kLongest = 120;
  std::size_t length = std::min(text.size(), kLongest);
  while (length < text.size() && length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
  std::string out(text.substr(0, length));
  for (char& c : out) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return length < text.size() ? out + "…" : out;
}

}  // namespace linebounce

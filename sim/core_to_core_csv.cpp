// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "sim/core_to_core.hpp"
#include "topologies/toml_check.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

/// What stands before the next `separator`, which goes too.
std::string_view take_until(std::string_view& text, char separator) {
  const std::string_view part = text.substr(0, text.find(separator));
  text.remove_prefix(std::min(part.size() + 1, text.size()));
  return part;
}

/// The fields of one row, and where they stand.
class Row {
 public:
  static constexpr double kLeastNs = 0.001;
  static constexpr double kMostNs = 1e9;

  Row(std::string_view text, std::string file, int line) : text_(text), file_(std::move(file)), line_(line) {
    if (text_.ends_with('\r')) text_.remove_suffix(1);
  }

  double number(int core) {
    const std::string where = here();
    const std::string_view field = take();
    double ns = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), ns);
    if (error != std::errc() || end != field.data() + field.size() || !(ns >= kLeastNs && ns <= kMostNs)) {
      fail_input(where, field.empty() ? "nothing" : fmt::format("'{}'", printable(field)),
                 fmt::format("the ns between cores {} and {}", line_ - 1, core));
    }
    return ns;
  }

  void only_empty_fields() {
    while (!text_.empty()) {
      const std::string where = here();
      const std::string_view field = take();
      if (!field.empty()) {
        fail_input(where, fmt::format("'{}'", printable(field)), "an empty field from the diagonal on");
      }
    }
  }

 private:
  std::string here() const { return fmt::format("{}:{}:{}", file_, line_, column_); }
  std::string_view take() {
    std::string_view field = take_until(text_, ',');
    column_ += field.size() + 1;
    const std::size_t first = std::min(field.find_first_not_of(' '), field.size());
    field.remove_prefix(first);
    return field.substr(0, field.find_last_not_of(' ') + 1);
  }

  std::string_view text_;
  std::string file_;
  int line_;
  std::size_t column_ = 1;
};

}  // namespace

std::string core_to_core_csv(const CorePairs& pairs) {
  std::string out;
  for (int i = 0; i < pairs.cores(); ++i) {
    for (int j = 0; j < pairs.cores(); ++j) {
      if (j > 0) out += ',';
      if (j < i) out += fmt::format("{:.3f}", pairs.ns(i, j));
    }
    out += '\n';
  }
  return out;
}

CorePairs read_core_to_core(const std::filesystem::path& file, int cores) {
  const std::string content = read_input(file);
  std::string_view rest = content;
  CorePairs pairs(cores);
  int rows = 0;
  while (!rest.empty()) {
    const int i = rows++;
    const std::string_view line = take_until(rest, '\n');
    if (i >= cores) continue;
    Row row(line, file.string(), rows);
    for (int j = 0; j < i; ++j) pairs.ns(i, j) = row.number(j);
    row.only_empty_fields();
  }
  if (rows != cores) {
    fail_input(fmt::format("{}:{}:1", file.string(), std::min(rows, cores) + 1), fmt::format("{} rows", rows),
               fmt::format("{}, one for each core of the machine", cores));
  }
  return pairs;
}

}  // namespace linebounce

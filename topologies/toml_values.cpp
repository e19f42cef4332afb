// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "topologies/toml_check.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

using Kind = TomlValue::Kind;

/// Edits (insert, delete, replace, swap of neighbours) between two words.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::string found(std::string_view name, const TomlValue& value) {
  return fmt::format("{} = {}", name, to_text(value));
}

template <class Range>
std::string limits(std::string_view kind, const Range& range) {
  return fmt::format("{} from {} to {}{}{}", kind, range.min, range.max, range.unit.empty() ? "" : " ", range.unit);
}

}  // namespace

std::string to_text(const TomlValue& value) {
  switch (value.kind) {
    case Kind::kBoolean: return value.boolean ? "true" : "false";
    case Kind::kInteger: return fmt::format("{}", value.integer);
    case Kind::kNumber: return fmt::format("{}", value.number);
    case Kind::kText: return fmt::format("'{}'", printable(value.text));
    case Kind::kDate: return "a date or time";
    case Kind::kArray: return fmt::format("an array of {}", value.items.size());
    case Kind::kTable: return "a table";
  }
  return {};
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t kLongest = 64;
  if (word.size() > kLongest) return {};
  std::string_view best;
  std::size_t best_edits = kLongest;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = edits(word, candidate);
    const std::size_t allowed = std::max<std::size_t>(1, std::max(word.size(), candidate.size()) / 3);
    if (distance <= allowed && distance < best_edits) {
      best = candidate;
      best_edits = distance;
    }
  }
  return best;
}

void fail_input(std::string_view where, std::string_view found_text, std::string_view expected) {
  throw InputError(fmt::format("{}: {}, expected {}", where, found_text, expected));
}

std::int64_t integer_of(const TomlValue& value, std::string_view name, IntegerRange range) {
  if (value.kind != Kind::kInteger || value.integer < range.min || value.integer > range.max) {
    fail_input(value.where, found(name, value), limits("a whole number", range));
  }
  return value.integer;
}

double number_of(const TomlValue& value, std::string_view name, NumberRange range) {
  const bool whole = value.kind == Kind::kInteger;
  const double number = whole ? static_cast<double>(value.integer) : value.number;
  if ((!whole && value.kind != Kind::kNumber) || !std::isfinite(number) || number < range.min || number > range.max) {
    fail_input(value.where, found(name, value), limits("a number", range));
  }
  return number;
}

std::string text_of(const TomlValue& value, std::string_view name) {
  if (value.kind != Kind::kText) fail_input(value.where, found(name, value), "text in quotes");
  return value.text;
}

bool boolean_of(const TomlValue& value, std::string_view name) {
  if (value.kind != Kind::kBoolean) fail_input(value.where, found(name, value), "true or false");
  return value.boolean;
}

std::size_t choice_of(const TomlValue& value, std::string_view name, std::span<const std::string_view> names) {
  const auto match = std::find(names.begin(), names.end(), value.text);
  if (value.kind == Kind::kText && match != names.end()) return static_cast<std::size_t>(match - names.begin());
  const std::string_view near = value.kind == Kind::kText ? nearest(value.text, names) : std::string_view{};
  const std::string hint = near.empty() ? "" : fmt::format(" (nearest: '{}')", near);
  fail_input(value.where, found(name, value), fmt::format("one of '{}'{}", fmt::join(names, "', '"), hint));
}

}  // namespace linebounce

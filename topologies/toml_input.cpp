// SPDX-License-Identifier: Apache-2.0
#include "topologies/toml_input.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <type_traits>

#include "topologies/toml_check.hpp"

namespace linebounce {
namespace {

using Kind = TomlValue::Kind;

std::string place(std::string_view file, const toml::source_position& position) {
  return fmt::format("{}:{}:{}", file, std::max(1U, static_cast<unsigned>(position.line)),
                     std::max(1U, static_cast<unsigned>(position.column)));
}

/// Sorts what the parser keeps by name back into the order of the file.
void in_file_order(std::vector<std::pair<toml::source_position, TomlEntry>>& entries) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return std::pair(a.first.line, a.first.column) < std::pair(b.first.line, b.first.column);
  });
}

/// A document's text, to look up what its parser leaves out.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      lines_.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  /// The comment that begins at this place, blanks aside.
  std::string comment_at(const toml::source_position& position) const {
    if (position.line == 0 || position.line > lines_.size()) return "";
    std::string_view rest = lines_[position.line - 1];
    for (unsigned column = 1; column < position.column && !rest.empty(); ++column) {  // a column is a code point
      do rest.remove_prefix(1);
      while (!rest.empty() && (static_cast<unsigned char>(rest.front()) & 0xC0U) == 0x80U);
    }
    rest = trimmed(rest);
    return rest.starts_with('#') ? std::string(trimmed(rest.substr(1))) : "";
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kBlanks = " \t\r";
    const std::size_t first = text.find_first_not_of(kBlanks);
    return first == text.npos ? "" : text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
  }

  std::vector<std::string_view> lines_;
};

TomlValue plain(const toml::node& node, std::string_view file, const Lines& lines) {
  TomlValue value;
  value.where = place(file, node.source().begin);
  value.key_where = value.where;
  value.comment = lines.comment_at(node.source().end);
  node.visit([&](const auto& typed) {
    using Type = std::remove_cvref_t<decltype(typed)>;
    if constexpr (std::is_same_v<Type, toml::table>) {
      value.kind = Kind::kTable;
      std::vector<std::pair<toml::source_position, TomlEntry>> entries;
      for (const auto& [key, item] : typed) {
        TomlValue entry = plain(item, file, lines);
        entry.key_where = place(file, key.source().begin);
        entries.push_back({key.source().begin, {std::string(key.str()), std::move(entry)}});
      }
      in_file_order(entries);
      for (auto& [position, entry] : entries) value.entries.push_back(std::move(entry));
    } else if constexpr (std::is_same_v<Type, toml::array>) {
      value.kind = Kind::kArray;
      for (const toml::node& item : typed) value.items.push_back(plain(item, file, lines));
    } else if constexpr (std::is_same_v<Type, toml::value<std::string>>) {
      value.kind = Kind::kText;
      value.text = *typed;
    } else if constexpr (std::is_same_v<Type, toml::value<std::int64_t>>) {
      value.kind = Kind::kInteger;
      value.integer = *typed;
    } else if constexpr (std::is_same_v<Type, toml::value<double>>) {
      value.kind = Kind::kNumber;
      value.number = *typed;
    } else if constexpr (std::is_same_v<Type, toml::value<bool>>) {
      value.kind = Kind::kBoolean;
      value.boolean = *typed;
    } else {
      value.kind = Kind::kDate;
      value.text = "a date or time";
    }
  });
  return value;
}

TomlValue* find(TomlValue& table, std::string_view key) {
  for (auto& [name, value] : table.entries) {
    if (name == key) return &value;
  }
  return nullptr;
}

bool is_known(const TomlValue& table, std::string_view key) {
  return std::find(table.asked.begin(), table.asked.end(), key) != table.asked.end();
}

void mark_read(TomlValue& value) {
  value.read = true;
  for (TomlValue& item : value.items) mark_read(item);
  for (auto& [name, entry] : value.entries) mark_read(entry);
}

}  // namespace

TomlTable TomlTable::load(const std::filesystem::path& file) { return parse(read_input(file), file.string()); }

TomlTable TomlTable::parse(std::string_view text, std::string_view file_name) {
  check_input_text(text, file_name);
  try {
    const toml::table parsed = toml::parse(text);
    auto document = std::make_shared<TomlValue>(plain(parsed, file_name, Lines(text)));
    TomlValue* root = document.get();
    root->where = root->key_where = fmt::format("{}:1:1", file_name);
    return {std::move(document), root, ""};
  } catch (const toml::parse_error& error) {
    fail_input(place(file_name, error.source().begin), printable(error.description()), "valid TOML");
  }
}

bool TomlTable::has(std::string_view key) const { return find(*value_, key) != nullptr; }

std::vector<std::string> TomlTable::keys() const {
  std::vector<std::string> names;
  for (const auto& [name, value] : value_->entries) names.push_back(name);
  return names;
}

std::string TomlTable::where(std::string_view key) const {
  const TomlValue* value = find(*value_, key);
  return value == nullptr ? value_->where : value->where;
}

void TomlTable::know(std::string_view key) {
  if (!is_known(*value_, key)) value_->asked.emplace_back(key);
}

TomlValue* TomlTable::ask(std::string_view key) {
  know(key);
  TomlValue* value = find(*value_, key);
  if (value != nullptr) value->read = true;
  return value;
}

const TomlValue* TomlTable::find_value(std::string_view key) {
  TomlValue* value = ask(key);
  if (value != nullptr) mark_read(*value);
  return value;
}

const TomlValue& TomlTable::value(std::string_view key) {
  const TomlValue* value = find_value(key);
  if (value != nullptr) return *value;
  // A misspelt key is better reported where it stands than as a missing one.
  for (const auto& entry : value_->entries) {
    const std::string_view wanted[] = {key};
    if (!is_known(*value_, entry.key) && !nearest(entry.key, wanted).empty()) fail_unknown(entry);
  }
  fail(key, fmt::format("{} has no key '{}'", name_.empty() ? "the file" : fmt::format("[{}]", name_), key),
       "this key");
}

TomlTable TomlTable::child(TomlValue& value, std::string_view key) const {
  return {document_, &value, name_.empty() ? std::string(key) : fmt::format("{}.{}", name_, key)};
}

TomlTable TomlTable::table(std::string_view key) {
  if (std::optional<TomlTable> found = find_table(key)) return *found;
  value(key);  // throws: there is none
  fail(key, "no table", "a table");
}

std::optional<TomlTable> TomlTable::find_table(std::string_view key) {
  TomlValue* value = ask(key);
  if (value == nullptr) return std::nullopt;
  if (value->kind != Kind::kTable) fail(key, fmt::format("{} = {}", key, to_text(*value)), "a table");
  return child(*value, key);
}

std::vector<TomlTable> TomlTable::find_tables(std::string_view key) {
  std::vector<TomlTable> tables;
  TomlValue* value = ask(key);
  if (value == nullptr) return tables;
  const std::string expected = fmt::format("tables, each begun by [[{}]]", key);
  if (value->kind != Kind::kArray) fail(key, fmt::format("{} = {}", key, to_text(*value)), expected);
  for (TomlValue& item : value->items) {
    if (item.kind != Kind::kTable) fail_input(item.where, fmt::format("{} in {}", to_text(item), key), expected);
    item.read = true;
    tables.push_back(child(item, key));
  }
  return tables;
}

std::optional<std::int64_t> TomlTable::find_integer(std::string_view key, IntegerRange range) {
  const TomlValue* value = find_value(key);
  return value == nullptr ? std::nullopt : std::optional(integer_of(*value, key, range));
}

std::optional<double> TomlTable::find_number(std::string_view key, NumberRange range) {
  const TomlValue* value = find_value(key);
  return value == nullptr ? std::nullopt : std::optional(number_of(*value, key, range));
}

std::optional<std::string> TomlTable::find_text(std::string_view key) {
  const TomlValue* value = find_value(key);
  return value == nullptr ? std::nullopt : std::optional(text_of(*value, key));
}

std::optional<bool> TomlTable::find_boolean(std::string_view key) {
  const TomlValue* value = find_value(key);
  return value == nullptr ? std::nullopt : std::optional(boolean_of(*value, key));
}

std::optional<std::size_t> TomlTable::find_choice(std::string_view key, std::span<const std::string_view> names) {
  const TomlValue* value = find_value(key);
  return value == nullptr ? std::nullopt : std::optional(choice_of(*value, key, names));
}

void TomlTable::fail_unknown(const TomlEntry& entry) const {
  std::vector<std::string_view> known(value_->asked.begin(), value_->asked.end());
  std::sort(known.begin(), known.end());
  const std::string_view near = nearest(entry.key, known);
  const std::string hint = near.empty() ? "" : fmt::format(" (nearest: '{}')", near);
  const std::string expected =
      known.empty() ? "no keys here" : fmt::format("one of {}{}", fmt::join(known, ", "), hint);
  fail_input(
      entry.value.key_where,
      fmt::format("unknown key '{}'{}", printable(entry.key), name_.empty() ? "" : fmt::format(" in [{}]", name_)),
      expected);
}

void TomlTable::reject_unread() const {
  for (auto& entry : value_->entries) {
    TomlValue& value = entry.value;
    if (!value.read) fail_unknown(entry);
    if (value.kind == Kind::kTable) child(value, entry.key).reject_unread();
    if (value.kind != Kind::kArray) continue;
    for (TomlValue& item : value.items) {
      if (item.kind == Kind::kTable) child(item, entry.key).reject_unread();
    }
  }
}

void TomlTable::set(std::string_view path, std::string_view toml, std::string_view where) {
  TomlTable parsed = [&] {
    try {
      return parse(fmt::format("value = {}", toml), "value");
    } catch (const InputError&) {
      fail_input(where, fmt::format("{} = {}", printable(path), printable(toml)), "a value in TOML syntax");
    }
  }();
  if (parsed.value_->entries.size() != 1) {
    fail_input(where, fmt::format("{} = {}", printable(path), printable(toml)), "one value in TOML syntax");
  }
  TomlValue value = std::move(parsed.value_->entries.front().value);
  const auto move_to = [&](auto&& self, TomlValue& moved) -> void {
    moved.where = moved.key_where = where;
    for (TomlValue& item : moved.items) self(self, item);
    for (auto& [name, entry] : moved.entries) self(self, entry);
  };
  move_to(move_to, value);
  TomlValue* table = value_;
  for (std::string_view rest = path;;) {
    const std::size_t dot = rest.find('.');
    const std::string_view part = rest.substr(0, dot);
    if (part.empty()) fail_input(where, fmt::format("key '{}'", printable(path)), "names joined by dots");
    TomlValue* next = find(*table, part);
    if (next == nullptr) {
      TomlValue fresh;
      fresh.where = fresh.key_where = where;
      next = &table->entries.emplace_back(TomlEntry{std::string(part), std::move(fresh)}).value;
    }
    if (dot == std::string_view::npos) {
      *next = std::move(value);
      return;
    }
    if (next->kind != Kind::kTable) {
      fail_input(where, fmt::format("key '{}'", printable(path)), fmt::format("no more after '{}'", part));
    }
    table = next;
    rest.remove_prefix(dot + 1);
  }
}

void TomlTable::fail(std::string_view key, std::string_view found, std::string_view expected) const {
  fail_input(where(key), found, expected);
}

}  // namespace linebounce

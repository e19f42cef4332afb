// SPDX-License-Identifier: Apache-2.0
// Strict reading of TOML files: load a document, read every key with its type and range, reject what was not read.
//
//   TomlTable file = TomlTable::load(path);
//   TomlTable clock = file.table("clock");
//   machine.core_mhz = clock.integer("core_mhz", {100, 10'000, "MHz"});
//   int threads = static_cast<int>(clock.find_integer("threads", {1, 8}).value_or(1));
//   file.reject_unread();
//
// Every error is an InputError of one line, "file:line:column: what was found, expected what", and names the nearest
// valid key where a key or a word is unknown. The valid keys of a table are those that were asked for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "topologies/input_error.hpp"

namespace linebounce {

/// The largest file that is read at all.
inline constexpr std::size_t kMaxInputBytes = std::size_t{1} << 20;

/// Inclusive limits of a whole number and the unit that error messages name ("" if it has none).
struct IntegerRange {
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::string_view unit = {};
};

/// Inclusive limits of a real number, likewise. NaN and infinities are never in range.
struct NumberRange {
  double min = 0;
  double max = 0;
  std::string_view unit = {};
};

struct TomlEntry;

/// One value of a TOML file and where it stands; a plain tree.
struct TomlValue {
  enum class Kind : std::uint8_t { kBoolean, kInteger, kNumber, kText, kDate, kArray, kTable };

  Kind kind = Kind::kTable;
  bool boolean = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;                ///< kText, kDate
  std::vector<TomlValue> items;    ///< kArray
  std::vector<TomlEntry> entries;  ///< kTable, in the file's order

  std::string where;      ///< "file:line:column" of the value
  std::string key_where;  ///< of its key (of the value itself inside an array)
  std::string comment;    ///< what follows it in its line after '#', without blanks around; "" if nothing does

  bool read = false;               ///< asked for by a TomlTable
  std::vector<std::string> asked;  ///< kTable: the keys that were asked for
};

/// A key of a table and what it stands for.
struct TomlEntry {
  std::string key;
  TomlValue value;
};

/// As an error message shows it: "0", "'ring'", "an array of 3", …
std::string to_text(const TomlValue& value);

/// The candidate with the fewest edits from `word`, if it is near enough to be meant; else empty. Ties: the first.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// Throws InputError("where: found, expected expected").
[[noreturn]] void fail_input(std::string_view where, std::string_view found, std::string_view expected);

/// A value that stands outside any table (an array's item, say), checked like TomlTable's reads; `name` is for errors.
std::int64_t integer_of(const TomlValue& value, std::string_view name, IntegerRange range);
double number_of(const TomlValue& value, std::string_view name, NumberRange range);
std::string text_of(const TomlValue& value, std::string_view name);
bool boolean_of(const TomlValue& value, std::string_view name);
/// Index into `names`.
std::size_t choice_of(const TomlValue& value, std::string_view name, std::span<const std::string_view> names);

/// A cursor on one table of a document; copies share the document. `find_…` reads give nothing if the key is absent,
/// the others throw. A whole number is accepted where a real one is expected, not the other way round.
class TomlTable {
 public:
  /// Throws InputError if the file cannot be read, is too big, not UTF-8, nested absurdly, or not TOML.
  static TomlTable load(const std::filesystem::path& file);
  /// The same for text in memory; `file_name` is for errors.
  static TomlTable parse(std::string_view text, std::string_view file_name);

  /// Counts `key` as a valid one, for hints in errors about others, without reading it.
  void know(std::string_view key);
  bool has(std::string_view key) const;
  std::vector<std::string> keys() const;  ///< in the file's order
  /// "file:line:column" of the key's value; of the table itself if the key is absent.
  std::string where(std::string_view key) const;
  std::string where() const { return value_->where; }

  std::int64_t integer(std::string_view key, IntegerRange range) { return integer_of(value(key), key, range); }
  double number(std::string_view key, NumberRange range) { return number_of(value(key), key, range); }
  std::string text(std::string_view key) { return text_of(value(key), key); }
  bool boolean(std::string_view key) { return boolean_of(value(key), key); }
  std::size_t choice(std::string_view key, std::span<const std::string_view> names) {
    return choice_of(value(key), key, names);
  }
  TomlTable table(std::string_view key);
  /// The value as it is, marked as read with all that is in it.
  const TomlValue& value(std::string_view key);

  std::optional<std::int64_t> find_integer(std::string_view key, IntegerRange range);
  std::optional<double> find_number(std::string_view key, NumberRange range);
  std::optional<std::string> find_text(std::string_view key);
  std::optional<bool> find_boolean(std::string_view key);
  std::optional<std::size_t> find_choice(std::string_view key, std::span<const std::string_view> names);
  std::optional<TomlTable> find_table(std::string_view key);
  const TomlValue* find_value(std::string_view key);
  /// The tables of [[key]]; none if the key is absent.
  std::vector<TomlTable> find_tables(std::string_view key);

  /// Throws for the first key, in file order, in this table or below, that nobody asked for.
  void reject_unread() const;

  /// Sets `path` ("clock.core_mhz"), replacing or adding; `toml` is the value in TOML syntax, `where` is for errors.
  /// Throws if the path leads through something that is not a table.
  void set(std::string_view path, std::string_view toml, std::string_view where);

  /// Throws InputError at `key`'s value (the table itself if the key is absent).
  [[noreturn]] void fail(std::string_view key, std::string_view found, std::string_view expected) const;

 private:
  TomlTable(std::shared_ptr<TomlValue> document, TomlValue* value, std::string name)
      : document_(std::move(document)), value_(value), name_(std::move(name)) {}
  TomlValue* ask(std::string_view key);
  TomlTable child(TomlValue& value, std::string_view key) const;
  [[noreturn]] void fail_unknown(const TomlEntry& entry) const;

  std::shared_ptr<TomlValue> document_;
  TomlValue* value_;
  std::string name_;  ///< "clock", "" for the root
};

}  // namespace linebounce

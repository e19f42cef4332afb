// SPDX-License-Identifier: Apache-2.0
#include "topologies/toml_input.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>

namespace linebounce {
namespace {

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

std::string parse_error(const std::string& text) {
  return error_of([&] { TomlTable::parse(text, "f.toml"); });
}

/// Reads a document with the keys that a small machine would have.
std::string read_error(const std::string& text) {
  return error_of([&] {
    TomlTable file = TomlTable::parse(text, "f.toml");
    TomlTable clock = file.table("clock");
    clock.integer("core_mhz", {100, 10'000, "MHz"});
    clock.find_number("qpi", {0.5, 1000.0, "ns"});
    const std::array<std::string_view, 2> kinds = {"ring", "crossbar"};
    clock.find_choice("kind", kinds);
    for (TomlTable& row : file.find_tables("row")) row.integer("n", {1, 9});
    file.reject_unread();
  });
}

TEST(TomlInput, EveryErrorSaysWhereWhatAndWhatWasExpected) {
  struct Row {
    std::string text;
    std::string error;
  };
  const Row rows[] = {
      {"[clock]\ncore_mhz = 2670\n", "no error"},
      {"[clock]\ncore_mhz = 2670\nqpi = 14\nkind = 'ring'\n[[row]]\nn = 1\n", "no error"},
      {"[clock]\ncore_mhz = 0\n", "f.toml:2:12: core_mhz = 0, expected a whole number from 100 to 10000 MHz"},
      {"[clock]\ncore_mhz = 2.5\n", "f.toml:2:12: core_mhz = 2.5, expected a whole number from 100 to 10000 MHz"},
      {"[clock]\ncore_mhz = '1'\n", "f.toml:2:12: core_mhz = '1', expected a whole number from 100 to 10000 MHz"},
      {"[clock]\ncore_mhz = 200\nqpi = nan\n", "f.toml:3:7: qpi = nan, expected a number from 0.5 to 1000 ns"},
      {"[clock]\ncore_mhz = 200\nqpi = inf\n", "f.toml:3:7: qpi = inf, expected a number from 0.5 to 1000 ns"},
      {"[clock]\ncore_mhz = 200\nkind = 'rnig'\n",
       "f.toml:3:8: kind = 'rnig', expected one of 'ring', 'crossbar' (nearest: 'ring')"},
      {"[clock]\ncore_mhz = 200\nkind = 3\n", "f.toml:3:8: kind = 3, expected one of 'ring', 'crossbar'"},
      {"[clock]\ncore_mz = 200\n",
       "f.toml:2:1: unknown key 'core_mz' in [clock], expected one of core_mhz (nearest: 'core_mhz')"},
      {"[clock]\ncore_mhz = 200\nkidn = 3\n",
       "f.toml:3:1: unknown key 'kidn' in [clock], expected one of core_mhz, kind, qpi (nearest: 'kind')"},
      {"[clock]\nqpi = 3\n", "f.toml:1:1: [clock] has no key 'core_mhz', expected this key"},
      {"", "f.toml:1:1: the file has no key 'clock', expected this key"},
      {"clock = 3\n", "f.toml:1:9: clock = 3, expected a table"},
      {"[clock]\ncore_mhz = 200\n[spare]\n", "f.toml:3:2: unknown key 'spare', expected one of clock, row"},
      {"[clock]\ncore_mhz = 200\n[[row]]\nn = 1\nm = 1\n",
       "f.toml:5:1: unknown key 'm' in [row], expected one of n (nearest: 'n')"},
      {"row = [1]\n[clock]\ncore_mhz = 200\n", "f.toml:1:8: 1 in row, expected tables, each begun by [[row]]"},
  };
  for (const Row& row : rows) EXPECT_EQ(read_error(row.text), row.error) << row.text;
}

TEST(TomlInput, BrokenFilesAreRefusedBeforeOrByTheParser) {
  EXPECT_EQ(parse_error(std::string("a = 1\nb\0c", 9)), "f.toml:2:2: a NUL byte, expected a text file");
  EXPECT_EQ(parse_error("a = \"\xC3\"\n"), "f.toml:1:6: byte 0xC3, expected UTF-8 text");
  EXPECT_EQ(parse_error("\xED\xA0\x80"), "f.toml:1:1: byte 0xED, expected UTF-8 text");
  EXPECT_EQ(parse_error(std::string(kMaxInputBytes + 1, ' ')),
            "f.toml:1:1: the file is too big, expected at most 1048576 bytes");
  EXPECT_EQ(parse_error("a = " + std::string(33, '[')),
            "f.toml:1:37: too deep a nesting, expected at most 32 brackets in each other and keys of 16 parts");
  std::string long_key = "a";
  for (int i = 0; i < 500'000; ++i) long_key += ".a";
  EXPECT_NE(parse_error(long_key + " = 1").find("too deep a nesting"), std::string::npos);
  for (const std::string text :
       {"[clock", "a = ", "a = 1\na = 2\n", "a = 99999999999999999999", "a = \"x", "= 1", "a = 1e999"}) {
    const std::string error = parse_error(text);
    EXPECT_EQ(error.rfind("f.toml:", 0), 0U) << text << " -> " << error;
    EXPECT_NE(error.find(", expected valid TOML"), std::string::npos) << text << " -> " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(TomlInput, DotsInStringsNumbersAndCommentsAreNotNesting) {
  EXPECT_EQ(parse_error("a = [1.0, 2.0, 3.0] # ........................\nb = '......................'\n"
                        "c = \"\"\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"\"\"\n"),
            "no error");
}

TEST(TomlInput, ADirectoryOrAMissingFileIsAnErrorOfOneLine) {
  EXPECT_EQ(error_of([] { TomlTable::load("/nonexistent.toml"); }),
            "/nonexistent.toml:1:1: cannot be read (No such file or directory), expected a readable file");
  EXPECT_EQ(error_of([] { TomlTable::load("/"); }), "/:1:1: cannot be read (Is a directory), expected a readable file");
}

TEST(TomlInput, ASetValueReplacesOrAddsAndCarriesItsOwnPlace) {
  TomlTable file = TomlTable::parse("[clock]\ncore_mhz = 200\n", "f.toml");
  file.set("clock.core_mhz", "300", "s.toml:4:5");
  file.set("core.pause", "0", "s.toml:5:5");
  TomlTable clock = file.table("clock");
  EXPECT_EQ(clock.integer("core_mhz", {100, 400}), 300);
  EXPECT_EQ(error_of([&] {
              file.table("core").integer("pause", {1, 9});
            }),
            "s.toml:5:5: pause = 0, expected a whole number from 1 to 9");
  EXPECT_EQ(error_of([&] { file.set("clock.core_mhz.x", "1", "w"); }),
            "w: key 'clock.core_mhz.x', expected no more after 'core_mhz'");
  EXPECT_EQ(error_of([&] { file.set("clock.x", "1 2", "w"); }), "w: clock.x = 1 2, expected a value in TOML syntax");
  EXPECT_EQ(error_of([&] { file.set("clock.x", "1\ny = 2", "w"); }),
            "w: clock.x = 1 y = 2, expected one value in TOML syntax");
  EXPECT_EQ(error_of([&] { file.set("clock..x", "1", "w"); }), "w: key 'clock..x', expected names joined by dots");
}

TEST(TomlInput, TheNearestWordNeedsToBeNear) {
  const std::array<std::string_view, 3> words = {"qspinlock", "ticket", "mcs"};
  EXPECT_EQ(nearest("qspinlok", words), "qspinlock");
  EXPECT_EQ(nearest("tciket", words), "ticket");
  EXPECT_EQ(nearest("msc", words), "mcs");
  EXPECT_EQ(nearest("banana", words), "");
}

}  // namespace
}  // namespace linebounce

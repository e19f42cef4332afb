// SPDX-License-Identifier: Apache-2.0
// Litmus tests from outside, as JSON files of the schema x86-litmus/1, with the states that their authors' tools allow.
// They lie beside the source tree where they exist; without them the test is skipped.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cpus/testing/litmus.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce {
namespace {

using nlohmann::json;
using testing::Litmus;
using testing::LitmusState;
using testing::LitmusStates;

std::vector<std::filesystem::path> files() {
  std::vector<std::filesystem::path> found;
  const std::filesystem::path folder = std::filesystem::path(LINEBOUNCE_SOURCE) / ".." / "shared" / "litmus";
  if (!std::filesystem::is_directory(folder)) return found;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string text_of(const json& op) {
  auto what = op.at("op").get<std::string>();
  if (what == "mfence") return what;
  const auto word = [&](const char* key) { return " " + op.at(key).get<std::string>(); };
  const auto number = [&] { return " " + std::to_string(op.at("imm").get<std::uint32_t>()); };
  if (what == "store") return what + word("var") + (op.contains("imm") ? number() : word("reg"));
  if (what == "movi") return what + word("reg") + number();
  return what + word("reg") + word("var");
}

Litmus parse(const json& file) {
  Litmus test(file.at("name").get<std::string>());
  for (const auto& [name, value] : file.at("init").items()) test.initial_variable(name, value.get<std::uint32_t>());
  for (const json& thread : file.at("threads")) {
    std::string text;
    for (const json& op : thread) text += (text.empty() ? "" : "; ") + text_of(op);
    test.thread(text);
  }
  std::size_t thread = 0;
  for (const json& registers : file.at("init_regs")) {
    for (const auto& [name, value] : registers.items()) {
      test.initial_register(thread, name, value.get<std::uint32_t>());
    }
    ++thread;
  }
  for (const json& column : file.at("observed")) test.observe(column.get<std::string>());
  return test;
}

LitmusStates states(const json& rows) {
  const auto list = rows.get<std::vector<LitmusState>>();
  return {list.begin(), list.end()};
}

/// The states that have these values in the named columns.
LitmusStates matching(const LitmusStates& from, const json& file) {
  const auto names = file.at("observed").get<std::vector<std::string>>();
  LitmusStates found;
  for (const LitmusState& state : from) {
    bool matches = true;
    for (const auto& [name, value] : file.at("interesting").items()) {
      const auto column = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
      matches = matches && state.at(column) == value.get<std::uint32_t>();
    }
    if (matches) found.insert(state);
  }
  return found;
}

TEST(LitmusFiles, AllowWhatTheSimulatedMachinesShow) {
  const auto paths = files();
  if (paths.empty()) GTEST_SKIP() << "no litmus files beside the source tree";
  for (const auto& path : paths) {
    SCOPED_TRACE(path.filename().string());
    std::ifstream stream(path);
    const json file = json::parse(stream);
    ASSERT_EQ(file.at("schema"), "x86-litmus/1");
    const Litmus test = parse(file);
    const LitmusStates allowed = states(file.at("allowed"));
    EXPECT_EQ(test.allowed(), allowed) << "the abstract machine differs from the file";
    EXPECT_EQ(test.allowed(false), states(file.at("sc_allowed"))) << "sequential consistency differs from the file";

    LitmusStates seen;
    for (const char* machine : {"westmere-ep-2s", "westmere-ex-8s"}) {
      seen.merge(testing::observed_everywhere(test, testing::shipped(machine), 100));
    }
    EXPECT_TRUE(std::includes(allowed.begin(), allowed.end(), seen.begin(), seen.end()))
        << "seen " << testing::describe(seen) << "allowed " << testing::describe(allowed);
    const bool needs_buffer = file.at("interesting_allowed") == true && file.at("interesting_allowed_sc") == false;
    EXPECT_EQ(needs_buffer && matching(seen, file).empty(), false) << "the interesting state was not seen";
  }
}

}  // namespace
}  // namespace linebounce

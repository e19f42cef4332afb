// SPDX-License-Identifier: Apache-2.0
#include "topologies/number_origin.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "topologies/machine_fields.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

std::optional<NumberOrigin> origin(std::string_view machine, std::string_view number,
                                   std::span<const MachineOverride> overrides = {}) {
  const auto fields = machine_fields();
  const auto at = std::ranges::find(fields, number, &MachineField::name);
  return number_origins(machine, overrides).at(static_cast<std::size_t>(at - fields.begin()));
}

TEST(TomlComment, IsWhatFollowsAValueInItsLine) {
  TomlTable file = TomlTable::parse(
      "a = 1 # one\r\n"
      "b = \"# no, \\u00e4 \xc3\xa4\"\t#\ttwo # three \n"
      "c = 3\n"
      "# four\n"
      "d = { x = 1, y = 2 } # five\n"
      "e = [\n 1, # six\n 2 ] # seven\n"
      "f = 0.5#eight",
      "f.toml");
  EXPECT_EQ(file.value("a").comment, "one");
  EXPECT_EQ(file.value("b").comment, "two # three");
  EXPECT_EQ(file.value("c").comment, "");
  EXPECT_EQ(file.value("d").comment, "five");
  EXPECT_EQ(file.table("d").value("x").comment, "");
  EXPECT_EQ(file.value("e").comment, "seven");
  EXPECT_EQ(file.value("f").comment, "eight");
}

TEST(NumberOrigin, IsWhatTheCommentBeginsWith) {
  EXPECT_EQ(origin_of("guess: as elsewhere"), NumberOrigin::kGuess);
  EXPECT_EQ(origin_of("derived: 27 - 6"), NumberOrigin::kDerived);
  EXPECT_EQ(origin_of("A book, page 7; no guess"), NumberOrigin::kSourced);
  EXPECT_EQ(origin_of(""), NumberOrigin::kUnstated);
}

TEST(NumberOrigin, ComesFromTheFileThatStatesTheNumber) {
  EXPECT_EQ(origin("westmere-ex-4s", "clock.core_mhz"), NumberOrigin::kGuess);
  EXPECT_EQ(origin("westmere-ex-4s", "interconnect.core_port"), NumberOrigin::kDerived);
  EXPECT_EQ(origin("westmere-ex-4s", "core.pause"), NumberOrigin::kSourced) << "the microarchitecture's file";
  EXPECT_EQ(origin("ivybridge-4c", "qpi.crossing"), std::nullopt) << "one socket has no links";
}

TEST(NumberOrigin, OfAnOverrideIsThatItWasSet) {
  const std::vector<MachineOverride> pause = {{"core.pause", "8", "here"}};
  EXPECT_EQ(origin("westmere-ex-4s", "core.pause", pause), NumberOrigin::kSet);
  EXPECT_EQ(origin("westmere-ex-4s", "core.cmpxchg", pause), NumberOrigin::kGuess);
}

TEST(NumberOrigin, OfAMachinesOwnCoreTableTakesPrecedence) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "own-core.toml";
  std::filesystem::copy_file(machine_path("westmere-ex-4s"), file, std::filesystem::copy_options::overwrite_existing);
  std::ofstream(file, std::ios::app) << "\n[core]\npause = 10\nxchg = 19 # derived: somehow\n";
  EXPECT_EQ(origin(file.string(), "core.pause"), NumberOrigin::kUnstated);
  EXPECT_EQ(origin(file.string(), "core.xchg"), NumberOrigin::kDerived);
  std::filesystem::remove(file);
}

TEST(NumberOrigin, IsStatedForEveryNumberOfEveryShippedMachine) {
  for (const std::string& machine : shipped_machines()) {
    const std::vector<std::optional<NumberOrigin>> origins = number_origins(machine);
    for (std::size_t i = 0; i < origins.size(); ++i) {
      EXPECT_NE(origins[i], NumberOrigin::kUnstated) << machine << ' ' << machine_fields()[i].name();
    }
  }
}

TEST(MachineFields, OfGeometryHaveNoUnitOfTime) {
  for (const MachineField& field : machine_fields()) {
    EXPECT_TRUE(!field.geometry || field.unit.empty() || field.unit == "KiB") << field.name();
  }
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "topologies/load_machine.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "topologies/machine_fields.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> shipped_names = {"ivybridge-4c",   "ivybridge-e-6c", "ivybridge-ex-4s", "nehalem-ep-2s",
                                                "westmere-ep-2s", "westmere-ex-4s", "westmere-ex-8s"};

std::string text_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A machine file of this test's own; errors are reported without its folder.
class MachineFile {
 public:
  explicit MachineFile(const std::string& text) : path_(fs::path(testing::TempDir()) / unique_name()) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~MachineFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  MachineFile(const MachineFile&) = delete;
  MachineFile& operator=(const MachineFile&) = delete;

  const fs::path& path() const { return path_; }

  std::string error(std::span<const MachineOverride> overrides = {}) const {
    try {
      load_machine(path_.string(), overrides);
    } catch (const InputError& error) {
      std::string what = error.what();
      const std::size_t at = what.find(path_.string());
      return at == std::string::npos ? what : what.replace(at, path_.string().size(), "m.toml");
    }
    return "no error";
  }

 private:
  static std::string unique_name() {
    static int count = 0;
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    return std::string("machine-") + test->name() + std::to_string(count++) + ".toml";
  }

  fs::path path_;
};

/// The shipped 2-socket machine without its comments, each line whose key is `key` replaced by `line`.
std::string changed(const std::string& table, const std::string& key, const std::string& line) {
  std::string out;
  std::string section;
  std::ifstream stream(data_directory("topologies") / "westmere-ep-2s.toml");
  for (std::string row; std::getline(stream, row);) {
    row = row.substr(0, row.find('#'));
    row.erase(row.find_last_not_of(' ') + 1);
    if (row.empty()) continue;
    if (row[0] == '[') section = row.substr(1, row.size() - 2);
    out += section == table && row.substr(0, row.find(' ')) == key ? line : row;
    out += '\n';
  }
  return out;
}

TEST(LoadMachine, EveryShippedMachineLoads) {
  EXPECT_EQ(shipped_machines(), shipped_names);
  for (const std::string& name : shipped_names) {
    const Machine machine = load_machine(name);
    EXPECT_EQ(machine.name, name);
    EXPECT_EQ(machine.l3_slice.sets(), 2048) << name;
    EXPECT_EQ(machine.l1d.sets(), 64) << name;
  }
}

TEST(LoadMachine, TheShippedMachinesHaveTheShapesThatTheirNamesSay) {
  const Machine ep = load_machine("westmere-ep-2s");
  EXPECT_EQ(ep.cores(), 12);
  EXPECT_EQ(ep.threads(), 24);
  EXPECT_EQ(ep.interconnect, Interconnect::kCrossbar);
  EXPECT_EQ(ep.core.pause, Cycles{9});
  const Machine ex = load_machine("westmere-ex-4s");
  EXPECT_EQ(ex.cores(), 40);
  EXPECT_EQ(ex.qpi_links.size(), 6U);
  const Machine ivb = load_machine("ivybridge-ex-4s");
  EXPECT_EQ(ivb.cores(), 60);
  EXPECT_EQ(ivb.ring_columns, 3);
  EXPECT_EQ(ivb.core.cmpxchg, Cycles{22});
  EXPECT_EQ(load_machine("westmere-ex-8s").threads(), 80);
}

/// On boards with other memory: what was published of one and of the other leaves no common latency of DRAM.
TEST(LoadMachine, TheTwoWestmereExMachinesAreTheSamePart) {
  const Machine four = load_machine("westmere-ex-4s");
  const Machine eight = load_machine("westmere-ex-8s");
  for (const MachineField& field : machine_fields()) {
    if (field.table == "shape" || field.key == "core_mhz") continue;
    if (field.table == "dram" && field.key == "latency") continue;
    EXPECT_EQ(value_text(field, four), value_text(field, eight)) << field.table << "." << field.key;
  }
}

TEST(LoadMachine, EveryNumberOfEveryMachineNamesItsSourceOrGuess) {
  std::vector<std::string> files = {"microarchitectures/westmere", "microarchitectures/ivy-bridge"};
  files.insert(files.end(), shipped_names.begin(), shipped_names.end());
  for (const std::string& name : files) {
    std::ifstream stream(data_directory("topologies") / (name + ".toml"));
    int line = 0;
    for (std::string row; std::getline(stream, row);) {
      ++line;
      const std::size_t equals = row.find(" = ");
      if (row[0] == '#' || equals == std::string::npos ||
          std::isdigit(static_cast<unsigned char>(row[equals + 3])) == 0)
        continue;
      EXPECT_NE(row.find("# "), std::string::npos) << name << ":" << line << ": " << row;
    }
  }
}

TEST(LoadMachine, AMachineOfOnesOwnMayStandAnywhereAndSetCoreCosts) {
  const MachineFile file(changed("", "", "") + "[core]\npause = 140\n");
  const Machine machine = load_machine(file.path().string());
  EXPECT_EQ(machine.core.pause, Cycles{140});
  EXPECT_EQ(machine.core.xchg, load_machine("westmere-ep-2s").core.xchg);
}

TEST(LoadMachine, ABadFileGetsOneLineThatSaysWhereWhatAndWhatWasExpected) {
  struct Row {
    const char* table;
    const char* key;
    const char* line;
    const char* error;
  };
  const Row rows[] = {
      {"shape", "sockets", "sockets = 0", "m.toml:4:11: sockets = 0, expected a whole number from 1 to 32"},
      {"shape", "sockets", "sockets = -2", "m.toml:4:11: sockets = -2, expected a whole number from 1 to 32"},
      {"shape", "cores_per_socket", "cores_per_socket = 0",
       "m.toml:5:20: cores_per_socket = 0, expected a whole number from 1 to 64"},
      {"shape", "cores_per_socket", "cores_per_socket = 9223372036854775807",
       "m.toml:5:20: cores_per_socket = 9223372036854775807, expected a whole number from 1 to 64"},
      {"shape", "cores_per_socket", "cores_per_socket = 5",
       "m.toml:17:21: slices_per_socket = 6, expected at most one slice a core, 5"},
      {"shape", "threads_per_core", "threads_per_core = '2'",
       "m.toml:6:20: threads_per_core = '2', expected a whole number from 1 to 2"},
      {"clock", "core_mhz", "core_mhz = 2670.5",
       "m.toml:8:12: core_mhz = 2670.5, expected a whole number from 100 to 10000 MHz"},
      {"clock", "core_mhz", "", "m.toml:7:1: [clock] has no key 'core_mhz', expected this key"},
      {"clock", "core_mhz", "core_mz = 2670",
       "m.toml:8:1: unknown key 'core_mz' in [clock], expected one of core_mhz, uncore_mhz (nearest: 'core_mhz')"},
      {"l1d", "ways", "ways = 7", "m.toml:12:8: ways = 7, expected a divisor of the cache's 512 lines"},
      {"coherence", "protocol", "protocol = 'moesi'",
       "m.toml:25:12: protocol = 'moesi', expected one of 'mesi', 'mesif' (nearest: 'mesi')"},
      {"interconnect", "kind", "kind = \"mesh\"", "m.toml:28:8: kind = 'mesh', expected one of 'crossbar', 'ring'"},
      {"interconnect", "kind", "kind = \"ring\"", "m.toml:29:16: ring_columns = 0, expected 1 to 3 for a ring"},
      {"interconnect", "ring_columns", "ring_columns = 1", "m.toml:29:16: ring_columns = 1, expected 0 for a crossbar"},
      {"interconnect", "router", "router = 5",
       "m.toml:33:10: router = 5, expected at most twice agent_port, 4: the way over the ring"},
      {"interconnect", "hop", "hop = 99999",
       "m.toml:34:7: hop = 99999, expected a whole number from 0 to 10000 uncore cycles"},
      {"dram", "latency", "latency = nan", "m.toml:43:11: latency = nan, expected a number from 1 to 10000 ns"},
      {"dram", "latency", "latency = inf", "m.toml:43:11: latency = inf, expected a number from 1 to 10000 ns"},
      {"qpi", "links", "links = []", "m.toml:48:9: socket 1 is disconnected, expected links that join all sockets"},
      {"qpi", "links", "links = [[0, 0], [0, 1]]", "m.toml:48:10: link [0, 0], expected two different sockets"},
      {"qpi", "links", "links = [[0, 1], [1, 0]]",
       "m.toml:48:18: link [1, 0] a second time, expected each pair of sockets once"},
      {"qpi", "links", "links = [[0, 2]]", "m.toml:48:14: socket = 2, expected a whole number from 0 to 1"},
      {"qpi", "links", "links = [[0]]",
       "m.toml:48:10: link an array of 1, expected pairs of sockets, such as [[0, 1], [1, 2]]"},
      {"qpi", "links", "links = 3", "m.toml:48:9: links = 3, expected pairs of sockets, such as [[0, 1], [1, 2]]"},
      {"qpi", "links", "links = [[0, 1]]\nlanes = 20",
       "m.toml:49:1: unknown key 'lanes' in [qpi], expected one of crossing, gigatransfers, links (nearest: '')"},
      {"", "microarchitecture", "microarchitecture = 'westmeer'",
       "m.toml:2:21: microarchitecture = 'westmeer', expected one of 'ivy-bridge', 'westmere' (nearest: 'westmere')"},
  };
  for (const Row& row : rows) {
    const MachineFile file(changed(row.table, row.key, row.line));
    std::string expected = row.error;
    if (const std::size_t hint = expected.find(" (nearest: '')"); hint != std::string::npos) expected.resize(hint);
    EXPECT_EQ(file.error(), expected) << row.line;
  }
}

TEST(LoadMachine, OneSocketNeedsNoLinksAndMoreDo) {
  std::string text = text_of(data_directory("topologies") / "ivybridge-4c.toml");
  EXPECT_EQ(MachineFile(text).error(), "no error");
  EXPECT_EQ(MachineFile(text + "[qpi]\ncrossing = 14\ngigatransfers = 6.4\nlinks = []\n").error(), "no error");
  EXPECT_NE(MachineFile(text + "[qpi]\ncrossing = 14\n").error().find("[qpi] has no key 'gigatransfers'"),
            std::string::npos);
  text.replace(text.find("sockets = 1"), 11, "sockets = 2");
  EXPECT_NE(MachineFile(text).error().find("the file has no key 'qpi'"), std::string::npos);
}

TEST(LoadMachine, ARingNeedsAsManyCoresInEveryColumn) {
  std::string text = text_of(data_directory("topologies") / "westmere-ex-4s.toml");
  const std::string columns = "ring_columns = 1";
  text.replace(text.find(columns), columns.size(), "ring_columns = 3");
  EXPECT_NE(MachineFile(text).error().find("ring_columns = 3, expected a divisor of cores_per_socket = 10"),
            std::string::npos);
}

TEST(LoadMachine, ATruncatedFileNeverLoads) {
  const std::string whole = changed("", "", "");
  for (std::size_t length = 0; length < whole.size() - 3; length += 7) {
    const std::string error = MachineFile(whole.substr(0, length)).error();
    EXPECT_EQ(error.rfind("m.toml:", 0), 0U) << length << ": " << error;
    EXPECT_EQ(error.find('\n'), std::string::npos) << error;
  }
}

TEST(LoadMachine, OverridesReplaceAnyNumber) {
  const std::vector<MachineOverride> overrides = {
      {"clock.core_mhz", "3066", "s:1:1"}, {"core.pause", "140", "s:2:1"}, {"qpi.crossing", "20.5", "s:3:1"}};
  const Machine machine = load_machine("westmere-ep-2s", overrides);
  EXPECT_EQ(machine.core_mhz, 3066);
  EXPECT_EQ(machine.core.pause, Cycles{140});
  EXPECT_EQ(machine.qpi_crossing.count, 20.5);
  EXPECT_EQ(machine.uncore_mhz, load_machine("westmere-ep-2s").uncore_mhz);
}

TEST(LoadMachine, ABadOverrideIsReportedWhereItWasAskedFor) {
  struct Row {
    MachineOverride change;
    std::string error;
  };
  const Row rows[] = {
      {{"clock.core_mhz", "0", "s.toml:9:3"},
       "s.toml:9:3: core_mhz = 0, expected a whole number from 100 to 10000 MHz"},
      {{"clock.core_mhz", "fast", "s.toml:9:3"}, "s.toml:9:3: clock.core_mhz = fast, expected a value in TOML syntax"},
      {{"clock.coremhz", "2000", "s.toml:9:3"},
       "s.toml:9:3: unknown key 'coremhz' in [clock], expected one of core_mhz, uncore_mhz (nearest: 'core_mhz')"},
      {{"qpi.links", "[[0, 1], [0, 1]]", "s.toml:9:3"},
       "s.toml:9:3: link [0, 1] a second time, expected each pair of sockets once"},
      {{"clock", "2000", "s.toml:9:3"}, "s.toml:9:3: clock = 2000, expected a table"},
      {{"clock.core_mhz.x", "1", "s.toml:9:3"},
       "s.toml:9:3: key 'clock.core_mhz.x', expected no more after 'core_mhz'"},
  };
  for (const Row& row : rows) {
    const MachineFile file(changed("", "", ""));
    EXPECT_EQ(file.error(std::span(&row.change, 1)), row.error);
  }
}

TEST(LoadMachine, AnUnknownNameIsToldTheNearestMachine) {
  try {
    load_machine("westmere-ex-4");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "machine 'westmere-ex-4': no such machine, expected a path or one of ivybridge-4c, ivybridge-e-6c, "
        "ivybridge-ex-4s, nehalem-ep-2s, westmere-ep-2s, westmere-ex-4s, westmere-ex-8s (nearest: 'westmere-ex-4s')");
  }
}

TEST(LoadMachine, TheEnvironmentSaysWhereShippedDataLies) {
  const char* before = std::getenv("LINEBOUNCE_DATA");
  const std::string kept = before == nullptr ? "" : before;
  setenv("LINEBOUNCE_DATA", "/elsewhere", 1);
  EXPECT_EQ(data_directory("topologies"), fs::path("/elsewhere/topologies"));
  EXPECT_TRUE(shipped_machines().empty());
  if (before == nullptr) {
    unsetenv("LINEBOUNCE_DATA");
  } else {
    setenv("LINEBOUNCE_DATA", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/core_to_core.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

/// A file that lasts as long as the test.
class CoreToCoreFile : public ::testing::Test {
 protected:
  void TearDown() override { fs::remove(path_); }

  CorePairs read(const std::string& text, int cores) const {
    std::ofstream(path_) << text;
    return read_core_to_core(path_, cores);
  }
  /// The error without the file's name.
  std::string error(const std::string& text, int cores) const {
    try {
      read(text, cores);
    } catch (const InputError& e) {
      return std::string(e.what()).substr(path_.string().size());
    }
    return "none";
  }

  fs::path path_ = fs::path(::testing::TempDir()) / ::testing::UnitTest::GetInstance()->current_test_info()->name();
};

TEST_F(CoreToCoreFile, IsALowerTriangleWithoutAHeader) {
  CorePairs pairs(3);
  pairs.ns(1, 0) = 24.5;
  pairs.ns(2, 0) = 100;
  pairs.ns(2, 1) = 101.0625;
  EXPECT_EQ(core_to_core_csv(pairs), ",,\n24.500,,\n100.000,101.062,\n");
}

TEST_F(CoreToCoreFile, IsReadWithOrWithoutItsEmptyFields) {
  for (const char* text : {",,\n24.5,,\n1e2,101,\n", "\r\n24.5\r\n100, 101\r\n", "\n24.5,\n100,101"}) {
    const CorePairs pairs = read(text, 3);
    EXPECT_EQ(pairs.ns(1, 0), 24.5) << text;
    EXPECT_EQ(pairs.ns(2, 0), 100) << text;
    EXPECT_EQ(pairs.ns(2, 1), 101) << text;
  }
}

TEST_F(CoreToCoreFile, IsRefusedWithThePlaceOfItsFault) {
  EXPECT_EQ(error(",,\n24,,\n100,x1,\n", 3), ":3:5: 'x1', expected the ns between cores 2 and 1");
  EXPECT_EQ(error(",,\n24,,\n100,,\n", 3), ":3:5: nothing, expected the ns between cores 2 and 1");
  EXPECT_EQ(error(",,\n-1,,\n", 3), ":2:1: '-1', expected the ns between cores 1 and 0");
  EXPECT_EQ(error(",,\nnan,,\n", 3), ":2:1: 'nan', expected the ns between cores 1 and 0");
  EXPECT_EQ(error(",,\n1e300,,\n", 3), ":2:1: '1e300', expected the ns between cores 1 and 0");
  EXPECT_EQ(error(",9,\n24,,\n", 3), ":1:2: '9', expected an empty field from the diagonal on");
  EXPECT_EQ(error(",\n24,\n", 3), ":3:1: 2 rows, expected 3, one for each core of the machine");
  EXPECT_EQ(error("\n24\n1,2\n1,2,3\n", 3), ":4:1: 4 rows, expected 3, one for each core of the machine");
  EXPECT_EQ(error("", 2), ":1:1: 0 rows, expected 2, one for each core of the machine");
}

TEST(CoreToCore, TakesLongerBetweenSocketsThanWithinOne) {
  Machine machine = load_machine("westmere-ep-2s");
  const Topology topology(machine);
  const CorePairs pairs = simulate_core_to_core(machine, topology);
  for (int i = 1; i < machine.cores(); ++i) {
    for (int j = 0; j < i; ++j) {
      const bool same_die = i / machine.cores_per_socket == j / machine.cores_per_socket;
      EXPECT_EQ(pairs.ns(i, j) < 40, same_die) << i << ' ' << j << ' ' << pairs.ns(i, j);
    }
  }
}

TEST(CoreToCore, ComparesByDistanceAndNamesTheWorstPair) {
  Machine machine = load_machine("westmere-ep-2s");
  machine.cores_per_socket = 2;
  const Topology topology(machine);
  CorePairs published(machine.cores());
  CorePairs simulated(machine.cores());
  for (int i = 1; i < machine.cores(); ++i) {
    for (int j = 0; j < i; ++j) published.ns(i, j) = simulated.ns(i, j) = i / 2 == j / 2 ? 20 : 100;
  }
  simulated.ns(3, 0) = 140;
  const std::string text = compare_core_to_core(machine, topology, published, simulated);
  EXPECT_NE(text.find("same die      2      20.00      20.00        0.0            0.0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("one hop       4      100.0      110.0      +10.0           10.0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n3 and 0   one hop           100.0           140.0      +40.0\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace linebounce

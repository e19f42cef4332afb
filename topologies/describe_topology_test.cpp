// SPDX-License-Identifier: Apache-2.0
#include "topologies/describe_topology.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

#include "topologies/load_machine.hpp"
#include "topologies/machine_fields.hpp"

namespace linebounce {
namespace {

TEST(Describe, NoLineIsWiderThanAPageAndEveryParameterIsNamed) {
  for (const std::string& name : shipped_machines()) {
    const Machine machine = load_machine(name);
    const std::string text = describe(machine, Topology(machine));
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 100U) << line;
      EXPECT_TRUE(line.empty() || line.back() != ' ') << line;
    }
    EXPECT_EQ(text.back(), '\n');
    for (const MachineField& field : machine_fields()) {
      const bool has = machine.sockets > 1 || field.table != "qpi";
      EXPECT_EQ(text.find(std::string(field.table) + "." + std::string(field.key)) != std::string::npos, has) << name;
    }
  }
}

TEST(Describe, ItShowsTheRingThePlacementTheHopsAndTheWays) {
  const Machine machine = load_machine("westmere-ex-4s");
  const std::string text = describe(machine, Topology(machine));
  for (const char* part : {
           "4 sockets x 10 cores x 2 threads = 40 cores, 80 threads",
           "30 MiB each socket: 10 slices of 3 MiB, 24 ways, 2048 sets",
           "(home0 qpi1) - (core0 slice0) - (core1 slice1)",
           "(home1 qpi0 qpi2)",
           "    0   0  1  1  1\n    1   1  0  1  1\n",
           "slice to slice, 1 QPI hop",
           "clock.core_mhz                 2260 MHz            core clock\n",
       }) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\nin\n" << text;
  }
}

}  // namespace
}  // namespace linebounce

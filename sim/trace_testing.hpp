// SPDX-License-Identifier: Apache-2.0
// For tests: a recorded run in which everything occurs that a trace can show, and its tracks.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim/trace_tracks.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce::testing {

/// Four tasks that fight for a qspinlock, two on each of two sockets; the trace begins and ends in the middle.
class TraceTest : public ::testing::Test {
 protected:
  static constexpr Cycles kBegin{4000};
  static constexpr Cycles kEnd{8000};

  TraceTest() : tracks_(trace_tracks(run().recording)) {}

  static RecordedRun record(RecordingOptions options) {
    static const auto machine = std::make_shared<const Machine>(load_machine("westmere-ex-4s"));
    static const auto topology = std::make_shared<const Topology>(*machine);
    Experiment e;
    e.machine = machine.get();
    e.topology = topology.get();
    e.workload.kind = WorkloadKind::kLockLoop;
    e.workload.lock = "qspinlock";
    e.placement = {ThreadId{0}, ThreadId{1}, ThreadId{20}, ThreadId{22}};
    e.length = {.warmup = 5, .iterations = 30, .cycles = {0}};
    return record_run(e, machine, topology, options);
  }
  static const RecordedRun& run() {
    static const RecordedRun it = record({.begin = kBegin, .end = kEnd});
    return it;
  }

  static std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
  }
  static std::vector<std::string> fields_of(const std::string& line, char separator) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, separator);) fields.push_back(field);
    return fields;
  }

  TraceTracks tracks_;
};

}  // namespace linebounce::testing

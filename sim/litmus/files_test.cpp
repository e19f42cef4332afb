// SPDX-License-Identifier: Apache-2.0
// Every shipped test on simulated machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/litmus/parser.hpp"
#include "sim/litmus/placement.hpp"
#include "sim/litmus/runner.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce::litmus {
namespace {

std::vector<std::filesystem::path> shipped() {
  std::vector<std::filesystem::path> files;
  const auto folder = std::filesystem::path(LINEBOUNCE_SOURCE) / "examples" / "litmus";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == ".litmus") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ShippedLitmus : public ::testing::TestWithParam<std::filesystem::path> {};

TEST_P(ShippedLitmus, ShowsNoForbiddenStateAndEveryStateThatNeedsAStoreBuffer) {
  const Program program = load(GetParam());
  EXPECT_EQ(program.name, GetParam().stem().string());
  std::set<FinalState> seen;
  std::vector<Outcome> relaxed;
  for (const auto& [name, runs] : {std::pair{"westmere-ep-2s", 1000U}, std::pair{"ivybridge-ex-4s", 200U}}) {
    const Machine machine = load_machine(name);
    const Topology topology(machine);
    const Verdict verdict = run(program, machine, topology, {1, runs});
    EXPECT_TRUE(verdict.forbidden.empty()) << name;
    EXPECT_TRUE(verdict.passes(program.quantifier)) << name;
    EXPECT_EQ(verdict.positive + verdict.negative, runs);
    // What the file claims is what the model says.
    const bool forall = program.quantifier == Quantifier::kForall;
    EXPECT_EQ(verdict.required, forall);
    EXPECT_EQ(verdict.allowed, forall || program.quantifier == Quantifier::kExists);
    for (const Outcome& o : verdict.seen) seen.insert(o.values);
    for (const auto* list : {&verdict.seen, &verdict.never_seen}) {
      for (const Outcome& o : *list) {
        if (o.relaxed) relaxed.push_back(o);
      }
    }
  }
  for (const Outcome& o : relaxed) EXPECT_TRUE(seen.contains(o.values)) << o.text << " was never seen";
}

INSTANTIATE_TEST_SUITE_P(EachOne, ShippedLitmus, ::testing::ValuesIn(shipped()), [](const auto& file) {
  std::string name = file.param.stem().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
});

TEST(LitmusPlacements, AreDistinctHardwareThreadsOfTheMachine) {
  for (const std::string& name : shipped_machines()) {
    const Machine machine = load_machine(name);
    for (std::size_t threads = 1; threads <= kMostThreads; ++threads) {
      const std::vector<Placement> all = placements(machine, threads);
      const std::size_t one_socket = threads > static_cast<std::size_t>(machine.cores_per_socket) ? 0 : 1;
      const std::size_t siblings = machine.threads_per_core > 1 ? 2 : 0;
      const std::size_t sockets = machine.sockets == 1 ? 0 : machine.threads_per_core > 1 ? 2 : 1;
      EXPECT_EQ(all.size(), one_socket + siblings + sockets) << name << " " << threads;
      for (const Placement& placement : all) {
        const std::set<ThreadId> distinct(placement.threads.begin(), placement.threads.end());
        EXPECT_EQ(distinct.size(), threads) << placement.name;
        EXPECT_LT(distinct.rbegin()->value, static_cast<std::uint32_t>(machine.threads()));
      }
    }
  }
}

TEST(LitmusPlacements, AreWhatTheyAreCalled) {
  const Machine machine = load_machine("westmere-ep-2s");  // six cores a socket, two threads a core
  std::vector<std::vector<std::uint32_t>> threads;
  for (const Placement& p : placements(machine, 4)) {
    threads.emplace_back();
    for (const ThreadId t : p.threads) threads.back().push_back(t.value);
  }
  EXPECT_EQ(threads, (std::vector<std::vector<std::uint32_t>>{
                         {0, 2, 4, 6},    // one socket
                         {0, 12, 2, 14},  // sockets
                         {0, 1, 2, 3},    // siblings
                         {0, 2, 1, 3},    // crossed siblings
                         {0, 12, 1, 13},  // crossed siblings of sockets
                     }));
}

}  // namespace
}  // namespace linebounce::litmus

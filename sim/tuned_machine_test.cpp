// SPDX-License-Identifier: Apache-2.0
#include "sim/tuned_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "topologies/machine_fields.hpp"
#include "topologies/topology.hpp"

namespace linebounce {
namespace {

const TunedParameter& find(const std::vector<TunedParameter>& parameters, std::string_view name) {
  const auto found = std::ranges::find(parameters, name, &TunedParameter::name);
  if (found == parameters.end()) throw std::out_of_range(std::string(name));
  return *found;
}

bool has(const std::vector<TunedParameter>& parameters, std::string_view name) {
  return std::ranges::find(parameters, name, &TunedParameter::name) != parameters.end();
}

TEST(TunedMachine, HasEveryNumberButGeometry) {
  const std::vector<TunedParameter> all = tuned_parameters("westmere-ex-4s");
  for (const MachineField& field : machine_fields()) EXPECT_NE(has(all, field.name()), field.geometry) << field.name();
  EXPECT_FALSE(has(tuned_parameters("ivybridge-4c"), "qpi.crossing")) << "one socket has no links";
}

TEST(TunedMachine, HasOneNumberChangedInEachDirection) {
  const std::vector<TunedParameter> all = tuned_parameters("westmere-ex-4s");
  const TunedParameter& crossing = find(all, "qpi.crossing");
  EXPECT_DOUBLE_EQ(crossing.low->qpi_crossing.count, 12.6);
  EXPECT_DOUBLE_EQ(crossing.high->qpi_crossing.count, 15.4);
  EXPECT_EQ(crossing.value, "14");
  EXPECT_EQ(crossing.unit, "ns");
  EXPECT_EQ(crossing.origin, NumberOrigin::kGuess);
  EXPECT_EQ(crossing.note, "");
  const TunedParameter& pause = find(all, "core.pause");
  EXPECT_EQ(pause.low->core.pause, Cycles{8});
  EXPECT_EQ(pause.high->core.pause, Cycles{10});
  EXPECT_EQ(pause.low->qpi_crossing.count, 14);
}

TEST(TunedMachine, StartsFromTheOverrides) {
  const std::vector<TunedParameter> all = tuned_parameters("westmere-ex-4s", {{"core.pause", "140", "here"}});
  EXPECT_EQ(find(all, "core.pause").low->core.pause, Cycles{126});
  EXPECT_EQ(find(all, "core.pause").origin, NumberOrigin::kSet);
  EXPECT_EQ(find(all, "qpi.crossing").low->core.pause, Cycles{140});
}

TEST(TunedMachine, MakesOnlyTheStepThatIsLegal) {
  // A router may take up to twice an agent's port.
  const std::vector<MachineOverride> at_bounds = {{"interconnect.router", "8", "here"},
                                                  {"interconnect.agent_port", "4", "here"}};
  const std::vector<TunedParameter> all = tuned_parameters("westmere-ex-4s", at_bounds);
  const TunedParameter& router = find(all, "interconnect.router");
  EXPECT_EQ(router.low->router, UncoreCycles{7});
  EXPECT_EQ(router.high, nullptr);
  EXPECT_EQ(router.steps.high, 8);
  EXPECT_EQ(router.note, "9 is not legal: router = 9, expected at most twice agent_port, 8: the way over the ring");
  EXPECT_EQ(find(all, "interconnect.agent_port").low, nullptr);
  EXPECT_EQ(find(all, "core.issue").low, nullptr);
  const std::vector<std::string> notes = notes_of(all);
  EXPECT_NE(std::ranges::find(notes, "core.issue = 1: only more of it, as it cannot be less than 1"), notes.end());
  EXPECT_TRUE(std::ranges::any_of(notes, [](const std::string& n) {
    return n.starts_with("interconnect.router = 8: only less of it, as 9 is not legal");
  }));
}

TEST(TunedMachine, KnowsWhichNumbersItsTopologyDependsOn) {
  const auto same = [](const Topology& a, const Topology& b) {
    return std::ranges::equal(a.links(), b.links(), [](const Link& x, const Link& y) {
      return x.name == y.name && x.uncore == y.uncore && x.time.count == y.time.count;
    });
  };
  const Topology as_it_is(load_machine("westmere-ep-2s"));
  int different = 0;
  for (const TunedParameter& p : tuned_parameters("westmere-ep-2s")) {
    for (const std::shared_ptr<const Machine>& machine : {p.low, p.high}) {
      if (!machine || same(Topology(*machine), as_it_is)) continue;
      EXPECT_TRUE(p.in_topology) << p.name;
      ++different;
    }
  }
  EXPECT_GT(different, 0);
}

TEST(TunedMachine, ThatDoesNotExistIsAnError) { EXPECT_THROW(tuned_parameters("no-such-machine"), InputError); }

}  // namespace
}  // namespace linebounce

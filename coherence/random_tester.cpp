// SPDX-License-Identifier: Apache-2.0
#include "coherence/random_tester.hpp"

#include <exception>

#include "coherence/random_world.hpp"

namespace linebounce {

namespace {

Machine small_shape(RandomSequence& random) {
  Machine machine;
  machine.sockets = static_cast<int>(1 + random.below(4));
  machine.cores_per_socket = static_cast<int>(1 + random.below(6U / static_cast<std::uint32_t>(machine.sockets)));
  machine.threads_per_core = 2;
  machine.l3_slices_per_socket = machine.home_agents_per_socket = static_cast<int>(1 + random.below(2));
  return machine;
}

Machine machine_of(const RandomTest& test, RandomSequence& random) {
  Machine machine = test.machine != nullptr ? *test.machine : small_shape(random);
  const auto one_to = [&](std::uint32_t most) { return static_cast<int>(1 + random.below(most)); };
  machine.protocol = test.mode.protocol;
  machine.snoop = test.mode.snoop;
  machine.l1d = machine.l2 = {1, one_to(2)};
  machine.l3_slice = {1, one_to(3)};
  machine.core.fill_buffers = one_to(2);
  machine.home_trackers = one_to(3);
  machine.opportunistic_broadcast_below = static_cast<int>(random.below(3));
  return machine;
}

}  // namespace

RandomTestResult run_random_test(const RandomTest& test) {
  const auto [protocol, snoop] = test.mode;
  const ProtocolTables tables =
      test.inject != nullptr ? mutated(*test.inject, protocol, snoop) : tables_of(protocol, snoop);
  RandomTestResult result;
  for (std::uint64_t seed = test.seed; result.operations < test.operations && !result.failure; ++seed) {
    RandomSequence random(seed);
    const Machine machine = machine_of(test, random);
    RandomWorld world(machine, random.next(), tables);
    try {
      world.run(kOperationsOfASeed);
    } catch (const std::exception& violation) {
      result.failure = {seed, violation.what(), world.dump()};
    }
    result.operations += world.operations();
    result.messages += world.messages();
    result.rows += world.rows_fired();
  }
  return result;
}

}  // namespace linebounce

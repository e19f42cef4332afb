// SPDX-License-Identifier: Apache-2.0
// `linebounce protocol test`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "topologies/machine.hpp"

namespace CLI {
class App;
}

namespace linebounce {

struct RandomTestCommand {
  std::string machine;               ///< name or path, "small", or "" for all
  std::optional<Protocol> protocol;  ///< not the machine's own
  std::optional<SnoopMode> snoop;
  std::string inject;  ///< name of a fault, or "" for none
  std::uint64_t operations = 1'000'000;
  std::uint64_t seed = 1;
};

/// Adds the options that no other verb of `protocol` has.
void add_random_test_options(CLI::App& verb, RandomTestCommand& command);

/// Tests and prints. Throws CheckFailed when the protocol breaks a promise, InputError for a machine that is none.
void show_random_test(const RandomTestCommand& command);

}  // namespace linebounce

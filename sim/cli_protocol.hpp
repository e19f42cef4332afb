// SPDX-License-Identifier: Apache-2.0
// `linebounce protocol`: check, test, print.
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli_random_test.hpp"
#include "topologies/machine.hpp"

namespace CLI {
class App;
}

namespace linebounce {

struct ProtocolCommand {
  Protocol protocol = Protocol::kMesi;
  SnoopMode snoop = SnoopMode::kHome;
  std::uint32_t sockets = 2;
  std::uint32_t cores = 1;
  std::uint32_t lines = 1;
  std::uint64_t most_states = 100'000'000;
  std::string inject;  ///< name of a fault, "list", or "" for none
  std::string format = "markdown";
  std::string controller;  ///< "" for all
  RandomTestCommand test;
};

/// Adds the verb and its options to the command line.
void add_protocol_command(CLI::App& app, ProtocolCommand& command);

/// Does what was asked for. Throws CheckFailed when the protocol breaks a promise, LimitReached at the limit.
void run_protocol_command(const CLI::App& verb, const ProtocolCommand& command);

}  // namespace linebounce

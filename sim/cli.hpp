// SPDX-License-Identifier: Apache-2.0
// The command line. A project of one's own that registers a lock calls run_command_line from its own main and has every
// command with that lock in it.
#pragma once

namespace linebounce {

enum ExitCode : int {
  kExitOk = 0,
  kExitCheckFailed = 1,  ///< a check that was asked for failed
  kExitUsage = 2,        ///< the command line is wrong
  kExitInput = 3,        ///< a scenario or machine file is wrong
  kExitBrokenModel = 4,  ///< a simulated invariant broke: protocol, deadlock, livelock
  kExitLimit = 5,        ///< a run reached its limit
  kExitOutput = 6,       ///< input/output
  kExitInterrupted = 130
};

/// Does what the arguments say and returns the exit code; data goes to standard output, all else to standard error.
int run_command_line(int argc, char** argv);

}  // namespace linebounce

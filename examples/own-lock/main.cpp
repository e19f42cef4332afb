// SPDX-License-Identifier: Apache-2.0
// linebounce's command line with one lock more.
#include <cstdlib>

#include "proportional_ticket.hpp"
#include "sim/cli.hpp"
#include "sim/lock_registry.hpp"

int main(int argc, char** argv) {
  // This program lies outside the installation, so it says where the machines are.
  setenv("LINEBOUNCE_DATA", LINEBOUNCE_DATA, /*overwrite=*/0);
  // It queues by xadd, so every run also checks that it serves in the order of joining.
  linebounce::lock_registry().add<ProportionalTicket>({.queue_by_swap = true});
  return linebounce::run_command_line(argc, argv);
}

// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_commands.hpp"
namespace linebounce {
void show_demo(const DemoCommand&) {}
}  // namespace linebounce

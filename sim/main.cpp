// SPDX-License-Identifier: Apache-2.0
#include "sim/cli.hpp"

int main(int argc, char** argv) { return linebounce::run_command_line(argc, argv); }

// SPDX-License-Identifier: Apache-2.0
// What an interrupt (Ctrl-C, SIGTERM) must clean up before the process ends.
#pragma once

#include <sys/types.h>

#include <string>

namespace linebounce {

/// From now on SIGINT ends the process with code 130 and SIGTERM with 143, after removing unfinished files and ending
/// the worker processes, if there are any. A write to a closed pipe is an error, not a signal.
void handle_interrupts();
/// In a worker process: back to what the system does by default, and it ends when its parent does.
void follow_parent();

/// A file that an interrupt removes. The registry holds at most 4.
void add_unfinished_file(const std::string& path);
void remove_unfinished_file(const std::string& path);

/// A worker process that an interrupt ends too. The registry holds at most 1024.
void add_worker(pid_t worker);
void remove_worker(pid_t worker);

}  // namespace linebounce

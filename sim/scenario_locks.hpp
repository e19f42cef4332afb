// SPDX-License-Identifier: Apache-2.0
// The table of locks of a lock-mix in a scenario file:
//
//   [[workload.locks]]
//   name = "journal"
//   percent = 100           # of operations that take it; default 100
//   critical_section = 300  # cycles under it, beside the words; default 0
//   words = 4               # 8-byte words updated under it; default 1
#pragma once

#include <string>
#include <vector>

#include "sim/workloads/mixed_lock.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {

/// Throws InputError: no locks, two of one name, an unknown key, a value out of range, no name.
std::vector<MixedLock> mixed_locks_of(const TomlValue& value);

/// "journal 100 % 300 cycles 4 words"
std::string to_text(const MixedLock& lock);

}  // namespace linebounce

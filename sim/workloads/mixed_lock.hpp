// SPDX-License-Identifier: Apache-2.0
// One lock of a lock-mix, as a scenario states it.
#pragma once

#include <string>

#include "units/quantity.hpp"

namespace linebounce {

struct MixedLock {
  std::string name;            ///< of its line; its data is called NAME.data, its queue nodes NAME.node[cpuN]
  int percent = 100;           ///< of operations take it: by chance, drawn from (seed, task, lock, iteration)
  Cycles critical_section{0};  ///< work under it, beside the words
  int words = 1;               ///< contiguous 8-byte words updated under it, on lines of their own
  bool operator==(const MixedLock&) const = default;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The unit in which the simulator's own speed is stated: one SystemC timed notification and nothing else.
#pragma once

#include <cstdint>

namespace linebounce {

/// Runs one SC_METHOD that notifies itself one tick ahead, `count` times. No System may exist meanwhile.
void run_bare_notifications(std::uint64_t count);

}  // namespace linebounce

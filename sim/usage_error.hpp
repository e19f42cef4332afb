// SPDX-License-Identifier: Apache-2.0
// An argument that cannot be met, found when the command already runs.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "topologies/input_error.hpp"

namespace linebounce {

/// Exit code 2, not 3: what is wrong is on the command line, not in a file.
class UsageError : public InputError {
 public:
  using InputError::InputError;
};

/// "option: what was found, expected what".
[[noreturn]] inline void fail_usage(std::string_view option, std::string_view found, std::string_view expected) {
  throw UsageError(fmt::format("{}: {}, expected {}", option, found, expected));
}

}  // namespace linebounce

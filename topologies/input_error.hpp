// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace linebounce {

/// A user's file is wrong. what() is one line: "file:line:column: what was found, what was expected".
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace linebounce {

/// What the protocol must not do, in words.
class ProtocolViolation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace linebounce

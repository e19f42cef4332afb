// SPDX-License-Identifier: Apache-2.0
// Somebody who watches the messages and lines of a run. Watching changes nothing.
#pragma once

#include <string_view>

#include "coherence/message.hpp"
#include "units/address.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class TrafficObserver {
 public:
  virtual ~TrafficObserver() = default;
  /// A message has arrived at message.to. Messages come in the order of arrival.
  virtual void message_arrived(const Message& /*message*/, Cycles /*sent*/, Cycles /*arrived*/) {}
  /// A controller has a line in another state from `at` on; "I" when it has it no more.
  virtual void line_changed(AgentKind /*kind*/, std::uint32_t /*agent*/, LineAddress /*line*/,
                            std::string_view /*state*/, Cycles /*at*/) {}
};

}  // namespace linebounce

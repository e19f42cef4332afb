// SPDX-License-Identifier: Apache-2.0
// What a protocol controller needs from the world. The simulation gives it time and queues; an explorer or a test gives
// it a plain list.
#pragma once

#include "coherence/message.hpp"
#include "units/ids.hpp"

namespace linebounce {

/// Where a message's data comes from, which decides how long the sender needs before it can go out.
enum class DataFrom : std::uint8_t {
  kNowhere,  ///< no data, or data that just came in and is passed on
  kArray,    ///< read from the sender's data array
};

class Surroundings {
 public:
  virtual ~Surroundings() = default;
  /// Sends a message to message.to.
  virtual void send(const Message& message, DataFrom from) = 0;
  /// `message` had to wait at this controller, because of operation `cause`, and is dealt with now.
  virtual void waited(const Message& message, OpId cause) = 0;
  /// A home agent reads a line of DRAM on behalf of `request`; kMemData comes back to it.
  virtual void read_memory(const Message& request) = 0;
  /// The home agent needs that read no longer: its kMemData does not come.
  virtual void drop_read(const Message& request) = 0;
  /// A home agent writes a line of DRAM.
  virtual void write_memory(LineAddress line) = 0;
  /// A private cache gave up a line to make room for another.
  virtual void replaced(CoreId core, LineAddress line) = 0;
  /// An L3 slice has given up a line to make room for another, or has begun to.
  virtual void evicted(SliceId slice, LineAddress line) = 0;
  /// The model is broken: a message met a row marked impossible. Does not return.
  [[noreturn]] virtual void impossible(const Message& message, const char* state, const char* event,
                                       const char* why) = 0;
};

}  // namespace linebounce

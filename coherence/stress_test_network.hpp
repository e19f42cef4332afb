// SPDX-License-Identifier: Apache-2.0
// Messages in flight between the pure controllers, delivered in any order that the fabric may produce and no other:
// about one line, those of one slice to one core stay in order and those of one slice to one home agent do.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "coherence/surroundings.hpp"

namespace linebounce {

class StressNetwork final : public Surroundings {
 public:
  std::size_t size() const { return in_flight_.size(); }
  /// Takes a message out: the i-th, or the one that must arrive before it.
  Message take(std::size_t i);
  /// The latest messages taken, oldest first, one a line.
  std::string history() const;
  std::string in_flight() const;

  // Surroundings
  void send(const Message& message, DataFrom) override { in_flight_.push_back(message); }
  void waited(const Message&, OpId) override {}
  void read_memory(const Message& request) override;
  void drop_read(const Message& request) override;
  void write_memory(LineAddress) override {}
  void replaced(CoreId, LineAddress) override {}
  [[noreturn]] void impossible(const Message& message, const char* state, const char* event, const char* why) override;

 private:
  static constexpr std::size_t kRemembered = 40;
  std::vector<Message> in_flight_;  ///< in the order sent
  std::vector<Message> taken_;      ///< a ring of kRemembered
  std::size_t count_ = 0;
};

}  // namespace linebounce

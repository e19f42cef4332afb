// SPDX-License-Identifier: Apache-2.0
// Messages in flight between the pure controllers, delivered in any order that the fabric may produce and no other:
// about one line, those of one slice to one core stay in order and those of one slice to one home agent do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coherence/surroundings.hpp"

namespace linebounce {

class RandomNetwork final : public Surroundings {
 public:
  std::size_t size() const { return in_flight_.size(); }
  /// Takes a message out: the i-th, or the one that must arrive before it.
  const Message& take(std::size_t i);
  /// Taken since the beginning.
  std::uint64_t taken() const { return taken_; }
  /// The latest messages about the line that were taken, oldest first, one a line of text.
  std::string history(LineAddress line) const;
  /// Those about the line that are not yet taken.
  std::string in_flight(LineAddress line) const;

  // Surroundings
  void send(const Message& message, DataFrom) override { in_flight_.push_back(message); }
  void waited(const Message&, OpId) override {}
  void read_memory(const Message& request) override;
  void drop_read(const Message& request) override;
  void write_memory(LineAddress) override {}
  void replaced(CoreId, LineAddress) override {}
  void evicted(SliceId, LineAddress) override {}
  [[noreturn]] void impossible(const Message& message, const char* state, const char* event, const char* why) override;

 private:
  static constexpr std::size_t kRemembered = 256;
  std::vector<Message> in_flight_;                                   ///< in the order sent
  std::vector<Message> latest_ = std::vector<Message>(kRemembered);  ///< a ring of those taken
  std::uint64_t taken_ = 0;
};

/// A few digits that tell one content of a line from another, for people.
std::uint16_t digits_of(const LineData& data);

}  // namespace linebounce

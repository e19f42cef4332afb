// SPDX-License-Identifier: Apache-2.0
// Short notation for what goes into a controller and what comes out, so that a test reads like the protocol's textbook.
//   in:   KIND<FROM[@LINE][=DATA][rREQUESTER]   "SnpData<0r1": the home agent 0 snoops on behalf of slice 1
//   out:  KIND>TO[@LINE][=DATA], separated by blanks; "read" and "write" go to DRAM, "drop" calls a read off, "gone@LINE" is a replaced copy
// Line 0 is not written; data is the line's first word, written for kinds that carry data.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/surroundings.hpp"
#include "coherence/test_machine.hpp"

namespace linebounce {

/// One step of a story: what comes in, what goes out, and the line's state after that.
struct StoryStep {
  const char* in;
  const char* out;
  const char* state;
};

/// The number behind `mark`, or 0.
inline std::uint64_t number_after(std::string_view text, char mark) {
  const auto at = text.find(mark, text.find_first_of("<@") == std::string_view::npos ? 0 : text.find_first_of("<@"));
  return at == std::string_view::npos ? 0 : std::strtoull(std::string(text.substr(at + 1)).c_str(), nullptr, 10);
}

inline std::string line_mark(LineAddress line) {
  const auto n = line.value / test_line(1).value;
  return n == 0 ? "" : "@" + std::to_string(n);
}

/// Operations are numbered by the sender: the request of core 2 serves operation 102.
inline Message message_of(std::string_view text) {
  Message message;
  for (std::size_t k = 0; k < kMessageKinds; ++k) {
    if (kMessageTraits[k].name == text.substr(0, text.find('<'))) message.kind = static_cast<MessageKind>(k);
  }
  if (message.kind == MessageKind::kCount) throw std::invalid_argument("no message kind in " + std::string(text));
  message.from = static_cast<std::uint32_t>(number_after(text, '<'));
  message.line = test_line(number_after(text, '@'));
  message.data.words[0] = number_after(text, '=');
  message.requester = static_cast<std::uint32_t>(number_after(text, 'r'));
  message.op = OpId{100 + message.from};
  return message;
}

/// Writes down what a controller does.
class Recorder final : public Surroundings {
 public:
  /// What has come out since the last call.
  std::string take() {
    std::string all;
    all.swap(out_);
    return all;
  }
  /// The operations that messages have waited for.
  const std::vector<OpId>& causes() const { return causes_; }

  // Surroundings
  void send(const Message& message, DataFrom) override {
    std::string text = std::string(name_of(message.kind)) + '>' + std::to_string(message.to) + line_mark(message.line);
    if (traits(message.kind).data) text += "=" + std::to_string(message.data.words[0]);
    note(text);
  }
  void waited(const Message&, OpId cause) override { causes_.push_back(cause); }
  void read_memory(const Message& request) override { note("read" + line_mark(request.line)); }
  void drop_read(const Message& request) override { note("drop" + line_mark(request.line)); }
  void write_memory(LineAddress line) override { note("write" + line_mark(line)); }
  void evicted(SliceId, LineAddress) override {}
  void replaced(CoreId, LineAddress line) override { note("gone@" + std::to_string(line.value / test_line(1).value)); }
  [[noreturn]] void impossible(const Message&, const char* state, const char* event, const char*) override {
    throw std::logic_error(std::string(event) + " in " + state);
  }
  void note(const std::string& text) { out_ += (out_.empty() ? "" : " ") + text; }

 private:
  std::string out_;
  std::vector<OpId> causes_;
};

}  // namespace linebounce

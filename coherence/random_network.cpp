// SPDX-License-Identifier: Apache-2.0
#include "coherence/random_network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "coherence/protocol_violation.hpp"

namespace linebounce {

namespace {

std::string text(const Message& m) {
  constexpr std::array<std::string_view, 3> kAgents = {"core", "slice", "home"};
  const auto agent = [&](AgentKind kind) { return kAgents[static_cast<std::size_t>(kind)]; };
  std::string line = fmt::format("  {} from {} {} to {} {}, operation {}", name_of(m.kind), agent(traits(m.kind).from),
                                 m.from, agent(traits(m.kind).to), m.to, m.op.value);
  if (traits(m.kind).data) line += fmt::format(", data #{:04x}", digits_of(m.data));
  return line + '\n';
}

}  // namespace

std::uint16_t digits_of(const LineData& data) {
  std::uint64_t hash = 0;
  for (const std::uint64_t word : data.words) hash = (hash ^ word) * 0x9e3779b97f4a7c15U;
  return static_cast<std::uint16_t>(hash >> 48);
}

const Message& RandomNetwork::take(std::size_t i) {
  std::size_t first = i;
  if (stays_in_order(in_flight_[i].kind)) {
    first = 0;
    while (!must_follow(in_flight_[i], in_flight_[first])) ++first;
  }
  Message& message = latest_[taken_++ % kRemembered];
  message = in_flight_[first];
  in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(first));
  return message;
}

std::string RandomNetwork::history(LineAddress line) const {
  constexpr std::size_t kMost = 40;
  std::string all;
  std::size_t found = 0;
  for (std::uint64_t i = taken_; i > 0 && taken_ - i < kRemembered && found < kMost; --i) {
    const Message& message = latest_[(i - 1) % kRemembered];
    if (message.line != line) continue;
    ++found;
    all.insert(0, text(message));
  }
  return all;
}

std::string RandomNetwork::in_flight(LineAddress line) const {
  std::string all;
  for (const Message& message : in_flight_) {
    if (message.line == line) all += text(message);
  }
  return all;
}

void RandomNetwork::read_memory(const Message& request) {
  Message data;
  data.kind = MessageKind::kMemData;
  data.from = data.to = request.to;
  data.line = request.line;
  data.op = request.op;
  in_flight_.push_back(data);
}

void RandomNetwork::drop_read(const Message& request) {
  const auto read = std::ranges::find_if(
      in_flight_, [&](const Message& m) { return m.kind == MessageKind::kMemData && m.line == request.line; });
  if (read == in_flight_.end()) throw ProtocolViolation("a home agent drops a read of memory that is not under way");
  in_flight_.erase(read);
}

void RandomNetwork::impossible(const Message& message, const char* state, const char* event, const char* why) {
  throw ProtocolViolation(
      fmt::format("{} meets state {} as event {}, marked impossible: {}", name_of(message.kind), state, event, why));
}

}  // namespace linebounce

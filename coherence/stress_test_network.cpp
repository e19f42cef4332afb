// SPDX-License-Identifier: Apache-2.0
#include "coherence/stress_test_network.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace linebounce {

namespace {

/// From a slice to a core or to a home agent.
bool is_ordered(MessageKind kind) {
  return traits(kind).from == AgentKind::kSlice && traits(kind).to != AgentKind::kSlice;
}

bool same_channel(const Message& a, const Message& b) {
  return is_ordered(a.kind) && is_ordered(b.kind) && traits(a.kind).to == traits(b.kind).to && a.from == b.from &&
         a.to == b.to && a.line == b.line;
}

std::string text(const Message& message) {
  return fmt::format("  {} from {} to {} line {:x} requester {} op {} data {}\n", name_of(message.kind), message.from,
                     message.to, message.line.value, message.requester, message.op.value, message.data.words[0]);
}

}  // namespace

Message StressNetwork::take(std::size_t i) {
  std::size_t first = i;
  if (is_ordered(in_flight_[i].kind)) {
    first = 0;
    while (!same_channel(in_flight_[first], in_flight_[i])) ++first;
  }
  const Message message = in_flight_[first];
  in_flight_.erase(in_flight_.begin() + static_cast<std::ptrdiff_t>(first));
  if (taken_.size() < kRemembered) taken_.resize(kRemembered);
  taken_[count_++ % kRemembered] = message;
  return message;
}

std::string StressNetwork::history() const {
  std::string all;
  for (std::size_t i = count_ < kRemembered ? 0 : count_ - kRemembered; i < count_; ++i) {
    all += text(taken_[i % kRemembered]);
  }
  return all;
}

std::string StressNetwork::in_flight() const {
  std::string all;
  for (const Message& message : in_flight_) all += text(message);
  return all;
}

void StressNetwork::read_memory(const Message& request) {
  Message data;
  data.kind = MessageKind::kMemData;
  data.from = data.to = request.to;
  data.line = request.line;
  data.op = request.op;
  in_flight_.push_back(data);
}

void StressNetwork::drop_read(const Message& request) {
  const auto is_read = [&](const Message& m) { return m.kind == MessageKind::kMemData && m.line == request.line; };
  in_flight_.erase(std::ranges::find_if(in_flight_, is_read));
}

void StressNetwork::impossible(const Message& message, const char* state, const char* event, const char* why) {
  throw std::runtime_error(fmt::format("impossible: {} meets {}: {}\n{}", event, state, why, text(message)));
}

}  // namespace linebounce

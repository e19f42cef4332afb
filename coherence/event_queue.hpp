// SPDX-License-Identifier: Apache-2.0
// What is due when, in the one order that everything obeys: cycle, then step of the cycle, then actor, then the
// actor's own count. Nothing depends on the order in which events were put in.
#pragma once

#include <array>
#include <bit>
#include <compare>
#include <cstdint>
#include <queue>
#include <vector>

#include "units/quantity.hpp"

namespace linebounce {

/// The steps of one cycle, in the order in which they happen.
enum class Step : std::uint8_t {
  kWindow,   ///< the measured window opens or closes
  kRelease,  ///< LOCKed operations that have executed let their lines go
  kDeliver,  ///< messages arrive; the actor is the sender
  kDrain,    ///< store buffers write
  kIssue,    ///< guests' operations complete and issue; the actor is the hardware thread
};

struct Event {
  Cycles at;
  Step step = Step::kIssue;
  std::uint32_t actor = 0;
  std::uint32_t count = 0;    ///< the actor's own sequence number
  std::uint32_t payload = 0;  ///< what it means, the step decides

  friend constexpr auto operator<=>(const Event&, const Event&) = default;
};

/// A calendar of one bucket a cycle for the near future and a heap for the rest. Events are never put into the past;
/// one for the current cycle is allowed if it sorts behind the event last taken.
class EventQueue {
 public:
  void push(const Event& event) {
    ++size_;
    if (event.at.count - now_ < kSpan) {
      bucket_push(event);
    } else {
      far_.push(event);
    }
  }

  bool empty() const { return size_ == 0; }

  /// Cycle of the earliest event; the queue must not be empty. An earlier one may still be put in afterwards, so the
  /// present stays where it is.
  Cycles next() {
    if (size_ == far_.size()) return far_.top().at;
    refill();
    return Cycles{now_ + distance()};
  }

  /// Takes the earliest event; the queue must not be empty.
  Event pop() {
    now_ = next().count;
    refill();
    std::vector<Event>& bucket = buckets_[slot(now_)];
    // A bucket holds a handful of events: the smallest is found faster than an order is kept.
    std::size_t least = 0;
    for (std::size_t i = 1; i < bucket.size(); ++i) {
      if (bucket[i] < bucket[least]) least = i;
    }
    const Event event = bucket[least];
    bucket[least] = bucket.back();
    bucket.pop_back();
    if (bucket.empty()) clear_bit(slot(now_));
    --size_;
    return event;
  }

 private:
  static constexpr std::int64_t kSpan = 1024;
  static constexpr std::size_t slot(std::int64_t cycle) { return static_cast<std::size_t>(cycle) % kSpan; }

  void bucket_push(const Event& event) {
    const std::size_t s = slot(event.at.count);
    buckets_[s].push_back(event);
    bits_[s / 64] |= std::uint64_t{1} << (s % 64);
  }
  void clear_bit(std::size_t s) { bits_[s / 64] &= ~(std::uint64_t{1} << (s % 64)); }

  /// Brings events that have come near into the calendar.
  void refill() {
    while (!far_.empty() && far_.top().at.count - now_ < kSpan) {
      bucket_push(far_.top());
      far_.pop();
    }
  }

  /// Cycles from now_ to the first bucket with events.
  std::int64_t distance() const {
    const std::size_t start = slot(now_);
    std::uint64_t word = bits_[start / 64] >> (start % 64);
    if (word != 0) return std::countr_zero(word);
    std::int64_t passed = 64 - static_cast<std::int64_t>(start % 64);
    for (std::size_t i = start / 64 + 1;; ++i) {
      word = bits_[i % bits_.size()];
      if (word != 0) return passed + std::countr_zero(word);
      passed += 64;
    }
  }

  std::array<std::vector<Event>, kSpan> buckets_;
  std::array<std::uint64_t, kSpan / 64> bits_{};
  std::priority_queue<Event, std::vector<Event>, std::greater<>> far_;
  std::int64_t now_ = 0;
  std::size_t size_ = 0;
};

}  // namespace linebounce

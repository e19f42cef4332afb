// SPDX-License-Identifier: Apache-2.0
// Everything that decides how a small machine of controllers goes on, as plain values: the lines in every controller and
// the messages in flight. Times, counters and the names of operations are no part of it, and data is one bit: is it the
// last write's ("fresh") or older.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "coherence/home.hpp"
#include "coherence/message.hpp"
#include "coherence/protocol_tables.hpp"

namespace linebounce {

inline constexpr std::size_t kMostSockets = 4;
inline constexpr std::size_t kMostCores = 8;  ///< of all sockets
inline constexpr std::size_t kMostLines = 2;

/// Queues in a state have no more room.
class StateTooLarge : public std::runtime_error {
 public:
  StateTooLarge() : std::runtime_error("more messages at once than a state has room for") {}
};

/// A short vector inside its owner.
template <class T, std::size_t kRoom>
class Few {
 public:
  void push_back(const T& value) {
    if (size_ == kRoom) throw StateTooLarge();
    values_[size_++] = value;
  }
  void erase(std::size_t i) {
    for (--size_; i < size_; ++i) values_[i] = values_[i + 1];
  }
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }
  T* begin() { return values_.data(); }
  T* end() { return values_.data() + size_; }
  const T* begin() const { return values_.data(); }
  const T* end() const { return values_.data() + size_; }

 private:
  std::array<T, kRoom> values_{};
  std::uint8_t size_ = 0;
};

/// What of a message decides how things go on.
struct ShortMessage {
  MessageKind kind = MessageKind::kCount;
  std::uint8_t from = 0;
  std::uint8_t to = 0;
  std::uint8_t requester = 0;  ///< of snoops and their answers
  std::uint8_t line = 0;
  bool fresh = false;

  friend bool operator==(const ShortMessage&, const ShortMessage&) = default;
};

struct CoreState {
  struct Line {
    PrivateCacheProtocol::State state = PrivateCacheProtocol::State::kI;
    bool fresh = false;
  };
  static constexpr std::uint8_t kNoLine = kMostLines;

  std::array<Line, kMostLines> lines{};
  std::uint8_t held = kNoLine;  ///< line that a LOCKed operation holds
  Few<ShortMessage, 4> held_snoops;
};

struct SliceState {
  struct Line {
    SliceProtocol::State state = SliceProtocol::State::kI;
    bool fresh = false;
    bool dirty = false;
    bool have_cmp = false;
    bool answered = false;
    bool half = false;
    std::uint8_t awaited = 0;
    std::uint8_t cores = 0;  ///< core-valid bits
    ShortMessage request;
    ShortMessage snoop;
    Few<ShortMessage, 10> waiting;
  };
  std::array<Line, kMostLines> lines{};
  Few<ShortMessage, 8> wayless;
};

struct HomeState {
  static constexpr std::uint8_t kNobody = 7;
  struct Early {
    std::uint8_t requester = 0;
    std::uint8_t good = 0;      ///< sockets, a bit each
    std::uint8_t outdated = 0;  ///< sockets, a bit each
    bool shared = false;
  };
  struct Line {
    HomeProtocol::State state = HomeProtocol::State::kIdle;
    bool fresh = true;  ///< memory's copy
    bool reading = false;
    bool memory_here = false;
    bool shared = false;
    bool unasked = false;
    Home::Directory directory = Home::Directory::kNone;
    std::uint8_t forwarded_to = kNobody;
    std::uint8_t awaited = 0;
    ShortMessage request;
    Few<ShortMessage, 4> waiting;
    Few<Early, kMostSockets> early;
  };
  std::array<Line, kMostLines> lines{};
  Few<ShortMessage, 4> trackerless;
};

struct WorldState {
  std::array<CoreState, kMostCores> cores{};
  std::array<SliceState, kMostSockets> slices{};
  HomeState home;                ///< of socket 0, where all lines live
  Few<ShortMessage, 40> flight;  ///< in the order sent
};

constexpr bool names_requester(MessageKind kind) {
  return (kind >= MessageKind::kRspI && kind <= MessageKind::kSnpInvOwnLate) || kind == MessageKind::kPeerSnpData ||
         kind == MessageKind::kPeerSnpInvOwn;
}

}  // namespace linebounce

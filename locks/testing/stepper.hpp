// SPDX-License-Identifier: Apache-2.0
// Runs guests one memory operation at a time, in an order drawn from a seed: a schedule that repeats. With store buffers,
// a guest's stores become visible to the others later, in order, and each on its own (x86-TSO).
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "locks/cpu.hpp"
#include "locks/testing/fiber.hpp"
#include "locks/testing/test_memory.hpp"

namespace linebounce::testing {

enum class Stores : std::uint8_t { kAtOnce, kBuffered };

/// The guests did not end within the steps they were given.
class Stuck : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class SteppedCpu;

class Stepper {
 public:
  Stepper(TestMemory& memory, std::uint64_t seed, Stores stores) : memory_(memory), draw_(seed), stores_(stores) {}

  /// The guest's cpu number is the number of guests before it.
  void spawn(std::function<void(SteppedCpu&)> body);
  /// Until all guests have ended and all stores are visible.
  void run();
  /// Called after each locked operation that changed memory: (cpu number, address).
  void on_locked_change(std::function<void(std::uint32_t, Address)> hook) { hook_ = std::move(hook); }

 private:
  friend class SteppedCpu;
  struct Guest {
    std::unique_ptr<SteppedCpu> cpu;
    std::unique_ptr<Fiber> fiber;
  };
  static constexpr int kStepLimit = 100'000;

  bool everything_done() const;

  TestMemory& memory_;
  std::mt19937_64 draw_;
  Stores stores_;
  std::function<void(std::uint32_t, Address)> hook_;
  std::vector<Guest> guests_;
  bool giving_up_ = false;
};

class SteppedCpu {
 public:
  SteppedCpu(Stepper& stepper, std::uint32_t number) : stepper_(stepper), number_(number) {}

  template <Word T>
  T load(Address a) {
    step();
    // Only a store that covers the load whole can be forwarded; any other that touches it must become visible first.
    for (auto store = buffer_.rbegin(); store != buffer_.rend(); ++store) {
      if (!overlaps(*store, a, sizeof(T))) continue;
      if (store->address.value <= a.value && store->address.value + store->bytes >= a.value + sizeof(T)) {
        return static_cast<T>(store->value >> 8 * (a.value - store->address.value));
      }
      drain();
      break;
    }
    return get<T>(a);
  }
  template <Word T>
  void store(Address a, T value) {
    step();
    buffer_.push_back({a, sizeof(T), value});
    if (stepper_.stores_ == Stores::kAtOnce) drain();
  }
  template <Word T>
  T cmpxchg(Address a, T expected, T desired) {
    return locked<T>(a, [&](T found) { return found == expected ? desired : found; });
  }
  template <Word T>
  T xchg(Address a, T value) {
    return locked<T>(a, [&](T) { return value; });
  }
  template <Word T>
  T xadd(Address a, T increment) {
    return locked<T>(a, [&](T found) { return static_cast<T>(found + increment); });
  }
  template <Word T>
  bool bts(Address a, unsigned bit) {
    return (locked<T>(a, [&](T found) { return static_cast<T>(found | T{1} << bit); }) >> bit & 1U) != 0;
  }
  template <Word T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    for (;;) {
      const T value = load<T>(a);
      if (predicate(value)) return value;
    }
  }
  template <Word T, class Predicate>
  T spin_until(Address a, Predicate&& predicate) {
    return poll_until<T>(a, std::forward<Predicate>(predicate));
  }
  void pause() {}
  void mfence() {
    step();
    drain();
  }
  void compute(std::int64_t) {}
  void prefetchw(Address) {}
  Phase phase(Phase phase) { return std::exchange(phase_, phase); }
  std::uint32_t cpu_number() const { return number_; }

 private:
  friend class Stepper;
  struct BufferedStore {
    Address address;
    unsigned bytes;
    std::uint64_t value;
  };
  struct GiveUp {};

  static bool overlaps(const BufferedStore& store, Address a, unsigned bytes) {
    return store.address.value < a.value + bytes && a.value < store.address.value + store.bytes;
  }
  template <Word T>
  T get(Address a) const {
    return static_cast<T>(stepper_.memory_.peek(a, sizeof(T)));
  }
  template <Word T, class Change>
  T locked(Address a, Change change) {
    step();
    drain();
    const T found = get<T>(a);
    const T changed = change(found);
    stepper_.memory_.poke(a, sizeof(T), changed);
    if (changed != found && stepper_.hook_) stepper_.hook_(number_, a);
    return found;
  }
  /// Lets the schedule go on; returns when it is this guest's turn to do its next operation.
  void step() {
    if (fiber_ != nullptr) fiber_->leave();
    if (stepper_.giving_up_) throw GiveUp{};
  }
  void drain_one() {
    const BufferedStore store = buffer_.front();
    buffer_.pop_front();
    stepper_.memory_.poke(store.address, store.bytes, store.value);
  }
  void drain() {
    while (!buffer_.empty()) drain_one();
  }

  Stepper& stepper_;
  std::uint32_t number_;
  Fiber* fiber_ = nullptr;
  Phase phase_ = Phase::kNone;
  std::deque<BufferedStore> buffer_;
};
static_assert(Cpu<SteppedCpu>);

inline void Stepper::spawn(std::function<void(SteppedCpu&)> body) {
  auto cpu = std::make_unique<SteppedCpu>(*this, static_cast<std::uint32_t>(guests_.size()));
  auto fiber = std::make_unique<Fiber>([&guest = *cpu, body = std::move(body)] {
    try {
      body(guest);
    } catch (const SteppedCpu::GiveUp&) {
      // The run is over; the stack had to be unwound.
    }
  });
  cpu->fiber_ = fiber.get();
  guests_.push_back({std::move(cpu), std::move(fiber)});
}

inline bool Stepper::everything_done() const {
  for (const Guest& guest : guests_) {
    if (!guest.fiber->ended() || !guest.cpu->buffer_.empty()) return false;
  }
  return true;
}

inline void Stepper::run() {
  const auto give_up = [this] {
    giving_up_ = true;
    for (const Guest& guest : guests_) {
      if (!guest.fiber->ended()) guest.fiber->resume();
    }
  };
  for (int steps = 0; !everything_done(); ++steps) {
    if (steps == kStepLimit) {
      give_up();
      throw Stuck("the guests do not end");
    }
    // Half the actors are the guests, the other half their store buffers.
    const std::uint64_t actor = draw_() % (2 * guests_.size());
    const Guest& guest = guests_[actor / 2];
    if (actor % 2 == 0) {
      if (!guest.cpu->buffer_.empty()) guest.cpu->drain_one();
    } else if (!guest.fiber->ended()) {
      try {
        guest.fiber->resume();
      } catch (...) {
        give_up();
        throw;
      }
    }
  }
}

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
// A Cpu that writes down every operation, and lets a test act as all the others at chosen points.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "locks/cpu.hpp"
#include "locks/testing/test_memory.hpp"

namespace linebounce::testing {

class ScriptedCpu {
 public:
  ScriptedCpu(TestMemory& memory, std::uint32_t number) : memory_(memory), number_(number) {}

  /// Runs `action` just before the next operation of this kind ("load", "cmpxchg", "pause", …). Several are used up in order.
  void before(std::string kind, std::function<void()> action) {
    interferences_.push_back({std::move(kind), std::move(action)});
  }

  /// "phase: load32 lock = 0x1", one line an operation; reading them clears them.
  std::vector<std::string> take_log() { return std::exchange(log_, {}); }
  /// Locked operations so far.
  int locked() const { return locked_; }

  template <Word T>
  T load(Address a) {
    interfere("load");
    const T value = get<T>(a);
    write(operation<T>("load", a) + " = " + memory_.describe(value));
    return value;
  }
  template <Word T>
  void store(Address a, T value) {
    interfere("store");
    memory_.poke(a, sizeof(T), value);
    write(operation<T>("store", a) + " <- " + memory_.describe(value));
  }
  template <Word T>
  T cmpxchg(Address a, T expected, T desired) {
    interfere("cmpxchg");
    const T found = get<T>(a);
    if (found == expected) memory_.poke(a, sizeof(T), desired);
    write_locked(operation<T>("cmpxchg", a) + " " + memory_.describe(expected) + " -> " + memory_.describe(desired),
                 found);
    return found;
  }
  template <Word T>
  T xchg(Address a, T value) {
    interfere("xchg");
    const T found = get<T>(a);
    memory_.poke(a, sizeof(T), value);
    write_locked(operation<T>("xchg", a) + " <- " + memory_.describe(value), found);
    return found;
  }
  template <Word T>
  T xadd(Address a, T increment) {
    interfere("xadd");
    const T found = get<T>(a);
    memory_.poke(a, sizeof(T), static_cast<T>(found + increment));
    write_locked(operation<T>("xadd", a) + " += " + memory_.describe(increment), found);
    return found;
  }
  template <Word T>
  bool bts(Address a, unsigned bit) {
    interfere("bts");
    const T found = get<T>(a);
    memory_.poke(a, sizeof(T), static_cast<T>(found | T{1} << bit));
    write_locked(operation<T>("bts", a) + " " + std::to_string(bit), found);
    return (found >> bit & 1U) != 0;
  }
  template <Word T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    for (;;) {
      const T value = load<T>(a);
      if (predicate(value)) return value;
      pause();
    }
  }
  template <Word T, class Predicate>
  T spin_until(Address a, Predicate&& predicate) {
    for (;;) {
      const T value = load<T>(a);
      if (predicate(value)) return value;
      check_length();
    }
  }
  void pause() {
    interfere("pause");
    write("pause");
    check_length();
  }
  void mfence() { write("mfence"); }
  void compute(std::int64_t cycles) { write("compute " + std::to_string(cycles)); }
  void prefetchw(Address a) { write("prefetchw " + memory_.describe(a.value)); }
  Phase phase(Phase phase) { return std::exchange(phase_, phase); }
  std::uint32_t cpu_number() const { return number_; }

 private:
  struct Interference {
    std::string kind;
    std::function<void()> action;
  };
  static constexpr std::size_t kTooMany = 1000;

  template <Word T>
  T get(Address a) const {
    return static_cast<T>(memory_.peek(a, sizeof(T)));
  }
  template <Word T>
  std::string operation(const char* kind, Address a) const {
    return kind + std::to_string(8 * sizeof(T)) + " " + memory_.describe(a.value);
  }
  void interfere(const std::string& kind) {
    if (interferences_.empty() || interferences_.front().kind != kind) return;
    const auto action = std::move(interferences_.front().action);
    interferences_.pop_front();
    action();
  }
  void check_length() const {
    if (log_.size() > kTooMany) throw std::runtime_error("the scripted cpu would spin for ever");
  }
  void write(const std::string& line) { log_.push_back(std::string{name_of(phase_)} + ": " + line); }
  void write_locked(const std::string& line, std::uint64_t found) {
    ++locked_;
    write(line + " found " + memory_.describe(found));
  }

  TestMemory& memory_;
  std::uint32_t number_;
  Phase phase_ = Phase::kNone;
  int locked_ = 0;
  std::vector<std::string> log_;
  std::deque<Interference> interferences_;
};
static_assert(Cpu<ScriptedCpu>);

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
// Sets a controller to a state and reads its state off, for the explorer. The controllers befriend this one class.
#pragma once

#include "coherence/explorer_state.hpp"
#include "coherence/home.hpp"
#include "coherence/private_cache.hpp"
#include "coherence/slice.hpp"

namespace linebounce {

class ControllerAccess {
 public:
  explicit ControllerAccess(std::uint32_t lines) : lines_(lines) {}

  /// The n-th line: all fall into one set of every cache and live at home agent 0.
  static LineAddress address(std::uint32_t n) { return {n * std::uint64_t{640}}; }
  static std::uint8_t number(LineAddress line) { return static_cast<std::uint8_t>(line.value / 640); }
  static Message lengthen(const ShortMessage& message);
  static ShortMessage shorten(const Message& message);

  void load(PrivateCache& cache, const CoreState& state) const;
  void load(Slice& slice, const SliceState& state) const;
  void load(Home& home, const HomeState& state) const;
  void save(const PrivateCache& cache, CoreState& state) const;
  void save(const Slice& slice, SliceState& state) const;
  void save(const Home& home, HomeState& state) const;

  /// Whether the home agent's next request finds so few in progress that it need not wait for the directory.
  static void set_opportune(Home& home, bool opportune);
  /// Whether the home agent, when a request has all it needs, waits for settle() to complete it.
  static void set_patient(Home& home, bool patient);
  /// Completes the home agent's request for a line; false if it has not got all that it needs.
  static bool settle(Home& home, std::uint32_t line);
  /// Makes a cache give up a settled line.
  static void replace(PrivateCache& cache, std::uint32_t line);
  /// Makes a slice give up a settled line.
  static void evict(Slice& slice, std::uint32_t line);

 private:
  std::uint32_t lines_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A coherence protocol as data: rows of (states, events, guard) → (actions, next state, why). One table drives a
// controller; that every pair of state and event has exactly one answer is checked by the compiler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

#include "coherence/enum_set.hpp"

namespace linebounce {

/// What a row does with the event.
enum class Verdict : std::uint8_t {
  kGo,          ///< perform the actions, go to the next state
  kStall,       ///< keep the message until the line's state changes
  kImpossible,  ///< cannot happen; if it does, the model is broken
};

/// One row. `Protocol` names the enumerations State, Event, Guard and Action; State::kCount as next means "stay".
template <class Protocol>
struct Row {
  using State = typename Protocol::State;
  using Event = typename Protocol::Event;
  using Guard = typename Protocol::Guard;
  using Action = typename Protocol::Action;
  static constexpr std::size_t kMostActions = 4;

  Set<State> states;
  Set<Event> events;
  Guard guard;
  Verdict verdict;
  std::array<Action, kMostActions> actions;  ///< ends at the first Action::kNone
  State next;
  const char* why;

  static constexpr std::array<Action, kMostActions> list(std::initializer_list<Action> actions) {
    std::array<Action, kMostActions> all{};
    std::size_t i = 0;
    for (const Action a : actions) all[i++] = a;
    return all;
  }
  static constexpr Row go(Set<State> states, Set<Event> events, std::initializer_list<Action> actions, State next,
                          const char* why) {
    return {states, events, Guard::kAlways, Verdict::kGo, list(actions), next, why};
  }
  static constexpr Row go_if(Guard guard, Set<State> states, Set<Event> events, std::initializer_list<Action> actions,
                             State next, const char* why) {
    return {states, events, guard, Verdict::kGo, list(actions), next, why};
  }
  static constexpr Row stall(Set<State> states, Set<Event> events, const char* why, Guard guard = Guard::kAlways) {
    return {states, events, guard, Verdict::kStall, {}, State::kCount, why};
  }
  static constexpr Row never(Set<State> states, Set<Event> events, const char* why) {
    return {states, events, Guard::kAlways, Verdict::kImpossible, {}, State::kCount, why};
  }
};

/// The rows and, for every pair of state and event, which rows answer it in which order.
template <class Protocol, std::size_t kRows>
struct ProtocolTable {
  using State = typename Protocol::State;
  using Event = typename Protocol::Event;
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::kCount);
  static constexpr std::size_t kEvents = static_cast<std::size_t>(Event::kCount);
  static constexpr std::size_t kMostAnswers = 4;

  std::array<Row<Protocol>, kRows> rows;
  std::array<std::array<std::array<std::uint16_t, kMostAnswers>, kEvents>, kStates> answers{};

  /// Index of the first row of the pair whose guard holds.
  template <class Holds>
  constexpr std::size_t find(State state, Event event, Holds&& holds) const {
    const auto& candidates = answers[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
    std::size_t i = 0;
    while (rows[candidates[i]].guard != Protocol::Guard::kAlways && !holds(rows[candidates[i]].guard)) ++i;
    return candidates[i];
  }
};

/// Checks and indexes the rows: a pair without an answer, an unreachable row behind an unguarded one, or a pair whose
/// last row has a guard is a compile-time error.
template <class Protocol, std::size_t kRows>
consteval auto make_table(const Row<Protocol> (&rows)[kRows]) {
  using Table = ProtocolTable<Protocol, kRows>;
  Table table{std::to_array(rows), {}};
  for (std::size_t s = 0; s < Table::kStates; ++s) {
    for (std::size_t e = 0; e < Table::kEvents; ++e) {
      std::size_t found = 0;
      bool complete = false;
      for (std::size_t i = 0; i < kRows; ++i) {
        if (!rows[i].states.has(static_cast<typename Protocol::State>(s))) continue;
        if (!rows[i].events.has(static_cast<typename Protocol::Event>(e))) continue;
        if (complete) throw "a row stands behind an unguarded row of the same state and event";
        if (found == Table::kMostAnswers) throw "too many guarded rows for one state and event";
        table.answers[s][e][found++] = static_cast<std::uint16_t>(i);
        complete = rows[i].guard == Protocol::Guard::kAlways;
      }
      if (!complete) throw "a state has no unguarded answer to an event";
    }
  }
  return table;
}

}  // namespace linebounce

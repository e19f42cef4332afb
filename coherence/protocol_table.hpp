// SPDX-License-Identifier: Apache-2.0
// A coherence protocol as data: rows of (states, events, guard) → (actions, next state, why). One table drives a
// controller; that every pair of state and event has exactly one answer is checked by the compiler.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "coherence/enum_set.hpp"

namespace linebounce {

/// What a row does with the event.
enum class Verdict : std::uint8_t {
  kGo,          ///< perform the actions, go to the next state
  kStall,       ///< keep the message until the line's state changes
  kImpossible,  ///< cannot happen; if it does, the model is broken
};

/// One row. `Rules` names the enumerations State, Event, Guard and Action; State::kCount as next means "stay".
template <class Rules>
struct Row {
  using State = typename Rules::State;
  using Event = typename Rules::Event;
  using Guard = typename Rules::Guard;
  using Action = typename Rules::Action;
  static constexpr std::size_t kMostActions = 4;

  Set<State> states;
  Set<Event> events;
  Guard guard = Guard::kAlways;
  Verdict verdict = Verdict::kImpossible;
  std::array<Action, kMostActions> actions{};  ///< ends at the first Action::kNone
  State next = State::kCount;
  const char* why = "";

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
template <class Rules>
struct ProtocolTable {
  using State = typename Rules::State;
  using Event = typename Rules::Event;
  static constexpr std::size_t kStates = static_cast<std::size_t>(State::kCount);
  static constexpr std::size_t kEvents = static_cast<std::size_t>(Event::kCount);
  static constexpr std::size_t kMostRows = 128;
  static constexpr std::size_t kMostAnswers = 5;

  std::array<Row<Rules>, kMostRows> room{};
  std::size_t size = 0;
  std::array<std::array<std::array<std::uint8_t, kMostAnswers>, kEvents>, kStates> answers{};

  constexpr std::span<const Row<Rules>> rows() const { return {room.data(), size}; }

  /// Index of the first row of the pair whose guard holds.
  template <class Holds>
  constexpr std::size_t find(State state, Event event, Holds&& holds) const {
    const auto& candidates = answers[static_cast<std::size_t>(state)][static_cast<std::size_t>(event)];
    std::size_t i = 0;
    while (room[candidates[i]].guard != Rules::Guard::kAlways && !holds(room[candidates[i]].guard)) ++i;
    return candidates[i];
  }
};

/// One table from several lists of rows, checked and indexed: a pair without an answer, an unreachable row behind an
/// unguarded one, or a pair whose last row has a guard is a compile-time error.
template <class Rules, std::size_t... kRows>
consteval auto make_table(const Row<Rules> (&... lists)[kRows]) {
  using Table = ProtocolTable<Rules>;
  static_assert((kRows + ...) <= Table::kMostRows);
  Table table;
  ((std::copy(lists, lists + kRows, table.room.data() + table.size), table.size += kRows), ...);
  for (std::size_t s = 0; s < Table::kStates; ++s) {
    for (std::size_t e = 0; e < Table::kEvents; ++e) {
      std::size_t found = 0;
      bool complete = false;
      for (std::size_t i = 0; i < table.size; ++i) {
        const Row<Rules>& row = table.room[i];
        if (!row.states.has(static_cast<typename Rules::State>(s))) continue;
        if (!row.events.has(static_cast<typename Rules::Event>(e))) continue;
        if (complete) throw "a row stands behind an unguarded row of the same state and event";
        if (found == Table::kMostAnswers) throw "too many guarded rows for one state and event";
        table.answers[s][e][found++] = static_cast<std::uint8_t>(i);
        complete = row.guard == Rules::Guard::kAlways;
      }
      if (!complete) throw "a state has no unguarded answer to an event";
    }
  }
  return table;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What the compiler checks about a table of rows. A table that it must refuse is written down as an expression that must
// not be constant: a requires-expression turns the compile-time error into a value.
#include "coherence/protocol_table.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>
#include <type_traits>

#include "coherence/message.hpp"
#include "coherence/protocol_tables.hpp"

namespace linebounce {
namespace {

/// A door: two states, two events.
struct Door {
  enum class State : std::uint8_t { kOpen, kShut, kCount };
  enum class Event : std::uint8_t { kPush, kPull, kCount };
  enum class Guard : std::uint8_t { kAlways, kLocked };
  enum class Action : std::uint8_t { kNone, kCreak };
};
using R = Row<Door>;
using S = Door::State;
using E = Door::Event;
using G = Door::Guard;
using A = Door::Action;

constexpr R kSound[] = {
    R::go_if(G::kLocked, S::kShut, E::kPush, {}, S::kShut, "it does not move"),
    R::go(S::kShut, E::kPush, {A::kCreak}, S::kOpen, "it opens"),
    R::stall(S::kShut, E::kPull, "it opens the other way"),
    R::never(S::kOpen, {E::kPush, E::kPull}, "nobody is there"),
};
constexpr auto kDoor = make_table<Door>(kSound);

constexpr auto kLocked = [](G guard) { return guard == G::kLocked; };
constexpr auto kUnlocked = [](G) { return false; };

static_assert(kDoor.find(S::kShut, E::kPush, kLocked) == 0);
static_assert(kDoor.find(S::kShut, E::kPush, kUnlocked) == 1);
static_assert(kDoor.find(S::kShut, E::kPull, kLocked) == 2);
static_assert(kDoor.find(S::kOpen, E::kPush, kLocked) == 3);
static_assert(kDoor.find(S::kOpen, E::kPull, kUnlocked) == 3);
static_assert(kDoor.room[1].actions[0] == A::kCreak && kDoor.room[1].actions[1] == A::kNone);
static_assert(kDoor.room[2].verdict == Verdict::kStall && kDoor.room[2].next == S::kCount);

/// Rows as a type, so that whether a table can be made of them is a question to the compiler.
template <auto... rows>
struct Rows {
  static constexpr R kRows[] = {rows()...};
};
template <class T>
concept MakesATable = requires {
  typename std::integral_constant<std::size_t, make_table<Door>(T::kRows).size>;
};

constexpr auto kOpenAny = [] { return R::never(S::kOpen, {E::kPush, E::kPull}, ""); };
constexpr auto kShutPull = [] { return R::stall(S::kShut, E::kPull, ""); };
constexpr auto kShutPush = [] { return R::go(S::kShut, E::kPush, {}, S::kOpen, ""); };
constexpr auto kShutPushLocked = [] { return R::go_if(G::kLocked, S::kShut, E::kPush, {}, S::kShut, ""); };

static_assert(MakesATable<Rows<kOpenAny, kShutPull, kShutPush>>);
static_assert(MakesATable<Rows<kShutPushLocked, kShutPush, kShutPull, kOpenAny>>);
static_assert(!MakesATable<Rows<kOpenAny, kShutPull>>, "a pair without an answer");
static_assert(!MakesATable<Rows<kOpenAny, kShutPull, kShutPushLocked>>, "a pair whose only answer has a guard");
static_assert(!MakesATable<Rows<kOpenAny, kShutPull, kShutPush, kShutPushLocked>>, "a row behind an unguarded one");
static_assert(!MakesATable<Rows<kOpenAny, kShutPull, kShutPush, kShutPush>>, "two answers to one pair");
static_assert(!MakesATable<Rows<kOpenAny, kShutPull, kShutPushLocked, kShutPushLocked, kShutPushLocked, kShutPushLocked,
                                kShutPushLocked, kShutPush>>,
              "more guarded rows than a pair has room for");

static_assert(Set<E>{E::kPush}.has(E::kPush) && !Set<E>{E::kPush}.has(E::kPull));
static_assert(Set<E>{E::kPush, E::kPull}.has(E::kPull));

constexpr R kOpenRows[] = {kOpenAny()};
constexpr R kShutRows[] = {kShutPull(), kShutPush()};
static_assert(make_table<Door>(kOpenRows, kShutRows).size == 3, "lists of rows make one table");

/// What is true of every protocol's table.
template <class Rules>
void expect_sound(const ProtocolTable<Rules>& table) {
  for (const auto& row : table.rows()) {
    EXPECT_FALSE(std::string_view(row.why).empty());
    EXPECT_NE(row.states.bits, 0U) << row.why;
    EXPECT_NE(row.events.bits, 0U) << row.why;
    EXPECT_EQ(row.states.bits >> Rules::kStateNames.size(), 0U) << row.why;
    EXPECT_EQ(row.events.bits >> Rules::kEventNames.size(), 0U) << row.why;
    EXPECT_LT(static_cast<std::size_t>(row.guard), Rules::kGuardNames.size());
    for (const auto action : row.actions) EXPECT_LT(static_cast<std::size_t>(action), Rules::kActionNames.size());
  }
  const auto expect_distinct = [](const auto& names) {
    EXPECT_EQ(std::set<std::string_view>(names.begin(), names.end()).size(), names.size());
  };
  expect_distinct(Rules::kStateNames);
  expect_distinct(Rules::kEventNames);
  expect_distinct(Rules::kGuardNames);
  expect_distinct(Rules::kActionNames);
}

TEST(ProtocolTables, EveryRowSaysWhyAndNamesOnlyWhatExists) {
  for (const auto [protocol, snoop] : kCoherenceModes) {
    const ProtocolTables& tables = tables_of(protocol, snoop);
    expect_sound(tables.cache);
    expect_sound(tables.slice);
    expect_sound(tables.home);
  }
}

static_assert(PrivateCacheProtocol::kStateNames.size() ==
              static_cast<std::size_t>(PrivateCacheProtocol::State::kCount));
static_assert(PrivateCacheProtocol::kEventNames.size() ==
              static_cast<std::size_t>(PrivateCacheProtocol::Event::kCount));
static_assert(SliceProtocol::kStateNames.size() == static_cast<std::size_t>(SliceProtocol::State::kCount));
static_assert(SliceProtocol::kEventNames.size() == static_cast<std::size_t>(SliceProtocol::Event::kCount));
static_assert(SliceProtocol::kActionNames.size() == static_cast<std::size_t>(SliceProtocol::Action::kCount));
static_assert(HomeProtocol::kStateNames.size() == static_cast<std::size_t>(HomeProtocol::State::kCount));
static_assert(HomeProtocol::kEventNames.size() == static_cast<std::size_t>(HomeProtocol::Event::kCount));

TEST(Messages, EveryKindHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (const MessageTraits& kind : kMessageTraits) names.insert(kind.name);
  EXPECT_EQ(names.size(), kMessageKinds);
}

}  // namespace
}  // namespace linebounce

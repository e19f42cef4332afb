// SPDX-License-Identifier: Apache-2.0
// Pins what the list's operations do to memory in each state of the code, and what they return.
#include "locks/llist.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "locks/testing/scripted_cpu.hpp"
#include "locks/testing/test_memory.hpp"

namespace linebounce {
namespace {

using Log = std::vector<std::string>;
using testing::ScriptedCpu;
using testing::TestMemory;

template <LlistState S>
struct ListScript {
  TestMemory memory;
  Llist<S> list{memory, "list", 0};
  Address a = memory.allocate("a", 8, 0);
  Address b = memory.allocate("b", 8, 0);
  Address c = memory.allocate("c", 8, 0);
  ScriptedCpu cpu{memory, 0};

  void set_head(Address node) { memory.poke(list.head(), 8, node.value); }
};

/// Adds `b` to a list that holds `a`; `c` gets in between the first load and the first cmpxchg.
template <LlistState S>
Log contended_add() {
  ListScript<S> s;
  s.set_head(s.a);
  s.cpu.before("cmpxchg", [&] { s.set_head(s.c); });
  EXPECT_FALSE(s.list.add(s.cpu, s.b));
  return s.cpu.take_log();
}

TEST(LlistAdd, S0PausesBeforeEveryCmpxchg) {
  EXPECT_EQ(contended_add<LlistState::kS0>(), (Log{
                                                  "retry_loop: load64 list = a",
                                                  "retry_loop: store64 b <- a",
                                                  "retry_loop: pause",
                                                  "retry_loop: cmpxchg64 list a -> b found c",
                                                  "retry_loop: store64 b <- c",
                                                  "retry_loop: pause",
                                                  "retry_loop: cmpxchg64 list c -> b found c",
                                              }));
}

TEST(LlistAdd, S1PausesAfterAFailedCmpxchgOnly) {
  EXPECT_EQ(contended_add<LlistState::kS1>(), (Log{
                                                  "retry_loop: load64 list = a",
                                                  "retry_loop: store64 b <- a",
                                                  "retry_loop: cmpxchg64 list a -> b found c",
                                                  "retry_loop: pause",
                                                  "retry_loop: store64 b <- c",
                                                  "retry_loop: cmpxchg64 list c -> b found c",
                                              }));
}

TEST(LlistAdd, S2NeverPauses) {
  EXPECT_EQ(contended_add<LlistState::kS2>(), (Log{
                                                  "retry_loop: load64 list = a",
                                                  "retry_loop: store64 b <- a",
                                                  "retry_loop: cmpxchg64 list a -> b found c",
                                                  "retry_loop: store64 b <- c",
                                                  "retry_loop: cmpxchg64 list c -> b found c",
                                              }));
}

TEST(LlistAdd, S3ReadsTheHeadAnew) {
  EXPECT_EQ(contended_add<LlistState::kS3>(), (Log{
                                                  "retry_loop: load64 list = a",
                                                  "retry_loop: store64 b <- a",
                                                  "retry_loop: cmpxchg64 list a -> b found c",
                                                  "retry_loop: load64 list = c",
                                                  "retry_loop: store64 b <- c",
                                                  "retry_loop: cmpxchg64 list c -> b found c",
                                              }));
}

/// Takes the first of a -> b; `c` is added between the first load and the first cmpxchg.
template <LlistState S>
Log contended_del_first() {
  ListScript<S> s;
  s.set_head(s.a);
  s.memory.poke(s.a, 8, s.b.value);
  s.memory.poke(s.c, 8, s.a.value);
  s.cpu.before("cmpxchg", [&] { s.set_head(s.c); });
  EXPECT_EQ(s.list.del_first(s.cpu), s.c);
  EXPECT_EQ(s.memory.peek(s.list.head(), 8), s.a.value);
  return s.cpu.take_log();
}

TEST(LlistDelFirst, S0PausesBeforeEveryCmpxchg) {
  EXPECT_EQ(contended_del_first<LlistState::kS0>(), (Log{
                                                        "consume: load64 list = a",
                                                        "consume: load64 a = b",
                                                        "consume: pause",
                                                        "consume: cmpxchg64 list a -> b found c",
                                                        "consume: load64 c = a",
                                                        "consume: pause",
                                                        "consume: cmpxchg64 list c -> a found c",
                                                    }));
}

TEST(LlistDelFirst, S1PausesAfterAFailedCmpxchgOnly) {
  EXPECT_EQ(contended_del_first<LlistState::kS1>(), (Log{
                                                        "consume: load64 list = a",
                                                        "consume: load64 a = b",
                                                        "consume: cmpxchg64 list a -> b found c",
                                                        "consume: pause",
                                                        "consume: load64 c = a",
                                                        "consume: cmpxchg64 list c -> a found c",
                                                    }));
}

TEST(LlistDelFirst, S2AndS3UseWhatTheFailedCmpxchgReturned) {
  const Log expected{
      "consume: load64 list = a",
      "consume: load64 a = b",
      "consume: cmpxchg64 list a -> b found c",
      "consume: load64 c = a",
      "consume: cmpxchg64 list c -> a found c",
  };
  EXPECT_EQ(contended_del_first<LlistState::kS2>(), expected);
  EXPECT_EQ(contended_del_first<LlistState::kS3>(), expected);
}

template <class S>
class EveryLlist : public ::testing::Test {};
template <LlistState S>
struct State {
  static constexpr LlistState kValue = S;
};
using States =
    ::testing::Types<State<LlistState::kS0>, State<LlistState::kS1>, State<LlistState::kS2>, State<LlistState::kS3>>;
TYPED_TEST_SUITE(EveryLlist, States);

TYPED_TEST(EveryLlist, AddTellsWhetherTheListWasEmpty) {
  ListScript<TypeParam::kValue> s;
  EXPECT_TRUE(s.list.add(s.cpu, s.a));
  EXPECT_FALSE(s.list.add(s.cpu, s.b));
  EXPECT_EQ(s.cpu.locked(), 2);
}

TYPED_TEST(EveryLlist, DelAllIsOneXchgAndGivesNewestFirst) {
  ListScript<TypeParam::kValue> s;
  s.list.add(s.cpu, s.a);
  s.list.add(s.cpu, s.b);
  s.cpu.take_log();
  EXPECT_EQ(s.list.del_all(s.cpu), s.b);
  EXPECT_EQ(s.cpu.take_log(), (Log{"consume: xchg64 list <- 0x0 found b"}));
  EXPECT_EQ(s.list.next(s.cpu, s.b), s.a);
  EXPECT_EQ(s.list.next(s.cpu, s.a), Address{});
  EXPECT_EQ(s.list.del_all(s.cpu), Address{});
}

TYPED_TEST(EveryLlist, DelFirstOfAnEmptyListIsOneLoad) {
  ListScript<TypeParam::kValue> s;
  EXPECT_EQ(s.list.del_first(s.cpu), Address{});
  EXPECT_EQ(s.cpu.take_log(), (Log{"consume: load64 list = 0x0"}));
}

TYPED_TEST(EveryLlist, AddBatchPutsAChainInFrontAtOnce) {
  ListScript<TypeParam::kValue> s;
  s.list.add(s.cpu, s.a);
  s.memory.poke(s.c, 8, s.b.value);
  EXPECT_FALSE(s.list.add_batch(s.cpu, s.c, s.b));
  EXPECT_EQ(s.list.del_first(s.cpu), s.c);
  EXPECT_EQ(s.list.del_first(s.cpu), s.b);
  EXPECT_EQ(s.list.del_first(s.cpu), s.a);
}

TYPED_TEST(EveryLlist, EmptyIsOneLoad) {
  ListScript<TypeParam::kValue> s;
  EXPECT_TRUE(s.list.empty(s.cpu));
  s.list.add(s.cpu, s.a);
  EXPECT_FALSE(s.list.empty(s.cpu));
  EXPECT_EQ(s.cpu.take_log().back(), "none: load64 list = a");
}

TYPED_TEST(EveryLlist, ReverseOrderTurnsAChainAroundInPlace) {
  ListScript<TypeParam::kValue> s;
  for (const Address node : {s.a, s.b, s.c}) s.list.add(s.cpu, node);
  Address chain = s.list.del_all(s.cpu);
  s.cpu.take_log();
  chain = s.list.reverse_order(s.cpu, chain);
  EXPECT_EQ(s.cpu.take_log(), (Log{
                                  "consume: load64 c = b",
                                  "consume: store64 c <- 0x0",
                                  "consume: load64 b = a",
                                  "consume: store64 b <- c",
                                  "consume: load64 a = 0x0",
                                  "consume: store64 a <- b",
                              }));
  EXPECT_EQ(chain, s.a);
  EXPECT_EQ(s.list.reverse_order(s.cpu, Address{}), Address{});
}

}  // namespace
}  // namespace linebounce

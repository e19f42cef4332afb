// SPDX-License-Identifier: Apache-2.0
#include "coherence/event_queue.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "coherence/random_sequence.hpp"

namespace linebounce {
namespace {

std::vector<Event> all_of(EventQueue& queue) {
  std::vector<Event> all;
  while (!queue.empty()) {
    EXPECT_EQ(queue.next(), queue.next());
    const Cycles at = queue.next();
    all.push_back(queue.pop());
    EXPECT_EQ(all.back().at, at);
  }
  return all;
}

TEST(EventQueue, EventsComeByCycleThenStepThenActorThenCountWhateverTheOrderTheyWereMadeIn) {
  const std::vector<Event> ordered = {
      {Cycles{3}, Step::kIssue, 9, 9},   {Cycles{5}, Step::kWindow, 9, 9},  {Cycles{5}, Step::kRelease, 4, 1},
      {Cycles{5}, Step::kDeliver, 2, 7}, {Cycles{5}, Step::kDeliver, 3, 1}, {Cycles{5}, Step::kDeliver, 3, 2},
      {Cycles{5}, Step::kIssue, 0, 0},   {Cycles{6}, Step::kWindow, 0, 0},
  };
  for (std::size_t first = 0; first < ordered.size(); ++first) {
    EventQueue queue;
    for (std::size_t i = 0; i < ordered.size(); ++i) queue.push(ordered[(first + 5 * i) % ordered.size()]);
    EXPECT_EQ(all_of(queue), ordered);
  }
}

TEST(EventQueue, AnEventOfTheCurrentCycleMayBeAddedBehindTheOneLastTaken) {
  EventQueue queue;
  queue.push({Cycles{5}, Step::kDeliver, 1, 1});
  queue.push({Cycles{5}, Step::kIssue, 1, 1});
  queue.pop();
  queue.push({Cycles{5}, Step::kDrain, 1, 1});
  EXPECT_EQ(queue.pop().step, Step::kDrain);
  EXPECT_EQ(queue.pop().step, Step::kIssue);
}

TEST(EventQueue, FarEventsComeInTheirTurn) {
  EventQueue queue;
  for (const std::int64_t at : {1'000'000, 4'096, 4'095, 0, 4'097, 8'192, 999'999}) queue.push({Cycles{at}});
  std::vector<std::int64_t> cycles;
  for (const Event& event : all_of(queue)) cycles.push_back(event.at.count);
  EXPECT_EQ(cycles, (std::vector<std::int64_t>{0, 4'095, 4'096, 4'097, 8'192, 999'999, 1'000'000}));
}

TEST(EventQueue, AFarEventThatHasComeNearIsNotOvertakenByALaterOne) {
  EventQueue queue;
  queue.push({Cycles{4'000}});
  queue.push({Cycles{5'000}});
  queue.pop();
  queue.push({Cycles{6'000}});
  EXPECT_EQ(queue.next(), Cycles{5'000});
}

TEST(EventQueue, LookingAtAFarEventDoesNotBringItsTimeForward) {
  EventQueue queue;
  queue.push({Cycles{10'000}});
  EXPECT_EQ(queue.next(), Cycles{10'000});
  queue.push({Cycles{50}});
  EXPECT_EQ(queue.next(), Cycles{50});
  EXPECT_EQ(queue.pop().at, Cycles{50});
  EXPECT_EQ(queue.pop().at, Cycles{10'000});
}

TEST(EventQueue, RandomEventsComeInOrder) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomSequence random(seed);
    EventQueue queue;
    std::set<Event> model;
    Cycles now;
    for (std::uint32_t i = 0; i < 2'000; ++i) {
      if (!model.empty() && random.below(2) == 0) {
        if (random.below(2) == 0) {
          ASSERT_EQ(queue.next(), model.begin()->at);
        }
        const Event event = queue.pop();
        ASSERT_EQ(event, *model.begin()) << "seed " << seed;
        model.erase(model.begin());
        now = event.at;
      } else {
        const std::uint32_t span = random.below(3) == 0 ? 20'000 : 30;
        const Event event{now + Cycles{1 + static_cast<std::int64_t>(random.below(span))},
                          static_cast<Step>(random.below(5)), random.below(4), i, i};
        queue.push(event);
        model.insert(event);
      }
      ASSERT_EQ(queue.empty(), model.empty());
    }
  }
}

}  // namespace
}  // namespace linebounce

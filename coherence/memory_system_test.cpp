// SPDX-License-Identifier: Apache-2.0
// The whole memory system with its time: an operation's ledger is its latency, and a busy machine returns what was
// written last.
#include "coherence/memory_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "coherence/random_sequence.hpp"
#include "coherence/test_machine.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

/// An operation's number says whose it is.
CoreId core_of(const Machine&, OpId op) { return {static_cast<std::uint32_t>(op.value % 1000)}; }

/// Cores that ask for one line each and act at once when it is there.
class Bench final : public CacheListener {
 public:
  explicit Bench(Machine machine) : machine_(std::move(machine)), wishes_(static_cast<std::size_t>(machine_.cores())) {
    memory_.set_listener(*this);
  }

  /// The core asks at `at`, which must not be before anything that has happened.
  void ask(std::uint32_t core, bool own, LineAddress line, Cycles at) {
    const OpId op{++ops_ * 1000 + core};
    wishes_[core] = Wish{own, line, op, ledger_.open(op, at), false};
    memory_.set_now(at);
    serve(core, at, {});
  }
  bool busy(std::uint32_t core) const { return wishes_[core].has_value(); }
  void step() {
    const Event event = queue_.pop();
    now_ = event.at;
    memory_.deliver(event);
  }
  /// Runs until nothing is under way; returns how long the last operation took.
  Cycles settle() {
    while (!queue_.empty()) step();
    EXPECT_EQ(memory_.dump(), "");
    return latency_;
  }
  /// One operation on an idle machine.
  Cycles measure(std::uint32_t core, bool own, LineAddress line) {
    ask(core, own, line, now_ + Cycles{10'000});
    return settle();
  }
  std::optional<Cycles> next() { return queue_.empty() ? std::nullopt : std::optional<Cycles>(queue_.next()); }

  void cache_changed(CoreId core, LineAddress, OpId by) override {
    if (busy(core.value)) serve(core.value, now_, by);
  }
  void line_replaced(CoreId, LineAddress) override {}

  const MemorySystem& memory() const { return memory_; }
  PrivateCache::State state(std::uint32_t core, LineAddress line) { return memory_.cache(CoreId{core}).state(line); }
  Cycles now() const { return now_; }
  const std::vector<Segment>& last_story() const { return story_; }
  std::uint64_t served() const { return served_; }

 private:
  struct Wish {
    bool own;
    LineAddress line;
    OpId op;
    std::uint32_t ledger;
    bool waited;  ///< the request could not be sent at once
  };

  void serve(std::uint32_t core, Cycles now, OpId by) {
    Wish& wish = *wishes_[core];
    PrivateCache& cache = memory_.cache(CoreId{core});
    const auto answer =
        cache.ask(wish.own ? PrivateCache::Event::kOwn : PrivateCache::Event::kLoad, wish.line, wish.op, wish.ledger);
    if (answer == PrivateCache::Answer::kSent && by) ledger_.charge(wish.ledger, Category::kFillBuffer, now, by);
    if (answer == PrivateCache::Answer::kWait) wish.waited = true;
    if (answer != PrivateCache::Answer::kHit) return;
    LineData& data = cache.data(wish.line);
    std::uint64_t& golden = golden_[wish.line];
    EXPECT_EQ(data.words[0], golden) << "core " << core << " at " << now.count;
    if (wish.own) data.words[0] = ++golden;
    // Its own request's fill serves it: the ledger has explained every cycle by then, and none beyond.
    if (wish.waited) ledger_.charge(wish.ledger, Category::kFillBuffer, now, by);
    EXPECT_EQ(ledger_.charged_until(wish.ledger), now) << "core " << core << " operation " << wish.op.value;
    story_ = ledger_.segments(wish.ledger);
    Cycles from = ledger_.begin(wish.ledger);
    latency_ = now - from;
    for (const Segment& segment : story_) {
      EXPECT_GT(segment.until, from);
      from = segment.until;
    }
    ledger_.close(wish.ledger);
    wishes_[core].reset();
    ++served_;
  }

  Machine machine_;
  Topology topology_{machine_};
  EventQueue queue_;
  Ledger ledger_;
  MemorySystem memory_{machine_, topology_, queue_, ledger_, core_of};
  std::vector<std::optional<Wish>> wishes_;
  std::map<LineAddress, std::uint64_t> golden_;
  std::vector<Segment> story_;
  Cycles now_;
  Cycles latency_;
  std::uint64_t ops_ = 0;
  std::uint64_t served_ = 0;
};

bool has(const std::vector<Segment>& story, Category category) {
  return std::any_of(story.begin(), story.end(), [&](const Segment& s) { return s.category == category; });
}

constexpr const char* kMachines[] = {"ivybridge-ex-4s", "westmere-ep-2s", "westmere-ex-4s", "westmere-ex-8s"};

TEST(MemorySystem, ASingleOperationsLedgerSumsToItsLatencyWhereverTheLineIs) {
  for (const char* name : kMachines) {
    const Machine machine = load_machine(name);
    const auto other = static_cast<std::uint32_t>(machine.cores_per_socket);
    for (const std::uint32_t holder : {1U, other, other * 2 - 1}) {
      for (const bool held_own : {false, true}) {
        for (const bool own : {false, true}) {
          Bench bench(machine);
          for (const std::uint64_t home : {0U, 1U}) {
            bench.measure(holder, held_own, test_line(1, home));  // serve() checks the sum
            bench.measure(0, own, test_line(1, home));
          }
          EXPECT_EQ(bench.served(), 4U);
        }
      }
    }
  }
}

TEST(MemorySystem, ALatencyIsTheSameEveryTimeOnAnIdleMachine) {
  Bench bench(load_machine("westmere-ex-4s"));
  const LineAddress line = test_line(1);
  bench.measure(0, true, line);
  bench.measure(20, true, line);
  const Cycles there = bench.measure(0, true, line);
  const Cycles back = bench.measure(20, true, line);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(bench.measure(0, true, line), there);
    EXPECT_EQ(bench.measure(20, true, line), back);
  }
}

TEST(MemorySystem, FartherIsSlower) {
  Bench bench(load_machine("westmere-ex-8s"));
  const auto modified_by = [&](std::uint32_t owner) {
    static std::uint64_t lines = 0;
    const LineAddress line = test_line(++lines);
    bench.measure(owner, true, line);
    return bench.measure(0, true, line);
  };
  const Cycles same_socket = modified_by(1);
  const Cycles other_socket = modified_by(10);
  EXPECT_LT(same_socket, other_socket);
  EXPECT_EQ(bench.memory().counters().ownership_transfers[0], 1U);
}

TEST(MemorySystem, TheStoryNamesWhereTheTimeWent) {
  Bench bench(load_machine("westmere-ep-2s"));
  bench.measure(0, false, test_line(1, 1));
  EXPECT_TRUE(has(bench.last_story(), Category::kDram));
  EXPECT_TRUE(has(bench.last_story(), Category::kQpi));
  bench.measure(1, false, test_line(1, 1));
  EXPECT_TRUE(has(bench.last_story(), Category::kSnoop));
  EXPECT_FALSE(has(bench.last_story(), Category::kDram));
  EXPECT_FALSE(has(bench.last_story(), Category::kQpi));
}

TEST(MemorySystem, WhoWaitsForABusyLineKnowsForWhom) {
  Bench bench(load_machine("westmere-ep-2s"));
  bench.ask(0, true, test_line(1), {100});
  bench.ask(1, true, test_line(1), {100});
  bench.settle();
  Cycles waited;
  for (const Segment& segment : bench.last_story()) {
    if (segment.category == Category::kSliceQueue && segment.cause) waited = segment.until;
  }
  EXPECT_GT(waited, Cycles{100});
}

TEST(MemorySystem, WhoNeedsALineAgainWaitsForTheEndOfItsSocketsLastTransactionAndKnowsWhose) {
  Machine machine = load_machine("westmere-ex-8s");
  machine.qpi_crossing = Nanoseconds{100};  // the sockets two hops away answer long after the owner
  Bench bench(machine);
  const LineAddress line = test_line(1, 1);
  bench.measure(10, true, line);
  bench.ask(0, true, line, bench.now() + Cycles{1000});
  const OpId granted{2000};
  while (bench.busy(0)) bench.step();
  bench.ask(10, true, line, bench.now());
  while (bench.state(0, line) != PrivateCache::State::kI) bench.step();
  const Cycles asked = bench.now();
  bench.ask(1, true, line, asked);
  while (bench.busy(1)) bench.step();
  Cycles waited;
  Cycles from = asked;
  for (const Segment& segment : bench.last_story()) {
    if (segment.category == Category::kSliceQueue && segment.cause == granted) waited += segment.until - from;
    from = segment.until;
  }
  EXPECT_GT(waited, Cycles{100});
  bench.settle();
  EXPECT_EQ(bench.served(), 4U);
}

/// Random wishes of all cores on few lines, with caches so small that evictions and write-backs never cease.
std::uint64_t busy_machine(const char* name, std::uint64_t seed, std::uint32_t operations) {
  Machine machine = load_machine(name);
  machine.l2 = machine.l1d = {1, 2};
  machine.l3_slice = {1, 3};
  machine.home_trackers = 2;
  const auto cores = static_cast<std::uint32_t>(machine.cores());
  const auto sockets = static_cast<std::uint32_t>(machine.sockets);
  Bench bench(machine);
  RandomSequence random(seed);
  Cycles now{1};
  for (std::uint32_t issued = 0; issued < operations;) {
    const std::uint32_t core = random.below(cores);
    if (!bench.busy(core)) {
      bench.ask(core, random.below(2) == 0, test_line(random.below(12), random.below(sockets)), now);
      ++issued;
    }
    now += Cycles{static_cast<std::int64_t>(random.below(40))};
    while (bench.next() && *bench.next() <= now) bench.step();
  }
  bench.settle();
  EXPECT_EQ(bench.served(), operations);
  return bench.memory().digest();
}

TEST(MemorySystem, ABusyMachineReturnsWhatWasWrittenLastAndExplainsEveryCycle) {
  for (const char* name : kMachines) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      EXPECT_EQ(busy_machine(name, seed, 400), busy_machine(name, seed, 400)) << name << " seed " << seed;
      if (testing::Test::HasFailure()) return;
    }
  }
}

TEST(MemorySystem, AnImpossibleMessageEndsTheRunWithADump) {
  const Machine machine = load_machine("westmere-ep-2s");
  const Topology topology(machine);
  EventQueue queue;
  Ledger ledger;
  MemorySystem memory(machine, topology, queue, ledger, core_of);
  Message grant;
  grant.kind = MessageKind::kGrant;
  memory.send(grant, DataFrom::kNowhere);
  try {
    memory.deliver(queue.pop());
    FAIL();
  } catch (const ProtocolError& error) {
    EXPECT_NE(std::string(error.what()).find("Grant"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("nothing was asked for"), std::string::npos);
  }
}

}  // namespace
}  // namespace linebounce

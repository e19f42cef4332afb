// SPDX-License-Identifier: Apache-2.0
// Random guest programs that always end, whose every read can be explained afterwards.
//
// They work on words of five kinds, packed into few lines so that they share them:
//   counter  everybody adds with XADD: sums are exact, readers see it grow
//   flag     one task stores growing values, others read and poll: readers see it grow
//   journal  every write is a value of its own: what comes after what shows in the reads
//   soup     any operation of any width
//   mutex    a test-and-set lock and the data under it
// A task polls only for what others do at an earlier step of theirs, so nobody waits for ever.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpus/testing/chance.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce::testing {

enum class GuestStep : std::uint8_t {
  kXadd,
  kReadCounter,
  kPollCounter,
  kSetFlag,
  kReadFlag,
  kPollFlag,
  kJournalStore,
  kJournalXchg,
  kJournalCmpxchg,
  kJournalRead,
  kSoupLoad,
  kSoupStore,
  kSoupXchg,
  kSoupCmpxchg,
  kSoupXadd,
  kSoupBts,
  kCriticalSection,
  kPause,
  kCompute,
  kFence,
  kPrefetchw,
  kCount
};

struct GuestAction {
  GuestStep step = GuestStep::kPause;
  std::uint32_t word = 0;    ///< index of the word among those of its kind
  std::uint32_t offset = 0;  ///< soup: byte in the word
  unsigned bytes = 8;
  std::uint64_t operand = 0;  ///< value, increment, threshold, cycles, bit
  bool relaxed = true;        ///< spins with PAUSE
  Phase phase = Phase::kNone;
};

/// One program for several tasks.
class RandomGuest {
 public:
  /// A program for `tasks` tasks. Often the shared lines lie so that they fall into one set of a small cache.
  RandomGuest(std::uint64_t seed, std::size_t tasks);

  /// Adds the tasks, one a thread.
  void plan(Plan& plan, const std::vector<ThreadId>& threads) const;
  /// What of a run's reads and final values cannot be; empty if all can.
  std::string unexplained(const RunRecord& record) const;

 private:
  static constexpr std::uint32_t kCounters = 3;
  static constexpr std::uint32_t kJournals = 3;
  static constexpr std::uint32_t kSoups = 4;

  struct Layout {
    Address base;
    const RandomGuest& guest;
    Address slot(std::uint32_t index) const;
    Address counter(std::uint32_t i) const { return slot(i); }
    Address journal(std::uint32_t i) const { return slot(kCounters + i); }
    Address soup(std::uint32_t i) const { return slot(kCounters + kJournals + i); }
    Address lock() const { return slot(kCounters + kJournals + kSoups); }
    Address guarded() const { return slot(kCounters + kJournals + kSoups + 1); }
    Address arrived() const { return slot(kCounters + kJournals + kSoups + 2); }
    Address flag(std::uint32_t task) const { return slot(kCounters + kJournals + kSoups + 3 + task); }
  };
  std::uint32_t slots() const {
    return kCounters + kJournals + kSoups + 3 + static_cast<std::uint32_t>(programs_.size());
  }

  GuestAction action(Chance& chance, std::uint32_t task, std::uint32_t step) const;
  std::uint64_t act(SimCpu& cpu, const Layout& at, const GuestAction& action,
                    std::vector<std::uint64_t>& journal_seen) const;
  static std::uint64_t soup(SimCpu& cpu, Address a, const GuestAction& action);
  std::string odd_reads(const RunRecord& record) const;
  std::string odd_journals(const RunRecord& record) const;
  std::string odd_finals(const RunRecord& record) const;

  std::vector<std::vector<GuestAction>> programs_;
  std::vector<std::uint32_t> weights_;
  std::vector<std::uint32_t> slot_lines_;  ///< line of each slot
  std::vector<std::uint32_t> slot_words_;  ///< 8-byte word in the line
  std::uint32_t lines_ = 1;
  std::uint32_t stride_ = 1;
  bool views_end_ = false;  ///< a barrier, then everybody reads everything
  std::uint64_t guarded_ = 0;
};

/// Hardware threads for the tasks: siblings, one socket, many sockets or a mixture.
std::vector<ThreadId> random_placement(const Machine& machine, Chance& chance, std::size_t tasks);
/// A shipped machine, most often with caches of a few lines.
Machine random_machine(Chance& chance);

}  // namespace linebounce::testing

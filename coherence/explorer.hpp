// SPDX-License-Identifier: Apache-2.0
// Goes breadth-first through every state that the real controllers can reach with the messages between them delivered in
// any order that the fabric allows, evictions whenever they are possible, and LOCKed operations of any length.
//
// Checked in every state: one writer or many readers; whatever can be read is the last write; the L3 is inclusive; a
// core-valid bit and the directory never miss a holder; there is one forwarder at most; a held line stays. Checked in every step: no message meets a row marked
// impossible. Checked over all states: some step can end what is open (nothing is stuck), and whatever the order in
// which open transactions go on, they come to an end (no cycle of deliveries: no livelock).
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "coherence/explorer_world.hpp"
#include "coherence/mutation.hpp"

namespace linebounce {

struct ExplorerOptions {
  ExplorerShape shape;
  Protocol protocol = Protocol::kMesi;
  SnoopMode snoop = SnoopMode::kHome;
  const Mutation* inject = nullptr;         ///< a fault to put into the tables
  std::uint64_t most_states = 100'000'000;  ///< fewer than 2^32
  bool reduce = true;                       ///< leave out orders of steps that lead to the same states as others
  bool liveness = true;                     ///< 4 bytes for every delivery that is possible in any state
  /// Told after every step outward how many states have been found, and how deep.
  std::function<void(std::uint64_t states, std::uint32_t depth)> progress = [](std::uint64_t, std::uint32_t) {};
};

struct ExplorerResult {
  enum class Verdict : std::uint8_t { kProven, kViolated, kLimit };
  Verdict verdict = Verdict::kProven;
  std::uint64_t states = 0;   ///< explored, up to the names of cores and sockets
  std::uint64_t steps = 0;    ///< from state to state
  std::uint32_t depth = 0;    ///< steps to the farthest state
  std::size_t renamings = 1;  ///< states that count as one, at most
  double collision_odds = 0;  ///< that any two states had one hash, so that one of them was missed
  std::string violation;
  std::vector<std::string> path;  ///< the shortest way to the violation, a step an element
  RowsFired rows;
};

/// Throws std::invalid_argument for a shape that is too large.
ExplorerResult explore(const ExplorerOptions& options);

}  // namespace linebounce

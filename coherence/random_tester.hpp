// SPDX-License-Identifier: Apache-2.0
// Tests the protocol at random: loads, stores and LOCKed operations of all widths on a few lines that everybody wants, in
// caches so small that evictions never cease, with the messages in flight delivered in any order that the fabric allows.
// An oracle checks every value that is read and, after every step, who may hold what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "coherence/mutation.hpp"
#include "coherence/rows_fired.hpp"

namespace linebounce {

/// One seed draws a machine and at least so many operations on it; then the next seed does.
inline constexpr std::uint64_t kOperationsOfASeed = 1000;

struct RandomTest {
  /// Whose sockets, cores, threads, slices and home agents it is; caches, fill buffers and trackers are few, drawn from
  /// the seed. nullptr: the shape is drawn as well, one to four sockets with up to six cores.
  const Machine* machine = nullptr;
  CoherenceMode mode{};
  const Mutation* inject = nullptr;  ///< a fault to put into the tables
  std::uint64_t seed = 1;            ///< the first of them
  std::uint64_t operations = 1'000'000;
};

struct RandomTestResult {
  struct Failure {
    std::uint64_t seed = 0;
    std::string what;
    std::string dump;  ///< who holds what, and the last messages of the line
  };
  std::uint64_t operations = 0;  ///< served
  std::uint64_t messages = 0;
  RowsFired rows;
  std::optional<Failure> failure;  ///< where it ended early
};

/// The same test gives the same result.
RandomTestResult run_random_test(const RandomTest& test);

}  // namespace linebounce

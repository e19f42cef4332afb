// SPDX-License-Identifier: Apache-2.0
// The results of a scenario: for every point the metrics over its seeds and the exact sums that they come from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/results_metrics.hpp"
#include "sim/scenario_parameters.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

inline constexpr std::string_view kRunSchema = "linebounce.run/1";

using Parameters = std::vector<std::pair<std::string, Value>>;

/// What one seed gave, for pairing and for comparing runs.
struct Replica {
  std::uint64_t seed = 0;
  std::uint64_t operations = 0;
  Cycles window;
  std::uint64_t digest = 0;
};

/// One point of a sweep. Everything but the summaries is an exact integer sum over the seeds.
struct PointResult {
  Parameters params;  ///< every key that was set; those that vary come first
  std::string machine;
  std::int64_t core_mhz = 0;
  Protocol protocol = Protocol::kMesi;
  SnoopMode snoop = SnoopMode::kHome;
  std::vector<Replica> replicas;             ///< by seed
  std::vector<std::vector<double>> samples;  ///< by metric, then by seed
  std::vector<Summary> summaries;            ///< by metric
  std::vector<ThreadId> placement;           ///< by task
  std::vector<Account> task_accounts;        ///< by task
  Account account;                           ///< of all tasks
  std::array<std::uint64_t, kMessageKinds> messages{};
  std::vector<std::pair<std::string, std::int64_t>> link_bytes;  ///< links that carried anything, by name
  RowsFired rows;                                                ///< of the tables of `protocol` and `snoop`

  const Summary& summary(std::string_view metric) const { return summaries[metric_index(metric)]; }
  std::span<const double> sample(std::string_view metric) const { return samples[metric_index(metric)]; }
  std::uint64_t operations() const;
  /// nullptr if the point has no such parameter.
  const Value* param(std::string_view key) const;
  /// True if every given parameter is set to that text (as to_text writes it).
  bool matches(std::span<const std::pair<std::string_view, std::string_view>> wanted) const;
};

struct Results {
  std::string scenario;  ///< name of the scenario file, without folder and ending
  std::string title;
  std::string question;
  std::string machine;
  std::uint64_t seed = 0;           ///< the base seed
  std::vector<std::string> varied;  ///< keys that differ between points, in file order
  std::vector<PointResult> points;
};

/// Every key that some point has, those of the first point first.
std::vector<std::string> parameter_keys(const Results& results);

/// A point before it has run, as far as its results repeat it.
struct PointHeader {
  Parameters params;
  const Machine& machine;
  const Topology& topology;
  std::vector<ThreadId> placement;
};

/// Sums up the replicas of one point; `runs[i]` is that of `seeds[i]`. Throws BrokenModel if a task's account does not
/// sum to its window.
PointResult summarise_point(const PointHeader& point, std::span<const std::uint64_t> seeds,
                            std::span<const RunResult> runs);

}  // namespace linebounce

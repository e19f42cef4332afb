// SPDX-License-Identifier: Apache-2.0
// Two runs that differ in one thing, compared segment by segment: the differences sum to the difference of the totals.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/explanation.hpp"

namespace linebounce {

/// The first operation, or message, that is not the same in two runs, in the order of time.
struct Divergence {
  Cycles at;              ///< in cycles of either run: where it begins, or ends if it begins alike; a message arrives
  bool at_end = false;    ///< it begins alike
  std::string first;      ///< what it is in the first run, "nothing" if that has ended
  std::string second;     ///< and in the second
  std::string_view part;  ///< of the first run in which that is: "before the measured window", …
};

struct Difference {
  Explanation first;
  Explanation second;
  // of the runs with the first seed
  std::optional<Divergence> divergence;  ///< of operations; none if they are the same
  std::optional<Divergence> messages;    ///< if that is earlier; none if tasks run elsewhere
};

/// Runs both points with the same seeds.
Difference compare_points(const Point& first, const Point& second, std::span<const std::uint64_t> seeds);

/// Which operation of the two recordings is the first that differs in what it does or when: task by task, wherever the
/// tasks run.
std::optional<Divergence> first_difference(const Recording& first, const Recording& second);
/// Which message of each is the first that the other has not.
std::optional<Divergence> first_other_message(const Recording& first, const Recording& second);

/// One row of a comparison, by seed.
struct DifferenceRow {
  Cause cause;  ///< of a whole operation: category kCount
  std::vector<double> first;
  std::vector<double> second;
  double offset = 0;  ///< of when it begins, in cycles from the thing's begin
};

/// Every cause of either side, in the order of time: an operation's row is followed by those of its categories. The
/// rows of operations sum to the totals, seed by seed, and the rows of categories to their operation's. In cycles a
/// thing, of which every sample has one; `second` may be empty.
std::vector<DifferenceRow> rows_of(std::span<const StackSample> first, std::span<const StackSample> second);

/// Both runs side by side, in the seeds with which both have what is compared.
struct Comparison {
  std::string_view unit;  ///< "cycles"; "ns" if the two cores' cycles are not equally long
  DifferenceRow total;    ///< of one thing
  std::vector<DifferenceRow> rows;
  bool of_hand_offs = false;
  /// Of seeds; 0: there is nothing to compare.
  std::size_t pairs() const { return total.first.size(); }
};

/// Of hand-offs, or of operations of a task.
Comparison compare(const Difference& difference, StackSample SeedExplanation::*which);
/// Of hand-offs if both runs have any, else of operations.
Comparison compare(const Difference& difference);

/// The time from one operation's completion to the next, whoever completes it; every seed has it.
Comparison compare_all_tasks(const Difference& difference);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The published results (examples/published.toml), as the demo compares with them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/statistics.hpp"

namespace linebounce {

/// One row of the qspinlock table: elapsed milliseconds.
struct PublishedRow {
  std::string placement;  ///< as a scenario names it
  std::int64_t tasks = 0;
  std::array<double, 4> ms{};  ///< before standalone, before embedded, after standalone, after embedded
};

struct Published {
  struct Source {
    std::string what;
    std::string source;
    std::string machine;
    std::string benchmark;
  };
  Source llist;
  std::vector<double> with_cpu_relax;  ///< worker burns per second, by run
  std::vector<double> without_cpu_relax;
  Source qspinlock;
  double iterations_per_task = 0;
  std::vector<PublishedRow> rows;

  /// ns from one hand-off to the next. `embedded`, `after`: which of the four columns.
  double ns_per_hand_off(const PublishedRow& row, bool embedded, bool after) const {
    return row.ms[(after ? 2U : 0U) + (embedded ? 1U : 0U)] * 1e6 /
           (iterations_per_task * static_cast<double>(row.tasks));
  }
  /// The same, found by placement and tasks; throws std::out_of_range.
  double ns_per_hand_off(const std::string& placement, std::int64_t tasks, bool embedded, bool after) const;
};

/// Change of the mean in percent, with the Welch 95 % confidence interval of two unpaired samples.
struct Change {
  double percent = 0;
  double low = 0;
  double high = 0;
};
Change welch_change(const std::vector<double>& before, const std::vector<double>& after);

/// Throws InputError.
Published load_published(const std::filesystem::path& file);

}  // namespace linebounce

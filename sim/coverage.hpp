// SPDX-License-Identifier: Apache-2.0
// How often each row of the protocol's tables fired in the runs of a scenario.
#pragma once

#include <vector>

#include "coherence/rows_fired.hpp"
#include "sim/results.hpp"

namespace linebounce {

/// Over all points and seeds with these tables, warm-up included.
struct Coverage {
  Protocol protocol;
  SnoopMode snoop;
  RowsFired rows;

  /// The rows that may fire, in the table's order.
  std::vector<RowCount> of(Controller controller) const;
};

/// One for each pair of protocol and snoop mode, in the order of points.
std::vector<Coverage> coverage_of(const Results& results);

}  // namespace linebounce

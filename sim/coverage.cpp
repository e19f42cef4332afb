// SPDX-License-Identifier: Apache-2.0
#include "sim/coverage.hpp"

#include <algorithm>

#include "coherence/protocol_tables.hpp"

namespace linebounce {

std::vector<RowCount> Coverage::of(Controller controller) const {
  return row_counts(controller, tables_of(protocol, snoop), rows);
}

std::vector<Coverage> coverage_of(const Results& results) {
  std::vector<Coverage> all;
  for (const PointResult& point : results.points) {
    const auto here = std::ranges::find_if(
        all, [&](const Coverage& c) { return c.protocol == point.protocol && c.snoop == point.snoop; });
    if (here != all.end()) {
      here->rows += point.rows;
    } else {
      all.push_back({point.protocol, point.snoop, point.rows});
    }
  }
  return all;
}

}  // namespace linebounce

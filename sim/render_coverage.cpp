// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "coherence/protocol_print.hpp"
#include "sim/render.hpp"
#include "sim/render_table.hpp"

namespace linebounce {

std::string render_coverage(std::span<const Coverage> coverage) {
  constexpr std::size_t kIndent = 16;
  std::string out;
  for (const Coverage& of_mode : coverage) {
    for (const Controller controller : kControllers) {
      std::vector<RowCount> rows = of_mode.of(controller);
      std::ranges::stable_partition(rows, [](const RowCount& row) { return row.fired != 0; });
      const auto fired = std::ranges::count_if(rows, [](const RowCount& row) { return row.fired != 0; });
      out += fmt::format("\n{}, {} snoop: rows of the {}, {} of {} fired\n", name_of(of_mode.protocol),
                         name_of(of_mode.snoop), name_of(controller), fired, rows.size());
      for (const RowCount& row : rows) {
        out += fmt::format("{:>{}}  {}", row.fired, kIndent - 2, wrapped(row.row, kIndent).substr(kIndent));
      }
    }
  }
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// How often the rows of the protocol tables have fired, summed over the controllers of each kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace linebounce {

enum class Controller : std::uint8_t;
class Home;
class PrivateCache;
class Slice;
struct ProtocolTables;

/// By controller, then by row in the table's order.
struct RowsFired {
  std::vector<std::uint64_t> cache;
  std::vector<std::uint64_t> slice;
  std::vector<std::uint64_t> home;

  const std::vector<std::uint64_t>& of(Controller controller) const;
  RowsFired& operator+=(const RowsFired& other);

  friend bool operator==(const RowsFired&, const RowsFired&) = default;
};

RowsFired total_rows_fired(std::span<const PrivateCache> caches, std::span<const Slice> slices,
                           std::span<const Home> homes);

struct RowCount {
  std::uint64_t fired = 0;
  std::string row;  ///< one_line()
};

/// The rows that may fire, in the table's order; no count yet is 0.
std::vector<RowCount> row_counts(Controller controller, const ProtocolTables& tables, const RowsFired& fired);

}  // namespace linebounce

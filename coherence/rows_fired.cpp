// SPDX-License-Identifier: Apache-2.0
#include "coherence/rows_fired.hpp"

#include <algorithm>

#include "coherence/home.hpp"
#include "coherence/private_cache.hpp"
#include "coherence/protocol_print.hpp"
#include "coherence/slice.hpp"

namespace linebounce {

namespace {

void add(std::vector<std::uint64_t>& sum, const std::vector<std::uint64_t>& fired) {
  sum.resize(std::max(sum.size(), fired.size()));
  for (std::size_t i = 0; i < fired.size(); ++i) sum[i] += fired[i];
}

}  // namespace

const std::vector<std::uint64_t>& RowsFired::of(Controller controller) const {
  switch (controller) {
    case Controller::kCore: return cache;
    case Controller::kSlice: return slice;
    case Controller::kHome: break;
  }
  return home;
}

RowsFired& RowsFired::operator+=(const RowsFired& other) {
  add(cache, other.cache);
  add(slice, other.slice);
  add(home, other.home);
  return *this;
}

RowsFired total_rows_fired(std::span<const PrivateCache> caches, std::span<const Slice> slices,
                           std::span<const Home> homes) {
  RowsFired sum;
  for (const PrivateCache& cache : caches) add(sum.cache, cache.rows_fired());
  for (const Slice& slice : slices) add(sum.slice, slice.rows_fired());
  for (const Home& home : homes) add(sum.home, home.rows_fired());
  return sum;
}

std::vector<RowCount> row_counts(Controller controller, const ProtocolTables& tables, const RowsFired& fired) {
  const std::vector<std::uint64_t>& counts = fired.of(controller);
  const std::vector<PrintedRow> rows = printed_rows(controller, tables);
  std::vector<RowCount> all;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].verdict == "impossible") continue;
    all.push_back({i < counts.size() ? counts[i] : 0, one_line(rows[i])});
  }
  return all;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The names of what a shared-line report counts, as `perf c2c report` prints them, and what they mean here.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "sim/c2c.hpp"

namespace linebounce {

struct C2cColumn {
  std::string_view key;         ///< in JSON and CSV
  std::string_view event;       ///< row of Trace Event Information
  std::string_view group;       ///< heading above the column in the Shared Data Cache Line Table; "" if it has none
  std::string_view column;      ///< heading of the column
  std::string_view definition;  ///< in one line
  std::uint64_t (*of)(const C2cCounts&);
};

std::span<const C2cColumn> c2c_columns();

/// Of the columns that are no counts: a share, a mean, or who and where.
struct C2cTerm {
  std::string_view name;
  std::string_view definition;
};
std::span<const C2cTerm> c2c_terms();

}  // namespace linebounce

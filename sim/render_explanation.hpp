// SPDX-License-Identifier: Apache-2.0
// Explanations and differences as text for people and as JSON. All of it is the same bytes for the same explanation.
#pragma once

#include <string>
#include <string_view>

#include "sim/difference.hpp"
#include "sim/explanation.hpp"

namespace linebounce {

/// Causes of less than this share of the total stand together in one row.
inline constexpr double kSmallShare = 0.005;

/// Which run is explained, as far as the explanation does not say.
struct ExplainedRun {
  std::string scenario;
  std::size_t point = 0;  ///< from 0
  std::size_t points = 1;
};

/// For people, at most 100 columns.
std::string render_text(const Explanation& explanation, const ExplainedRun& run);
/// One document, schema "linebounce.explain/2".
std::string render_json(const Explanation& explanation, const ExplainedRun& run);

/// What the two sides of a difference are called.
struct SideNames {
  std::string key;  ///< what was varied: "lock.variant"; "" for two scenarios
  std::string first;
  std::string second;
  std::string in_full(const std::string& side) const { return key.empty() ? side : key + "=" + side; }
};
std::string render_text(const Difference& difference, const SideNames& names);
/// One document, schema "linebounce.diff/2".
std::string render_json(const Difference& difference, const SideNames& names);

/// What the figures say, in sentences; each holds whatever the figures are.
std::string in_words(const Explanation& explanation);
std::string in_words(const Difference& difference, const SideNames& names);

/// "placement=same-node tasks=4 variant=before": what varies in a scenario first.
std::string parameters_text(const Parameters& params);

}  // namespace linebounce

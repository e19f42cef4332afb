// SPDX-License-Identifier: Apache-2.0
#include "topologies/number_origin.hpp"

#include <algorithm>

#include "topologies/machine_fields.hpp"

namespace linebounce {

NumberOrigin origin_of(std::string_view comment) {
  if (comment.empty()) return NumberOrigin::kUnstated;
  if (comment.starts_with("guess")) return NumberOrigin::kGuess;
  return comment.starts_with("derived") ? NumberOrigin::kDerived : NumberOrigin::kSourced;
}

std::vector<std::optional<NumberOrigin>> number_origins(std::string_view name_or_path,
                                                        std::span<const MachineOverride> overrides) {
  const std::vector<std::optional<std::string>> comments = number_comments(name_or_path, overrides);
  std::vector<std::optional<NumberOrigin>> origins;
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const bool set = std::ranges::find(overrides, machine_fields()[i].name(), &MachineOverride::key) != overrides.end();
    origins.push_back(set ? NumberOrigin::kSet : comments[i] ? std::optional(origin_of(*comments[i])) : std::nullopt);
  }
  return origins;
}

}  // namespace linebounce

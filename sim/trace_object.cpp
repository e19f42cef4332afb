// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "sim/scenario_parameters.hpp"
#include "sim/trace_tracks.hpp"
#include "sim/usage_error.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

/// What exists, of very many some, first those that are not one of a numbered set; and the nearest to `name`.
std::string some_of(std::vector<std::string_view> names, std::string_view name) {
  constexpr std::size_t kMost = 20;
  if (names.size() <= kMost) return one_of(name, names);
  std::stable_partition(names.begin(), names.end(),
                        [](std::string_view n) { return n.find('[') == std::string_view::npos; });
  const std::string_view near = nearest(name, names);
  return fmt::format("one of {}, … ({} in all{})", fmt::join(names.begin(), names.begin() + kMost, ", "), names.size(),
                     near.empty() ? "" : fmt::format(", nearest: '{}'", near));
}

}  // namespace

void keep_only_object(Recording& recording, std::string_view name) {
  std::set<LineAddress> lines;
  std::vector<std::string_view> names;
  for (const MemoryObject& object : recording.objects) {
    if (std::ranges::find(names, object.name) == names.end()) names.push_back(object.name);
    if (object.name != name) continue;
    for (std::uint64_t offset = 0; offset < object.bytes; offset += kLineBytes) {
      lines.insert(line_of(object.begin + offset));
    }
  }
  if (lines.empty()) {
    fail_usage("--line", fmt::format("no object '{}' in this run", name), some_of(names, name));
  }
  const auto elsewhere = [&](const auto& it) { return !lines.contains(it.line); };
  const auto works_elsewhere = [&](const OperationRecord& o) {
    return !has_address(o) || !lines.contains(line_of(o.address));
  };
  std::erase_if(recording.operations, works_elsewhere);
  std::erase_if(recording.commits, works_elsewhere);
  std::erase_if(recording.messages, elsewhere);
  std::erase_if(recording.states, elsewhere);
}

}  // namespace linebounce

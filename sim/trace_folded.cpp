// SPDX-License-Identifier: Apache-2.0
// Folded stacks, one a line: `core;phase;cause N`, N in cycles, as flamegraph.pl and speedscope read them. All lines
// together are the cycles of all tasks' hardware threads: before a task begins and after it ends its thread is idle. Of
// one object only the operations on it are there.
#include <fmt/format.h>

#include <iterator>
#include <map>
#include <tuple>

#include "cpus/spin_rounds.hpp"
#include "sim/trace_formats.hpp"

namespace linebounce {

std::string render_folded(const TraceTracks& tracks, std::string_view /*about*/) {
  std::map<std::tuple<std::uint32_t, Phase, Category>, Cycles> stacks;
  if (!tracks.of_one_object) {
    for (std::uint32_t t = 0; t < tracks.tracks.size(); ++t) {
      if (tracks.tracks[t].kind == TrackKind::kThread) {
        stacks[{t, Phase::kNone, Category::kIdle}] = tracks.end - tracks.begin;
      }
    }
  }
  const CoreCosts& costs = tracks.recording->machine->core;
  for (const TraceSlice& slice : tracks.slices) {
    if (slice.kind != SliceKind::kSegment || tracks.tracks[slice.track].kind != TrackKind::kThread) continue;
    for_each_part(*slice.segment, begin_of(*slice.operation, *slice.segment), costs, slice.begin, slice.end,
                  [&](Category category, Cycles cycles, Cycles) {
                    stacks[{slice.track, slice.operation->phase, category}] += cycles;
                    if (!tracks.of_one_object) stacks[{slice.track, Phase::kNone, Category::kIdle}] -= cycles;
                  });
  }
  std::string out;
  for (const auto& [stack, cycles] : stacks) {
    const auto& [track, phase, category] = stack;
    if (cycles == Cycles{}) continue;
    fmt::format_to(std::back_inserter(out), "{};{};{} {}\n", tracks.tracks[track].name, name_of(phase),
                   name_of(category), cycles.count);
  }
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The file formats of traces. In all of them one unit of time is one core cycle, counted from the run's start. What each
// file looks like stands at the top of its writer.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "sim/trace_tracks.hpp"

namespace linebounce {

/// `about` says in one line what was traced.
std::string render_perfetto(const TraceTracks& tracks, std::string_view about);
std::string render_chrome(const TraceTracks& tracks, std::string_view about);
std::string render_vcd(const TraceTracks& tracks, std::string_view about);
/// GTKWave's save file for what render_vcd makes of the same tracks.
std::string render_gtkw(const TraceTracks& tracks, std::string_view about);
std::string render_kanata(const TraceTracks& tracks, std::string_view about);
std::string render_folded(const TraceTracks& tracks, std::string_view about);

struct TraceFormat {
  std::string_view name;
  std::string_view ending;  ///< of file names
  std::string (*render)(const TraceTracks&, std::string_view about);
};

inline constexpr std::array<TraceFormat, 6> kTraceFormats = {{
    {"perfetto", ".pftrace", render_perfetto},
    {"chrome", ".json", render_chrome},
    {"vcd", ".vcd", render_vcd},
    {"gtkw", ".gtkw", render_gtkw},
    {"kanata", ".kanata", render_kanata},
    {"folded", ".folded", render_folded},
}};

}  // namespace linebounce

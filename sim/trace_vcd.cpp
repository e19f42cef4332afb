// SPDX-License-Identifier: Apache-2.0
// A value change dump (IEEE 1364) with GTKWave's extension for text: `$var string 1 id name $end`, `sVALUE id`. One scope
// for each socket and one for the cache lines, in them one for each track; "-" is nothing. No $date: the same run gives
// the same bytes. 1 ns stands for 1 cycle. And GTKWave's save file for it: which signals to show, by which names.
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <cctype>
#include <iterator>
#include <map>
#include <utility>

#include "sim/trace_formats.hpp"

namespace linebounce {
namespace {

/// What a track shows at a time, one signal for each kind of slice; all kinds of messages in one.
constexpr std::array<std::string_view, 7> kSignals = {"phase",   "operation", "cause",  "state",
                                                      "message", "message",   "message"};

/// In an identifier GTKWave takes brackets for bits, and blanks end it.
std::string identifier(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain || (!out.empty() && out.back() != '_')) out += plain ? c : '_';
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

/// A value has no blanks.
std::string value(std::string_view text) {
  std::string out(text);
  std::ranges::replace(out, ' ', '_');
  return out;
}

struct Signal {
  std::string type;  ///< "string 1" or "wire 64"
  std::string name;
  std::vector<std::pair<Cycles, std::string>> changes;  ///< as the file has them, but for the id; at increasing cycles
};

/// A stretch in which a signal has a value; in the order of begin, and none but equal ones overlap.
void add_stretch(Signal& signal, Cycles begin, Cycles end, const std::string& text) {
  auto& changes = signal.changes;
  const std::size_t n = changes.size();
  if (n >= 2 && changes[n - 2].first == begin) {  // something else in the same cycle
    changes[n - 2].second += "+" + text;
    return;
  }
  if (n >= 1 && changes.back().first == begin) changes.pop_back();
  changes.emplace_back(begin, "s" + text);
  changes.emplace_back(end, "s-");
}

/// Printable characters without blanks; the first signals have the shortest.
std::string id_of(std::size_t index) {
  std::string id;
  do {
    id += static_cast<char>('!' + index % 94);
    index /= 94;
  } while (index-- > 0);
  return id;
}

std::string binary(std::int64_t number) {
  std::string bits = std::bitset<64>(static_cast<std::uint64_t>(number)).to_string();
  return "b" + bits.substr(std::min(bits.find('1'), bits.size() - 1));
}

/// The signals of each process, by the scope that they stand in: a track, or "" for counters.
using Scopes = std::vector<std::vector<std::pair<std::string, std::vector<Signal>>>>;

Scopes scopes_of(const TraceTracks& tracks) {
  std::vector<std::map<std::string_view, Signal>> by_track(tracks.tracks.size());
  for (const TraceSlice& slice : tracks.slices) {
    const std::string_view name = kSignals[static_cast<std::size_t>(slice.kind)];
    Signal& signal = by_track[slice.track].try_emplace(name, Signal{"string 1", std::string(name), {}}).first->second;
    add_stretch(signal, slice.begin, slice.end, value(tracks.name(slice)));
  }
  Scopes scopes(tracks.processes.size());
  for (std::size_t t = 0; t < tracks.tracks.size(); ++t) {
    std::vector<Signal> signals;
    for (auto& [name, signal] : by_track[t]) signals.push_back(std::move(signal));
    scopes[tracks.tracks[t].process].emplace_back(identifier(tracks.tracks[t].name), std::move(signals));
  }
  for (const TraceCounter& counter : tracks.counters) {
    Signal signal{"wire 64", identifier(counter.name + " " + std::string(counter.unit)), {}};
    for (const auto& [at, number] : counter.points) signal.changes.emplace_back(at, binary(number));
    scopes[counter.process].emplace_back("", std::vector{std::move(signal)});
  }
  return scopes;
}

/// What one wants to see first: what each task does, and who has each line.
bool is_shown(const TraceTrack& track, std::string_view signal) {
  return (track.kind == TrackKind::kThread || track.kind == TrackKind::kLine) && signal != "message";
}

class Vcd {
 public:
  Vcd(const TraceTracks& tracks, std::string_view about) : begin_(tracks.begin), end_(tracks.end) {
    print("$comment {}; 1 ns stands for 1 core cycle $end\n$version linebounce $end\n$timescale 1 ns $end\n", about);
    const Scopes scopes = scopes_of(tracks);
    for (std::size_t p = 0; p < scopes.size(); ++p) {
      if (scopes[p].empty()) continue;
      print("$scope module {} $end\n", identifier(tracks.processes[p].name));
      for (const auto& [scope, signals] : scopes[p]) {
        if (!scope.empty()) print("$scope module {} $end\n", scope);
        for (const Signal& signal : signals) declare(signal);
        if (!scope.empty()) print("$upscope $end\n");
      }
      print("$upscope $end\n");
    }
    print("$enddefinitions $end\n");
  }

  std::string write() && {
    print("#{}\n$dumpvars\n{}$end\n", begin_.count, initial_);
    for (const auto& [at, changes] : changes_) print("#{}\n{}", at.count, changes);
    if (changes_.empty() || changes_.rbegin()->first < end_) print("#{}\n", end_.count);
    return std::move(out_);
  }

 private:
  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
  }

  void declare(const Signal& signal) {
    const std::string id = id_of(signals_++);
    print("$var {} {} {} $end\n", signal.type, id, signal.name);
    std::string initial = "s-";
    for (const auto& [at, change] : signal.changes) {
      if (at == begin_) {
        initial = change;
      } else {
        changes_[at] += fmt::format("{} {}\n", change, id);
      }
    }
    initial_ += fmt::format("{} {}\n", initial, id);
  }

  Cycles begin_;
  Cycles end_;
  std::size_t signals_ = 0;
  std::string initial_;
  std::map<Cycles, std::string> changes_;
  std::string out_;
};

}  // namespace

std::string render_vcd(const TraceTracks& tracks, std::string_view about) { return Vcd(tracks, about).write(); }

std::string render_gtkw(const TraceTracks& tracks, std::string_view about) {
  constexpr std::string_view kComment = "@200";
  constexpr std::string_view kText = "@22";
  std::string out = fmt::format("[*] {}\n[timestart] {}\n", about, tracks.begin.count);
  const Scopes scopes = scopes_of(tracks);
  std::vector<std::size_t> next(tracks.processes.size());  // each process's scopes stand in the order of its tracks
  for (const TraceTrack& track : tracks.tracks) {
    const auto& [scope, signals] = scopes[track.process][next[track.process]++];
    const std::string path = identifier(tracks.processes[track.process].name) + "." + scope;
    bool named = false;
    for (const Signal& signal : signals) {
      if (!is_shown(track, signal.name)) continue;
      if (!std::exchange(named, true))
        fmt::format_to(std::back_inserter(out), "{}\n-{}\n{}\n", kComment, track.name, kText);
      fmt::format_to(std::back_inserter(out), "+{{{}}} {}.{}\n", signal.name, path, signal.name);
    }
  }
  return out;
}

}  // namespace linebounce

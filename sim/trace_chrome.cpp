// SPDX-License-Identifier: Apache-2.0
// Chrome's JSON, as Perfetto and speedscope read it: one object, `traceEvents` first, one event a line. `ts` and `dur` are
// whole numbers; readers take them for microseconds, and 1 stands for 1 cycle. A message is an arrow from an `s` to an `f`
// with the same id, category and name, each bound to the slice that stands before it. Process and thread ids count from 1,
// as readers take 0 for the idle process.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <tuple>

#include "sim/trace_formats.hpp"

namespace linebounce {
namespace {

std::string json_text(std::string_view text) { return nlohmann::json(text).dump(); }

class Chrome {
 public:
  explicit Chrome(const TraceTracks& tracks) : tracks_(tracks) {}

  std::string write(std::string_view about) {
    out_ = "{\"traceEvents\":[";
    name_tracks();
    for (const TraceSlice* slice : by_time()) add(*slice);
    for (const TraceCounter& counter : tracks_.counters) {
      for (const auto& [at, value] : counter.points) {
        event(R"("ph":"C","pid":{},"ts":{},"name":{},"args":{{"{}":{}}})", counter.process + 1, at.count,
              json_text(counter.name), counter.unit, value);
      }
    }
    fmt::format_to(
        std::back_inserter(out_),
        "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":{{\"about\":{},\"time\":\"1 unit of ts and dur is 1 "
        "core cycle\"}}}}\n",
        json_text(about));
    return std::move(out_);
  }

 private:
  template <class... T>
  void event(fmt::format_string<T...> format, T&&... values) {
    out_ += out_.back() == '[' ? "\n{" : ",\n{";
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
    out_ += '}';
  }

  void name_tracks() {
    for (std::size_t p = 0; p < tracks_.processes.size(); ++p) {
      event(R"("ph":"M","pid":{},"name":"process_name","args":{{"name":{}}})", p + 1,
            json_text(tracks_.processes[p].name));
      event(R"("ph":"M","pid":{},"name":"process_sort_index","args":{{"sort_index":{}}})", p + 1, p);
    }
    for (std::size_t t = 0; t < tracks_.tracks.size(); ++t) {
      const TraceTrack& track = tracks_.tracks[t];
      event(R"("ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}})", track.process + 1, t + 1,
            json_text(track.name));
      event(R"("ph":"M","pid":{},"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}})", track.process + 1,
            t + 1, t);
    }
  }

  /// Whoever receives a message comes after whoever sends one in the same cycle; outer slices before inner ones.
  std::vector<const TraceSlice*> by_time() const {
    std::vector<const TraceSlice*> all;
    for (const TraceSlice& slice : tracks_.slices) all.push_back(&slice);
    std::ranges::stable_sort(all, [](const TraceSlice* a, const TraceSlice* b) {
      return std::tuple(a->begin, a->kind == SliceKind::kMessageIn) <
             std::tuple(b->begin, b->kind == SliceKind::kMessageIn);
    });
    return all;
  }

  void add(const TraceSlice& slice) {
    const std::uint32_t pid = tracks_.tracks[slice.track].process + 1;
    const std::uint32_t tid = slice.track + 1;
    const std::string name = json_text(tracks_.name(slice));
    std::string arguments;
    for (const TraceArgument& a : tracks_.arguments_of(slice)) {
      arguments += fmt::format("{}\"{}\":{}", arguments.empty() ? "" : ",", a.key,
                               a.text.empty() ? fmt::format("{}", a.number) : json_text(a.text));
    }
    event(R"("ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"cat":"{}","name":{},"args":{{{}}})", pid, tid,
          slice.begin.count, (slice.end - slice.begin).count, name_of(slice.kind), name, arguments);
    const std::uint64_t flow = tracks_.flow_of(slice);
    if (flow == 0) return;
    const std::string_view kind = slice.kind == SliceKind::kMessageOut ? R"("ph":"s")" : R"("ph":"f","bp":"e")";
    event(R"({},"pid":{},"tid":{},"ts":{},"id":{},"cat":"message","name":{})", kind, pid, tid, slice.begin.count, flow,
          name);
  }

  const TraceTracks& tracks_;
  std::string out_;
};

}  // namespace

std::string render_chrome(const TraceTracks& tracks, std::string_view about) { return Chrome(tracks).write(about); }

}  // namespace linebounce

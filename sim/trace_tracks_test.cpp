// SPDX-License-Identifier: Apache-2.0
#include "sim/trace_tracks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "sim/trace_formats.hpp"
#include "sim/trace_testing.hpp"
#include "sim/usage_error.hpp"

namespace linebounce {
namespace {

class Tracks : public testing::TraceTest {};

TEST_F(Tracks, SlicesOfATrackNestAndLieInTheTrace) {
  std::vector<TraceSlice> open;
  for (const TraceSlice& slice : tracks_.slices) {
    EXPECT_LE(kBegin, slice.begin);
    EXPECT_LT(slice.begin, slice.end);
    EXPECT_LE(slice.end, kEnd);
    if (!open.empty() && open.back().track != slice.track) open.clear();
    while (!open.empty() && open.back().end <= slice.begin) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(slice.end, open.back().end) << tracks_.name(slice) << " in " << tracks_.name(open.back());
    }
    open.push_back(slice);
  }
}

TEST_F(Tracks, EveryKindOfTrackAndSliceIsThere) {
  std::set<TrackKind> tracks;
  std::set<SliceKind> slices;
  for (const TraceTrack& track : tracks_.tracks) tracks.insert(track.kind);
  for (const TraceSlice& slice : tracks_.slices) slices.insert(slice.kind);
  EXPECT_EQ(tracks.size(), 7U);
  EXPECT_EQ(slices.size(), kSliceKindNames.size());
}

TEST_F(Tracks, SegmentsFillTheirOperationsAndPhasesAreMadeOfOperations) {
  std::map<std::pair<std::uint32_t, SliceKind>, std::int64_t> cycles;
  for (const TraceSlice& slice : tracks_.slices) cycles[{slice.track, slice.kind}] += (slice.end - slice.begin).count;
  for (std::uint32_t t = 0; t < tracks_.tracks.size(); ++t) {
    const std::int64_t operations = cycles[{t, SliceKind::kOperation}];
    EXPECT_EQ(operations, (cycles[{t, SliceKind::kSegment}])) << tracks_.tracks[t].name;
    if (tracks_.tracks[t].kind == TrackKind::kThread) {
      EXPECT_EQ(operations, (kEnd - kBegin).count);
      EXPECT_EQ(operations, (cycles[{t, SliceKind::kPhase}]));
    }
  }
}

TEST_F(Tracks, AMessageThatSomebodyWaitsForIsOnHisTrackAndItsArrowHasTwoEnds) {
  std::map<std::uint64_t, int> ends;
  bool seen = false;
  for (const TraceSlice& slice : tracks_.slices) {
    const std::uint64_t flow = tracks_.flow_of(slice);
    if (flow != 0) ends[flow] += slice.kind == SliceKind::kMessageOut ? 1 : 100;
    if (slice.kind != SliceKind::kMessageIn || slice.message->kind != MessageKind::kFillM) continue;
    const TraceTrack& track = tracks_.tracks[slice.track];
    if (track.kind != TrackKind::kThread && track.kind != TrackKind::kStores) continue;
    EXPECT_EQ(run().recording.thread_of(slice.message->op), track.thread);
    seen = true;
  }
  EXPECT_TRUE(seen);
  EXPECT_GT(ends.size(), 100U);
  for (const auto& [flow, count] : ends) EXPECT_EQ(count, 101) << flow;
}

TEST_F(Tracks, StatesOfALineFollowWhatTheControllersHad) {
  for (const TraceSlice& slice : tracks_.slices) {
    if (slice.kind != SliceKind::kState) continue;
    const std::string& title = tracks_.tracks[slice.track].name;
    std::string_view last = "";
    for (const RecordedState& s : run().recording.states) {
      const NodeId node = run().recording.node_of(s.kind, s.agent);
      const std::string where =
          run().recording.describe(s.line) + ": " + run().recording.topology->nodes()[node.value].name;
      if (where == title && s.at <= slice.begin) last = s.state;
    }
    EXPECT_EQ(tracks_.name(slice), last) << title << " at " << slice.begin.count;
  }
}

TEST_F(Tracks, BytesOnALinkInTheMeasuredWindowAreThoseOfTheResults) {
  const RecordedRun all = record({});
  const Cycles opened = all.recording.window_opened;
  const Cycles closed = all.recording.window_closed;
  // The results count what is sent in (opened, closed].
  const RecordedRun run = record({.begin = opened + Cycles{1}, .end = closed + Cycles{1}});
  std::map<std::string, std::int64_t> expected;
  std::map<std::string, std::int64_t> counted;
  const std::span<const Link> links = run.recording.topology->links();
  for (std::size_t l = 0; l < links.size(); ++l) {
    const std::int64_t bytes = all.result.machine.link_bytes[l].count;
    if (links[l].kind == LinkKind::kQpi && bytes > 0) expected["QPI " + links[l].name + " sent"] = bytes;
  }
  for (const TraceCounter& counter : trace_counters(run.recording)) {
    if (counter.unit == "bytes") counted[counter.name] = counter.points.back().second;
  }
  EXPECT_FALSE(expected.empty());
  EXPECT_EQ(counted, expected);
}

TEST_F(Tracks, CountersBeginWithTheTraceAndStoresNeverGoBelowZero) {
  ASSERT_FALSE(tracks_.counters.empty());
  for (const TraceCounter& counter : tracks_.counters) {
    EXPECT_EQ(counter.points.front().first, kBegin);
    for (std::size_t i = 1; i < counter.points.size(); ++i) {
      EXPECT_LT(counter.points[i - 1].first, counter.points[i].first);
      EXPECT_GE(counter.points[i].second, 0) << counter.name;
    }
  }
}

TEST_F(Tracks, OfOneObjectOnlyItsLinesAreThere) {
  RecordedRun part = record({.begin = kBegin, .end = kEnd});
  keep_only_object(part.recording, "lock");
  ASSERT_FALSE(part.recording.operations.empty());
  const TraceTracks tracks = trace_tracks(part.recording);
  for (const TraceSlice& slice : tracks.slices) {
    if (slice.kind == SliceKind::kOperation) {
      EXPECT_NE(tracks.name(slice).find(" lock"), std::string::npos);
    }
    if (slice.message != nullptr) {
      EXPECT_EQ(part.recording.describe(slice.message->line), "lock");
    }
  }
  for (const TraceTrack& track : tracks.tracks) {
    if (track.kind == TrackKind::kLine) {
      EXPECT_EQ(track.name.find("lock: "), 0U);
    }
  }
}

TEST_F(Tracks, AnObjectThatIsNotThereIsAnErrorThatNamesThoseThatAre) {
  RecordedRun part = record({.begin = kBegin, .end = kEnd});
  try {
    keep_only_object(part.recording, "lokc");
    FAIL();
  } catch (const UsageError& e) {
    EXPECT_NE(std::string(e.what()).find("nearest: 'lock'"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("data"), std::string::npos) << e.what();
  }
}

TEST_F(Tracks, TheSameRunGivesTheSameBytesInEveryFormat) {
  const RecordedRun again = record({.begin = kBegin, .end = kEnd});
  for (const TraceFormat& format : kTraceFormats) {
    EXPECT_EQ(format.render(trace_tracks(again.recording), "x"), format.render(tracks_, "x")) << format.name;
  }
}

TEST_F(Tracks, FoldedStacksSumToTheCyclesOfAllTasks) {
  std::map<std::string, std::int64_t> cycles;
  std::int64_t total = 0;
  for (const std::string& line : lines_of(render_folded(tracks_, ""))) {
    const std::size_t space = line.rfind(' ');
    const std::int64_t count = std::stoll(line.substr(space + 1));
    const std::vector<std::string> frames = fields_of(line.substr(0, space), ';');
    ASSERT_EQ(frames.size(), 3U) << line;
    EXPECT_NE(std::ranges::find(kPhaseNames, frames[1]), kPhaseNames.end()) << line;
    EXPECT_NE(std::ranges::find(kCategoryNames, frames[2]), kCategoryNames.end()) << line;
    cycles[frames[0]] += count;
    total += count;
  }
  EXPECT_EQ(cycles.size(), 4U);
  EXPECT_EQ(total, 4 * (kEnd - kBegin).count);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/trace_tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace linebounce {
namespace {

/// Where a track stands: process, group in the process, member of the group, and place of the track with that member.
using Place = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t, std::uint64_t>;

/// Puts stretches that overlap on tracks beside each other; to be asked in the order of `begin`.
class Slots {
 public:
  std::uint32_t take(Cycles begin, Cycles end) {
    const auto free = std::ranges::find_if(until_, [&](Cycles until) { return until <= begin; });
    const auto slot = static_cast<std::uint32_t>(free - until_.begin());
    if (free == until_.end()) until_.push_back(end);
    until_[slot] = end;
    return slot;
  }

 private:
  std::vector<Cycles> until_;
};

class Builder {
 public:
  explicit Builder(const Recording& recording) : recording_(recording) {
    tracks_.recording = &recording;
    tracks_.begin = recording.begin;
    tracks_.end = recording.end;
    for (int s = 0; s < recording.machine->sockets; ++s) tracks_.processes.push_back({fmt::format("socket {}", s)});
    tracks_.processes.push_back({"cache lines"});
    for (const auto* list : {&recording.operations, &recording.commits}) {
      for (const OperationRecord& o : *list) tracks_.operations.emplace(o.id.value, &o);
    }
  }

  TraceTracks build() && {
    add_operations();
    add_commits();
    add_messages();
    add_states();
    tracks_.counters = trace_counters(recording_);
    put_in_order();
    return std::move(tracks_);
  }

 private:
  std::uint32_t name(const std::string& text) {
    const auto [at, is_new] = names_.try_emplace(text, static_cast<std::uint32_t>(tracks_.names.size()));
    if (is_new) tracks_.names.push_back(text);
    return at->second;
  }
  std::uint32_t track(const Place& place, const TraceTrack& track) {
    const auto [at, is_new] = places_.try_emplace(place, static_cast<std::uint32_t>(tracks_.tracks.size()));
    if (is_new) tracks_.tracks.push_back(track);
    return at->second;
  }
  std::uint32_t track_of(ThreadId thread) {
    const Machine& machine = *recording_.machine;
    const std::uint32_t core = recording_.core_of(thread).value;
    const std::uint32_t socket = recording_.socket_of(thread).value;
    std::string text =
        fmt::format("task {}: {}", recording_.task_of(thread), name_of_agent(recording_, AgentKind::kCore, core));
    const auto in_core = thread.value % static_cast<std::uint32_t>(machine.threads_per_core);
    if (in_core > 0) text += fmt::format(" thread {}", in_core);
    return track({socket, 0, thread.value, 0}, {TrackKind::kThread, socket, thread, text});
  }
  std::uint32_t track_of(AgentKind kind, std::uint32_t agent) {
    const std::uint32_t socket = recording_.socket_of(kind, agent).value;
    const auto track_kind = static_cast<TrackKind>(static_cast<int>(TrackKind::kCaches) + static_cast<int>(kind));
    const char* suffix = kind == AgentKind::kCore ? " caches" : "";
    return track({socket, 1 + static_cast<std::uint32_t>(kind), agent, 0},
                 {track_kind, socket, {}, name_of_agent(recording_, kind, agent) + suffix});
  }

  void add(TraceSlice slice) {
    slice.begin = std::max(slice.begin, tracks_.begin);
    slice.end = std::min(slice.end, tracks_.end);
    if (slice.begin < slice.end) tracks_.slices.push_back(slice);
  }

  void add_with_segments(std::uint32_t track, const OperationRecord& o, const std::string& title) {
    add({track, SliceKind::kOperation, name(title), o.begin, o.end, &o});
    Cycles at = o.begin;
    for (const Segment& segment : o.segments) {
      add({track, SliceKind::kSegment, name(segment.rounds > 0 ? "spin" : std::string(name_of(segment.category))), at,
           segment.until, &o, &segment});
      at = segment.until;
    }
  }

  void add_operations() {
    std::map<ThreadId, TraceSlice> phases;
    for (const OperationRecord& o : recording_.operations) {
      const std::uint32_t track = track_of(o.thread);
      add_with_segments(track, o, name_of_operation(recording_, o));
      auto [phase, is_first] = phases.try_emplace(o.thread);
      if (is_first || phase->second.operation->phase != o.phase || phase->second.end != o.begin) {
        if (!is_first) add(phase->second);
        phase->second = {track, SliceKind::kPhase, name(std::string(name_of(o.phase))), o.begin, o.end, &o};
      }
      phase->second.end = o.end;
    }
    for (const auto& [thread, phase] : phases) add(phase);
  }

  void add_commits() {
    std::map<ThreadId, Slots> buffers;
    for (const OperationRecord& c : recording_.commits) {
      const std::uint32_t slot = buffers[c.thread].take(c.begin, c.end);
      const std::uint32_t socket = recording_.socket_of(c.thread).value;
      std::string text = fmt::format("task {} store buffer", recording_.task_of(c.thread));
      if (slot > 0) text += fmt::format(" {}", slot + 1);
      const std::uint32_t it =
          track({socket, 0, c.thread.value, 1 + slot}, {TrackKind::kStores, socket, c.thread, text});
      add_with_segments(it, c, "commit " + recording_.describe(c.address));
      commits_[c.id.value] = {&c, it};
    }
  }

  /// The track on which an agent sends or receives in the cycle from `at`: that of the operation or store that waits for
  /// it, else the agent's own.
  std::uint32_t end_of_message(AgentKind kind, std::uint32_t agent, OpId op, Cycles at) {
    const auto covers = [&](const OperationRecord& o) {
      return recording_.core_of(o.thread).value == agent && o.begin <= at && at < o.end;
    };
    if (kind == AgentKind::kCore) {
      const auto commit = commits_.find(op.value);
      if (commit != commits_.end() && covers(*commit->second.first)) return commit->second.second;
      const auto operation = tracks_.operations.find(op.value);
      if (operation != tracks_.operations.end() && covers(*operation->second))
        return track_of(operation->second->thread);
    }
    return track_of(kind, agent);
  }

  void add_messages() {
    std::vector<const RecordedMessage*> by_sending;
    for (const RecordedMessage& m : recording_.messages) by_sending.push_back(&m);
    std::ranges::stable_sort(by_sending, {}, &RecordedMessage::sent);
    std::map<LinkId, Slots> links;
    for (const RecordedMessage* m : by_sending) {
      const std::uint32_t text = name(fmt::format("{} {}", name_of(m->kind), recording_.describe(m->line)));
      const Cycles one{1};
      if (m->sent >= tracks_.begin && m->sent < tracks_.end) {
        const std::uint32_t from = end_of_message(traits(m->kind).from, m->from, m->op, m->sent);
        add({from, SliceKind::kMessageOut, text, m->sent, m->sent + one, nullptr, nullptr, m});
      }
      if (m->arrived > tracks_.begin && m->arrived <= tracks_.end) {
        const std::uint32_t to = end_of_message(traits(m->kind).to, m->to, m->op, m->arrived - one);
        add({to, SliceKind::kMessageIn, text, m->arrived - one, m->arrived, nullptr, nullptr, m});
      }
      for (const LinkId id : qpi_links_of(recording_, *m)) {
        const Link& link = recording_.topology->links()[id.value];
        const std::uint32_t socket = recording_.topology->nodes()[link.from.value].socket.value;
        const std::uint32_t slot = links[id].take(m->sent, m->arrived);
        std::string title = "QPI " + link.name;
        if (slot > 0) title += fmt::format(" {}", slot + 1);
        add({track({socket, 4, id.value, slot}, {TrackKind::kLink, socket, {}, title}), SliceKind::kTransit, text,
             m->sent, m->arrived, nullptr, nullptr, m});
      }
    }
  }

  /// Lines at which something happens in the trace.
  std::set<LineAddress> lines() const {
    std::set<LineAddress> lines;
    for (const RecordedState& s : recording_.states) {
      if (s.at >= tracks_.begin && s.at < tracks_.end) lines.insert(s.line);
    }
    for (const RecordedMessage& m : recording_.messages) lines.insert(m.line);
    for (const OperationRecord& o : recording_.operations) {
      if (has_address(o)) lines.insert(line_of(o.address));
    }
    return lines;
  }

  void add_states() {
    const std::set<LineAddress> shown = lines();
    const auto process = static_cast<std::uint32_t>(recording_.machine->sockets);
    std::map<std::tuple<LineAddress, AgentKind, std::uint32_t>, RecordedState> now;
    const auto add_until = [&](const RecordedState& state, Cycles end) {
      if (state.state.empty() || state.state == "I" || state.state == "Idle") return;
      if (end <= tracks_.begin || end <= state.at) return;
      // Line by line, and in each the cores, the slices, the home.
      const Place place{process, 0, state.line.value,
                        std::uint64_t{static_cast<std::uint32_t>(state.kind)} << 32 | state.agent};
      const std::string title =
          recording_.describe(state.line) + ": " + name_of_agent(recording_, state.kind, state.agent);
      add({track(place, {TrackKind::kLine, process, {}, title}), SliceKind::kState, name(std::string(state.state)),
           state.at, end});
    };
    for (const RecordedState& s : recording_.states) {
      if (!shown.contains(s.line)) continue;
      RecordedState& last = now[{s.line, s.kind, s.agent}];
      add_until(last, s.at);
      last = s;
    }
    for (const auto& [where, state] : now) add_until(state, tracks_.end);
  }
  void put_in_order() {
    std::vector<std::uint32_t> moved(tracks_.tracks.size());
    std::vector<TraceTrack> ordered;
    for (const auto& [place, index] : places_) {
      moved[index] = static_cast<std::uint32_t>(ordered.size());
      ordered.push_back(std::move(tracks_.tracks[index]));
    }
    tracks_.tracks = std::move(ordered);
    for (TraceSlice& slice : tracks_.slices) slice.track = moved[slice.track];
    std::ranges::stable_sort(tracks_.slices, [](const TraceSlice& a, const TraceSlice& b) {
      return std::tuple(a.track, a.begin, b.end, a.kind) < std::tuple(b.track, b.begin, a.end, b.kind);
    });
  }

  const Recording& recording_;
  TraceTracks tracks_;
  std::map<Place, std::uint32_t> places_;
  std::map<std::string, std::uint32_t, std::less<>> names_;
  std::unordered_map<std::uint64_t, std::pair<const OperationRecord*, std::uint32_t>> commits_;  ///< with their tracks
};

}  // namespace

TraceTracks trace_tracks(const Recording& recording) { return Builder(recording).build(); }

}  // namespace linebounce

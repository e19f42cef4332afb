// SPDX-License-Identifier: Apache-2.0
#include "sim/hand_off_story.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "coherence/enum_set.hpp"
#include "sim/explanation.hpp"
#include "sim/render_table.hpp"

namespace linebounce {

namespace {

/// Pieces that messages explain.
constexpr Set<Category> kByMessage{Category::kTravel, Category::kQpi,  Category::kLinkQueue, Category::kMissIssue,
                                   Category::kSlice,  Category::kHome, Category::kSnoop,     Category::kDram};
/// Lanes that fit beside each other.
constexpr std::size_t kMostLanes = 3;
/// What was hidden is worth a line from this many cycles on.
constexpr Cycles kWorthTelling{10};

std::string agent(AgentKind kind, std::uint32_t number) {
  constexpr std::array<std::string_view, 3> kNames = {"core", "slice", "home"};
  return fmt::format("{} {}", kNames[static_cast<std::size_t>(kind)], number);
}

/// "FillS slice 7 > core 2", and the QPI links on its way.
std::string message_text(const RecordedMessage& m, const Recording& recording) {
  const MessageTraits& t = traits(m.kind);
  std::string out = fmt::format("{} {} > {}", t.name, agent(t.from, m.from), agent(t.to, m.to));
  for (const LinkId link : recording.route_of(m).links) {
    const Link& way = recording.topology->links()[link.value];
    if (way.kind == LinkKind::kQpi) out += fmt::format(" over {}", way.name);
  }
  return out;
}

/// The operation's messages that were on their way in (begin, end].
std::string messages_of(OpId op, Cycles begin, Cycles end, const Recording& recording) {
  std::string out;
  const auto first = std::ranges::lower_bound(recording.messages, begin, {}, &RecordedMessage::arrived);
  for (auto m = first; m != recording.messages.end() && m->arrived <= end; ++m) {
    if (m->op == op && m->arrived > begin) out += (out.empty() ? "" : "; ") + message_text(*m, recording);
  }
  return out;
}

std::vector<PathPiece> path_of(const HandOff& hand_off, const Timeline& timeline) {
  const ThreadId next = timeline.recording().placement[static_cast<std::size_t>(hand_off.next)];
  return critical_path(timeline, next, hand_off.begin, hand_off.end);
}

/// What happens in the lanes and to the line, cycle by cycle.
class Story {
 public:
  Story(const HandOff& hand_off, const Timeline& timeline, std::size_t most_lanes)
      : hand_off_(hand_off), timeline_(timeline), recording_(timeline.recording()) {
    choose_lanes(most_lanes);
    for (const OperationRecord& o : recording_.operations) operation(o);
    for (const OperationRecord& c : recording_.commits) {
      const bool buffered = c.end - c.begin > Cycles{1};
      if (inside(c.end) && buffered) note(c.end, c.thread, fmt::format("{} visible", operation_text(c, recording_)));
    }
    for (const RecordedMessage& m : recording_.messages) message(m);
    line_states();
  }

  TextTable table() const {
    TextTable table(2 + lanes_.size());
    std::vector<std::string> heading = {"cycle"};
    for (const ThreadId lane : lanes_) {
      heading.push_back(fmt::format("task {}, core {}", recording_.task_of(lane), recording_.core_of(lane).value));
    }
    heading.push_back(recording_.describe(line_));
    table.add(heading);
    for (const auto& [at, cells] : rows_) {
      std::size_t deep = 1;
      for (const auto& cell : cells) deep = std::max(deep, cell.size());
      for (std::size_t i = 0; i < deep; ++i) {
        std::vector<std::string> row = {i == 0 ? fmt::format("{:+}", (at - hand_off_.begin).count) : ""};
        for (std::size_t lane = 0; lane <= lanes_.size(); ++lane) {
          row.push_back(lane < cells.size() && i < cells[lane].size() ? cells[lane][i] : "");
        }
        table.add(row);
      }
    }
    return table;
  }

 private:
  bool inside(Cycles at) const { return at >= hand_off_.begin && at <= hand_off_.end; }

  /// Both owners, then who is longest on the path; the line is that of the first write of the release.
  void choose_lanes(std::size_t most) {
    const auto thread_of = [&](int task) { return recording_.placement[static_cast<std::size_t>(task)]; };
    lanes_ = {thread_of(hand_off_.previous), thread_of(hand_off_.next)};
    std::map<ThreadId, std::int64_t> others;
    for (const PathPiece& piece : path_of(hand_off_, timeline_)) {
      others[piece.operation->thread] -= (piece.end - piece.begin).count;
    }
    std::vector<std::pair<std::int64_t, ThreadId>> sorted;
    for (const auto& [thread, cycles] : others) {
      if (std::ranges::find(lanes_, thread) == lanes_.end()) sorted.emplace_back(cycles, thread);
    }
    std::ranges::sort(sorted);
    for (const auto& [cycles, thread] : sorted) {
      if (lanes_.size() < most) lanes_.push_back(thread);
    }
    for (const OperationRecord* o : timeline_.of(lanes_[0])) {
      const bool writes = o->kind == OpKind::kStore || o->kind == OpKind::kLocked;
      if (o->begin < hand_off_.begin || !writes) continue;
      line_ = line_of(o->address);
      break;
    }
  }

  void note(Cycles at, ThreadId thread, const std::string& text) {
    const auto lane = std::ranges::find(lanes_, thread);
    if (lane != lanes_.end()) note(at, static_cast<std::size_t>(lane - lanes_.begin()), text);
  }
  void note(Cycles at, std::size_t column, const std::string& text) {
    auto& cells = rows_[at];
    cells.resize(lanes_.size() + 1);
    cells[column].push_back(text);
  }

  void operation(const OperationRecord& o) {
    if (o.kind == OpKind::kSynchronise) return;
    if (inside(o.begin)) note(o.begin, o.thread, operation_text(o, recording_));
    const bool waited = o.end - o.begin > Cycles{20} && o.kind != OpKind::kCompute && o.kind != OpKind::kPause;
    if (inside(o.end) && waited) note(o.end, o.thread, o.failed ? "  failed" : "  done");
  }

  void message(const RecordedMessage& m) {
    const MessageTraits& t = traits(m.kind);
    if (t.from == AgentKind::kCore && inside(m.sent)) note_core(m.sent, m.from, fmt::format("> {}", t.name));
    if (t.to == AgentKind::kCore && inside(m.arrived)) note_core(m.arrived, m.to, fmt::format("< {}", t.name));
  }
  void note_core(Cycles at, std::uint32_t core, const std::string& text) {
    for (const ThreadId lane : lanes_) {
      if (recording_.core_of(lane).value == core) return note(at, lane, text);
    }
  }

  /// "core 2: S, 3 more": who has the line in which state; then every change.
  void line_states() {
    std::map<std::pair<AgentKind, std::uint32_t>, std::string> held;
    for (const RecordedState& s : recording_.states) {
      if (s.line != line_ || s.kind == AgentKind::kHome || s.at > hand_off_.end) continue;
      if (s.at >= hand_off_.begin && !begun_) {
        note(hand_off_.begin, lanes_.size(), holders(held));
        begun_ = true;
      }
      held[{s.kind, s.agent}] = s.state;
      if (s.at >= hand_off_.begin) {
        note(s.at, lanes_.size(), fmt::format("{}: {}", agent(s.kind, s.agent), s.state));
      }
    }
  }
  static std::string holders(const std::map<std::pair<AgentKind, std::uint32_t>, std::string>& held) {
    std::string first;
    std::size_t count = 0;
    for (const auto& [who, state] : held) {
      if (state == "I" || who.first != AgentKind::kCore) continue;
      if (count++ == 0) first = fmt::format("core {}: {}", who.second, state);
    }
    if (count == 0) return "no core has it";
    return count == 1 ? first : fmt::format("{}, {} more", first, count - 1);
  }

  const HandOff& hand_off_;
  const Timeline& timeline_;
  const Recording& recording_;
  std::vector<ThreadId> lanes_;
  LineAddress line_;
  bool begun_ = false;
  std::map<Cycles, std::vector<std::vector<std::string>>> rows_;
};

}  // namespace

std::string path_text(const HandOff& hand_off, const Timeline& timeline) {
  const Recording& recording = timeline.recording();
  std::string out = fmt::format("{:>6}  {:>6}\n", "cycle", "cycles");
  const OperationRecord* last = nullptr;
  for (const PathPiece& piece : path_of(hand_off, timeline)) {
    const OperationRecord& o = *piece.operation;
    if (&o != last) {
      out += fmt::format("                task {}, core {}, {}: {}{}\n", recording.task_of(o.thread),
                         recording.core_of(o.thread).value, name_of(o.phase), operation_text(o, recording),
                         piece.buffered ? ", from the store buffer" : "");
      last = &o;
    }
    std::string text(piece.segment->rounds > 0 ? "spins" : meaning_of(piece.segment->category));
    if (kByMessage.has(piece.segment->category)) {
      const std::string messages = messages_of(o.id, piece.begin, piece.end, recording);
      if (!messages.empty()) text += ": " + messages;
    }
    constexpr std::size_t kIndent = 18;
    out += fmt::format("{:>+6}  {:>6}    {}", (piece.begin - hand_off.begin).count, (piece.end - piece.begin).count,
                       wrapped(text, kIndent).substr(kIndent));
  }
  return out;
}

std::string overlapped_text(const HandOff& hand_off, const Timeline& timeline) {
  const Recording& recording = timeline.recording();
  std::set<const OperationRecord*> on_path;
  for (const PathPiece& piece : path_of(hand_off, timeline)) on_path.insert(piece.operation);
  std::string out;
  const auto tell = [&](const OperationRecord& o, bool buffered) {
    const int task = recording.task_of(o.thread);
    const Cycles from = std::max(o.begin, hand_off.begin);
    const Cycles until = std::min(o.end, hand_off.end);
    const bool owner = task == hand_off.previous || task == hand_off.next;
    if (!owner || until - from < kWorthTelling || on_path.contains(&o)) return;
    out += wrapped(
        fmt::format("{:+} to {:+}: task {}, {}: {}{}", (from - hand_off.begin).count, (until - hand_off.begin).count,
                    task, name_of(o.phase), operation_text(o, recording), buffered ? ", from the store buffer" : ""),
        2);
  };
  for (const OperationRecord& o : recording.operations) tell(o, false);
  for (const OperationRecord& c : recording.commits) tell(c, true);
  return out;
}

std::string cycles_text(const HandOff& hand_off, const Timeline& timeline) {
  const TextTable table = Story(hand_off, timeline, kMostLanes).table();
  return table.width() <= kTextColumns ? table.str() : Story(hand_off, timeline, 2).table().str();
}

}  // namespace linebounce

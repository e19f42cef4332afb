// SPDX-License-Identifier: Apache-2.0
#include "sim/figure_swim_lane.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "sim/category_groups.hpp"
#include "sim/critical_path.hpp"
#include "sim/svg.hpp"
#include "sim/swim_lane_cast.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kWidth = 1240;
constexpr double kMargin = 16;
constexpr double kLeft = 232;
constexpr double kRight = kWidth - 20;
constexpr double kPhase = 14;
constexpr double kOperation = 16;
constexpr double kPath = 4;
constexpr double kBuffer = 7;
constexpr double kLine = 10;
constexpr double kLaneGap = 26;
constexpr double kSocketGap = 22;  ///< room for the name of a socket
constexpr double kLetters = 10;    ///< font of small text

constexpr std::size_t kMostLines = 5;
constexpr std::size_t kMostCores = 8;
/// Colours of the lines; the critical path has vermillion to itself.
constexpr std::array<std::size_t, kMostLines> kLineColours = {0, 1, 2, 4, 5};
constexpr std::size_t kPathColour = 3;

/// States of cores and slices in which the line is theirs, and in which they have a copy or know a core of theirs that
/// owns it. All others but "I" are on the way.
constexpr std::array<std::string_view, 2> kOwning = {"M", "E"};
constexpr std::array<std::string_view, 4> kHolding = {"S", "F", "EO", "MO"};

bool executes(Category category) {
  const CategoryGroup group = group_of(category);
  return group == CategoryGroup::kWork || group == CategoryGroup::kLocked;
}

std::string title_of(const OperationRecord& operation, const Recording& recording) {
  const std::string_view verb = operation.kind == OpKind::kLocked ? name_of(operation.locked) : name_of(operation.kind);
  std::string text = fmt::format("{}{}", verb, operation.failed ? " (failed)" : "");
  if (has_address(operation)) text += " " + recording.describe(operation.address);
  return text;
}

std::string tip_of(const OperationRecord& operation, const Recording& recording, Cycles zero) {
  std::string tip = fmt::format("{}, phase {}\ncycles {} to {}: {}", title_of(operation, recording),
                                name_of(operation.phase), (operation.begin - zero).count, (operation.end - zero).count,
                                (operation.end - operation.begin).count);
  Cycles at = operation.begin;
  for (const Segment& segment : operation.segments) {
    tip += fmt::format("\n{} {}", name_of(segment.category), (segment.until - at).count);
    if (segment.rounds > 0) tip += fmt::format(" ({} rounds)", segment.rounds);
    if (segment.cause) tip += fmt::format(" because of task {}", recording.task_of(recording.thread_of(segment.cause)));
    at = segment.until;
  }
  return tip;
}

std::string operation_mark(OpId op) { return op ? attribute("data-op", fmt::format("{:x}", op.value)) : ""; }

class Drawing {
 public:
  Drawing(const Recording& recording, const HandOff& hand_off, const std::string& what)
      : recording_(recording),
        hand_off_(hand_off),
        cast_(cast_of(recording, hand_off, kMostLines, kMostCores)),
        height_(lay_out()),
        x_{static_cast<double>(cast_.begin.count), static_cast<double>(cast_.end.count), kLeft, kRight},
        svg_(kWidth, height_,
             fmt::format("{}: one hand-off, {} cycles from task {} to task {}", what, hand_off.length().count,
                         hand_off.previous, hand_off.next)) {}

  std::string draw() && {
    draw_axis();
    std::optional<SocketId> socket;
    for (const LaneOf& lane : cast_.lanes) {
      const SocketId here = socket_of(lane, recording_);
      if (socket != here) {
        svg_.text(kMargin, top_.at(lane) - 10, fmt::format("socket {}", here.value), "soft bold");
        svg_.line({kMargin, top_.at(lane) - 6}, {kRight, top_.at(lane) - 6}, "grid");
        socket = here;
      }
      draw_lane(lane);
    }
    draw_path();
    for (const RecordedMessage* message : cast_.messages) draw_message(*message);
    draw_labels();
    draw_legend();
    return std::move(svg_).take();
  }

 private:
  static double lane_height(const LaneOf& lane, std::size_t lines) {
    const double of_lines = static_cast<double>(lines) * kLine;
    return lane.kind == AgentKind::kCore   ? kPhase + kOperation + kPath + kBuffer + of_lines
           : lane.kind == AgentKind::kHome ? kLine
                                           : std::max(kLine, of_lines);
  }

  /// Lines that have a row in the lane: the core or slice had them or asked for them. A home agent's lane has none.
  std::vector<std::size_t> lines_of(const LaneOf& lane) const {
    std::vector<std::size_t> lines;
    if (lane.kind == AgentKind::kHome) return lines;
    for (std::size_t l = 0; l < cast_.lines.size(); ++l) {
      bool had = false;
      for (const RecordedState& change : recording_.states) {
        if (change.at >= cast_.end) break;
        if (change.line != cast_.lines[l] || lane_of(change.kind, change.agent, recording_) != lane) continue;
        had = change.state != "I" || (had && change.at > cast_.begin);
      }
      if (had) lines.push_back(l);
    }
    return lines;
  }
  LaneOf from_of(const RecordedMessage& m) const { return lane_of(traits(m.kind).from, m.from, recording_); }
  LaneOf to_of(const RecordedMessage& m) const { return lane_of(traits(m.kind).to, m.to, recording_); }

  double lay_out() {
    double y = 74;
    std::optional<SocketId> socket;
    for (const LaneOf& lane : cast_.lanes) {
      const SocketId here = socket_of(lane, recording_);
      if (socket != here) y += kSocketGap;
      socket = here;
      top_[lane] = y;
      y += lane_height(lane, lines_of(lane).size()) + kLaneGap;
    }
    bottom_ = y - kLaneGap + 10;
    return bottom_ + 36 + 2 * 18 + 40;
  }

  double x(Cycles at) const { return std::clamp(x_(static_cast<double>(at.count)), kLeft, kRight); }
  std::int64_t since(Cycles at) const { return (at - hand_off_.begin).count; }
  bool shown(Cycles from, Cycles to) const { return to > cast_.begin && from < cast_.end; }

  void draw_axis() {
    const double zero = static_cast<double>(hand_off_.begin.count);
    for (const double value : ticks(x_.from - zero, x_.to - zero, 12)) {
      svg_.line({x_(value + zero), 62}, {x_(value + zero), bottom_}, "grid");
      svg_.text(x_(value + zero), bottom_ + 15, tick_text(value), "soft", Anchor::kMiddle);
    }
    svg_.text((kLeft + kRight) / 2, bottom_ + 32,
              fmt::format("core cycles since the release began (cycle {} of the run)", hand_off_.begin.count), "ink",
              Anchor::kMiddle);
    svg_.line({x(hand_off_.begin), 58}, {x(hand_off_.begin), bottom_}, "mark");
    svg_.line({x(hand_off_.end), 58}, {x(hand_off_.end), bottom_}, "mark");
    svg_.text(x(hand_off_.begin), 54, "release begins", "ink small", Anchor::kMiddle);
    svg_.text(x(hand_off_.end), 54, "next owner is inside", "ink small", Anchor::kMiddle);
  }

  void draw_lane(const LaneOf& lane) {
    const double y = top_.at(lane);
    svg_.text(kMargin, y + 11, name_of(lane, recording_), "ink");
    const bool core = lane.kind == AgentKind::kCore;
    if (core) draw_operations(lane, y);
    double row = core ? y + kPhase + kOperation + kPath + kBuffer : y;
    if (lane.kind == AgentKind::kHome) svg_.line({kLeft, y + kLine / 2}, {kRight, y + kLine / 2}, "axis");
    for (const std::size_t line : lines_of(lane)) {
      svg_.text(kLeft - 8, row + 9, fitted(recording_.describe(cast_.lines[line]), 100, kLetters), "soft small",
                Anchor::kEnd);
      draw_states(lane, line, row);
      row += kLine;
    }
  }

  void draw_operations(const LaneOf& lane, double y) {
    struct Stretch {
      Phase phase;
      Cycles from;
      Cycles to;
    };
    std::vector<Stretch> phases;
    for (const OperationRecord& operation : recording_.operations) {
      if (recording_.core_of(operation.thread).value != lane.agent || !shown(operation.begin, operation.end)) continue;
      draw_segments(operation, y + kPhase, kOperation);
      if (!phases.empty() && phases.back().phase == operation.phase && phases.back().to == operation.begin) {
        phases.back().to = operation.end;
      } else {
        phases.push_back({operation.phase, operation.begin, operation.end});
      }
      const std::string text =
          fitted(title_of(operation, recording_), x(operation.end) - x(operation.begin) - 4, kLetters);
      if (!text.empty())
        svg_.text((x(operation.begin) + x(operation.end)) / 2, y + kPhase + 12, text, "ink small", Anchor::kMiddle);
    }
    for (const Stretch& stretch : phases) {
      const double left = x(stretch.from);
      const double wide = x(stretch.to) - left;
      svg_.rect(left, y, wide, kPhase - 2, "f9 half", std::string(name_of(stretch.phase)));
      svg_.text(left + 3, y + 9, fitted(name_of(stretch.phase), wide - 4, kLetters), "ink small");
    }
    for (const OperationRecord& commit : recording_.commits) {
      if (recording_.core_of(commit.thread).value != lane.agent || !shown(commit.begin, commit.end)) continue;
      svg_.rect(x(commit.begin), y + kPhase + kOperation + kPath, x(commit.end) - x(commit.begin), kBuffer - 2,
                "f7 half", "in the store buffer: " + tip_of(commit, recording_, hand_off_.begin),
                operation_mark(commit.id));
    }
  }

  void draw_segments(const OperationRecord& operation, double y, double height) {
    const std::string tip = tip_of(operation, recording_, hand_off_.begin);
    Cycles at = operation.begin;
    for (const Segment& segment : operation.segments) {
      if (shown(at, segment.until)) {
        svg_.rect(x(at), y, x(segment.until) - x(at), height, executes(segment.category) ? "f8" : "f9", tip,
                  operation_mark(operation.id));
      }
      at = segment.until;
    }
    svg_.line({x(operation.end), y}, {x(operation.end), y + height}, "rule");
  }

  void draw_states(const LaneOf& lane, std::size_t line, double y) {
    std::string_view state = "I";
    Cycles from = cast_.begin;
    const auto bar = [&](Cycles to) {
      if (state == "I" || !shown(from, to) || x(to) <= x(from)) return;
      const std::size_t colour = kLineColours[line];
      const bool owns = std::ranges::find(kOwning, state) != kOwning.end();
      svg_.rect(x(from), y + 1, x(to) - x(from), kLine - 2,
                fmt::format("{} {} edge{}", fill_class(colour), stroke_class(colour),
                            owns                                                   ? ""
                            : std::ranges::find(kHolding, state) != kHolding.end() ? " half"
                                                                                   : " hollow"),
                fmt::format("{} in {}: {}\ncycles {} to {}", recording_.describe(cast_.lines[line]),
                            name_of(lane, recording_), state, since(from), since(to)));
      const std::string text = fitted(state, x(to) - x(from), 8);
      if (text == state)
        svg_.text(x(from) + 2, y + 8, text, owns && colour != 1 && colour != 5 ? "white tiny" : "ink tiny");
    };
    for (const RecordedState& change : recording_.states) {
      if (change.line != cast_.lines[line] || lane_of(change.kind, change.agent, recording_) != lane) continue;
      if (change.at >= cast_.end) break;
      if (change.at > cast_.begin) {
        bar(change.at);
        from = change.at;
      }
      state = change.state;
    }
    bar(cast_.end);
  }

  void draw_path() {
    const Timeline timeline(recording_);
    const ThreadId next = recording_.placement[static_cast<std::size_t>(hand_off_.next)];
    for (const PathPiece& piece : critical_path(timeline, next, hand_off_.begin, hand_off_.end)) {
      const LaneOf lane{AgentKind::kCore, recording_.core_of(piece.operation->thread).value};
      const auto top = top_.find(lane);
      if (top == top_.end()) continue;
      svg_.rect(x(piece.begin), top->second + kPhase + kOperation, x(piece.end) - x(piece.begin), kPath - 1,
                fill_class(kPathColour),
                fmt::format("critical path: {}{}\n{} {} cycles", title_of(*piece.operation, recording_),
                            piece.buffered ? " in the store buffer" : "", name_of(piece.segment->category),
                            (piece.end - piece.begin).count),
                operation_mark(piece.operation->id));
    }
  }

  /// Where arrows begin and end in a lane.
  double edge(const LaneOf& lane, bool below) const {
    const double y = top_.at(lane);
    if (lane.kind == AgentKind::kHome) return y + kLine / 2;
    return below ? y + lane_height(lane, lines_of(lane).size()) + 1 : y - 1;
  }

  void draw_message(const RecordedMessage& message) {
    const LaneOf from = from_of(message);
    const LaneOf to = to_of(message);
    const auto line = static_cast<std::size_t>(std::ranges::find(cast_.lines, message.line) - cast_.lines.begin());
    const bool down = top_.at(from) < top_.at(to);
    const double y1 = edge(from, down);
    const double y2 = edge(to, !down);
    const auto at = [&](Cycles cycle) {  // where the arrow is then
      const double share = static_cast<double>((cycle - message.sent).count) /
                           static_cast<double>((message.arrived - message.sent).count);
      return PlotPoint{x(cycle), y1 + share * (y2 - y1)};
    };
    const PlotPoint begin = at(std::max(message.sent, cast_.begin));
    const PlotPoint end = at(std::min(message.arrived, cast_.end));
    const std::string task =
        message.op ? fmt::format("\nfor task {}", recording_.task_of(recording_.thread_of(message.op))) : "";
    svg_.arrow(begin, end, kLineColours[line],
               fmt::format("{} about {}\n{} to {}\ncycles {} to {}: {}{}", name_of(message.kind),
                           recording_.describe(message.line), name_of(from, recording_), name_of(to, recording_),
                           since(message.sent), since(message.arrived), (message.arrived - message.sent).count, task),
               operation_mark(message.op));
    labels_.push_back({begin, end, name_of(message.kind)});
  }

  /// Each where nothing else is written yet; if there is no such place, the tip must do.
  void draw_labels() {
    struct Box {
      double left, top, right, bottom;
    };
    std::vector<Box> taken;
    for (const LaneOf& lane : cast_.lanes) {  // names of phases and operations
      const double top = top_.at(lane);
      if (lane.kind == AgentKind::kCore) taken.push_back({kLeft, top, kRight, top + kPhase + kOperation});
    }
    for (const auto& [from, to, text] : labels_) {
      const double wide = text_pixels(text, 9);
      for (const double share : {0.5, 0.35, 0.65, 0.2, 0.8}) {
        const double middle = from.x + share * (to.x - from.x);
        const double y = from.y + share * (to.y - from.y);
        const Box box{middle + 3, y - 8, middle + 5 + wide, y + 2};
        if (box.right > kRight) continue;
        if (std::ranges::any_of(taken, [&](const Box& b) {
              return box.left < b.right && b.left < box.right && box.top < b.bottom && b.top < box.bottom;
            })) {
          continue;
        }
        taken.push_back(box);
        svg_.text(box.left + 1, y, text, "ink tiny halo");
        break;
      }
    }
  }

  void draw_legend() {
    std::vector<LegendEntry> entries;
    for (std::size_t l = 0; l < cast_.lines.size(); ++l) {
      entries.push_back({"line " + recording_.describe(cast_.lines[l]), fill_class(kLineColours[l])});
    }
    entries.push_back({"executing", "f8"});
    entries.push_back({"waiting", "f9"});
    entries.push_back({"in the store buffer", "f7 half"});
    entries.push_back({"critical path", fill_class(kPathColour)});
    legend(svg_, kMargin, bottom_ + 44, kWidth - 2 * kMargin, entries);
    svg_.text(kMargin, height_ - 12,
              "Bars of a line: full colour, the core or slice owns it (M, E); half, it has a copy or a core of its "
              "socket owns it; outlined, a request or "
              "snoop is in progress. Arrows: messages, from sent to arrived.",
              "soft small");
  }

  struct Label {
    PlotPoint from;
    PlotPoint to;
    std::string_view text;
  };

  const Recording& recording_;
  const HandOff& hand_off_;
  Cast cast_;
  std::map<LaneOf, double> top_;
  double bottom_ = 0;
  double height_;
  Scale x_;
  Svg svg_;
  std::vector<Label> labels_;
};

}  // namespace

std::string render_swim_lane(const Recording& recording, const HandOff& hand_off, const std::string& what) {
  return Drawing(recording, hand_off, what).draw();
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Kanata v4, tab separated, as Konata reads it. An operation is an instruction of its task: it begins with the operation and
// retires when its thread goes on; a store, when it is visible, and its way through the store buffer is lane 1. Its segments are the stages, of 1 to 4 letters; those
// outside the core begin with X, as Konata draws the arrows of `W` between stages with an X. An arrow leads to an operation
// from the one that held it up, and from the last one that the core from which its line came did on that line.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "sim/trace_formats.hpp"

namespace linebounce {
namespace {

/// By category.
constexpr std::array<std::string_view, kCategories> kStages = {
    "Cp",   // compute
    "Is",   // issue
    "L1",   // l1_hit
    "L2",   // l2_hit
    "Sf",   // store_forward
    "Sff",  // store_forward_fail
    "Sbf",  // store_buffer_full
    "Sbd",  // store_buffer_drain
    "Xmi",  // miss_issue
    "Fb",   // fill_buffer
    "Xtr",  // travel
    "Xqp",  // qpi
    "Xlq",  // link_queue
    "Xsl",  // slice
    "Xsq",  // slice_queue
    "Xsn",  // snoop
    "Xhl",  // held_by_lock
    "Xho",  // home
    "Xhq",  // home_queue
    "Xdr",  // dram
    "Xlk",  // locked_execution: has an X so that arrows can begin at a LOCKed operation that hits
    "Fe",   // fence
    "Pa",   // pause
    "Mp",   // mispredict
    "Mc",   // machine_clear
    "Smt",  // smt_slot
    "Idl",  // idle
};
static_assert(kStages.back() == "Idl", "a category without a stage");

struct Instruction {
  OpId op;
  ThreadId thread;
  Cycles begin;
  Cycles end;            ///< of what the trace shows of it
  bool retires = false;  ///< in the trace
  const TraceSlice* title = nullptr;
  std::vector<const TraceSlice*> stages;
};

class Kanata {
 public:
  explicit Kanata(const TraceTracks& tracks) : tracks_(tracks) {
    collect();
    for (std::size_t i = 0; i < instructions_.size(); ++i) index_[instructions_[i].op.value] = i;
  }

  std::string write() {
    find_suppliers();
    for (std::size_t i = 0; i < instructions_.size(); ++i) add(i);
    out_ = fmt::format("Kanata\t0004\nC=\t{}\n", tracks_.begin.count);
    Cycles now = tracks_.begin;
    std::ranges::stable_sort(lines_, {}, [](const Line& line) { return std::tuple(line.at, line.rank); });
    for (const Line& line : lines_) {
      if (line.at > now) print("C\t{}\n", (line.at - now).count);
      now = line.at;
      out_ += line.text;
      if (line.retires) print("R\t{}\t{}\t0\n", *line.retires, retired_++);
    }
    return std::move(out_);
  }

 private:
  struct Line {
    Cycles at;
    int rank = 0;  ///< what ends, then what begins
    std::string text;
    std::optional<std::size_t> retires;
  };

  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
  }

  /// Instructions in the order of begin; what a store does in the store buffer belongs to the store.
  void collect() {
    std::map<std::uint64_t, std::size_t> places;
    std::size_t current = 0;
    for (const TraceSlice& slice : tracks_.slices) {
      if (slice.kind == SliceKind::kOperation) {
        const OpId op = slice.operation->id;
        const auto [place, is_new] = places.try_emplace(op.value, instructions_.size());
        if (is_new) instructions_.push_back({op, slice.operation->thread, slice.begin, slice.end, false, &slice, {}});
        current = place->second;
        Instruction& it = instructions_[current];
        const bool stored = tracks_.tracks[slice.track].kind == TrackKind::kStores;
        const bool buffered = slice.operation->kind == OpKind::kStore && !stored;
        it.end = std::max(it.end, slice.end);
        if (!buffered) it.retires = slice.operation->end <= tracks_.end;
      } else if (slice.kind == SliceKind::kSegment) {
        instructions_[current].stages.push_back(&slice);
      }
    }
    std::ranges::stable_sort(instructions_, {},
                             [](const Instruction& i) { return std::tuple(i.begin, i.thread, i.op); });
  }

  /// Operations of a core on a line, in the order in which they ended.
  using Uses = std::map<std::pair<std::uint32_t, LineAddress>, std::vector<std::pair<Cycles, OpId>>>;

  void find_suppliers() {
    const Recording& recording = *tracks_.recording;
    Uses uses;
    for (const auto* list : {&recording.operations, &recording.commits}) {
      for (const OperationRecord& o : *list) {
        if (has_address(o)) uses[{recording.core_of(o.thread).value, line_of(o.address)}].emplace_back(o.end, o.id);
      }
    }
    for (auto& [where, list] : uses) std::ranges::sort(list);
    for (const RecordedMessage& m : recording.messages) {
      if (m.kind != MessageKind::kCoreSnpShare && m.kind != MessageKind::kCoreSnpInv) continue;
      const auto found = uses.find({m.to, m.line});
      if (found == uses.end()) continue;
      const auto after = std::ranges::upper_bound(found->second, m.arrived, {}, &std::pair<Cycles, OpId>::first);
      if (after != found->second.begin()) suppliers_[m.op.value].insert(std::prev(after)->second);
    }
  }

  void add(std::size_t id) {
    const Instruction& it = instructions_[id];
    std::string head =
        fmt::format("I\t{}\t{}\t{}\nL\t{}\t0\t{}: {}\n", id, it.op.value, tracks_.recording->task_of(it.thread), id,
                    tracks_.recording->task_of(it.thread), tracks_.name(*it.title));
    std::string details;
    for (const TraceArgument& a : tracks_.arguments_of(*it.title)) {
      details += fmt::format("{}{} {}", details.empty() ? "" : ", ", a.key,
                             a.text.empty() ? fmt::format("{}", a.number) : a.text);
    }
    lines_.push_back({it.begin, 1, head + fmt::format("L\t{}\t1\t{}\n", id, details), {}});
    std::set<OpId> producers = suppliers_[it.op.value];
    for (const TraceSlice* stage : it.stages) {
      const std::string_view name = kStages[static_cast<std::size_t>(stage->segment->category)];
      const int lane = tracks_.tracks[stage->track].kind == TrackKind::kStores ? 1 : 0;
      lines_.push_back({stage->begin, 1, fmt::format("S\t{}\t{}\t{}\n", id, lane, name), {}});
      lines_.push_back({stage->end, 0, fmt::format("E\t{}\t{}\t{}\n", id, lane, name), {}});
      if (stage->segment->cause) producers.insert(stage->segment->cause);
    }
    // By then whoever held it up has begun.
    for (const OpId producer : producers) {
      const auto found = index_.find(producer.value);
      if (found == index_.end() || found->second == id || instructions_[found->second].begin >= it.end) continue;
      lines_.push_back({it.end, 0, fmt::format("W\t{}\t{}\t0\n", id, found->second), {}});
    }
    if (it.retires) lines_.push_back({it.end, 0, "", id});
  }

  const TraceTracks& tracks_;
  std::vector<Instruction> instructions_;
  std::unordered_map<std::uint64_t, std::size_t> index_;  ///< by OpId, for look-ups only
  std::unordered_map<std::uint64_t, std::set<OpId>> suppliers_;
  std::vector<Line> lines_;
  std::size_t retired_ = 0;
  std::string out_;
};

}  // namespace

std::string render_kanata(const TraceTracks& tracks, std::string_view /*about*/) { return Kanata(tracks).write(); }

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Perfetto's protobuf: a file is repeated Trace.packet. First the descriptors of processes, tracks and counters; then one
// packet with every name, to which later ones refer; then the events in the order of time. 1 ns stands for 1 cycle.
#include <algorithm>
#include <map>

#include "sim/trace_formats.hpp"
#include "sim/trace_protobuf.hpp"

namespace linebounce {
namespace {

// Field numbers, from perfetto's protos/perfetto/trace/*.proto.
namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace packet {
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12, kSequenceFlags = 13,
                        kTrackDescriptor = 60, kFirstOnSequence = 87;
constexpr std::uint64_t kStateCleared = 1, kNeedsState = 2;  // of kSequenceFlags
}  // namespace packet
namespace descriptor {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParent = 5, kCounter = 8, kChildOrdering = 11,
                        kRank = 12;
constexpr std::uint32_t kProcessPid = 1, kProcessName = 6, kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
constexpr std::uint32_t kCounterUnit = 3;
constexpr std::uint64_t kExplicit = 3, kUnitCount = 2, kUnitBytes = 3;
}  // namespace descriptor
namespace event {
constexpr std::uint32_t kAnnotation = 4, kType = 9, kNameIid = 10, kTrack = 11, kCategory = 22, kCounterValue = 30,
                        kFlow = 47, kTerminatingFlow = 48;
constexpr std::uint64_t kBegin = 1, kEnd = 2, kCounter = 4;  // of kType
constexpr std::uint32_t kAnnotationNameIid = 1, kAnnotationInt = 4, kAnnotationText = 6;
}  // namespace event
namespace interned {
constexpr std::uint32_t kEventNames = 2, kAnnotationNames = 3, kIid = 1, kName = 2;
}

constexpr std::uint64_t kSequenceId = 1;
constexpr std::array<std::string_view, 9> kAnnotationNames = {"phase",  "operation", "cycles", "value", "cause",
                                                              "rounds", "from",      "to",     "for"};

/// An event in the order of writing: what ends, before what begins; what receives a message, after what sends one.
struct Happening {
  Cycles at;
  int rank = 0;
  enum class Kind : std::uint8_t { kEnd, kBegin, kCounter } kind = Kind::kBegin;
  std::uint32_t index = 0;  ///< of the slice or counter
  std::uint32_t point = 0;  ///< of the counter
};

class Perfetto {
 public:
  explicit Perfetto(const TraceTracks& tracks) : tracks_(tracks) {}

  std::string write(std::string_view about) {
    describe(about);
    intern();
    for (const Happening& h : happenings()) add(h);
    return std::move(out_);
  }

 private:
  std::uint64_t uuid_of_process(std::size_t process) const { return 1 + process; }
  std::uint64_t uuid_of_track(std::size_t track) const { return 1 + tracks_.processes.size() + track; }
  std::uint64_t uuid_of_counter(std::size_t counter) const {
    return 1 + tracks_.processes.size() + tracks_.tracks.size() + counter;
  }

  void put(const ProtobufWriter& packet) {
    file_.clear();
    out_ += file_.message(trace::kPacket, packet).bytes();
  }
  void put_descriptor(const ProtobufWriter& descriptor) {
    ProtobufWriter packet;
    packet.number(packet::kSequence, kSequenceId);
    if (out_.empty()) packet.number(packet::kFirstOnSequence, 1);
    put(packet.message(packet::kTrackDescriptor, descriptor));
  }

  void describe(std::string_view about) {
    for (std::size_t p = 0; p < tracks_.processes.size(); ++p) {
      // The first one says what the trace is of.
      const std::string name = tracks_.processes[p].name + (p == 0 ? " of " + std::string(about) : "");
      ProtobufWriter process;
      process.number(descriptor::kProcessPid, p + 1).text(descriptor::kProcessName, name);
      put_descriptor(ProtobufWriter()
                         .number(descriptor::kUuid, uuid_of_process(p))
                         .message(descriptor::kProcess, process)
                         .number(descriptor::kChildOrdering, descriptor::kExplicit)
                         .number(descriptor::kRank, p));
    }
    for (std::size_t t = 0; t < tracks_.tracks.size(); ++t) {
      const TraceTrack& track = tracks_.tracks[t];
      ProtobufWriter it;
      it.number(descriptor::kUuid, uuid_of_track(t));
      if (track.kind == TrackKind::kThread) {
        ProtobufWriter thread;
        thread.number(descriptor::kThreadPid, track.process + 1)
            .number(descriptor::kThreadTid, track.thread.value + 1)
            .text(descriptor::kThreadName, track.name);
        it.message(descriptor::kThread, thread);
      } else {
        it.text(descriptor::kName, track.name);
      }
      it.number(descriptor::kParent, uuid_of_process(track.process)).number(descriptor::kRank, t);
      put_descriptor(it);
    }
    for (std::size_t c = 0; c < tracks_.counters.size(); ++c) {
      const TraceCounter& counter = tracks_.counters[c];
      ProtobufWriter kind;
      kind.number(descriptor::kCounterUnit, counter.unit == "bytes" ? descriptor::kUnitBytes : descriptor::kUnitCount);
      put_descriptor(ProtobufWriter()
                         .number(descriptor::kUuid, uuid_of_counter(c))
                         .text(descriptor::kName, counter.name)
                         .number(descriptor::kParent, uuid_of_process(counter.process))
                         .message(descriptor::kCounter, kind)
                         .number(descriptor::kRank, tracks_.tracks.size() + c));
    }
  }

  void intern() {
    const auto entry = [](std::size_t index, std::string_view name) {
      return ProtobufWriter().number(interned::kIid, index + 1).text(interned::kName, name);
    };
    ProtobufWriter names;
    for (std::size_t n = 0; n < tracks_.names.size(); ++n) {
      names.message(interned::kEventNames, entry(n, tracks_.names[n]));
    }
    for (std::size_t n = 0; n < kAnnotationNames.size(); ++n) {
      names.message(interned::kAnnotationNames, entry(n, kAnnotationNames[n]));
    }
    put(ProtobufWriter()
            .number(packet::kTimestamp, static_cast<std::uint64_t>(tracks_.begin.count))
            .number(packet::kSequence, kSequenceId)
            .number(packet::kSequenceFlags, packet::kStateCleared | packet::kNeedsState)
            .message(packet::kInternedData, names));
  }

  std::vector<Happening> happenings() const {
    using Kind = Happening::Kind;
    std::vector<Happening> all;
    std::vector<std::uint32_t> open;
    const auto close_until = [&](bool all_of_them, std::uint32_t track, Cycles at) {
      while (!open.empty()) {
        const TraceSlice& slice = tracks_.slices[open.back()];
        if (!all_of_them && slice.track == track && slice.end > at) return;
        all.push_back({slice.end, 0, Kind::kEnd, open.back()});
        open.pop_back();
      }
    };
    for (std::uint32_t s = 0; s < tracks_.slices.size(); ++s) {
      const TraceSlice& slice = tracks_.slices[s];
      close_until(false, slice.track, slice.begin);
      all.push_back({slice.begin, slice.kind == SliceKind::kMessageIn ? 2 : 1, Kind::kBegin, s});
      open.push_back(s);
    }
    close_until(true, 0, {});
    for (std::uint32_t c = 0; c < tracks_.counters.size(); ++c) {
      for (std::uint32_t p = 0; p < tracks_.counters[c].points.size(); ++p) {
        all.push_back({tracks_.counters[c].points[p].first, 3, Kind::kCounter, c, p});
      }
    }
    std::ranges::stable_sort(
        all, [](const Happening& a, const Happening& b) { return std::tie(a.at, a.rank) < std::tie(b.at, b.rank); });
    return all;
  }

  void add(const Happening& h) {
    event_.clear();
    switch (h.kind) {
      case Happening::Kind::kEnd:
        event_.number(event::kType, event::kEnd).number(event::kTrack, uuid_of_track(tracks_.slices[h.index].track));
        break;
      case Happening::Kind::kBegin: begin(tracks_.slices[h.index]); break;
      case Happening::Kind::kCounter:
        event_.number(event::kType, event::kCounter)
            .number(event::kTrack, uuid_of_counter(h.index))
            .number(event::kCounterValue, static_cast<std::uint64_t>(tracks_.counters[h.index].points[h.point].second));
        break;
    }
    packet_.clear();
    put(packet_.number(packet::kTimestamp, static_cast<std::uint64_t>(h.at.count))
            .number(packet::kSequence, kSequenceId)
            .number(packet::kSequenceFlags, packet::kNeedsState)
            .message(packet::kTrackEvent, event_));
  }

  void begin(const TraceSlice& slice) {
    for (const TraceArgument& argument : tracks_.arguments_of(slice)) {
      const auto name = std::ranges::find(kAnnotationNames, argument.key) - kAnnotationNames.begin();
      ProtobufWriter annotation;
      annotation.number(event::kAnnotationNameIid, static_cast<std::uint64_t>(name) + 1);
      if (argument.text.empty()) {
        annotation.number(event::kAnnotationInt, static_cast<std::uint64_t>(argument.number));
      } else {
        annotation.text(event::kAnnotationText, argument.text);
      }
      event_.message(event::kAnnotation, annotation);
    }
    event_.number(event::kType, event::kBegin)
        .number(event::kNameIid, std::uint64_t{slice.name} + 1)
        .number(event::kTrack, uuid_of_track(slice.track))
        .text(event::kCategory, name_of(slice.kind));
    const std::uint64_t flow = tracks_.flow_of(slice);
    if (flow != 0) {
      event_.fixed64(slice.kind == SliceKind::kMessageOut ? event::kFlow : event::kTerminatingFlow, flow);
    }
  }

  const TraceTracks& tracks_;
  std::string out_;
  ProtobufWriter file_, packet_, event_;  ///< to be used again without allocation
};

}  // namespace

std::string render_perfetto(const TraceTracks& tracks, std::string_view about) { return Perfetto(tracks).write(about); }

}  // namespace linebounce

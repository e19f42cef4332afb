// SPDX-License-Identifier: Apache-2.0
// What the trace formats show of a recording: tracks with nested slices, messages from track to track, counters. Every
// format is written from this alone; none of them works anything out of its own.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/recording.hpp"

namespace linebounce {

enum class TrackKind : std::uint8_t {
  kThread,  ///< a task's hardware thread: phases, in them operations, in them segments
  kStores,  ///< its store buffer: stores from entering until they are visible; several tracks where they overlap
  kCaches,  ///< a core's L1 and L2: messages that no operation of the core waits for
  kSlice,   ///< an L3 slice: messages
  kHome,    ///< a home agent: messages
  kLink,    ///< a QPI link, one direction: messages whose way it is on; several tracks where they overlap
  kLine,    ///< a cache line at one agent: its states, but for I and Idle
};

/// A socket, or after the sockets the cache lines.
struct TraceProcess {
  std::string name;
};

struct TraceTrack {
  TrackKind kind = TrackKind::kThread;
  std::uint32_t process = 0;  ///< index
  ThreadId thread;            ///< of kThread and kStores
  std::string name;
};

enum class SliceKind : std::uint8_t {
  kPhase,       ///< operations one after the other in the same phase of the algorithm
  kOperation,   ///< an operation, or on a kStores track a store on its way to its line
  kSegment,     ///< a segment of the operation around it
  kState,       ///< the line is in this state
  kTransit,     ///< a message, from sent until arrived
  kMessageOut,  ///< the cycle in which a message is sent
  kMessageIn,   ///< the last cycle before its receiver deals with it
};

inline constexpr std::array<std::string_view, 7> kSliceKindNames = {
    "phase", "operation", "segment", "state", "transit", "message sent", "message received"};
constexpr std::string_view name_of(SliceKind kind) { return kSliceKindNames[static_cast<std::size_t>(kind)]; }

/// A stretch of a track. Slices of one track nest.
struct TraceSlice {
  std::uint32_t track = 0;  ///< index
  SliceKind kind = SliceKind::kPhase;
  std::uint32_t name = 0;                      ///< index
  Cycles begin;                                ///< cut off at the trace's begin
  Cycles end;                                  ///< likewise; greater than begin
  const OperationRecord* operation = nullptr;  ///< of phases (their first), operations and segments
  const Segment* segment = nullptr;            ///< of segments
  const RecordedMessage* message = nullptr;    ///< of messages and transits
};

/// A number over time.
struct TraceCounter {
  std::string name;
  std::string_view unit;  ///< "bytes" or "stores"
  std::uint32_t process = 0;
  std::vector<std::pair<Cycles, std::int64_t>>
      points;  ///< at strictly increasing cycles, the first at the trace's begin
};

/// Something that one reads beside a slice.
struct TraceArgument {
  std::string_view key;
  std::string text;  ///< "" if it is a number
  std::int64_t number = 0;
};

struct TraceTracks {
  const Recording* recording = nullptr;  ///< must live as long
  Cycles begin;
  Cycles end;
  bool of_one_object = false;  ///< see keep_only_object
  std::vector<TraceProcess> processes;
  std::vector<TraceTrack> tracks;  ///< by process, then in the order in which one wants to see them
  std::vector<std::string> names;  ///< of slices, each once
  std::vector<TraceSlice> slices;  ///< by track; in each, by begin, the outer before the inner
  std::vector<TraceCounter> counters;
  std::unordered_map<std::uint64_t, const OperationRecord*> operations;  ///< by OpId, for look-ups only

  const std::string& name(const TraceSlice& slice) const { return names[slice.name]; }
  /// Which arrow begins at a kMessageOut or ends at a kMessageIn; 0 if its other end is not in the trace.
  std::uint64_t flow_of(const TraceSlice& slice) const;
  std::vector<TraceArgument> arguments_of(const TraceSlice& slice) const;
  /// "task 2 cmpxchg lock, claim, #77": the kind, place, phase and number of an operation, as far as the trace has it.
  std::string describe(OpId op) const;
};

/// The part of a recording from its begin to its end.
TraceTracks trace_tracks(const Recording& recording);

/// Bytes sent over each QPI link that was used since the begin, and stores waiting in each task's store buffer.
std::vector<TraceCounter> trace_counters(const Recording& recording);

/// An agent's name in the machine graph is what traces call it.
const std::string& name_of_agent(const Recording& recording, AgentKind kind, std::uint32_t agent);

/// The QPI links on a message's way.
std::vector<LinkId> qpi_links_of(const Recording& recording, const RecordedMessage& message);

/// Leaves only what concerns the lines of one object. Throws std::invalid_argument, naming those that exist.
void keep_only_object(Recording& recording, std::string_view name);

/// "cmpxchg lock", "spin loop node[1]", "PAUSE".
std::string name_of_operation(const Recording& recording, const OperationRecord& operation);

}  // namespace linebounce

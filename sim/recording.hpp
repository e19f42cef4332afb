// SPDX-License-Identifier: Apache-2.0
// Everything that happened in a run, or in a part of it: what every report, trace and picture of a run is made from.
// Plain data; whoever draws it counts nothing that is not in here.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "cpus/observer.hpp"
#include "sim/experiment.hpp"

namespace linebounce {

/// A message between two agents, from when it was sent until it arrived (queueing on its way included).
struct RecordedMessage {
  MessageKind kind = MessageKind::kCount;
  std::uint32_t from = 0;  ///< agent of kind traits(kind).from
  std::uint32_t to = 0;    ///< agent of kind traits(kind).to
  LineAddress line;
  OpId op;  ///< the guest operation that it serves
  Cycles sent;
  Cycles arrived;
};

/// A controller has a line in `state` from `at` until its next entry for that line.
struct RecordedState {
  AgentKind kind = AgentKind::kCore;
  std::uint32_t agent = 0;
  LineAddress line;
  std::string_view state;  ///< a name of the protocol's table: "I", "S", "IM_G", …
  Cycles at;
};

/// A task has completed one operation of its workload (what that is, sim/workloads/ defines).
struct Completion {
  ThreadId thread;
  Cycles at;
};

/// One stay of a thread in a critical section.
struct RecordedSection {
  ThreadId thread;
  Cycles entered;
  Cycles left = Cycles{std::numeric_limits<std::int64_t>::max()};  ///< never, if the run ends inside
};

struct Recording {
  std::shared_ptr<const Machine> machine;
  std::shared_ptr<const Topology> topology;
  std::vector<ThreadId> placement;  ///< hardware thread of each task
  std::size_t locks = 1;            ///< that the tasks take; one's critical sections cannot be told from another's
  bool has_readers = false;         ///< the lock has a shared side
  std::vector<MemoryObject> objects;
  Cycles begin;          ///< what ended before is left out
  Cycles end;            ///< what began after is left out
  Cycles window_opened;  ///< the measured window
  Cycles window_closed;

  std::vector<OperationRecord> operations;  ///< in the order of closing; of one thread, in program order
  std::vector<OperationRecord> commits;     ///< stores leaving the store buffer, in the order of becoming visible
  std::vector<RecordedMessage> messages;    ///< in the order of arrival
  /// Changes only, in the order of time; of those before `begin`, the last of each line and agent.
  std::vector<RecordedState> states;
  std::vector<Completion> completions;    ///< of one thread, in the order of time
  std::vector<RecordedSection> sections;  ///< likewise; those that reach into the recording

  /// "lock+0x4" for an address inside a named object, else the hexadecimal address.
  std::string describe(Address address) const;
  /// The same for a line: the name of the object that begins in it or covers it, with the offset of the line.
  std::string describe(LineAddress line) const;
  /// Task of a hardware thread; -1 if it has none.
  int task_of(ThreadId thread) const;
  SocketId home_of(LineAddress line) const;
  SocketId socket_of(AgentKind kind, std::uint32_t agent) const;
  SocketId socket_of(ThreadId thread) const { return socket_of(AgentKind::kCore, core_of(thread).value); }
  CoreId core_of(ThreadId thread) const {
    return {thread.value / static_cast<std::uint32_t>(machine->threads_per_core)};
  }
  /// An agent's place in the machine graph.
  NodeId node_of(AgentKind kind, std::uint32_t agent) const;
  const Route& route_of(const RecordedMessage& message) const;
  ThreadId thread_of(OpId op) const { return {static_cast<std::uint32_t>((op.value >> 40) - 1)}; }

  std::vector<std::unique_ptr<Segment[]>> segments;  ///< what the operations' segments point into
};

/// Whether it works on memory, at its address.
inline bool has_address(const OperationRecord& operation) { return static_cast<bool>(operation.address); }

/// When a segment of the operation begins.
inline Cycles begin_of(const OperationRecord& operation, const Segment& segment) {
  return &segment == operation.segments.data() ? operation.begin : (&segment - 1)->until;
}

/// What of a run is kept: what lies in, or reaches into, these cycles.
struct RecordingOptions {
  static constexpr Cycles kForever{std::numeric_limits<std::int64_t>::max() / 2};
  Cycles begin{0};
  Cycles end = kForever;
};

/// Fills a Recording while it watches a run.
class Recorder final : public Observer {
 public:
  explicit Recorder(RecordingOptions options) : options_(options) {}

  void message_arrived(const Message& message, Cycles sent, Cycles arrived) override;
  void line_changed(AgentKind kind, std::uint32_t agent, LineAddress line, std::string_view state, Cycles at) override;
  void operation_closed(const OperationRecord& record) override;
  void store_committed(const OperationRecord& record) override;
  void phase_entered(ThreadId thread, Phase phase, Cycles at) override;
  void achieved(ThreadId thread, Cycles at) override;
  void run_ended(const System& system) override;

  Recording take() { return std::move(recording_); }

 private:
  static constexpr std::size_t kChunk = 1 << 16;

  bool inside(Cycles begin, Cycles end) const { return end >= options_.begin && begin <= options_.end; }
  void keep(std::vector<OperationRecord>& list, const OperationRecord& record);
  void keep_states_before();

  RecordingOptions options_;
  Recording recording_;
  Segment* next_ = nullptr;  ///< free place in the last chunk
  std::size_t free_ = 0;     ///< places left there
  std::map<std::tuple<AgentKind, std::uint32_t, LineAddress>, RecordedState> known_;
  std::map<ThreadId, Cycles> entered_;  ///< who is in a critical section, since when
  bool has_begun_ = false;              ///< the states from before `begin` are kept
};

struct RecordedRun {
  RunResult result;
  Recording recording;
};

/// Runs the experiment in this process and records it.
RecordedRun record_run(const Experiment& experiment, std::shared_ptr<const Machine> machine,
                       std::shared_ptr<const Topology> topology, RecordingOptions options = {});

}  // namespace linebounce

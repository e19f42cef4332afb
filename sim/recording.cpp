// SPDX-License-Identifier: Apache-2.0
#include "sim/recording.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "coherence/agent_map.hpp"

namespace linebounce {

std::string Recording::describe(Address address) const {
  for (const MemoryObject& object : objects) {
    if (address < object.begin || object.begin + object.bytes <= address) continue;
    const std::uint64_t offset = address.value - object.begin.value;
    return offset == 0 ? object.name : fmt::format("{}+0x{:x}", object.name, offset);
  }
  return fmt::format("0x{:x}", address.value);
}

std::string Recording::describe(LineAddress line) const { return describe(Address{line.value * kLineBytes}); }

int Recording::task_of(ThreadId thread) const {
  const auto found = std::ranges::find(placement, thread);
  return found == placement.end() ? -1 : static_cast<int>(found - placement.begin());
}

SocketId Recording::home_of(LineAddress line) const { return AgentMap(*machine).home_socket(line); }

SocketId Recording::socket_of(AgentKind kind, std::uint32_t agent) const {
  const AgentMap map(*machine);
  switch (kind) {
    case AgentKind::kCore: return map.socket_of(CoreId{agent});
    case AgentKind::kSlice: return map.socket_of(SliceId{agent});
    case AgentKind::kHome: return map.socket_of(HomeId{agent});
  }
  return {};
}

NodeId Recording::node_of(AgentKind kind, std::uint32_t agent) const {
  switch (kind) {
    case AgentKind::kCore: return topology->core(CoreId{agent});
    case AgentKind::kSlice: return topology->slice(SliceId{agent});
    case AgentKind::kHome: return topology->home(HomeId{agent});
  }
  return {};
}

const Route& Recording::route_of(const RecordedMessage& message) const {
  const MessageTraits& kind = traits(message.kind);
  return topology->route(node_of(kind.from, message.from), node_of(kind.to, message.to));
}

void Recorder::message_arrived(const Message& message, Cycles sent, Cycles arrived) {
  if (!inside(sent, arrived)) return;
  recording_.messages.push_back({message.kind, message.from, message.to, message.line, message.op, sent, arrived});
}

void Recorder::line_changed(AgentKind kind, std::uint32_t agent, LineAddress line, std::string_view state, Cycles at) {
  if (at >= options_.begin) keep_states_before();
  RecordedState& known = known_[{kind, agent, line}];
  if (known.state == state) return;
  known = {kind, agent, line, state, at};
  if (at >= options_.begin && at <= options_.end) recording_.states.push_back(known);
}

void Recorder::keep_states_before() {
  if (std::exchange(has_begun_, true)) return;
  for (const auto& [where, state] : known_) recording_.states.push_back(state);
  std::ranges::stable_sort(recording_.states, {}, &RecordedState::at);
}

void Recorder::operation_closed(const OperationRecord& record) { keep(recording_.operations, record); }
void Recorder::store_committed(const OperationRecord& record) { keep(recording_.commits, record); }

void Recorder::phase_entered(ThreadId thread, Phase phase, Cycles at) {
  if (phase == Phase::kCriticalSection) {
    entered_.emplace(thread, at);
  } else if (const auto inside_since = entered_.find(thread); inside_since != entered_.end()) {
    if (inside(inside_since->second, at)) recording_.sections.push_back({thread, inside_since->second, at});
    entered_.erase(inside_since);
  }
}

void Recorder::achieved(ThreadId thread, Cycles at) {
  if (inside(at, at)) recording_.completions.push_back({thread, at});
}

void Recorder::keep(std::vector<OperationRecord>& list, const OperationRecord& record) {
  if (!inside(record.begin, record.end)) return;
  const std::size_t count = record.segments.size();
  if (count > free_) {
    free_ = std::max(kChunk, count);
    recording_.segments.push_back(std::make_unique<Segment[]>(free_));
    next_ = recording_.segments.back().get();
  }
  std::ranges::copy(record.segments, next_);
  list.push_back(record);
  list.back().segments = {next_, count};
  next_ += count;
  free_ -= count;
}

void Recorder::run_ended(const System& system) {
  keep_states_before();
  for (const auto& [thread, at] : entered_) {
    if (at <= options_.end) recording_.sections.push_back({thread, at});
  }
  recording_.objects = system.objects();
  recording_.begin = options_.begin;
  recording_.window_opened = system.window_opened();
  recording_.window_closed = system.window_opened() + system.window_length();
  for (const auto* list : {&recording_.operations, &recording_.commits}) {
    if (!list->empty()) recording_.end = std::max(recording_.end, list->back().end);
  }
  recording_.end = std::min(recording_.end, options_.end);
}

RecordedRun record_run(const Experiment& experiment, std::shared_ptr<const Machine> machine,
                       std::shared_ptr<const Topology> topology, RecordingOptions options) {
  Recorder recorder(options);
  Experiment watched = experiment;
  watched.system.observer = &recorder;
  RecordedRun run{run_experiment(watched), recorder.take()};
  run.recording.machine = std::move(machine);
  run.recording.topology = std::move(topology);
  run.recording.placement = experiment.placement;
  run.recording.locks = std::max<std::size_t>(experiment.workload.locks.size(), 1);
  run.recording.has_readers = experiment.workload.kind == WorkloadKind::kRwLoop;
  return run;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The words of a trace.
#include <fmt/format.h>

#include "sim/trace_tracks.hpp"

namespace linebounce {
namespace {

/// The number of an operation among those of its hardware thread.
std::uint64_t number_of(OpId op) { return op.value & ((std::uint64_t{1} << 40) - 1); }

}  // namespace

const std::string& name_of_agent(const Recording& recording, AgentKind kind, std::uint32_t agent) {
  return recording.topology->nodes()[recording.node_of(kind, agent).value].name;
}

std::string name_of_operation(const Recording& recording, const OperationRecord& o) {
  const std::string_view kind = o.kind == OpKind::kLocked ? name_of(o.locked) : name_of(o.kind);
  const std::string place = has_address(o) ? " " + recording.describe(o.address) : "";
  return fmt::format("{}{}{}", kind, place, o.failed ? ", failed" : "");
}

std::string TraceTracks::describe(OpId op) const {
  const std::string task = fmt::format("task {}", recording->task_of(recording->thread_of(op)));
  const auto found = operations.find(op.value);
  if (found == operations.end()) return fmt::format("{} #{}", task, number_of(op));
  const OperationRecord& o = *found->second;
  return fmt::format("{} {}, {}, #{}", task, name_of_operation(*recording, o), name_of(o.phase), number_of(op));
}

std::uint64_t TraceTracks::flow_of(const TraceSlice& slice) const {
  if (slice.kind != SliceKind::kMessageOut && slice.kind != SliceKind::kMessageIn) return 0;
  if (slice.message->sent < begin || slice.message->arrived > end) return 0;
  return static_cast<std::uint64_t>(slice.message - recording->messages.data()) + 1;
}

std::vector<TraceArgument> TraceTracks::arguments_of(const TraceSlice& slice) const {
  std::vector<TraceArgument> out;
  switch (slice.kind) {
    case SliceKind::kPhase:
    case SliceKind::kState: break;
    case SliceKind::kOperation:
      out.push_back({"phase", std::string(name_of(slice.operation->phase))});
      out.push_back({"operation", describe(slice.operation->id)});
      out.push_back({"cycles", "", (slice.operation->end - slice.operation->begin).count});
      if (has_address(*slice.operation)) out.push_back({"value", fmt::format("0x{:x}", slice.operation->value)});
      break;
    case SliceKind::kSegment:
      if (slice.segment->cause) out.push_back({"cause", describe(slice.segment->cause)});
      if (slice.segment->rounds > 0) out.push_back({"rounds", "", slice.segment->rounds});
      break;
    case SliceKind::kTransit:
    case SliceKind::kMessageOut:
    case SliceKind::kMessageIn: {
      const RecordedMessage& m = *slice.message;
      out.push_back({"from", name_of_agent(*recording, traits(m.kind).from, m.from)});
      out.push_back({"to", name_of_agent(*recording, traits(m.kind).to, m.to)});
      if (m.op) out.push_back({"for", describe(m.op)});
      out.push_back({"cycles", "", (m.arrived - m.sent).count});
      break;
    }
  }
  return out;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Steps of the explorer in words.
#include <fmt/format.h>

#include "coherence/explorer_world.hpp"

namespace linebounce {

namespace {

using Step = ExplorerStep;

std::string agent(AgentKind kind, std::uint32_t id) {
  switch (kind) {
    case AgentKind::kCore: return fmt::format("core {}", id);
    case AgentKind::kSlice: return fmt::format("L3 {}", id);
    case AgentKind::kHome: return "the home agent";
  }
  return "";
}

template <class Protocol>
std::string_view name(typename Protocol::State state) {
  return Protocol::kStateNames[static_cast<std::size_t>(state)];
}

}  // namespace

std::string describe(const ShortMessage& m, const ExplorerShape& shape) {
  if (m.kind == MessageKind::kCount) return "an eviction";
  if (m.kind == MessageKind::kMemData) return "memory's data";
  std::string text = fmt::format("{} from {} to {}", name_of(m.kind), agent(traits(m.kind).from, m.from),
                                 agent(traits(m.kind).to, m.to));
  if (names_requester(m.kind)) text += fmt::format(" for L3 {}", m.requester);
  if (shape.lines > 1) text += fmt::format(" about line {}", m.line);
  if (traits(m.kind).data) text += m.fresh ? " with the last write" : " with OLD data";
  return text;
}

std::string describe(const Step& step, const ExplorerShape& shape) {
  const std::string line = shape.lines > 1 ? fmt::format("line {}", step.line) : "the line";
  switch (step.kind) {
    case Step::Kind::kDeliver:
      return describe(step.message, shape) +
             (step.opportune ? " arrives (it snoops without waiting for the directory)" : " arrives");
    case Step::Kind::kSettle:
      return fmt::format("the home agent settles the request for {}{}", line,
                         step.opportune ? " (the next one snoops without waiting for the directory)" : "");
    case Step::Kind::kRelease: return fmt::format("core {} ends its LOCKed operation", step.agent);
    case Step::Kind::kRead: return fmt::format("core {} wants to read {}", step.agent, line);
    case Step::Kind::kWrite: return fmt::format("core {} wants to write {}", step.agent, line);
    case Step::Kind::kHold: return fmt::format("core {} begins a LOCKed operation on {}", step.agent, line);
    case Step::Kind::kReplace: return fmt::format("core {} gives up {} to make room", step.agent, line);
    case Step::Kind::kEvict: return fmt::format("L3 {} evicts {} to make room", step.agent, line);
  }
  return "";
}

std::string describe_change(const WorldState& from, const WorldState& to, const Step& step,
                            const ExplorerShape& shape) {
  std::string text;
  const auto note = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  for (std::uint32_t n = 0; n < shape.lines; ++n) {
    const std::string line = shape.lines > 1 ? fmt::format(" line {}", n) : "";
    for (std::uint32_t c = 0; c < shape.sockets * shape.cores; ++c) {
      const auto was = from.cores[c].lines[n].state;
      const auto is = to.cores[c].lines[n].state;
      if (was == is) continue;
      note(fmt::format("core {}{}: {} → {}", c, line, name<PrivateCacheProtocol>(was), name<PrivateCacheProtocol>(is)));
    }
    for (std::uint32_t s = 0; s < shape.sockets; ++s) {
      const auto was = from.slices[s].lines[n].state;
      const auto is = to.slices[s].lines[n].state;
      if (was != is) note(fmt::format("L3 {}{}: {} → {}", s, line, name<SliceProtocol>(was), name<SliceProtocol>(is)));
    }
    const auto was = from.home.lines[n].state;
    const auto is = to.home.lines[n].state;
    if (was != is) note(fmt::format("home{}: {} → {}", line, name<HomeProtocol>(was), name<HomeProtocol>(is)));
    if (step.kind == Step::Kind::kWrite && step.line == n && to.cores[step.agent].lines[n].fresh &&
        to.cores[step.agent].lines[n].state == PrivateCacheProtocol::State::kM) {
      note("it writes, every other copy is old now");
    }
  }
  const std::size_t kept = from.flight.size() - (step.kind == Step::Kind::kDeliver ? 1 : 0);
  for (std::size_t i = kept; i < to.flight.size(); ++i) {
    const bool memory = to.flight[i].kind == MessageKind::kMemData;
    note(memory ? "reads memory" : "sends " + describe(to.flight[i], shape));
  }
  return text;
}

}  // namespace linebounce

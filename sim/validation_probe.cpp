// SPDX-License-Identifier: Apache-2.0
#include "sim/validation_probe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "coherence/agent_map.hpp"

namespace linebounce {
namespace {

std::string_view name_in(const auto& names, auto value) { return names[static_cast<std::size_t>(value)]; }

struct Label {
  std::string operator()(const OperationProbe& p) const {
    const std::string slices =
        p.slices == ProbeSlices::kAll ? "" : fmt::format(", {} slice", name_in(kProbeSlicesNames, p.slices));
    return fmt::format("{} {}, {}{}", name_in(kSingleOperationNames, p.operation), p.state.name, p.place.name, slices);
  }
  std::string operator()(const MemoryProbe& p) const {
    return fmt::format("load, socket {} from memory {}", p.from, p.memory);
  }
  std::string operator()(const PingPongProbe& p) const {
    return fmt::format("{} to and fro, {}", name_in(kPingPongNames, p.lines),
                       name_in(kPingPongBetweenNames, p.between));
  }
  std::string operator()(const LoopProbe& p) const { return std::string(name_in(kLoopBodyNames, p.body)); }
};

/// Leaves the lines of one slice, unless all are asked for.
void select(std::vector<LineLatency>& lines, const Machine& machine, CoreId requester, ProbeSlices which) {
  if (which == ProbeSlices::kAll) return;
  const AgentMap map(machine);
  const SocketId socket = map.socket_of(requester);
  const auto slice_of = [&](const LineLatency& line) { return map.slice_of(line_of(line.line), socket); };
  SliceId slice{socket.value * static_cast<std::uint32_t>(machine.l3_slices_per_socket) + requester.value -
                map.first_core(socket).value};
  if (which == ProbeSlices::kFarthest) slice = slice_of(*std::ranges::max_element(lines, {}, &LineLatency::latency));
  if (which == ProbeSlices::kNearestOther) {
    std::erase_if(lines, [&](const LineLatency& line) { return slice_of(line) == slice; });
    if (lines.empty()) return;
    slice = slice_of(*std::ranges::min_element(lines, {}, &LineLatency::latency));
  }
  std::erase_if(lines, [&](const LineLatency& line) { return slice_of(line) != slice; });
}

class Measurement {
 public:
  Measurement(const Machine& machine, const Topology& topology) : machine_(machine), topology_(topology) {}

  std::optional<Measured> operator()(const OperationProbe& p) const {
    if (p.place.holder < HolderPlace::kOneHop) return only(mean(p, HomePlace::kRequester));
    std::optional<Measured> measured = only(mean(p, HomePlace::kHolder));
    if (measured) {
      measured->home_at_requester = mean(p, HomePlace::kRequester);
      measured->home_at_third = mean(p, HomePlace::kThird);
    }
    return measured;
  }

  std::optional<Measured> operator()(const MemoryProbe& p) const {
    const auto sockets = static_cast<std::uint32_t>(machine_.sockets);
    if (p.from >= sockets || p.memory >= sockets) return std::nullopt;
    const auto threads = static_cast<std::uint32_t>(machine_.threads());
    const Arrangement arrangement{.requester = {p.from * (threads / sockets)}, .home = {p.memory}, .steps = {}};
    return Measured{measure_latency(machine_, topology_, arrangement, SingleOperation::kLoad).mean};
  }

  std::optional<Measured> operator()(const PingPongProbe& p) const {
    const bool siblings = p.between == PingPongBetween::kSiblings;
    const auto threads = static_cast<std::uint32_t>(machine_.threads_per_core);
    if (siblings) return threads < 2 ? std::nullopt : std::optional(Measured{between({0}, {1}, p.lines)});
    double sum = 0;
    int pairs = 0;
    for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(machine_.cores_per_socket); ++i) {
      for (std::uint32_t j = 0; j < i; ++j, ++pairs) sum += between({j * threads}, {i * threads}, p.lines);
    }
    return pairs == 0 ? std::nullopt : std::optional(Measured{sum / pairs});
  }

  std::optional<Measured> operator()(const LoopProbe& p) const {
    return Measured{measure_lone_loop(machine_, topology_, p.body)};
  }

 private:
  static std::optional<Measured> only(std::optional<double> cycles) {
    return cycles ? std::optional(Measured{*cycles}) : std::nullopt;
  }

  double between(ThreadId first, ThreadId second, PingPongKind lines) const {
    return measure_ping_pong(machine_, topology_, first, second, lines);
  }

  std::optional<double> mean(const OperationProbe& p, HomePlace home) const {
    std::optional<Arrangement> arrangement = arrange(machine_, topology_, {p.state.state, p.place.holder, home});
    if (!arrangement || (p.place.only_in_l3 && arrangement->steps.empty())) return std::nullopt;
    if (p.place.only_in_l3) {
      arrangement->steps.push_back({arrangement->steps.back().thread, PreparationStep::Action::kPushOutOfL2});
    }
    std::vector<LineLatency> lines = measure_lines(machine_, topology_, *arrangement, p.operation);
    const auto threads = static_cast<std::uint32_t>(machine_.threads_per_core);
    select(lines, machine_, {arrangement->requester.value / threads}, p.slices);
    return lines.empty() ? std::nullopt : std::optional(summarise(lines).mean);
  }

  const Machine& machine_;
  const Topology& topology_;
};

}  // namespace

std::string label_of(const Probe& probe) { return std::visit(Label{}, probe); }

std::optional<Measured> measure(const Machine& machine, const Topology& topology, const Probe& probe) {
  return std::visit(Measurement(machine, topology), probe);
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "cpus/ping_pong.hpp"

#include "cpus/sim_cpu.hpp"

namespace linebounce {
namespace {

constexpr int kLines = 16;
constexpr int kWarmUps = 2;     ///< round trips on each line until the pair has the line to itself
constexpr int kRoundTrips = 5;  ///< round trips on each line that count

using Word = std::uint64_t;

void exchange(SimCpu& cpu, Address line, Word expected, Word desired) {
  while (cpu.cmpxchg<Word>(line, expected, desired) != expected) {
  }
}

void wait_for(SimCpu& cpu, Address line, Word round) {
  cpu.poll_until<Word>(line, [round](Word value) { return value == round; });
}

}  // namespace

PingPongLines::PingPongLines(System& system, std::uint32_t home, PingPongKind kind) : kind_(kind) {
  for (int i = 0; i < kLines; ++i) {
    const Address ping = system.allocate("line", 8, home);
    lines_.push_back({ping, kind == PingPongKind::kTwoLines ? system.allocate("line", 8, home) : ping});
  }
}

double PingPongLines::ping(SimCpu& cpu) const {
  Cycles sum;
  for (const auto& [own, other] : lines_) {
    Cycles begin;
    for (Word round = 1; round <= kWarmUps + kRoundTrips; ++round) {
      if (round == kWarmUps + 1) begin = cpu.now();
      if (kind_ == PingPongKind::kCmpxchg) {
        exchange(cpu, own, 0, 1);
      } else {
        cpu.store<Word>(own, round);
        wait_for(cpu, other, round);
      }
    }
    sum += cpu.now() - begin;
  }
  return static_cast<double>(sum.count) / (2 * kRoundTrips * kLines);
}

void PingPongLines::pong(SimCpu& cpu) const {
  for (const auto& [other, own] : lines_) {
    for (Word round = 1; round <= kWarmUps + kRoundTrips; ++round) {
      if (kind_ == PingPongKind::kCmpxchg) {
        exchange(cpu, own, 1, 0);
      } else {
        wait_for(cpu, other, round);
        cpu.store<Word>(own, round);
      }
    }
  }
}

double measure_ping_pong(const Machine& machine, const Topology& topology, ThreadId first, ThreadId second,
                         PingPongKind kind) {
  System system(machine, topology);
  const auto threads_per_socket = static_cast<std::uint32_t>(machine.cores_per_socket * machine.threads_per_core);
  const PingPongLines lines(system, first.value / threads_per_socket, kind);
  double cycles = 0;
  system.spawn(first, "ping", [&](SimCpu& cpu) { cycles = lines.ping(cpu); });
  system.spawn(second, "pong", [&](SimCpu& cpu) { lines.pong(cpu); });
  system.run();
  return cycles;
}

}  // namespace linebounce

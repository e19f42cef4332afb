// SPDX-License-Identifier: Apache-2.0
#include "sim/core_to_core.hpp"

#include <cstdint>

#include "cpus/ping_pong.hpp"
#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"

namespace linebounce {
namespace {

constexpr Cycles kMostCyclesOfAPair{100'000'000};

using Word = std::uint64_t;

class PingPongs {
 public:
  PingPongs(const Machine& machine, const Topology& topology)
      : machine_(machine),
        result_(machine.cores()),
        system_(machine, topology, {.limit = kMostCyclesOfAPair * machine.cores() * machine.cores()}),
        lines_(system_, 0, PingPongKind::kCmpxchg) {
    for (int i = 1; i < machine.cores(); ++i) {
      for (int j = 0; j < i; ++j) pairs_.push_back({i, j});
    }
    for (int core = 0; core < machine.cores(); ++core) {
      turns_.push_back(system_.allocate("turn", 8, static_cast<std::uint32_t>(core / machine.cores_per_socket)));
    }
  }

  CorePairs run() {
    for (int core = 0; core < machine_.cores(); ++core) {
      const ThreadId thread{static_cast<std::uint32_t>(core * machine_.threads_per_core)};
      system_.spawn(thread, "core[" + std::to_string(core) + "]", [this, core](SimCpu& cpu) { play(cpu, core); });
    }
    system_.run();
    return result_;
  }

 private:
  struct Pair {
    int first;
    int second;
  };

  void play(SimCpu& cpu, int core) {
    for (std::size_t p = 0; p < pairs_.size(); ++p) {
      const auto [first, second] = pairs_[p];
      if (core != first && core != second) continue;
      cpu.poll_until<Word>(turns_[static_cast<std::size_t>(core)], [p](Word value) { return value == p; });
      if (core == first) {
        result_.ns(first, second) = lines_.ping(cpu) * 1000 / static_cast<double>(machine_.core_mhz);
      } else {
        lines_.pong(cpu);
        if (p + 1 < pairs_.size()) start(cpu, p + 1);
      }
    }
  }

  /// Whoever hands over last in a pair starts the next one.
  void start(SimCpu& cpu, std::size_t p) {
    for (const int core : {pairs_[p].first, pairs_[p].second}) {
      cpu.store<Word>(turns_[static_cast<std::size_t>(core)], p);
    }
  }

  const Machine& machine_;
  CorePairs result_;
  System system_;
  PingPongLines lines_;
  std::vector<Pair> pairs_;
  std::vector<Address> turns_;  ///< by core: the pair that it may begin
};

}  // namespace

CorePairs simulate_core_to_core(const Machine& machine, const Topology& topology) {
  return PingPongs(machine, topology).run();
}

}  // namespace linebounce

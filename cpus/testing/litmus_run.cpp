// SPDX-License-Identifier: Apache-2.0
// Litmus tests as guests of the simulated machine.
#include <algorithm>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "cpus/testing/chance.hpp"
#include "cpus/testing/litmus.hpp"
#include "cpus/testing/run_record.hpp"

namespace linebounce::testing {

class LitmusRun {
 public:
  LitmusRun(const Litmus& test, const Machine& machine, const Litmus::Conditions& conditions)
      : test_(test), system_(machine, topology_of(machine), options(conditions)) {
    Chance chance(conditions.seed);
    barrier_ = system_.allocate("barrier", 4, 0);
    for (std::size_t round = 0; round < conditions.rounds; ++round) {
      rounds_.emplace_back();
      const std::size_t vars = test.variables_.size();
      Address line;
      for (std::size_t v = 0; v < vars; ++v) {
        if (v == 0 || !conditions.one_line) line = system_.allocate("variable", kLineBytes, chance.below(4));
        rounds_[round].variables.push_back(line + (conditions.one_line ? v * 4 : 0));
      }
      for (std::size_t t = 0; t < test.threads(); ++t) {
        Start start;
        start.skew = chance.below(chance.percent(50) ? 40 : 500);
        if (chance.percent(30)) start.cold = system_.allocate("cold", kLineBytes, chance.below(4));
        for (std::size_t v = 0; v < vars; ++v) start.warm_up.push_back(chance.below(3));
        rounds_[round].starts.push_back(start);
        rounds_[round].registers.push_back(test.threads_[t].initial);
      }
    }
    for (std::size_t t = 0; t < test.threads(); ++t) {
      system_.spawn(conditions.placement[t], "P" + std::to_string(t), [this, t](SimCpu& cpu) { body(cpu, t); });
    }
    system_.run();
  }

  LitmusStates states() const {
    LitmusStates states;
    for (const Round& round : rounds_) {
      LitmusState row;
      for (const auto& [thread, index] : test_.columns_) {
        const auto i = static_cast<std::size_t>(index);
        row.push_back(thread < 0 ? static_cast<std::uint32_t>(system_.peek(round.variables[i], 4))
                                 : round.registers[static_cast<std::size_t>(thread)][i]);
      }
      states.insert(row);
    }
    return states;
  }

 private:
  struct Start {
    std::uint32_t skew = 0;
    Address cold;                        ///< a line nobody has: a store to it holds up those behind it
    std::vector<std::uint32_t> warm_up;  ///< by variable: 0 nothing, 1 read it before, 2 write its initial value before
  };
  struct Round {
    std::vector<Address> variables;
    std::vector<Start> starts;                          ///< by thread
    std::vector<std::vector<std::uint32_t>> registers;  ///< by thread
  };

  static SystemOptions options(const Litmus::Conditions& conditions) {
    SystemOptions options;
    options.seed = conditions.seed;
    return options;
  }

  void body(SimCpu& cpu, std::size_t thread) {
    for (Round& round : rounds_) {
      const Start& start = round.starts[thread];
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        // One thread sets what does not begin at 0.
        if (start.warm_up[v] == 2 || (thread == 0 && test_.initial_[v] != 0)) {
          cpu.store(round.variables[v], test_.initial_[v]);
        } else if (start.warm_up[v] == 1) {
          cpu.load<std::uint32_t>(round.variables[v]);
        }
      }
      arrive(cpu);
      // Writing may have taken the lines from those who had read them.
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        if (start.warm_up[v] == 1) cpu.load<std::uint32_t>(round.variables[v]);
      }
      arrive(cpu);
      cpu.compute(start.skew);
      if (start.cold) cpu.store<std::uint32_t>(start.cold, 1);
      for (const LitmusOp& op : test_.threads_[thread].ops) execute(cpu, op, round, round.registers[thread]);
    }
  }

  /// Everybody's writes so far are in memory when anybody goes on.
  void arrive(SimCpu& cpu) {
    const auto everybody = static_cast<std::uint32_t>(test_.threads());
    const std::uint32_t mine = cpu.xadd<std::uint32_t>(barrier_, 1);
    const std::uint32_t wanted = (mine / everybody + 1) * everybody;
    cpu.poll_until<std::uint32_t>(barrier_, [wanted](auto v) { return v >= wanted; });
  }

  static void execute(SimCpu& cpu, const LitmusOp& op, const Round& round, std::vector<std::uint32_t>& registers) {
    std::uint32_t& reg = registers[static_cast<std::size_t>(std::max(op.reg, 0))];
    const Address var = round.variables[static_cast<std::size_t>(std::max(op.var, 0))];
    switch (op.kind) {
      case LitmusKind::kLoad: reg = cpu.load<std::uint32_t>(var); break;
      case LitmusKind::kStore: cpu.store(var, op.reg < 0 ? op.value : reg); break;
      case LitmusKind::kMove: reg = op.value; break;
      case LitmusKind::kFence: cpu.mfence(); break;
      case LitmusKind::kXchg: reg = cpu.xchg(var, reg); break;
      case LitmusKind::kXadd: reg = cpu.xadd(var, reg); break;
      case LitmusKind::kCmpxchg: registers[0] = cpu.cmpxchg(var, registers[0], reg); break;
    }
  }

  const Litmus& test_;
  System system_;
  Address barrier_;
  std::vector<Round> rounds_;
};

LitmusStates Litmus::observed(const Machine& machine, const Conditions& conditions) const {
  return LitmusRun(*this, machine, conditions).states();
}

std::vector<std::vector<ThreadId>> litmus_placements(const Machine& machine, std::size_t threads) {
  const auto n = static_cast<std::uint32_t>(threads);
  const auto smt = static_cast<std::uint32_t>(machine.threads_per_core);
  const auto socket = smt * static_cast<std::uint32_t>(machine.cores_per_socket);
  const auto sockets = static_cast<std::uint32_t>(machine.sockets);
  std::vector<std::vector<ThreadId>> placements(smt == 1 ? 2 : 5);
  for (std::uint32_t t = 0; t < n; ++t) {
    placements[0].push_back({t * smt});                                   // one socket, a core each
    placements[1].push_back({t % sockets * socket + t / sockets * smt});  // round the sockets
    if (smt == 1) continue;
    const std::uint32_t half = (n + 1) / 2;
    const std::uint32_t pair = t % half;
    placements[2].push_back({t});                      // siblings in order
    placements[3].push_back({pair * smt + t / half});  // t and t + half are siblings
    placements[4].push_back({pair % sockets * socket + pair / sockets * smt + t / half});  // the same, far apart
  }
  return placements;
}

LitmusStates observed_everywhere(const Litmus& test, const Machine& machine, std::size_t rounds) {
  LitmusStates all;
  std::uint64_t seed = 0;
  for (const auto& placement : litmus_placements(machine, test.threads())) {
    for (const bool one_line : {false, true}) {
      all.merge(test.observed(machine, {placement, one_line, ++seed, rounds}));
    }
  }
  return all;
}

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/guest_run.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "sim/litmus/execute.hpp"
#include "sim/random.hpp"

namespace linebounce::litmus {
namespace {

constexpr unsigned kSlotBytes = 8;  ///< of a variable in a shared line

/// What a thread does with a variable before the round begins, so that its line is here, there or nowhere.
enum class WarmUp : std::uint8_t { kNothing, kRead, kWrite, kCount };

struct Start {
  std::int64_t skew = 0;     ///< cycles before the first instruction
  std::size_t pause_at = 0;  ///< the instruction that another delay comes before, if any
  std::int64_t pause = 0;    ///< cycles
  Address cold;              ///< a line that nobody has, if any: a store to it holds up those behind it
  std::vector<WarmUp> warm_up;
};

struct Round {
  std::vector<Address> variables;
  std::vector<Start> starts;                         ///< by thread
  std::vector<std::vector<std::int64_t>> registers;  ///< by thread
};

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, "litmus") {}
  std::int64_t up_to(std::int64_t most) { return stream_.up_to(most, next_++); }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

/// The simulated memory for execute().
struct GuestMemory {
  SimCpu& cpu;
  const Round& round;

  /// Calls what() with an integer of the width, returns narrow() of what it returns.
  template <class What>
  static std::int64_t with_width(unsigned bytes, What what) {
    if (bytes == 4) return narrow(static_cast<std::int64_t>(what(std::uint32_t{})), 4);
    return static_cast<std::int64_t>(what(std::uint64_t{}));
  }
  Address at(int variable) const { return round.variables[static_cast<std::size_t>(variable)]; }

  std::int64_t load(int variable, unsigned bytes) {
    return with_width(bytes, [&]<class T>(T) { return cpu.load<T>(at(variable)); });
  }
  void store(int variable, std::int64_t value, unsigned bytes) {
    with_width(bytes, [&]<class T>(T) { return cpu.store(at(variable), static_cast<T>(value)), T{}; });
  }
  void mfence() { cpu.mfence(); }
  std::int64_t xchg(int variable, std::int64_t value, unsigned bytes) {
    return with_width(bytes, [&]<class T>(T) { return cpu.xchg(at(variable), static_cast<T>(value)); });
  }
  std::int64_t xadd(int variable, std::int64_t increment, unsigned bytes) {
    return with_width(bytes, [&]<class T>(T) { return cpu.xadd(at(variable), static_cast<T>(increment)); });
  }
  std::int64_t cmpxchg(int variable, std::int64_t expected, std::int64_t desired, unsigned bytes) {
    return with_width(bytes, [&]<class T>(T) {
      return cpu.cmpxchg(at(variable), static_cast<T>(expected), static_cast<T>(desired));
    });
  }
};

class GuestRun {
 public:
  GuestRun(const Program& program, const Machine& machine, const Topology& topology, const GuestConditions& conditions)
      : program_(program), conditions_(conditions), system_(machine, topology, options(conditions.seed)) {
    Draws draws(conditions.seed);
    barrier_ = system_.allocate("barrier", 4, 0);
    for (std::size_t r = 0; r < conditions.rounds; ++r) rounds_.push_back(make_round(draws));
    for (std::size_t t = 0; t < program.threads.size(); ++t) {
      system_.spawn(conditions.placement.threads[t], fmt::format("P{}", t), [this, t](SimCpu& cpu) { body(cpu, t); });
    }
    system_.run();
  }

  std::map<FinalState, std::uint64_t> states() const {
    std::map<FinalState, std::uint64_t> states;
    for (const Round& round : rounds_) {
      FinalState row;
      for (const auto& registers : round.registers) row.insert(row.end(), registers.begin(), registers.end());
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        const unsigned bytes = program_.variable_bytes[v];
        row.push_back(narrow(static_cast<std::int64_t>(system_.peek(round.variables[v], bytes)), bytes));
      }
      ++states[row];
    }
    return states;
  }

 private:
  static SystemOptions options(std::uint64_t seed) {
    SystemOptions options;
    options.seed = seed;
    return options;
  }

  Round make_round(Draws& draws) {
    const auto home = [&] { return static_cast<std::uint32_t>(draws.up_to(7)); };
    Round round;
    const std::size_t in_a_line = conditions_.one_line ? kLineBytes / kSlotBytes : 1;
    Address line;
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      if (v % in_a_line == 0) line = system_.allocate("variable", kLineBytes, home());
      round.variables.push_back(line + v % in_a_line * kSlotBytes);
    }
    for (const Thread& thread : program_.threads) {
      Start start;
      start.skew = draws.up_to(draws.up_to(1) == 0 ? 40 : 500);
      start.pause_at = static_cast<std::size_t>(draws.up_to(static_cast<std::int64_t>(thread.instructions.size())));
      start.pause = draws.up_to(2) == 0 ? draws.up_to(400) : 0;
      if (draws.up_to(99) < 30) start.cold = system_.allocate("cold", kLineBytes, home());
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        start.warm_up.push_back(static_cast<WarmUp>(draws.up_to(static_cast<std::int64_t>(WarmUp::kCount) - 1)));
      }
      round.starts.push_back(std::move(start));
      round.registers.emplace_back();
      for (const Location& reg : thread.registers) round.registers.back().push_back(reg.initial);
    }
    return round;
  }

  void body(SimCpu& cpu, std::size_t thread) {
    for (Round& round : rounds_) {
      const Start& start = round.starts[thread];
      GuestMemory memory{cpu, round};
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        const std::int64_t initial = program_.variables[v].initial;
        const int variable = static_cast<int>(v);
        // One thread sets what does not begin at 0.
        if (start.warm_up[v] == WarmUp::kWrite || (thread == 0 && initial != 0)) {
          memory.store(variable, initial, program_.variable_bytes[v]);
        }
      }
      arrive(cpu);
      for (std::size_t v = 0; v < round.variables.size(); ++v) {
        if (start.warm_up[v] == WarmUp::kRead) memory.load(static_cast<int>(v), program_.variable_bytes[v]);
      }
      arrive(cpu);
      cpu.compute(start.skew);
      if (start.cold) cpu.store<std::uint32_t>(start.cold, 1);
      const auto& instructions = program_.threads[thread].instructions;
      for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (i == start.pause_at && start.pause > 0) cpu.compute(start.pause);
        execute(instructions[i], round.registers[thread], memory);
      }
    }
  }

  /// Everybody's writes so far are in memory when anybody goes on.
  void arrive(SimCpu& cpu) {
    const auto everybody = static_cast<std::uint32_t>(program_.threads.size());
    const auto mine = cpu.xadd<std::uint32_t>(barrier_, 1);
    const std::uint32_t wanted = (mine / everybody + 1) * everybody;
    cpu.poll_until<std::uint32_t>(barrier_, [wanted](std::uint32_t v) { return v >= wanted; });
  }

  const Program& program_;
  const GuestConditions& conditions_;
  System system_;
  Address barrier_;
  std::vector<Round> rounds_;
};

}  // namespace

std::map<FinalState, std::uint64_t> run_guests(const Program& program, const Machine& machine, const Topology& topology,
                                               const GuestConditions& conditions) {
  return GuestRun(program, machine, topology, conditions).states();
}

}  // namespace linebounce::litmus

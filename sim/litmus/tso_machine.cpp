// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/tso_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <utility>
#include <vector>

#include "cpus/system.hpp"
#include "sim/litmus/execute.hpp"

namespace linebounce::litmus {
namespace {

struct BufferedStore {
  int variable = 0;
  std::int64_t value = 0;
  friend auto operator<=>(const BufferedStore&, const BufferedStore&) = default;
};

struct ThreadState {
  std::size_t next = 0;  ///< instruction
  std::vector<std::int64_t> registers;
  std::vector<BufferedStore> buffer;  ///< oldest first
  friend auto operator<=>(const ThreadState&, const ThreadState&) = default;
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<std::int64_t> memory;
  friend auto operator<=>(const State&, const State&) = default;
};

/// What an instruction sees of the memory, at once and through the thread's own buffer.
struct AbstractMemory {
  State& state;
  ThreadState& thread;
  bool buffered;

  std::int64_t load(int variable, unsigned) {
    const auto newest = std::find_if(thread.buffer.rbegin(), thread.buffer.rend(),
                                     [&](const BufferedStore& store) { return store.variable == variable; });
    return newest == thread.buffer.rend() ? cell(variable) : newest->value;
  }
  void store(int variable, std::int64_t value, unsigned) {
    if (buffered)
      thread.buffer.push_back({variable, value});
    else
      cell(variable) = value;
  }
  void mfence() {}
  std::int64_t xchg(int variable, std::int64_t value, unsigned) { return std::exchange(cell(variable), value); }
  std::int64_t xadd(int variable, std::int64_t increment, unsigned bytes) {
    const std::int64_t old = cell(variable);
    const auto sum = static_cast<std::uint64_t>(old) + static_cast<std::uint64_t>(increment);
    return std::exchange(cell(variable), narrow(static_cast<std::int64_t>(sum), bytes));
  }
  std::int64_t cmpxchg(int variable, std::int64_t expected, std::int64_t desired, unsigned) {
    const std::int64_t old = cell(variable);
    if (old == expected) cell(variable) = desired;
    return old;
  }

 private:
  std::int64_t& cell(int variable) { return state.memory[static_cast<std::size_t>(variable)]; }
};

class AbstractMachine {
 public:
  AbstractMachine(const Program& program, MemoryModel model)
      : program_(program), buffered_(model == MemoryModel::kX86Tso) {
    State start;
    for (const Thread& thread : program.threads) {
      start.threads.emplace_back();
      for (const Location& reg : thread.registers) start.threads.back().registers.push_back(reg.initial);
    }
    for (const Location& variable : program.variables) start.memory.push_back(variable.initial);
    add(std::move(start));
  }

  std::set<FinalState> walk() {
    std::set<FinalState> finals;
    while (!open_.empty()) {
      const State& state = *open_.back();
      open_.pop_back();
      if (!advance(state)) finals.insert(final_state(state));
    }
    return finals;
  }

 private:
  void add(State state) {
    const auto [place, is_new] = seen_.insert(std::move(state));
    if (is_new) open_.push_back(&*place);
    if (seen_.size() > kMostAbstractStates) {
      throw LimitReached(fmt::format("litmus test {}: more than {} states of the x86-TSO machine", program_.name,
                                     kMostAbstractStates));
    }
  }

  /// Adds what can follow; false if nothing can.
  bool advance(const State& state) {
    bool any = false;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      const ThreadState& thread = state.threads[t];
      const auto& instructions = program_.threads[t].instructions;
      if (!thread.buffer.empty()) {
        any = true;
        State after = state;
        auto& buffer = after.threads[t].buffer;
        after.memory[static_cast<std::size_t>(buffer.front().variable)] = buffer.front().value;
        buffer.erase(buffer.begin());
        add(std::move(after));
      }
      if (thread.next == instructions.size()) continue;
      if (is_fence(instructions[thread.next].kind) && !thread.buffer.empty()) continue;
      any = true;
      State after = state;
      ThreadState& self = after.threads[t];
      AbstractMemory memory{after, self, buffered_};
      execute(instructions[self.next++], self.registers, memory);
      add(std::move(after));
    }
    return any;
  }

  static FinalState final_state(const State& state) {
    FinalState row;
    for (const ThreadState& thread : state.threads) {
      row.insert(row.end(), thread.registers.begin(), thread.registers.end());
    }
    row.insert(row.end(), state.memory.begin(), state.memory.end());
    return row;
  }

  const Program& program_;
  bool buffered_;
  std::set<State> seen_;
  std::vector<const State*> open_;
};

}  // namespace

std::set<FinalState> allowed_states(const Program& program, MemoryModel model) {
  return AbstractMachine(program, model).walk();
}

}  // namespace linebounce::litmus

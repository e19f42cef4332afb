// SPDX-License-Identifier: Apache-2.0
// Litmus tests: a few instructions a thread, and the question which final states a memory model allows.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/machine.hpp"
#include "units/ids.hpp"

namespace linebounce::testing {

enum class LitmusKind : std::uint8_t { kLoad, kStore, kMove, kFence, kXchg, kXadd, kCmpxchg };

struct LitmusOp {
  LitmusKind kind = LitmusKind::kFence;
  int reg = -1;  ///< index into the thread's registers; a store without one stores `value`
  int var = -1;
  std::uint32_t value = 0;
};

/// A column of a final state: a register of a thread, or a variable's final value (thread -1).
struct LitmusColumn {
  int thread = -1;
  int index = 0;
};

using LitmusState = std::vector<std::uint32_t>;
using LitmusStates = std::set<LitmusState>;

/// Registers and variables begin at 0 unless said otherwise; every variable has four bytes.
class Litmus {
 public:
  explicit Litmus(std::string name) : name_(std::move(name)) {}

  /// The next thread: "store x 1; load rax y". The operations are load REG VAR, store VAR NUMBER|REG, movi REG NUMBER,
  /// mfence, xchg REG VAR, xadd REG VAR, and cmpxchg REG VAR with the register rax as in x86.
  Litmus& thread(std::string_view text);
  Litmus& initial_register(std::size_t thread, std::string_view reg, std::uint32_t value);
  Litmus& initial_variable(std::string_view var, std::uint32_t value);
  /// The columns of a final state: "0:rax 1:rbx x".
  Litmus& observe(std::string_view columns);

  const std::string& name() const { return name_; }
  std::size_t threads() const { return threads_.size(); }

  /// Every final state of the x86-TSO abstract machine (Owens, Sarkar, Sewell 2009): a FIFO store buffer a thread, one
  /// memory. Without buffers: sequential consistency.
  LitmusStates allowed(bool with_store_buffers = true) const;

  struct Conditions {
    std::vector<ThreadId> placement;
    bool one_line = false;  ///< all variables in one line, else each in its own
    std::uint64_t seed = 1;
    std::size_t rounds = 100;  ///< each with its own copy of the variables, its own warm-up and start skews
  };
  /// The final states that the simulated machine shows.
  LitmusStates observed(const Machine& machine, const Conditions& conditions) const;

 private:
  friend class AbstractMachine;
  friend class LitmusRun;
  struct Thread {
    std::vector<LitmusOp> ops;
    std::vector<std::string> registers;
    std::vector<std::uint32_t> initial;
  };
  int register_of(std::size_t thread, std::string_view name);
  int variable(std::string_view name);

  std::string name_;
  std::vector<Thread> threads_;
  std::vector<std::string> variables_;
  std::vector<std::uint32_t> initial_;
  std::vector<LitmusColumn> columns_;
};

/// Ways to put `threads` threads on a machine: SMT siblings in order and crossed, one socket, several sockets.
std::vector<std::vector<ThreadId>> litmus_placements(const Machine& machine, std::size_t threads);

/// The union over all placements, both layouts of the variables and a few seeds.
LitmusStates observed_everywhere(const Litmus& test, const Machine& machine, std::size_t rounds);

std::string describe(const LitmusStates& states);

}  // namespace linebounce::testing

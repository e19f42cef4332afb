// SPDX-License-Identifier: Apache-2.0
// Runs a litmus test on a simulated machine under many conditions and compares with what x86-TSO allows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sim/litmus/program.hpp"
#include "topologies/topology.hpp"

namespace linebounce::litmus {

struct RunOptions {
  std::uint64_t seed = 1;
  std::size_t runs = 1000;  ///< shared out over all placements and layouts
};

/// A final state, by what the test looks at (Program::columns).
struct Outcome {
  FinalState values;  ///< of the columns
  std::string text;   ///< "0:eax=0; x=1;"
  std::uint64_t count = 0;
  bool satisfies = false;  ///< the condition
  bool relaxed = false;    ///< allowed by x86-TSO, but not by sequential consistency: needs a store buffer
  bool forbidden = false;  ///< by x86-TSO
};

struct Verdict {
  std::vector<Outcome> seen;                      ///< in order of their values
  std::vector<Outcome> never_seen;                ///< those that x86-TSO allows besides
  std::map<FinalState, std::uint64_t> forbidden;  ///< whole states that x86-TSO forbids and that were seen
  std::uint64_t positive = 0;                     ///< runs that satisfy the condition
  std::uint64_t negative = 0;
  bool allowed = false;          ///< some state that x86-TSO allows satisfies the condition
  bool allowed_without = false;  ///< also under sequential consistency
  bool required = false;         ///< every state that x86-TSO allows satisfies it

  /// Whether what the test says held: exists, ~exists or forall.
  bool holds(Quantifier quantifier) const;
  /// Nothing was seen that x86-TSO or the test itself forbids.
  bool passes(Quantifier quantifier) const;
};

/// What is to be said about runs that ended in these states so often.
Verdict judge(const Program& program, const std::map<FinalState, std::uint64_t>& counts);

/// Runs and judges. Throws std::invalid_argument if the machine has not enough hardware threads.
Verdict run(const Program& program, const Machine& machine, const Topology& topology, const RunOptions& options);

}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
// The proposition of a litmus test: (0:eax=0 /\ ~(x=1 \/ y=2)).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace linebounce::litmus {

/// The registers of every thread, thread by thread, then the variables as they are in memory at the end.
using FinalState = std::vector<std::int64_t>;

struct Condition {
  enum class Kind : std::uint8_t { kTrue, kFalse, kEquals, kNot, kAnd, kOr };

  Kind kind = Kind::kTrue;
  std::string name;              ///< kEquals: "0:eax" or "x"
  std::size_t at = 0;            ///< kEquals: index into the state
  std::int64_t value = 0;        ///< kEquals
  std::vector<Condition> parts;  ///< kNot: one; kAnd, kOr: two

  bool holds(const FinalState& state) const;
};

/// In herd's syntax, with the brackets that its precedence (~, then /\, then \/) needs.
std::string to_text(const Condition& condition);

}  // namespace linebounce::litmus

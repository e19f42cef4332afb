// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/condition.hpp"

#include <fmt/format.h>

namespace linebounce::litmus {
namespace {

using Kind = Condition::Kind;

/// As an operand, in brackets where precedence asks for them.
std::string bracketed(const Condition& condition, bool needed) {
  return needed ? fmt::format("({})", to_text(condition)) : to_text(condition);
}

}  // namespace

bool Condition::holds(const FinalState& state) const {
  switch (kind) {
    case Kind::kTrue: return true;
    case Kind::kFalse: return false;
    case Kind::kEquals: return state[at] == value;
    case Kind::kNot: return !parts[0].holds(state);
    case Kind::kAnd: return parts[0].holds(state) && parts[1].holds(state);
    case Kind::kOr: return parts[0].holds(state) || parts[1].holds(state);
  }
  return false;
}

std::string to_text(const Condition& condition) {
  const auto part = [&](std::size_t i) {
    const Condition& p = condition.parts[i];
    const bool or_in_and = p.kind == Kind::kOr && condition.kind == Kind::kAnd;
    return bracketed(p, or_in_and || condition.kind == Kind::kNot);
  };
  switch (condition.kind) {
    case Kind::kTrue: return "true";
    case Kind::kFalse: return "false";
    case Kind::kEquals: return fmt::format("{}={}", condition.name, condition.value);
    case Kind::kNot: return "~" + part(0);
    case Kind::kAnd: return part(0) + " /\\ " + part(1);
    case Kind::kOr: return part(0) + " \\/ " + part(1);
  }
  return "";
}

}  // namespace linebounce::litmus

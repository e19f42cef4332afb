// SPDX-License-Identifier: Apache-2.0
// Sets of enumerators, as tables and conditions use them.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace linebounce {

/// A set of enumerators.
template <class Enum>
struct Set {
  std::uint64_t bits = 0;
  constexpr Set() = default;
  constexpr Set(Enum one) : bits(bit(one)) {}  // NOLINT(google-explicit-constructor): a row may name one or several
  constexpr Set(std::initializer_list<Enum> several) {
    for (const Enum e : several) bits |= bit(e);
  }
  static constexpr Set all() {
    Set every{};
    every.bits = bit(Enum::kCount) - 1;
    return every;
  }
  constexpr Set without(Set others) const {
    Set rest = *this;
    rest.bits &= ~others.bits;
    return rest;
  }
  constexpr bool has(Enum e) const { return (bits & bit(e)) != 0; }

 private:
  static constexpr std::uint64_t bit(Enum e) { return std::uint64_t{1} << static_cast<unsigned>(e); }
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Where each number of a machine comes from, as the comments of its files say.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topologies/load_machine.hpp"

namespace linebounce {

/// A comment that begins with "guess" or "derived" says so; any other names a source. kSet: it replaces what the files
/// say. kUnstated: there is no comment.
enum class NumberOrigin : std::uint8_t { kGuess, kDerived, kSourced, kSet, kUnstated };
inline constexpr std::array<std::string_view, 5> kNumberOriginNames = {"guess", "derived", "sourced", "set",
                                                                       "unstated"};
constexpr std::string_view name_of(NumberOrigin origin) { return kNumberOriginNames[static_cast<std::size_t>(origin)]; }

NumberOrigin origin_of(std::string_view comment);

/// One for each of machine_fields(), in their order; nothing for a number that the machine has not. Throws InputError
/// as load_machine does.
std::vector<std::optional<NumberOrigin>> number_origins(std::string_view name_or_path,
                                                        std::span<const MachineOverride> overrides = {});

}  // namespace linebounce

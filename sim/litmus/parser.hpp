// SPDX-License-Identifier: Apache-2.0
// Reads herd's .litmus files for X86 (destination first, [x]) and X86_64 (source first, (x) or [x], %registers).
//
// Known are: mov between register, memory and immediate; mfence; xchg of a register with memory; lock xadd and lock
// cmpxchg; the suffixes l and q; memory named directly, or by a register that holds a variable's address from the
// beginning. Values are whole numbers of 32 bits, each variable is accessed with one width, and there are no branches.
// Everything else is an InputError of one line.
#pragma once

#include <filesystem>
#include <string_view>

#include "sim/litmus/program.hpp"

namespace linebounce::litmus {

inline constexpr std::size_t kMostThreads = 8;
inline constexpr std::size_t kMostInstructions = 32;  ///< of one thread

/// `file_name` is for errors.
Program parse(std::string_view text, std::string_view file_name);
/// Throws InputError too if the file cannot be read.
Program load(const std::filesystem::path& file);

}  // namespace linebounce::litmus

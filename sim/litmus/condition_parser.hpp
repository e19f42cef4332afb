// SPDX-License-Identifier: Apache-2.0
// What stands below the instructions: `locations [x; 0:eax;]` and `exists`, `~exists` or `forall` with a proposition.
#pragma once

#include "sim/litmus/program_builder.hpp"
#include "sim/litmus/token_reader.hpp"

namespace linebounce::litmus {

/// Reads to the end of the file. Without a proposition it is `forall true`.
void parse_questions(TokenReader& in, ProgramBuilder& out);

/// The index of a thread; its token is an InputError if there is no such thread.
std::size_t thread_of(const Token& token, std::size_t threads);

}  // namespace linebounce::litmus

// SPDX-License-Identifier: Apache-2.0
#include "sim/litmus/program.hpp"

#include <fmt/format.h>

namespace linebounce::litmus {

std::size_t Program::first_of(std::size_t thread) const {
  std::size_t at = 0;
  for (std::size_t t = 0; t < thread; ++t) at += threads[t].registers.size();
  return at;
}

std::string to_text(const Program& program, const FinalState& state) {
  std::string text;
  for (const Column& column : program.columns) {
    text += fmt::format("{}{}={};", text.empty() ? "" : " ", column.name, state[column.at]);
  }
  return text;
}

FinalState project(const Program& program, const FinalState& state) {
  FinalState values;
  for (const Column& column : program.columns) values.push_back(state[column.at]);
  return values;
}

}  // namespace linebounce::litmus

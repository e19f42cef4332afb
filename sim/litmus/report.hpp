// SPDX-License-Identifier: Apache-2.0
// What a litmus run prints: herd's form, with litmus7's counts; or one JSON document, schema linebounce.litmus/1.
#pragma once

#include <span>
#include <string>

#include "sim/litmus/runner.hpp"

namespace linebounce::litmus {

struct Report {
  std::string file;  ///< as the user named it
  Program program;
  Verdict verdict;
};

/// One test.
std::string render_text(const Report& report);
/// A line about all of them.
std::string render_summary(std::span<const Report> reports);
std::string render_json(std::span<const Report> reports, const std::string& machine, const RunOptions& options);

}  // namespace linebounce::litmus

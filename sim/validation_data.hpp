// SPDX-License-Identifier: Apache-2.0
// Files of published measurements (topologies/validation/published.toml, or one's own), as `linebounce validate` reads them:
//
//   [sources]                        # what an experiment may call its source
//   manual = "Vendor, Manual, 2010"
//
//   [[experiment]]                   # cells that were measured alike
//   id = "manual-loads"
//   machine = "westmere-ep-2s"       # or a path, relative to this file
//   core_mhz = 3060                  # optional: another clock than the machine's
//   kind = "operation"               # or "memory", "ping-pong", "lone loop"
//   unit = "cycles"                  # or "ns", "Mops/s"
//   tolerance_percent = 8
//   tolerance_cycles = 1             # optional: the larger one counts
//   gated = false                    # optional: then it is reported and decides nothing
//   source = "manual"
//   place = "table 3"
//   note = "…"                       # optional
//   cells = [{ operation = "load", state = "E", holder = "own L1", published = [4, 5] }]
//   not_modelled = [{ what = "LFENCE, 9 cycles", reason = "…" }]  # optional
//
//   [[skipped]]                      # published, but of no machine
//   what = "…"
//   reason = "…"
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/validation_probe.hpp"

namespace linebounce {

enum class ValidationUnit : std::uint8_t { kCycles, kNanoseconds, kMops };
inline constexpr std::array<std::string_view, 3> kValidationUnitNames = {"cycles", "ns", "Mops/s"};

/// Inclusive; one number if both are the same.
struct Interval {
  double low = 0;
  double high = 0;
};

struct ValidationCell {
  Probe probe;
  Interval published;  ///< in the experiment's unit, without plus_ns
  double plus_ns = 0;  ///< added to `published`, where that is in cycles
  std::string where;   ///< "file:line:column"
};

struct NotModelled {
  std::string what;
  std::string reason;
};

struct ValidationExperiment {
  std::string id;
  std::string machine;  ///< name or path
  std::optional<std::int64_t> core_mhz;
  ValidationUnit unit = ValidationUnit::kCycles;
  double tolerance_percent = 0;
  double tolerance_cycles = 0;
  bool gated = true;
  std::string source;  ///< whose, and where in it
  std::string note;
  std::vector<ValidationCell> cells;
  std::vector<NotModelled> not_modelled;
  std::string where;  ///< of the machine's name
};

struct ValidationData {
  std::vector<ValidationExperiment> experiments;  ///< in the file's order
  std::vector<NotModelled> skipped;
};

/// Throws InputError.
ValidationData load_validation(const std::filesystem::path& file);

}  // namespace linebounce

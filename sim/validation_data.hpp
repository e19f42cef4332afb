// SPDX-License-Identifier: Apache-2.0
// Files of published measurements (topologies/validation/published.toml, or one's own), as `linebounce validate` reads them;
// docs/calibrating.md explains their form.
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

/// Published, and nothing that is simulated corresponds to it.
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
};

struct ValidationData {
  std::vector<ValidationExperiment> experiments;  ///< in the file's order
  std::vector<NotModelled> skipped;
};

/// Throws InputError.
ValidationData load_validation(const std::filesystem::path& file);

}  // namespace linebounce

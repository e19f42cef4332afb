// SPDX-License-Identifier: Apache-2.0
// Simulated machines held against published measurements, and how the comparison is shown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/validation_data.hpp"

namespace linebounce {

/// One published number and its simulated one, in the experiment's unit.
struct ValidationRow {
  std::string what;
  Interval published;
  double simulated = 0;
  std::optional<double> home_at_requester;  ///< simulated with the line's home there, not in the holder's socket
  std::optional<double> home_at_third;
  double error_percent = 0;  ///< how far outside of what was published; 0 inside an interval
  bool within = false;       ///< the tolerance
};

struct ValidatedExperiment {
  ValidationExperiment experiment;
  std::int64_t core_mhz = 0;
  std::vector<ValidationRow> rows;  ///< one for each cell
};

struct ValidatedMachine {
  std::string name;
  std::string description;
  std::int64_t core_mhz = 0;
  std::vector<ValidatedExperiment> experiments;
};

/// What a machine's rows come to.
struct ValidationSummary {
  int entries = 0;
  int gated = 0;
  int gated_beyond = 0;  ///< their tolerance
  int not_modelled = 0;
  double mean_error_percent = 0;  ///< of absolute errors
  double worst_error_percent = 0;
  std::string worst;  ///< whose; "" if there is no error
};
ValidationSummary summarise(const ValidatedMachine& machine);

struct ValidationReport {
  std::vector<ValidatedMachine> machines;  ///< in the order in which the data names them first
  std::vector<NotModelled> skipped;        ///< of no machine; none if one was asked for
  ValidationSummary total() const;
};

/// Measures everything in the data, or what it has of one machine (by its name). Throws InputError if the data has
/// nothing of it or a machine has no such situation, and what measuring throws.
ValidationReport validate(const ValidationData& data, const std::optional<std::string>& machine);

/// Measures one experiment on this machine, whatever machine it was published of. Throws as validate does.
ValidatedExperiment simulate(const ValidationExperiment& experiment, Machine machine, const Topology& topology);

/// Judges one number.
ValidationRow judge(const ValidationExperiment& experiment, const ValidationCell& cell, std::int64_t core_mhz,
                    const Measured& measured);

/// For people, at most 100 columns.
std::string render_text(const ValidationReport& report);
/// docs/validation.md.
std::string render_markdown(const ValidationReport& report);
/// One document, schema "linebounce.validate/1":
///   schema, machines [{name, core_mhz, summary, experiments [{id, core_mhz, source, note, unit, tolerance_percent,
///   tolerance_cycles, gated, entries [{what, published {low, high}, simulated, home_at_requester, home_at_third,
///   error_percent, within}], not_modelled [{what, reason}]}]}], skipped [{what, reason}], summary {entries, gated,
///   gated_beyond, not_modelled, mean_error_percent, worst_error_percent, worst}
std::string render_json(const ValidationReport& report);

}  // namespace linebounce

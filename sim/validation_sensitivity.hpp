// SPDX-License-Identifier: Apache-2.0
// Which numbers of a machine its validation rests on, and how that is shown.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/tuned_machine.hpp"
#include "sim/validation.hpp"

namespace linebounce {

/// One published number: what its simulated counterpart depends on.
struct EntrySensitivity {
  std::string what;
  double simulated = 0;          ///< in the experiment's unit
  std::vector<Summary> effects;  ///< by parameter of the machine; NaN for one that cannot be moved
};

struct ExperimentSensitivity {
  ValidationExperiment experiment;
  std::vector<EntrySensitivity> entries;
};

/// How much all entries together depend on one parameter.
struct ParameterWeight {
  double mean_percent = 0;     ///< of absolute effects
  double largest_percent = 0;  ///< with its sign
  std::string whose;           ///< the entry with the largest; "" if there is none
  int among_strongest = 0;     ///< entries that have it among their strongest
};

struct MachineSensitivity {
  std::string name;
  std::vector<TunedParameter> parameters;
  std::vector<ExperimentSensitivity> experiments;
};

/// By parameter, over these entries.
std::vector<ParameterWeight> weigh(std::size_t parameters, const std::vector<const EntrySensitivity*>& entries);
std::vector<const EntrySensitivity*> entries_of(const MachineSensitivity& machine);
std::vector<const EntrySensitivity*> entries_of(const ExperimentSensitivity& experiment);

using ValidationSensitivity = std::vector<MachineSensitivity>;

/// Measures everything in the data, or what it has of one machine, and again with each parameter moved, in `jobs`
/// processes. Measurements have no seeds, so effects have no spread. Throws as validate does.
ValidationSensitivity measure_sensitivity(const ValidationData& data, const std::optional<std::string>& machine,
                                          int jobs);

/// For people, at most 100 columns.
std::string render_text(const ValidationSensitivity& sensitivity);
/// A section of docs/validation.md.
std::string render_markdown(const ValidationSensitivity& sensitivity);
/// One document, schema "linebounce.validate-sensitivity/1":
///   schema, effect, machines [{name, parameters [{name, value, unit, origin, low, high, note, mean_percent,
///   largest_percent, whose, among_strongest}], experiments [{id, unit, entries [{what, simulated, strongest [name],
///   effects {name: percent}}]}]}]
std::string render_json(const ValidationSensitivity& sensitivity);

}  // namespace linebounce

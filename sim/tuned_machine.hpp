// SPDX-License-Identifier: Apache-2.0
// A machine's numbers, each moved a little: what a sensitivity is measured with.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sim/sensitivity.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/number_origin.hpp"

namespace linebounce {

/// A number of a machine file, and the machine with less and with more of it.
struct TunedParameter {
  std::string name;   ///< "core.pause"
  std::string value;  ///< as in the file
  std::string_view unit;
  NumberOrigin origin = NumberOrigin::kUnstated;
  bool in_topology = false;  ///< its graph or routes may depend on it; if not, the moved machines have the same one
  Steps steps;
  std::shared_ptr<const Machine> low;   ///< nullptr if that step was not made
  std::shared_ptr<const Machine> high;  ///< likewise
  std::string note;                     ///< why a step was not made; "" if both were
};

/// Every number of the machine but its geometry, in the order of machine_fields(). A step that would give no legal machine
/// is not made. Throws InputError as load_machine does.
std::vector<TunedParameter> tuned_parameters(const std::string& name_or_path,
                                             const std::vector<MachineOverride>& overrides = {});

/// A sentence on each parameter with a step that was not made, for readers.
std::vector<std::string> notes_of(const std::vector<TunedParameter>& parameters);

}  // namespace linebounce

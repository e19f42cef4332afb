// SPDX-License-Identifier: Apache-2.0
// Results read back from the JSON that `run --json` writes.
#pragma once

#include <string>
#include <string_view>

#include "sim/results.hpp"

namespace linebounce {

/// Everything that the document says (render.hpp describes it); what it does not say is empty: samples, and the rows of
/// the protocol that fired. Of tasks only the categories are known, not the phases. A metric that is not in there has no
/// number. `name` is for errors. Throws InputError for anything but a "linebounce.run/1" document.
Results read_results(std::string_view json, const std::string& name);

}  // namespace linebounce

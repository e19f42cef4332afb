// SPDX-License-Identifier: Apache-2.0
#include "sim/render_sensitivity.hpp"

#include <fmt/format.h>

namespace linebounce {

std::string effect_text(const Summary& effect) {
  std::string text = fmt::format("{:+.2f}", effect.mean);
  if (effect.has_spread()) text += fmt::format(" ±{:.2f}", effect.ci95);
  return text;
}

Json json_of(const TunedParameter& p) {
  return {{"name", p.name},
          {"value", json_number(p.steps.value)},
          {"unit", p.unit},
          {"origin", name_of(p.origin)},
          {"low", json_number(p.steps.low)},
          {"high", json_number(p.steps.high)},
          {"note", p.note}};
}

}  // namespace linebounce

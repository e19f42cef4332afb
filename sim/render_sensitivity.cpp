// SPDX-License-Identifier: Apache-2.0
#include "sim/render_sensitivity.hpp"

#include <fmt/format.h>

#include "sim/render_table.hpp"

namespace linebounce {

std::string effect_text(const Summary& effect) {
  std::string text = fmt::format("{:+.2f}", effect.mean);
  if (effect.has_spread()) text += fmt::format(" ±{:.2f}", effect.ci95);
  return text;
}

std::string listed(const std::vector<std::string>& items, std::size_t indent) {
  std::string out;
  std::string line(indent, ' ');
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string item = items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() > indent && text_width(line) + 1 + text_width(item) > kTextColumns) {
      out += line + '\n';
      line.assign(indent, ' ');
    }
    line += (line.size() > indent ? " " : "") + item;
  }
  return line.size() > indent ? out + line + '\n' : out;
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

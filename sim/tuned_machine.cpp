// SPDX-License-Identifier: Apache-2.0
#include "sim/tuned_machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "topologies/machine_fields.hpp"

namespace linebounce {
namespace {

/// Tables of a machine file whose numbers its topology may hold.
constexpr std::string_view kTopologyTables[] = {"clock", "interconnect", "qpi"};

/// An error's message without the place that it begins with, if that begins with `place`.
std::string without(const std::string& place, const std::string& message) {
  if (!message.starts_with(place)) return message;
  const std::size_t colon = message.find(": ", place.size());
  return colon == std::string::npos ? message : message.substr(colon + 2);
}

void add_note(std::string& note, const std::string& text) { note += (note.empty() ? "" : "; ") + text; }

class Tuner {
 public:
  Tuner(const std::string& name_or_path, const std::vector<MachineOverride>& overrides)
      : name_(name_or_path), overrides_(overrides), machine_(load_machine(name_or_path, overrides)) {}

  TunedParameter tune(const MachineField& field, NumberOrigin origin) const {
    const double value = value_of(field, machine_);
    TunedParameter p;
    p.name = field.name();
    p.value = value_text(field, machine_);
    p.unit = field.unit;
    p.origin = origin;
    p.in_topology = std::ranges::find(kTopologyTables, field.table) != std::end(kTopologyTables);
    p.steps = steps_around(value, field.min, field.max, field.whole());
    if (p.steps.low == value) add_note(p.note, fmt::format("it cannot be less than {:g}", field.min));
    if (p.steps.high == value) add_note(p.note, fmt::format("it cannot be more than {:g}", field.max));
    if (p.steps.low < value) p.low = with(field, p.steps.low, p.note);
    if (p.steps.high > value) p.high = with(field, p.steps.high, p.note);
    if (!p.low) p.steps.low = value;
    if (!p.high) p.steps.high = value;
    return p;
  }

 private:
  /// nullptr and a note if there is no such machine.
  std::shared_ptr<const Machine> with(const MachineField& field, double value, std::string& note) const {
    std::vector<MachineOverride> changed = overrides_;
    changed.push_back({field.name(), fmt::format("{}", value), field.name()});
    try {
      return std::make_shared<const Machine>(load_machine(name_, changed));
    } catch (const InputError& e) {
      const std::string reason = without(field.name(), without(machine_path(name_).string(), e.what()));
      add_note(note, fmt::format("{} is not legal: {}", value, reason));
      return nullptr;
    }
  }

  const std::string& name_;
  const std::vector<MachineOverride>& overrides_;
  Machine machine_;
};

}  // namespace

std::vector<TunedParameter> tuned_parameters(const std::string& name_or_path,
                                             const std::vector<MachineOverride>& overrides) {
  const Tuner tuner(name_or_path, overrides);
  const std::vector<std::optional<NumberOrigin>> origins = number_origins(name_or_path, overrides);
  std::vector<TunedParameter> parameters;
  for (std::size_t i = 0; i < origins.size(); ++i) {
    const MachineField& field = machine_fields()[i];
    if (origins[i] && !field.geometry) parameters.push_back(tuner.tune(field, *origins[i]));
  }
  return parameters;
}

std::vector<std::string> notes_of(const std::vector<TunedParameter>& parameters) {
  std::vector<std::string> notes;
  for (const TunedParameter& p : parameters) {
    if (p.note.empty()) continue;
    const std::string_view tried = !p.steps.any() ? "not tried" : p.low ? "only less of it" : "only more of it";
    notes.push_back(fmt::format("{} = {}: {}, as {}", p.name, p.value, tried, p.note));
  }
  return notes;
}

}  // namespace linebounce

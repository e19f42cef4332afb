// SPDX-License-Identifier: Apache-2.0
#include "sim/read_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "topologies/input_error.hpp"

namespace linebounce {
namespace {

using Json = nlohmann::ordered_json;

/// The place of a name in a list of names.
template <class Names>
std::size_t index_of(const Names& names, const std::string& name, std::string_view what) {
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) throw InputError(fmt::format("{} '{}' does not exist", what, name));
  return static_cast<std::size_t>(found - names.begin());
}

Value value_of(const Json& json) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number()) return json.get<double>();
  if (json.is_array() && !json.empty() && json.front().is_object()) {
    std::vector<MixedLock> locks;
    for (const Json& lock : json) {
      locks.push_back(
          {lock.at("name"), lock.at("percent"), {lock.at("critical_section").get<std::int64_t>()}, lock.at("words")});
    }
    return locks;
  }
  if (json.is_array()) return json.get<std::vector<std::int64_t>>();
  return json.get<std::string>();
}

double number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<double>::quiet_NaN() : json.get<double>();
}

Summary summary_of(const Json& metrics, std::string_view name) {
  Summary s;
  s.mean = std::numeric_limits<double>::quiet_NaN();
  const auto found = metrics.find(name);
  if (found == metrics.end()) return s;
  s.n = found->at("n").get<std::size_t>();
  s.mean = number_of(found->at("mean"));
  if (!s.has_spread()) return s;
  s.sd = number_of(found->at("sd"));
  s.ci95 = number_of(found->at("ci95"));
  return s;
}

void read_categories(const Json& json, Account& account, Phase phase) {
  for (const auto& [name, cycles] : json.items()) {
    const auto category = static_cast<Category>(index_of(kCategoryNames, name, "category"));
    account.at(phase, category) = {cycles.get<std::int64_t>()};
  }
}

void read_core_cycles(const Json& json, PointResult& point) {
  for (const auto& [name, categories] : json.at("by_phase_and_category").items()) {
    read_categories(categories, point.account, static_cast<Phase>(index_of(kPhaseNames, name, "phase")));
  }
  for (const Json& task : json.at("tasks")) {
    point.placement.push_back({task.at("hardware_thread").get<std::uint32_t>()});
    read_categories(task.at("by_category"), point.task_accounts.emplace_back(), Phase::kNone);
  }
}

PointResult point_of(const Json& json) {
  PointResult point;
  for (const auto& [key, value] : json.at("params").items()) point.params.emplace_back(key, value_of(value));
  point.machine = json.at("machine").get<std::string>();
  point.core_mhz = json.at("core_mhz").get<std::int64_t>();
  for (const Metric& metric : metrics()) point.summaries.push_back(summary_of(json.at("metrics"), metric.name));
  read_core_cycles(json.at("core_cycles"), point);
  for (const auto& [name, count] : json.at("messages").at("by_kind").items()) {
    std::size_t kind = 0;
    while (kind < kMessageKinds && kMessageTraits[kind].name != name) ++kind;
    if (kind == kMessageKinds) throw InputError(fmt::format("message '{}' does not exist", name));
    point.messages[kind] = count.get<std::uint64_t>();
  }
  for (const auto& [link, bytes] : json.at("link_bytes").items()) {
    point.link_bytes.emplace_back(link, bytes.get<std::int64_t>());
  }
  for (const Json& run : json.at("runs")) {
    point.replicas.push_back({run.at("seed").get<std::uint64_t>(),
                              run.at("operations").get<std::uint64_t>(),
                              {run.at("window").get<std::int64_t>()},
                              std::strtoull(run.at("digest").get<std::string>().c_str(), nullptr, 16)});
  }
  return point;
}

Results results_of(const Json& json) {
  Results results;
  results.scenario = json.at("scenario").get<std::string>();
  results.title = json.at("title").get<std::string>();
  results.question = json.at("question").get<std::string>();
  results.machine = json.at("machine").get<std::string>();
  results.seed = json.at("seed").get<std::uint64_t>();
  for (const Json& point : json.at("points")) results.points.push_back(point_of(point));
  // The document does not say what varied: what is not the same in all points did.
  for (const PointResult& point : results.points) {
    for (const auto& [key, value] : point.params) {
      const auto same = [&key = key, &value = value](const PointResult& other) {
        const Value* there = other.param(key);
        return there != nullptr && *there == value;
      };
      if (std::ranges::find(results.varied, key) == results.varied.end() &&
          !std::ranges::all_of(results.points, same)) {
        results.varied.push_back(key);
      }
    }
  }
  return results;
}

/// "2:14": line and column of a byte, from 1.
std::string place_of(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, byte == 0 ? 0 : byte - 1);
  const std::size_t last_line = before.rfind('\n');
  const std::size_t column = last_line == std::string_view::npos ? before.size() : before.size() - last_line - 1;
  return fmt::format("{}:{}", std::ranges::count(before, '\n') + 1, column + 1);
}

/// What is wrong, without the library's own name for it.
std::string_view without_id(std::string_view what) {
  const std::size_t end = what.find("] ");
  return what.starts_with('[') && end != std::string_view::npos ? what.substr(end + 2) : what;
}

}  // namespace

Results read_results(std::string_view text, const std::string& name) {
  const auto fail = [&](std::string_view what, const std::string& place = "") {
    fail_input(place.empty() ? name : name + ":" + place, what,
               fmt::format("what 'linebounce run --json' writes (schema {})", kRunSchema));
  };
  try {
    const Json json = Json::parse(text);
    const auto schema = json.is_object() ? json.find("schema") : json.end();
    if (schema == json.end() || *schema != kRunSchema) fail("no result of a run");
    return results_of(json);
  } catch (const Json::parse_error& e) {
    fail("no JSON", place_of(text, e.byte));
  } catch (const Json::exception& e) {
    fail(without_id(e.what()));
  } catch (const InputError& e) {
    const std::string_view what = e.what();
    if (what.starts_with(name)) throw;
    fail(what);
  }
  return {};
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/json_values.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

namespace linebounce {

Json json_number(double x) {
  if (!std::isfinite(x)) return nullptr;
  if (x == std::floor(x) && std::fabs(x) < 9e15) return static_cast<std::int64_t>(x);
  return std::strtod(fmt::format("{:.10g}", x).c_str(), nullptr);
}

namespace {

struct Typed {
  Json operator()(const std::vector<MixedLock>& locks) const {
    Json out = Json::array();
    for (const MixedLock& lock : locks) {
      out.push_back({{"name", lock.name},
                     {"percent", lock.percent},
                     {"critical_section", lock.critical_section.count},
                     {"words", lock.words}});
    }
    return out;
  }
  template <class T>
  Json operator()(const T& v) const {
    return v;
  }
};

}  // namespace

Json json_of(const Value& value) { return std::visit(Typed{}, value); }

Json json_of(const Summary& s) {
  return {{"mean", json_number(s.mean)},
          {"sd", s.has_spread() ? json_number(s.sd) : Json()},
          {"ci95", s.has_spread() ? json_number(s.ci95) : Json()},
          {"n", s.n}};
}

Json heading_of(std::string_view schema, const Results& results) {
  Json out = {{"schema", schema},           {"scenario", results.scenario},
              {"title", results.title},     {"question", results.question},
              {"machine", results.machine}, {"seed", results.seed}};
  Json seeds = Json::array();
  if (!results.points.empty()) {
    for (const Replica& r : results.points.front().replicas) seeds.push_back(r.seed);
  }
  out["seeds"] = std::move(seeds);
  return out;
}

}  // namespace linebounce

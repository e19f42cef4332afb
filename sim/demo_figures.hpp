// SPDX-License-Identifier: Apache-2.0
// Figures of a demo's sections: points found by their parameters, and comparisons of pairs of points.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/demo_published.hpp"
#include "sim/results.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

using Where = std::vector<std::pair<std::string_view, std::string_view>>;

/// The first point with these parameters; throws InputError if the scenario has none (somebody changed the file).
const PointResult& find_point(const Results& results, const Where& where);

/// What `after` saves against `before` in ns per operation, seed by seed.
Summary saved_ns(const PointResult& before, const PointResult& after);
/// By how much `after` exceeds `before` in this metric, in percent of the mean of `before`; the spread is that of the
/// differences seed by seed.
Summary change_percent(const PointResult& before, const PointResult& after, std::string_view metric);

/// "+3.1 %": by how much x exceeds the reference.
std::string percent_over(double x, double reference);
/// "-3.1 ±0.2": with sign and half-width.
std::string signed_summary(const Summary& s);

/// Pairs of points that differ in `key` alone (first value `before`, second `after`), in file order.
struct Pair {
  const PointResult* before;
  const PointResult* after;
};
std::vector<Pair> pairs(const Results& results, std::string_view key, std::string_view before, std::string_view after);

/// The keys that vary, but for one.
std::vector<std::string> varied_keys_but(const Results& results, std::string_view key);
/// The point's values of these keys.
std::vector<std::string> values_of(const PointResult& point, const std::vector<std::string>& keys);

/// What the demo has run.
struct DemoResults {
  Published published;
  Results simple_write;
  Results critical_section;
  Results local_work;
  Results clock;
  Results ping_pong;
  Results ticket;
  Results llist;
  Results producers;
  Machine westmere_ep;
  Machine westmere_ex;
};

// The sections of the demo's report, in their order.
std::string llist_section(const DemoResults& demo);
std::string qspinlock_section(const DemoResults& demo);
std::string ticket_section(const DemoResults& demo);
std::string sensitivity_section(const DemoResults& demo);
std::string account_section(const DemoResults& demo);
std::string facts_section(const DemoResults& demo);

/// One statement of a publication, judged by code from simulated figures.
struct Fact {
  std::string claim;      ///< what was published
  std::string criterion;  ///< when it counts as reproduced; fixed beforehand
  bool reproduced = false;
  std::string figures;  ///< what the simulation says
};
std::vector<Fact> judge_facts(const DemoResults& demo);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "sim/demo_figures.hpp"
#include "sim/demo_published.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

Published published() { return load_published(data_directory("examples") / "published.toml"); }

TEST(Published, AHandOffIsElapsedTimeOverAllIterations) {
  const Published p = published();
  EXPECT_EQ(p.rows.size(), 8U);
  EXPECT_NEAR(p.ns_per_hand_off("same-node", 3, false, false), 154.9, 0.05);
  EXPECT_NEAR(p.ns_per_hand_off("same-node", 8, true, true), 139.2, 0.05);
  EXPECT_NEAR(p.ns_per_hand_off("different-nodes", 4, true, false), 534.8, 0.05);
  EXPECT_THROW(p.ns_per_hand_off("same-node", 9, false, false), std::out_of_range);
}

TEST(Published, TheLlistChangeIsNotDistinguishableFromNone) {
  const Published p = published();
  const Change change = welch_change(p.with_cpu_relax, p.without_cpu_relax);
  EXPECT_NEAR(change.percent, 4.28, 0.01);
  EXPECT_NEAR(change.low, -3.3, 0.05);
  EXPECT_NEAR(change.high, 11.9, 0.05);
}

/// A point whose every seed gives this many ns per operation.
PointResult point(Parameters params, double ns) {
  PointResult p;
  p.params = std::move(params);
  p.replicas.resize(3);
  p.samples.assign(metrics().size(), {1, 1, 1});
  p.samples[metric_index("ns_per_op")] = {ns, ns, ns};
  p.samples[metric_index("ops_per_second")] = {1e9 / ns, 1e9 / ns, 1e9 / ns};
  for (const auto& sample : p.samples) p.summaries.push_back(summarise(sample));
  return p;
}

/// A demo that reproduces the publication to the last digit, unless `distort` changes a hand-off.
DemoResults demo(const std::function<double(const PublishedRow&, double ns)>& distort) {
  DemoResults d;
  d.published = published();
  for (const PublishedRow& row : d.published.rows) {
    for (const bool embedded : {false, true}) {
      for (const bool after : {false, true}) {
        d.simple_write.points.push_back(point({{"placement", row.placement},
                                               {"tasks", row.tasks},
                                               {"layout", std::string(embedded ? "embedded" : "standalone")},
                                               {"variant", std::string(after ? "after" : "before")}},
                                              distort(row, d.published.ns_per_hand_off(row, embedded, after))));
      }
    }
  }
  for (const std::int64_t tasks : {3, 4, 8}) {
    const auto add = [&](const char* lock, const char* variant, double ns) {
      d.ticket.points.push_back(point({{"lock", std::string(lock)},
                                       {"variant", std::string(variant)},
                                       {"placement", std::string("same-node")},
                                       {"tasks", tasks}},
                                      ns));
    };
    add("ticket", "", 100);
    add("qspinlock", "before", 120);
    add("qspinlock", "after", 101);
  }
  for (const char* placement : {"same-node", "different-nodes"}) {
    d.ping_pong.points.push_back(point({{"placement", std::string(placement)}}, 60));
    for (const char* variant : {"s1", "s2"}) {
      d.llist.points.push_back(point({{"placement", std::string(placement)},
                                      {"local_work", std::int64_t{3200}},
                                      {"variant", std::string(variant)}},
                                     1200));
    }
  }
  d.westmere_ex.core.cmpxchg = {20};
  d.westmere_ex.core_mhz = 2260;
  return d;
}

std::vector<std::string> not_reproduced(const DemoResults& d) {
  std::vector<std::string> claims;
  for (const Fact& fact : judge_facts(d)) {
    if (!fact.reproduced) claims.push_back(fact.claim);
  }
  return claims;
}

bool names(const std::vector<std::string>& claims, std::string_view beginning) {
  return std::ranges::any_of(claims, [&](const std::string& claim) { return claim.starts_with(beginning); });
}

TEST(Facts, ThePublishedFiguresReproduceThemselves) {
  EXPECT_EQ(not_reproduced(demo([](const PublishedRow&, double ns) { return ns; })), std::vector<std::string>{});
}

TEST(Facts, AHandOffThatGrowsWithTheTasksIsSeen) {
  const std::vector<std::string> claims = not_reproduced(demo([](const PublishedRow& row, double ns) {
    return row.placement == "same-node" ? ns * (1 + 0.02 * static_cast<double>(row.tasks)) : ns;
  }));
  EXPECT_EQ(claims.size(), 2U);
  EXPECT_TRUE(names(claims, "same-node hand-off is flat"));
  EXPECT_TRUE(names(claims, "3 tasks cost"));
}

TEST(Facts, AStoreThatSavesNothingIsSeen) {
  DemoResults d = demo([](const PublishedRow&, double ns) { return ns; });
  for (const Pair& pair : pairs(d.simple_write, "variant", "before", "after")) {
    PointResult& after = d.simple_write.points[static_cast<std::size_t>(pair.after - d.simple_write.points.data())];
    after = point(after.params, pair.before->summary("ns_per_op").mean * 1.001);
  }
  const std::vector<std::string> claims = not_reproduced(d);
  EXPECT_TRUE(names(claims, "the plain store saves"));
  EXPECT_TRUE(names(claims, "… and 9 to 10 ns"));
  EXPECT_TRUE(names(claims, "on IvyBridge-EX the gain"));
}

TEST(Facts, AScenarioThatLacksAPointIsTheUsersError) {
  DemoResults d = demo([](const PublishedRow&, double ns) { return ns; });
  d.simple_write.points.pop_back();
  EXPECT_THROW(judge_facts(d), InputError);
}

TEST(Pairs, DifferInOneKeyAlone) {
  const DemoResults d = demo([](const PublishedRow&, double ns) { return ns; });
  const std::vector<Pair> found = pairs(d.simple_write, "variant", "before", "after");
  EXPECT_EQ(found.size(), 16U);
  EXPECT_EQ(to_text(*found[0].before->param("layout")), to_text(*found[0].after->param("layout")));
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The demo's sections on qspinlock: published against simulated, ticket against queue, and what moves the result.
#include <fmt/format.h>

#include "sim/demo_figures.hpp"
#include "sim/render.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

constexpr const char* kLayouts[] = {"standalone", "embedded"};

Where where(const PublishedRow& row, const std::string& tasks, const char* layout, const char* variant) {
  return {{"placement", row.placement}, {"tasks", tasks}, {"layout", layout}, {"variant", variant}};
}

std::string compared_hand_offs(const DemoResults& demo, bool embedded) {
  TextTable table(2, 2);
  table.add({"", "", "before:", "", "", "after:", "", ""});
  table.add({"placement", "tasks", "published", "simulated", "difference", "published", "simulated", "difference"});
  for (const PublishedRow& row : demo.published.rows) {
    const std::string tasks = fmt::format("{}", row.tasks);
    std::vector<std::string> cells = {row.placement, tasks};
    for (const bool after : {false, true}) {
      const double published = demo.published.ns_per_hand_off(row, embedded, after);
      const Summary& simulated =
          find_point(demo.simple_write, where(row, tasks, kLayouts[embedded ? 1 : 0], after ? "after" : "before"))
              .summary("ns_per_op");
      cells.push_back(fmt::format("{:.1f}", published));
      cells.push_back(figure(simulated));
      cells.push_back(percent_over(simulated.mean, published));
    }
    table.add(std::move(cells));
  }
  return table.str();
}

std::string compared_savings(const DemoResults& demo) {
  TextTable table(2, 2);
  table.add({"", "", "standalone:", "", "", "embedded:", "", ""});
  table.add({"placement", "tasks", "published", "simulated", "difference", "published", "simulated", "difference"});
  for (const PublishedRow& row : demo.published.rows) {
    const std::string tasks = fmt::format("{}", row.tasks);
    std::vector<std::string> cells = {row.placement, tasks};
    for (const bool embedded : {false, true}) {
      const char* layout = kLayouts[embedded ? 1 : 0];
      const double published =
          demo.published.ns_per_hand_off(row, embedded, false) - demo.published.ns_per_hand_off(row, embedded, true);
      const Summary simulated = saved_ns(find_point(demo.simple_write, where(row, tasks, layout, "before")),
                                         find_point(demo.simple_write, where(row, tasks, layout, "after")));
      cells.push_back(signed_figure(published));
      cells.push_back(signed_summary(simulated));
      cells.push_back(signed_figure(simulated.mean - published));
    }
    table.add(std::move(cells));
  }
  return table.str();
}

/// The publication does not say whether "standalone" touches any data.
std::string without_data(const DemoResults& demo) {
  std::string out = "Were nothing done under the lock, a hand-off of 4 tasks would take before the plain store";
  for (const char* placement : {"same-node", "different-nodes"}) {
    const PointResult& point =
        find_point(demo.critical_section,
                   {{"placement", placement}, {"words", "0"}, {"critical_section", "0"}, {"variant", "before"}});
    const double published = demo.published.ns_per_hand_off(placement, 4, false, false);
    const Summary& simulated = point.summary("ns_per_op");
    out += fmt::format("{} {} ns on {} ({} of the published {:.1f})", out.ends_with(')') ? " and" : "",
                       figure(simulated), placement, percent_over(simulated.mean, published), published);
  }
  return wrapped(out + '.');
}

/// Before, after and saving for every pair of points of a scenario.
std::string before_after(const Results& results) {
  const std::vector<std::string> keys = varied_keys_but(results, "variant");
  TextTable table(keys.size());
  std::vector<std::string> heading = keys;
  for (const char* name : {"before, ns", "after, ns", "saved, ns", "saved, %", "PAUSE/op"}) heading.emplace_back(name);
  table.add(std::move(heading));
  for (const Pair& pair : pairs(results, "variant", "before", "after")) {
    std::vector<std::string> row = values_of(*pair.before, keys);
    const Summary saved = saved_ns(*pair.before, *pair.after);
    row.push_back(figure(pair.before->summary("ns_per_op")));
    row.push_back(figure(pair.after->summary("ns_per_op")));
    row.push_back(signed_summary(saved));
    row.push_back(signed_figure(100 * saved.mean / pair.before->summary("ns_per_op").mean));
    row.push_back(figure(pair.after->summary("pauses_per_op").mean));
    table.add(std::move(row));
  }
  return fmt::format("{} ({})\n{}\n", results.title, results.scenario, table.str());
}

}  // namespace

std::string qspinlock_section(const DemoResults& demo) {
  const Published::Source& source = demo.published.qspinlock;
  std::string out = wrapped(
      fmt::format("{}. {}. Published on: {}; {}.", source.what, source.source, source.machine, source.benchmark));
  out += wrapped(fmt::format("Simulated on {} at {} MHz. All figures in ns from one hand-off to the next.",
                             demo.westmere_ex.name, demo.westmere_ex.core_mhz));
  out += "\nstandalone: lock and data in different cache lines\n" + compared_hand_offs(demo, false);
  out += "\nembedded: lock and data in the same cache line\n" + compared_hand_offs(demo, true);
  out += '\n' + without_data(demo);
  out += "\nWhat the plain store saves, ns a hand-off (simulated: seed by seed, with 95 % confidence interval)\n";
  return out + compared_savings(demo);
}

std::string ticket_section(const DemoResults& demo) {
  TextTable table(2, 2);
  table.add({"", "", "ticket", "qspinlock", "", "before", "after", "plain store"});
  table.add({"placement", "tasks", "", "before", "after", "- ticket", "- ticket", "saves"});
  for (const Pair& pair : pairs(demo.ticket, "variant", "before", "after")) {
    const std::string placement = to_text(*pair.before->param("placement"));
    const std::string tasks = to_text(*pair.before->param("tasks"));
    const PointResult& ticket =
        find_point(demo.ticket, {{"lock", "ticket"}, {"placement", placement}, {"tasks", tasks}});
    table.add({placement, tasks, figure(ticket.summary("ns_per_op")), figure(pair.before->summary("ns_per_op")),
               figure(pair.after->summary("ns_per_op")),
               signed_figure(pair.before->summary("ns_per_op").mean - ticket.summary("ns_per_op").mean),
               signed_figure(pair.after->summary("ns_per_op").mean - ticket.summary("ns_per_op").mean),
               signed_summary(saved_ns(*pair.before, *pair.after))});
  }
  return wrapped(fmt::format("{} on {}, ns a hand-off.", demo.ticket.title, demo.ticket.machine)) + table.str();
}

std::string sensitivity_section(const DemoResults& demo) {
  return before_after(demo.critical_section) + before_after(demo.local_work) + before_after(demo.clock);
}

std::string account_section(const DemoResults& demo) {
  std::string out = wrapped(
      "Cycles of all tasks per hand-off: what each was spent on, and in which part of the algorithm. With n tasks "
      "they sum to n times the time of a hand-off, since n - 1 of them wait.");
  for (const char* placement : {"same-node", "different-nodes"}) {
    for (const char* variant : {"before", "after"}) {
      const PointResult& point =
          find_point(demo.simple_write,
                     {{"placement", placement}, {"tasks", "4"}, {"layout", "standalone"}, {"variant", variant}});
      out += fmt::format("\n{}, 4 tasks, standalone, {}: {} cycles a hand-off\n{}", placement, variant,
                         figure(point.summary("cycles_per_op")), render_account(point));
    }
  }
  return out;
}

}  // namespace linebounce

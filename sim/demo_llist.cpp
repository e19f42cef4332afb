// SPDX-License-Identifier: Apache-2.0
// The demo's section on llist: published against simulated, and where removing cpu_relax matters.
#include <fmt/format.h>

#include "sim/demo_figures.hpp"
#include "sim/render_table.hpp"

namespace linebounce {
namespace {

/// PAUSE cycles of a producer's retries, per entry added.
double retry_pause_cycles(const PointResult& point) {
  const Cycles pause = point.account.at(Phase::kRetryLoop, Category::kPause);
  return static_cast<double>(pause.count) / static_cast<double>(point.operations());
}

/// With (s1) against without (s2) cpu_relax, for every pair of points.
std::string with_and_without(const Results& results) {
  const std::vector<std::string> keys = varied_keys_but(results, "variant");
  TextTable table(keys.size(), 2);
  std::vector<std::string> upper(keys.size());
  std::vector<std::string> lower = keys;
  for (const char* text : {"with:", "cmpxchg", "PAUSE", "without:", "cmpxchg", "removed:"}) upper.emplace_back(text);
  for (const char* text : {"Mop/s", "failed, %", "cycles/op", "Mop/s", "failed, %", "change, %"})
    lower.emplace_back(text);
  table.add(std::move(upper));
  table.add(std::move(lower));
  for (const Pair& pair : pairs(results, "variant", "s1", "s2")) {
    std::vector<std::string> row = values_of(*pair.before, keys);
    row.push_back(figure(pair.before->summary("ops_per_second").mean / 1e6));
    row.push_back(figure(pair.before->summary("failed_cmpxchg_percent").mean));
    row.push_back(figure(retry_pause_cycles(*pair.before)));
    row.push_back(figure(pair.after->summary("ops_per_second").mean / 1e6));
    row.push_back(figure(pair.after->summary("failed_cmpxchg_percent").mean));
    row.push_back(signed_summary(change_percent(*pair.before, *pair.after, "ops_per_second")));
    table.add(std::move(row));
  }
  return table.str();
}

std::string compared(const DemoResults& demo) {
  const Change published = welch_change(demo.published.with_cpu_relax, demo.published.without_cpu_relax);
  TextTable table(1);
  table.add({"throughput change by removing cpu_relax, %", "published", "simulated", "difference"});
  for (const char* placement : {"same-node", "different-nodes"}) {
    const Where with = {{"placement", placement}, {"local_work", "3200"}, {"variant", "s1"}};
    const Where without = {{"placement", placement}, {"local_work", "3200"}, {"variant", "s2"}};
    const Summary change =
        change_percent(find_point(demo.llist, with), find_point(demo.llist, without), "ops_per_second");
    table.add({fmt::format("one producer and one consumer, {}", placement), fmt::format("{:+.2f}", published.percent),
               fmt::format("{:+.2f} ±{:.2f}", change.mean, change.ci95),
               fmt::format("{:+.2f}", change.mean - published.percent)});
  }
  std::string out = table.str();
  out += wrapped(fmt::format(
      "The published change has the 95 % confidence interval {:+.1f} to {:+.1f} % (Welch, five runs each): it "
      "is not distinguishable from none.",
      published.low, published.high));

  const double saved =
      1e9 / summarise(demo.published.with_cpu_relax).mean - 1e9 / summarise(demo.published.without_cpu_relax).mean;
  const double pause =
      static_cast<double>(demo.westmere_ep.core.pause.count) * 1000 / static_cast<double>(demo.westmere_ep.core_mhz);
  const PointResult& point =
      find_point(demo.llist, {{"placement", "same-node"}, {"local_work", "3200"}, {"variant", "s1"}});
  out += wrapped(fmt::format(
      "Taken at its word it is {:.0f} ns a wake-up, and a PAUSE takes {:.1f} ns: {:.0f} failed cmpxchgs in every "
      "wake-up would be needed. Simulated are {:.0f} in {} entries added: the consumer has come and gone before the "
      "producer is back.",
      saved, pause, saved / pause,
      point.summary("failed_cmpxchg_per_op").mean * static_cast<double>(point.operations()), point.operations()));
  const double add =
      static_cast<double>(point.account.of(Phase::kRetryLoop).count) / static_cast<double>(point.operations());
  const double period = point.summary("cycles_per_op").mean;
  const auto pause_cycles = static_cast<double>(demo.westmere_ep.core.pause.count);
  out += wrapped(fmt::format(
      "If the consumer came at any time instead, it could hit no more than the {:.0f} cycles that an addition takes, "
      "{:.1f} % of the {:.0f} between two: the PAUSE of {:.0f} cycles would cost {:.3f} % at most.",
      add, 100 * add / period, period, pause_cycles, 100 * add / period * pause_cycles / period));
  return out;
}

/// The points where removing cpu_relax changes the throughput beyond doubt and by at least one percent.
std::string where_it_matters(const Results& results) {
  std::vector<std::string> faster;
  std::vector<std::string> slower;
  const auto all = pairs(results, "variant", "s1", "s2");
  for (const Pair& pair : all) {
    const Summary change = change_percent(*pair.before, *pair.after, "ops_per_second");
    const auto name = [&] {
      return fmt::format("{} producers, local work {}, {} ({} %)", to_text(*pair.before->param("producers")),
                         to_text(*pair.before->param("local_work")), to_text(*pair.before->param("placement")),
                         signed_figure(change.mean));
    };
    if (change.low() > 0 && change.mean >= 1) faster.push_back(name());
    if (change.high() < 0 && change.mean <= -1) slower.push_back(name());
  }
  const auto list = [](const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : "; ") + name;
    return names.empty() ? std::string("nowhere") : out;
  };
  return wrapped(fmt::format(
             "Of {} points, removing cpu_relax helps by 1 % or more, beyond its confidence interval, in {}: {}.",
             all.size(), faster.size(), list(faster))) +
         wrapped(fmt::format("It hurts by as much in {}: {}.", slower.size(), list(slower)));
}

}  // namespace

std::string llist_section(const DemoResults& demo) {
  const Published::Source& source = demo.published.llist;
  std::string out = wrapped(
      fmt::format("{}. {}. Published on: {}; {}.", source.what, source.source, source.machine, source.benchmark));
  out += wrapped(fmt::format(
      "Simulated on {} at {} MHz: producers add to a list, a consumer takes everything off. One operation is one "
      "entry added.",
      demo.westmere_ep.name, demo.westmere_ep.core_mhz));
  out += '\n' + compared(demo);
  out += "\nOne producer and one consumer a list, as in sembench\n" + with_and_without(demo.llist);
  out += "\nMany producers on one list\n" + with_and_without(demo.producers) + where_it_matters(demo.producers);
  return out;
}

}  // namespace linebounce

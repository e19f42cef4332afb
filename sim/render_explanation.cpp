// SPDX-License-Identifier: Apache-2.0
#include "sim/render_explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/render_table.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

namespace {

double mean_of(const std::vector<double>& values) { return summarise(values).mean; }

std::uint64_t things_in(const std::vector<StackSample>& samples) {
  return std::accumulate(samples.begin(), samples.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const StackSample& s) { return sum + s.things; });
}

/// "12.3"; what rounds to nothing has no sign.
std::string tenths(double x) { return fmt::format("{:.1f}", std::fabs(x) < 0.05 ? 0.0 : x); }

/// "20 seeds from 1", "seed 5", "seeds 5, 9".
std::string seeds_text(const std::vector<SeedExplanation>& seeds) {
  const std::uint64_t first = seeds.front().seed;
  if (seeds.size() == 1) return fmt::format("seed {}", first);
  std::vector<std::uint64_t> all;
  bool consecutive = true;
  for (const SeedExplanation& s : seeds) {
    consecutive = consecutive && s.seed == first + all.size();
    all.push_back(s.seed);
  }
  return consecutive ? fmt::format("{} seeds from {}", all.size(), first)
                     : fmt::format("seeds {}", fmt::join(all, ", "));
}

/// "43 of them", with how many seeds if not with all.
std::string count_text(const std::vector<StackSample>& samples, std::size_t seeds) {
  const std::string count = fmt::format("{} of them", things_in(samples));
  return samples.size() == seeds ? count : fmt::format("{}, with {} of {} seeds", count, samples.size(), seeds);
}

std::string whole_text(const Cause& cause) {
  const std::string_view phase = name_of(cause.phase);
  if (cause.role == Role::kItself) return std::string(phase);
  return fmt::format("{}, {}: {}", name_of(cause.role), phase, cause.operation);
}

std::int64_t of_example(const std::optional<Example>& example, const Cause& cause) {
  if (!example) return 0;
  if (cause.category != Category::kCount) return example->stack.of(cause).count;
  std::int64_t sum = 0;
  for (const auto& [c, share] : example->stack.shares()) {
    if (c.role == cause.role && c.phase == cause.phase && c.operation == cause.operation) sum += share.cycles.count;
  }
  return sum;
}

/// The stack of one kind of thing: its operations, below each of them where their cycles went.
std::string stack_table(const std::vector<StackSample>& samples, const std::optional<Example>& median,
                        const std::optional<Example>& worst) {
  const Summary total = summarise(means_of(samples));
  TextTable table(1);
  table.add({"", "mean", "share", "median", "worst"});
  const auto of = [](const std::optional<Example>& example, std::int64_t cycles) {
    return example ? fmt::format("{}", cycles) : std::string("-");  // the first seed has none
  };
  table.add({"total", figure(total), "100 %", of(median, median ? median->length().count : 0),
             of(worst, worst ? worst->length().count : 0)});
  double left_out = total.mean;
  std::int64_t median_left = median ? median->length().count : 0;
  std::int64_t worst_left = worst ? worst->length().count : 0;
  for (const DifferenceRow& row : rows_of(samples, {})) {
    const double mean = mean_of(row.first);
    if (mean < kSmallShare * total.mean) continue;
    const std::int64_t of_median = of_example(median, row.cause);
    const std::int64_t of_worst = of_example(worst, row.cause);
    const bool whole = row.cause.category == Category::kCount;
    if (whole) {
      left_out -= mean;
      median_left -= of_median;
      worst_left -= of_worst;
    }
    table.add({whole ? "  " + whole_text(row.cause) : "      " + std::string(meaning_of(row.cause.category)),
               figure(mean), fmt::format("{:.1f} %", 100 * mean / total.mean), of(median, of_median),
               of(worst, of_worst)});
  }
  if (left_out > 0.05 || median_left != 0 || worst_left != 0) {
    table.add({"  what is less than 0.5 % each", figure(left_out), fmt::format("{:.1f} %", 100 * left_out / total.mean),
               of(median, median_left), of(worst, worst_left)});
  }
  return table.str();
}

std::string cmpxchg_text(const FailedCmpxchg& c) {
  if (c.attempts == 0) return "No cmpxchg ran.\n";
  std::string out = fmt::format("{} cmpxchg, {} of them failed ({:.2f} %)\n", c.attempts, c.failed,
                                100.0 * static_cast<double>(c.failed) / static_cast<double>(c.attempts));
  const auto mean = [](std::int64_t cycles, std::uint64_t n) {
    return n == 0 ? std::string("-") : figure(static_cast<double>(cycles) / static_cast<double>(n));
  };
  TextTable table(1);
  table.add({"", "times", "cycles each"});
  const std::uint64_t succeeded = c.attempts - c.failed;
  table.add({"succeeded", fmt::format("{}", succeeded), mean(c.succeeded_cycles, succeeded)});
  table.add({"failed", fmt::format("{}", c.failed), mean(c.failed_cycles, c.failed)});
  if (c.failed != 0) table.add({"PAUSE after it", fmt::format("{}", c.paused), mean(c.paused_cycles, c.paused)});
  for (const auto& [winner, times] : c.lost_to) {
    table.add({fmt::format("lost to {} ({}) from the {}", winner.operation, name_of(winner.phase), winner.where),
               fmt::format("{}", times), ""});
  }
  return out + table.str();
}

std::string clocks_text(const Machine& first, const Machine& second) {
  if (first.core_mhz == second.core_mhz) return fmt::format("cycles of a {} MHz core", first.core_mhz);
  return fmt::format("cores of {} and of {} MHz, so in ns", first.core_mhz, second.core_mhz);
}

}  // namespace

std::string parameters_text(const Parameters& params) {
  std::string out;
  for (const auto& [key, value] : params) out += fmt::format("{}{}={}", out.empty() ? "" : " ", key, to_text(value));
  return out;
}

std::string render_text(const Explanation& e, const ExplainedRun& run) {
  std::string out = fmt::format("{}, point {} of {}\n", run.scenario, run.point + 1, run.points);
  out += wrapped(parameters_text(e.params), 2);
  const auto hand_offs = e.samples(&SeedExplanation::hand_offs);
  const auto operations = e.samples(&SeedExplanation::operations);
  out += wrapped(fmt::format("{}; cycles of a {} MHz core", seeds_text(e.seeds), e.machine->core_mhz));
  if (things_in(hand_offs) != 0) {
    out += fmt::format("\nA hand-off: from the release's first operation to the next owner's first one inside; {}\n",
                       count_text(hand_offs, e.seeds.size()));
    out += stack_table(hand_offs, e.median_hand_off, e.worst_hand_off);
  }
  if (things_in(operations) != 0) {
    out += fmt::format("\nAn operation of a task: from one completion to its next, both in the window; {} of them\n",
                       things_in(operations));
    out += stack_table(operations, e.median_operation, e.worst_operation);
  }
  FailedCmpxchg cmpxchg;
  for (const SeedExplanation& seed : e.seeds) cmpxchg += seed.cmpxchg;
  out += "\ncmpxchg\n" + cmpxchg_text(cmpxchg);
  return out + "\nIn words\n" + in_words(e);
}

std::string render_text(const Difference& d, const SideNames& names) {
  const Comparison c = compare(d);
  std::string out = names.in_full(names.first) + "\n" + wrapped(parameters_text(d.first.params), 2) + "against " +
                    names.in_full(names.second) + "\n";
  if (names.key.empty()) out += wrapped(parameters_text(d.second.params), 2);
  out += wrapped(seeds_text(d.first.seeds) + "; " + clocks_text(*d.first.machine, *d.second.machine)) + "\n";
  if (c.pairs() != 0) {
    TextTable table(1);
    table.add({fmt::format("{}, in {}", c.of_hand_offs ? "a hand-off" : "an operation of a task", c.unit),
               clipped(names.first), clipped(names.second), "change", "95 % CI"});
    const auto add = [&](const std::string& name, const std::vector<double>& x, const std::vector<double>& y) {
      const Summary change = paired_difference(x, y);
      table.add({name, tenths(mean_of(x)), tenths(mean_of(y)), signed_figure(change.mean),
                 change.has_spread() ? fmt::format("±{:.1f}", change.ci95) : "-"});
    };
    add("total", c.total.first, c.total.second);
    const double small = kSmallShare * std::max(mean_of(c.total.first), mean_of(c.total.second));
    std::vector<double> rest_a = c.total.first;
    std::vector<double> rest_b = c.total.second;
    for (const DifferenceRow& row : c.rows) {
      if (std::max(mean_of(row.first), mean_of(row.second)) < small) continue;
      const bool whole = row.cause.category == Category::kCount;
      for (std::size_t i = 0; whole && i < rest_a.size(); ++i) {
        rest_a[i] -= row.first[i];
        rest_b[i] -= row.second[i];
      }
      add(whole ? "  " + whole_text(row.cause) : "      " + std::string(meaning_of(row.cause.category)), row.first,
          row.second);
    }
    add("  what is less than 0.5 % each", rest_a, rest_b);
    out += table.str() + "\n";
  }
  const Comparison all = compare_all_tasks(d);
  const Summary change = paired_difference(all.total.first, all.total.second);
  out +=
      fmt::format("all tasks together, {} per operation: {} and {}, change {}{}\n", all.unit,
                  figure(summarise(all.total.first)), figure(summarise(all.total.second)), signed_figure(change.mean),
                  change.has_spread() && std::isfinite(change.ci95) ? fmt::format(" ±{:.1f}", change.ci95) : "");
  return out + "\n" + in_words(d, names);
}

}  // namespace linebounce

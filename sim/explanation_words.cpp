// SPDX-License-Identifier: Apache-2.0
// Sentences made from figures. Each is true of any figures that can stand in it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "coherence/enum_set.hpp"
#include "sim/render_explanation.hpp"
#include "sim/render_table.hpp"
#include "sim/statistics.hpp"

namespace linebounce {

namespace {

constexpr Set<Category> kMessages{Category::kTravel, Category::kQpi};
constexpr Set<Category> kOwnStores{Category::kStoreBufferFull, Category::kStoreBufferDrain,
                                   Category::kStoreForwardFail};
constexpr Set<Category> kQueues{Category::kSliceQueue, Category::kHomeQueue, Category::kLinkQueue,
                                Category::kHeldByLock};

/// Less does not show with one decimal.
constexpr double kVisible = 0.05;

/// Hand-offs if the scenario has any, else operations.
struct Subject {
  explicit Subject(const Explanation& e) : samples(e.samples(&SeedExplanation::hand_offs)), locks(!samples.empty()) {
    if (!locks) samples = e.samples(&SeedExplanation::operations);
    totals = means_of(samples);
  }
  bool any() const { return !totals.empty(); }
  /// Mean cycles of the causes that are meant.
  template <class Meant>
  double mean_if(Meant&& meant) const {
    double sum = 0;
    std::uint64_t things = 0;
    for (const StackSample& sample : samples) {
      things += sample.things;
      for (const auto& [cause, share] : sample.sum.shares()) {
        if (meant(cause)) sum += static_cast<double>(share.cycles.count);
      }
    }
    return sum / static_cast<double>(things);
  }
  double mean(Set<Category> categories) const {
    return mean_if([&](const Cause& cause) { return categories.has(cause.category); });
  }
  double mean(Role role) const {
    return mean_if([&](const Cause& cause) { return cause.role == role; });
  }

  std::vector<StackSample> samples;
  bool locks;
  std::vector<double> totals;  ///< by seed
};

std::string_view name_of_thing(bool hand_offs) { return hand_offs ? "A hand-off" : "An operation of a task"; }

std::string of_cause(const Cause& cause) {
  if (cause.role == Role::kItself && cause.phase == Phase::kNone) return "time outside any phase of the algorithm";
  if (cause.role == Role::kItself) return fmt::format("phase {}", name_of(cause.phase));
  return fmt::format("{}{}'s {} (phase {})", cause.role == Role::kOther ? "" : "the ", name_of(cause.role),
                     cause.operation, name_of(cause.phase));
}

std::string nanoseconds(double cycles, const Machine& machine) {
  return fmt::format("{:.1f} ns", cycles * 1000 / static_cast<double>(machine.core_mhz));
}

double per_operation(const Explanation& e) {
  std::vector<double> by_seed;
  for (const SeedExplanation& seed : e.seeds) by_seed.push_back(seed.cycles_per_operation);
  return summarise(by_seed).mean;
}

/// The whole operation with the most cycles; nullptr if none shows.
const DifferenceRow* largest(const std::vector<DifferenceRow>& rows) {
  const DifferenceRow* best = nullptr;
  for (const DifferenceRow& row : rows) {
    const double cycles = summarise(row.first).mean;
    if (row.cause.category != Category::kCount || cycles < kVisible) continue;
    if (best == nullptr || cycles > summarise(best->first).mean) best = &row;
  }
  return best;
}

double mean(const std::vector<double>& x) { return summarise(x).mean; }
/// The confidence interval does not reach nothing, and it shows.
bool is_clear(const Summary& change) {
  return change.has_spread() && std::fabs(change.mean) > std::max(change.ci95, kVisible);
}
double change(const DifferenceRow& row) { return mean(row.second) - mean(row.first); }

std::string about_cmpxchg(const FailedCmpxchg& c) {
  if (c.attempts == 0) return "";
  if (c.failed == 0) {
    return fmt::format("All {} cmpxchg found what they expected: nothing that follows a failed one has run.",
                       c.attempts);
  }
  const std::uint64_t succeeded = c.attempts - c.failed;
  std::string out = fmt::format("{} of {} cmpxchg failed, after {} cycles each", c.failed, c.attempts,
                                figure(static_cast<double>(c.failed_cycles) / static_cast<double>(c.failed)));
  if (succeeded != 0) {
    out += fmt::format(" ({} for one that succeeds)",
                       figure(static_cast<double>(c.succeeded_cycles) / static_cast<double>(succeeded)));
  }
  out += c.paused == 0 ? "; no PAUSE followed."
                       : fmt::format("; a PAUSE followed {} of them, {} cycles each.", c.paused,
                                     figure(static_cast<double>(c.paused_cycles) / static_cast<double>(c.paused)));
  return out;
}

/// A mean over operations hides who completes none.
std::string about_idle_tasks(const Explanation& e) {
  const auto most = std::ranges::max_element(e.seeds, {}, &SeedExplanation::idle_tasks);
  if (most->idle_tasks == 0 || most->idle_tasks == most->tasks) return "";
  return fmt::format(
      "With seed {}, {} of the {} tasks complete no operation in the measured window; the others' are "
      "what is explained.",
      most->seed, most->idle_tasks, most->tasks);
}

std::string paragraph(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) out += wrapped(sentence);
  }
  return out;
}

/// "264.2 cycles more", with what the seeds say of it.
std::string change_text(const Summary& change, std::string_view unit) {
  if (std::fabs(change.mean) < kVisible) return fmt::format("less than 0.05 {} apart", unit);
  const std::string_view but = !change.has_spread() ? ", with one seed only"
                               : is_clear(change)   ? ""
                                                    : ", which the seeds' spread does not tell from nothing";
  return fmt::format("{:.1f} {} {}{}", std::fabs(change.mean), unit, change.mean < 0 ? "less" : "more", but);
}

/// What differs in the hand-offs, or in the operations if one of the runs has none.
std::vector<std::string> about_difference(const Comparison& c, const std::string& first, const std::string& second) {
  const Summary total = paired_difference(c.total.first, c.total.second);
  std::vector<std::string> sentences;
  sentences.push_back(fmt::format("{} takes {:.1f} {} with {} and {:.1f} with {}: {}.", name_of_thing(c.of_hand_offs),
                                  mean(c.total.first), c.unit, first, mean(c.total.second), second,
                                  change_text(total, c.unit)));
  double saved = 0;
  double added = 0;
  for (const DifferenceRow& row : c.rows) {
    if (row.cause.category != Category::kCount) (change(row) < 0 ? saved : added) += change(row);
  }
  sentences.push_back(
      fmt::format("Causes that shrink save {:.1f} {}, causes that grow add {:.1f}.", std::fabs(saved), c.unit, added));
  const double shown = kSmallShare * std::max(mean(c.total.first), mean(c.total.second));
  // The operation in the table whose causes move most that way, and of these the one that moves most; each clearly.
  const auto extreme = [&](std::string_view what, double sign) {
    const DifferenceRow* operation = nullptr;
    const DifferenceRow* most = nullptr;
    double most_moved = 0;
    for (auto row = c.rows.begin(); row != c.rows.end();) {
      const DifferenceRow& whole = *row;
      const DifferenceRow* first_cause = nullptr;
      double moved = 0;
      for (++row; row != c.rows.end() && row->cause.category != Category::kCount; ++row) {
        const Summary by = paired_difference(row->first, row->second);
        if (sign * by.mean < kVisible || (by.has_spread() && !is_clear(by))) continue;
        moved += sign * by.mean;
        if (first_cause == nullptr || sign * change(*row) > sign * change(*first_cause)) first_cause = &*row;
      }
      if (moved > most_moved && std::max(mean(whole.first), mean(whole.second)) >= shown)
        most_moved = moved, operation = &whole, most = first_cause;
    }
    if (operation == nullptr) return;
    sentences.push_back(
        fmt::format("The largest clear share is {} at {}, {:.1f} {}, above all \"{}\": {:.1f} become {:.1f}.", what,
                    of_cause(operation->cause), most_moved, c.unit, meaning_of(most->cause.category), mean(most->first),
                    mean(most->second)));
  };
  extreme("saved", -1);
  extreme("added", 1);
  return sentences;
}

}  // namespace

std::string in_words(const Explanation& e) {
  const Subject subject(e);
  std::vector<std::string> sentences;
  if (subject.any()) {
    const double total = mean(subject.totals);
    const auto& median = subject.locks ? e.median_hand_off : e.median_operation;
    const auto& worst = subject.locks ? e.worst_hand_off : e.worst_operation;
    sentences.push_back(
        fmt::format("{} takes {:.1f} cycles ({}) in the mean{}.", name_of_thing(subject.locks), total,
                    nanoseconds(total, *e.machine),
                    median ? fmt::format("; with seed {} the median one takes {}, the longest {}", e.seeds.front().seed,
                                         median->length().count, worst->length().count)
                           : ""));
    const auto rows = rows_of(subject.samples, {});
    const DifferenceRow* most = largest(rows);
    if (most != nullptr) {
      sentences.push_back(fmt::format("The largest part of it, {:.1f} cycles ({:.0f} %), is {}.", mean(most->first),
                                      100 * mean(most->first) / total, of_cause(most->cause)));
    }
    sentences.push_back(fmt::format(
        "Messages on their way between caches make up {:.1f} cycles, waiting behind other requests and LOCKed "
        "operations {:.1f}, waiting for stores of its own {:.1f}, PAUSE {:.1f}.",
        subject.mean(kMessages), subject.mean(kQueues), subject.mean(kOwnStores),
        subject.mean(Set<Category>{Category::kPause})));
    if (subject.locks) {
      sentences.push_back(fmt::format(
          "On the critical path {:.1f} cycles are the next owner's own, {:.1f} the previous owner's, {:.1f} those of "
          "tasks that neither give nor get the lock.",
          subject.mean(Role::kNextOwner), subject.mean(Role::kPreviousOwner), subject.mean(Role::kOther)));
    }
  }
  FailedCmpxchg cmpxchg;
  for (const SeedExplanation& seed : e.seeds) cmpxchg += seed.cmpxchg;
  sentences.push_back(std::isfinite(per_operation(e))
                          ? fmt::format("All tasks together complete an operation every {:.1f} cycles ({}).",
                                        per_operation(e), nanoseconds(per_operation(e), *e.machine))
                          : "No task completes an operation in the measured window.");
  sentences.push_back(about_idle_tasks(e));
  sentences.push_back(about_cmpxchg(cmpxchg));
  return paragraph(sentences);
}

std::string in_words(const Difference& d, const SideNames& names) {
  const std::string first = names.in_full(names.first);
  const std::string second = names.in_full(names.second);
  const std::uint64_t seed = d.first.seeds.front().seed;
  const Comparison all = compare_all_tasks(d);
  const Summary all_change = paired_difference(all.total.first, all.total.second);
  std::vector<std::string> sentences;
  if (!d.divergence) {
    sentences.push_back(fmt::format("With seed {} every operation is the same in both runs and takes as long.", seed));
    if (all_change.mean == 0 && !d.messages) return paragraph(sentences);
  }
  const Comparison c = compare(d);
  for (const auto& [name, side] : {std::pair(&first, &d.first), std::pair(&second, &d.second)}) {
    const Explanation& other = side == &d.first ? d.second : d.first;
    if (c.pairs() == 0 || c.of_hand_offs || other.samples(&SeedExplanation::hand_offs).empty()) continue;
    sentences.push_back(
        fmt::format("With {} no task hands the lock to another one where it does with {}: what is "
                    "compared is an operation of a task.",
                    *name, name == &first ? second : first));
  }
  if (c.pairs() == 0) sentences.emplace_back("No task completes two operations in the measured window of both runs.");
  if (c.pairs() != 0 && c.pairs() < d.first.seeds.size()) {
    sentences.push_back(
        fmt::format("{} of the {} seeds have what is compared on both sides.", c.pairs(), d.first.seeds.size()));
  }
  if (c.pairs() != 0) std::ranges::move(about_difference(c, first, second), std::back_inserter(sentences));
  if (!std::isfinite(all_change.mean)) {
    for (const auto& [name, side] : {std::pair(&first, &all.total.first), std::pair(&second, &all.total.second)}) {
      if (std::isfinite(mean(*side))) continue;
      sentences.push_back(
          fmt::format("With {} there is a seed with which no task completes an operation in the measured "
                      "window.",
                      *name));
    }
  } else {
    sentences.push_back(fmt::format(
        "All tasks together complete an operation every {:.1f} {} with {}, every {:.1f} with {}: {}.",
        mean(all.total.first), all.unit, first, mean(all.total.second), second, change_text(all_change, all.unit)));
  }
  for (const auto& [name, side] : {std::pair(&first, &d.first), std::pair(&second, &d.second)}) {
    const std::string idle = about_idle_tasks(*side);
    if (!idle.empty()) sentences.push_back(fmt::format("{}: {}", *name, idle));
  }
  if (d.divergence) {
    sentences.push_back(fmt::format("The first operation that differs (seed {}) {} at cycle {}, {}: {}; with {}: {}.",
                                    seed, d.divergence->at_end ? "ends" : "begins", d.divergence->at.count,
                                    d.divergence->part, d.divergence->first, second, d.divergence->second));
  }
  if (d.messages) {
    sentences.push_back(fmt::format("The first messages that the other run has not, {}: {}; with {}: {}.",
                                    d.messages->part, d.messages->first, second, d.messages->second));
  }
  return paragraph(sentences);
}

}  // namespace linebounce

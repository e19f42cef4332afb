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
constexpr Set<Category> kQueues{Category::kSliceQueue, Category::kHomeQueue, Category::kLinkQueue,
                                Category::kHeldByLock};

/// Less does not show with one decimal.
constexpr double kVisible = 0.05;

/// Hand-offs if the scenario has any, else operations.
struct Subject {
  explicit Subject(const Explanation& e)
      : locks(std::ranges::any_of(e.seeds, [](const SeedExplanation& s) { return s.hand_offs.things != 0; })) {
    for (const SeedExplanation& seed : e.seeds) {
      samples.push_back(locks ? seed.hand_offs : seed.operations);
      if (samples.back().things != 0) totals.push_back(samples.back().mean());
    }
  }
  bool any() const { return !totals.empty(); }
  std::string_view name() const { return locks ? "A hand-off" : "An operation of a task"; }
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

  bool locks;
  std::vector<StackSample> samples;
  std::vector<double> totals;  ///< by seed
};

std::string of_cause(const Cause& cause) {
  if (cause.role == Role::kItself) return fmt::format("phase {}", name_of(cause.phase));
  return fmt::format("the {}'s {} (phase {})", name_of(cause.role), cause.operation, name_of(cause.phase));
}

std::string nanoseconds(double cycles, const Machine& machine) {
  return fmt::format("{:.1f} ns", cycles * 1000 / static_cast<double>(machine.core_mhz));
}

double per_operation(const Explanation& e) {
  std::vector<double> by_seed;
  for (const SeedExplanation& seed : e.seeds) by_seed.push_back(seed.cycles_per_operation);
  return summarise(by_seed).mean;
}

/// The whole operation with the largest value of `size`; nullptr if none shows.
template <class Size>
const DifferenceRow* largest(const std::vector<DifferenceRow>& rows, Size size) {
  const DifferenceRow* best = nullptr;
  for (const DifferenceRow& row : rows) {
    if (row.cause.category != Category::kCount || size(row) < kVisible) continue;
    if (best == nullptr || size(row) > size(*best)) best = &row;
  }
  return best;
}

double mean(const std::vector<double>& x) { return summarise(x).mean; }
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

std::string paragraph(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) out += wrapped(sentence);
  }
  return out;
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
        fmt::format("{} takes {:.1f} cycles ({}) in the mean{}.", subject.name(), total, nanoseconds(total, *e.machine),
                    median ? fmt::format("; with seed {} the median one takes {}, the longest {}", e.seeds.front().seed,
                                         median->length().count, worst->length().count)
                           : ""));
    const auto rows = rows_of(subject.samples, {});
    const DifferenceRow* most = largest(rows, [](const DifferenceRow& row) { return mean(row.first); });
    if (most != nullptr) {
      sentences.push_back(fmt::format("The largest part of it, {:.1f} cycles ({:.0f} %), is {}.", mean(most->first),
                                      100 * mean(most->first) / total, of_cause(most->cause)));
    }
    sentences.push_back(fmt::format(
        "Messages on their way between caches make up {:.1f} cycles, waiting behind other requests and LOCKed "
        "operations {:.1f}, PAUSE {:.1f}.",
        subject.mean(kMessages), subject.mean(kQueues), subject.mean(Set<Category>{Category::kPause})));
    if (subject.locks) {
      sentences.push_back(fmt::format(
          "On the critical path {:.1f} cycles are the next owner's own, {:.1f} the previous owner's, {:.1f} those of "
          "tasks that neither give nor get the lock.",
          subject.mean(Role::kNextOwner), subject.mean(Role::kPreviousOwner), subject.mean(Role::kOther)));
    }
  }
  FailedCmpxchg cmpxchg;
  for (const SeedExplanation& seed : e.seeds) cmpxchg += seed.cmpxchg;
  sentences.push_back(fmt::format("All tasks together complete an operation every {:.1f} cycles ({}).",
                                  per_operation(e), nanoseconds(per_operation(e), *e.machine)));
  sentences.push_back(about_cmpxchg(cmpxchg));
  return paragraph(sentences);
}

std::string in_words(const Difference& d, std::string_view first, std::string_view second) {
  if (!d.divergence) {
    return paragraph(
        {fmt::format("With seed {} the two runs are the same, operation for operation and cycle for cycle.",
                     d.first.seeds.front().seed)});
  }
  const Subject a(d.first);
  const Subject b(d.second);
  std::vector<std::string> sentences;
  if (a.any() && b.any() && a.totals.size() == b.totals.size() && a.locks == b.locks) {
    const Summary total = paired_difference(a.totals, b.totals);
    const bool clear = total.has_spread() && std::fabs(total.mean) > total.ci95;
    if (std::fabs(total.mean) < kVisible) {
      sentences.push_back(
          fmt::format("{} takes as long with {} as with {}, to a tenth of a cycle.", a.name(), second, first));
    } else {
      sentences.push_back(fmt::format("{} takes {:.1f} cycles {} with {} than with {}{}.", a.name(),
                                      std::fabs(total.mean), total.mean < 0 ? "less" : "more", second, first,
                                      clear ? "" : ", which the seeds' spread does not tell from nothing"));
    }
    sentences.push_back(
        fmt::format("All tasks together complete an operation every {:.1f} cycles with {}, every {:.1f} with {}.",
                    per_operation(d.first), first, per_operation(d.second), second));
    const auto rows = rows_of(a.samples, b.samples);
    double saved = 0;
    double added = 0;
    for (const DifferenceRow& row : rows) {
      if (row.cause.category != Category::kCount) (change(row) < 0 ? saved : added) += change(row);
    }
    sentences.push_back(
        fmt::format("Causes that shrink save {:.1f} cycles, causes that grow add {:.1f}.", std::fabs(saved), added));
    const DifferenceRow* gain = largest(rows, [](const DifferenceRow& row) { return -change(row); });
    if (gain != nullptr) {
      sentences.push_back(fmt::format("Most is saved at {}: {:.1f} cycles become {:.1f}.", of_cause(gain->cause),
                                      mean(gain->first), mean(gain->second)));
    }
    const DifferenceRow* loss = largest(rows, [](const DifferenceRow& row) { return change(row); });
    if (loss != nullptr) {
      sentences.push_back(fmt::format("Most is added at {}: {:.1f} cycles become {:.1f}.", of_cause(loss->cause),
                                      mean(loss->first), mean(loss->second)));
    }
  }
  sentences.push_back(fmt::format("The first event that differs (seed {}) is at cycle {}: {}; with {}: {}.",
                                  d.first.seeds.front().seed, d.divergence->at.count, d.divergence->first, second,
                                  d.divergence->second));
  return paragraph(sentences);
}

}  // namespace linebounce

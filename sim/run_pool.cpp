// SPDX-License-Identifier: Apache-2.0
#include "sim/run_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/cli_output.hpp"

namespace linebounce {
namespace {

/// Takes the outcomes of one plan in any order, and sums a point up as soon as all its seeds are there.
class Collector : public Work {
 public:
  Collector(const Scenario& scenario, const Plan& plan, const PoolOptions& options) : plan_(plan), options_(options) {
    results_.scenario = scenario.name;
    results_.title = scenario.title;
    results_.question = scenario.question;
    results_.machine = plan.machine;
    results_.seed = plan.seed;
    results_.varied = plan.varied;
    results_.points.resize(plan.points.size());
    runs_.resize(plan.points.size());
  }
  ~Collector() override {
    if (options_.progress) say("\r\033[K");
  }
  Collector(const Collector&) = delete;
  Collector& operator=(const Collector&) = delete;

  std::size_t size() const override { return plan_.points.size() * plan_.seeds.size(); }
  std::string run(std::size_t index) const override {
    const Point& point = plan_.points[index / plan_.seeds.size()];
    return pack(options_.run(point.with_seed(plan_.seeds[index % plan_.seeds.size()])));
  }

  void take(std::size_t index, WorkOutcome outcome) override {
    if (outcome.failure != FailureKind::kNone) {
      if (!failure_ || index < failed_) {
        failure_ = std::move(outcome);
        failed_ = index;
      }
      return;
    }
    const std::size_t p = index / plan_.seeds.size();
    std::vector<std::optional<RunResult>>& replicas = runs_[p];
    replicas.resize(plan_.seeds.size());
    replicas[index % plan_.seeds.size()] = unpack(outcome.text);
    ++done_;
    if (options_.progress) say(fmt::format("\r{}: {} of {} runs\033[K", results_.scenario, done_, size()));
    if (std::ranges::all_of(replicas, [](const auto& r) { return r.has_value(); })) {
      std::vector<RunResult> all;
      all.reserve(replicas.size());
      for (auto& r : replicas) all.push_back(*std::move(r));
      replicas.clear();
      const Point& point = plan_.points[p];
      const Experiment& e = point.experiment;
      results_.points[p] = summarise_point({point.params, *e.machine, *e.topology, e.placement}, plan_.seeds, all);
    }
  }

  bool is_moot(std::size_t index) const override { return failure_ && index > failed_; }

  Results finish() {
    if (failure_) {
      std::string where = results_.scenario;
      const std::size_t p = failed_ / plan_.seeds.size();
      for (const std::string& key : plan_.varied) {
        const auto& params = plan_.points[p].params;
        const auto found = std::ranges::find(params, key, &Parameters::value_type::first);
        if (found != params.end()) where += fmt::format(", {} {}", key, to_text(found->second));
      }
      rethrow(*failure_, fmt::format("{}, seed {}", where, plan_.seeds[failed_ % plan_.seeds.size()]));
    }
    return std::move(results_);
  }

 private:
  const Plan& plan_;
  const PoolOptions& options_;
  Results results_;
  std::vector<std::vector<std::optional<RunResult>>> runs_;  ///< by point, then seed
  std::size_t done_ = 0;
  std::optional<WorkOutcome> failure_;
  std::size_t failed_ = 0;
};

}  // namespace

Results run_plan(const Scenario& scenario, const Plan& plan, const PoolOptions& options) {
  Collector results(scenario, plan, options);
  do_work(results, options.jobs);
  return results.finish();
}

}  // namespace linebounce

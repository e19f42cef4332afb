// SPDX-License-Identifier: Apache-2.0
#include "sim/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace linebounce {

std::uint64_t PointResult::operations() const {
  std::uint64_t sum = 0;
  for (const Replica& r : replicas) sum += r.operations;
  return sum;
}

const Value* PointResult::param(std::string_view key) const {
  const auto found = std::ranges::find(params, key, &Parameters::value_type::first);
  return found == params.end() ? nullptr : &found->second;
}

bool PointResult::matches(std::span<const std::pair<std::string_view, std::string_view>> wanted) const {
  return std::ranges::all_of(wanted, [this](const auto& w) {
    const Value* value = param(w.first);
    return value != nullptr && to_text(*value) == w.second;
  });
}

std::vector<std::string> parameter_keys(const Results& results) {
  std::vector<std::string> keys;
  for (const PointResult& point : results.points) {
    for (const auto& param : point.params) {
      if (std::ranges::find(keys, param.first) == keys.end()) keys.push_back(param.first);
    }
  }
  return keys;
}

PointResult summarise_point(const PointHeader& point, std::span<const std::uint64_t> seeds,
                            std::span<const RunResult> runs) {
  if (seeds.size() != runs.size() || runs.empty()) throw std::invalid_argument("one run a seed, and at least one");
  PointResult result;
  result.params = point.params;
  result.machine = point.machine.name;
  result.core_mhz = point.machine.core_mhz;
  result.protocol = point.machine.protocol;
  result.snoop = point.machine.snoop;
  result.placement = point.placement;
  result.task_accounts.resize(point.placement.size());
  const auto links = point.topology.links();
  std::vector<std::int64_t> bytes(links.size());

  for (std::size_t i = 0; i < runs.size(); ++i) {
    const RunResult& run = runs[i];
    result.replicas.push_back({seeds[i], total_operations(run), run.window, run.digest});
    result.rows += run.rows;
    for (std::size_t task = 0; task < run.accounts.size(); ++task) {
      if (run.accounts[task].total() != run.window) {
        throw BrokenModel(fmt::format("the account of task {} sums to {} cycles, its window has {}", task,
                                      run.accounts[task].total().count, run.window.count));
      }
      result.task_accounts.at(task) += run.accounts[task];
      result.account += run.accounts[task];
    }
    for (std::size_t kind = 0; kind < kMessageKinds; ++kind) result.messages[kind] += run.machine.messages[kind];
    for (std::size_t l = 0; l < std::min(bytes.size(), run.machine.link_bytes.size()); ++l) {
      bytes[l] += run.machine.link_bytes[l].count;
    }
  }
  for (std::size_t l = 0; l < bytes.size(); ++l) {
    if (bytes[l] != 0) result.link_bytes.emplace_back(links[l].name, bytes[l]);
  }
  for (const Metric& metric : metrics()) {
    std::vector<double> sample;
    for (const RunResult& run : runs) sample.push_back(metric.of({run, point.machine, point.topology}));
    result.summaries.push_back(summarise(sample));
    result.samples.push_back(std::move(sample));
  }
  return result;
}

}  // namespace linebounce

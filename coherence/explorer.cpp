// SPDX-License-Identifier: Apache-2.0
#include "coherence/explorer.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "coherence/explorer_visited.hpp"

namespace linebounce {

namespace {

using Verdict = ExplorerResult::Verdict;

void check_shape(const ExplorerShape& shape) {
  const bool fits = shape.sockets >= 1 && shape.sockets <= kMostSockets && shape.cores >= 1 &&
                    shape.sockets * shape.cores <= kMostCores && shape.lines >= 1 && shape.lines <= kMostLines;
  if (!fits) {
    throw std::invalid_argument(fmt::format("the explorer takes up to {} sockets, {} cores in all and {} lines",
                                            kMostSockets, kMostCores, kMostLines));
  }
}

/// Encoded states of one depth, end to end.
class Level {
 public:
  void add(const StateBytes& state) {
    bytes_.insert(bytes_.end(), state.begin(), state.end());
    ends_.push_back(bytes_.size());
  }
  std::size_t size() const { return ends_.size(); }
  const std::uint8_t* operator[](std::size_t i) const { return bytes_.data() + (i == 0 ? 0 : ends_[i - 1]); }
  void clear() {
    bytes_.clear();
    ends_.clear();
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::vector<std::size_t> ends_;
};

class Exploration {
 public:
  explicit Exploration(const ExplorerOptions& options)
      : options_(options), codec_(options.shape), world_(options.shape) {}

  ExplorerResult run();

 private:
  void begin();
  bool expand(const std::uint8_t* bytes, std::uint32_t number);
  void look_for_livelock();
  void violated(std::uint32_t number, const std::string& what, const ExplorerStep* last = nullptr);
  std::vector<std::string> replay(const std::vector<std::uint64_t>& hashes, std::uint64_t last);

  ExplorerOptions options_;
  StateCodec codec_;
  ExplorerWorld world_;
  VisitedStates visited_;
  Level here_;
  Level next_;
  StateBytes bytes_;
  std::vector<ExplorerStep> steps_;
  std::vector<std::uint64_t> ends_;        ///< by state: where its part of deliveries_ ends
  std::vector<std::uint32_t> deliveries_;  ///< states that deliveries and ends of LOCKed operations lead to
  ExplorerResult result_;
};

void Exploration::begin() {
  codec_.encode(WorldState{}, bytes_);
  visited_.insert(hash_of(bytes_), VisitedStates::kNone);
  next_.add(bytes_);
}

ExplorerResult Exploration::run() {
  begin();
  result_.renamings = codec_.renamings();
  std::uint32_t number = 0;
  bool going = true;
  while (going && next_.size() != 0) {
    std::swap(here_, next_);
    next_.clear();
    for (std::size_t i = 0; going && i < here_.size(); ++i) going = expand(here_[i], number++);
    if (next_.size() != 0) ++result_.depth;
  }
  result_.states = visited_.size();
  result_.collision_odds = std::pow(static_cast<double>(result_.states), 2) / std::pow(2.0, 65);
  result_.rows = world_.rows_fired();
  if (going && options_.liveness) look_for_livelock();
  return result_;
}

/// Takes every step from one state; false ends the exploration.
bool Exploration::expand(const std::uint8_t* bytes, std::uint32_t number) {
  const WorldState from = codec_.decode(bytes);
  WorldState to;
  world_.steps(from, steps_);
  bool goes_on = false;
  for (const ExplorerStep& step : steps_) {
    const bool ends = ExplorerWorld::only_ends(step.kind);
    try {
      if (!world_.take(from, step, to)) continue;
      world_.check(to);
    } catch (const ProtocolViolation& violation) {
      violated(number, violation.what(), &step);
      return false;
    }
    ++result_.steps;
    goes_on |= ends;
    codec_.encode(to, bytes_);
    const auto [found, is_new] = visited_.insert(hash_of(bytes_), number);
    if (is_new) next_.add(bytes_);
    if (options_.liveness && ends) deliveries_.push_back(found);
  }
  if (options_.liveness) ends_.push_back(deliveries_.size());
  if (!goes_on && !world_.is_quiet(from)) {
    violated(number, "stuck: something is open, and no message is in flight that could end it");
    return false;
  }
  if (visited_.size() >= options_.most_states) {
    result_.verdict = Verdict::kLimit;
    return false;
  }
  return true;
}

/// Every sequence of deliveries must end. A state is fine when all states that deliveries lead to are.
void Exploration::look_for_livelock() {
  std::vector<bool> fine(ends_.size());
  std::uint32_t left = static_cast<std::uint32_t>(ends_.size());
  bool more = true;
  while (more && left != 0) {
    more = false;
    for (std::size_t s = ends_.size(); s-- > 0;) {
      if (fine[s]) continue;
      bool all = true;
      for (std::uint64_t i = s == 0 ? 0 : ends_[s - 1]; all && i < ends_[s]; ++i) all = fine[deliveries_[i]];
      if (!all) continue;
      fine[s] = more = true;
      --left;
    }
  }
  for (std::uint32_t s = 0; s < ends_.size() && left != 0; ++s) {
    if (!fine[s]) return violated(s, "livelock: from here messages can go round and round without an end");
  }
}

void Exploration::violated(std::uint32_t number, const std::string& what, const ExplorerStep* last) {
  result_.verdict = Verdict::kViolated;
  result_.violation = what;
  const std::vector<std::uint64_t> hashes = visited_.path(number);
  WorldState state;
  ExplorerWorld world(options_.shape);
  for (std::size_t i = 1; i <= hashes.size(); ++i) {
    const bool is_last = i == hashes.size();
    if (is_last && last == nullptr) break;
    // Names in the stored states change from step to step; here everybody keeps theirs.
    world.steps(state, steps_);
    bool found = false;
    for (const ExplorerStep& step : steps_) {
      WorldState to;
      std::string text = describe(step, options_.shape);
      try {
        if (!world.take(state, step, to)) continue;
        if (is_last) world.check(to);
        codec_.encode(to, bytes_);
        if (is_last || hash_of(bytes_) != hashes[i]) continue;
      } catch (const ProtocolViolation& violation) {
        if (!is_last) continue;
        result_.violation = violation.what();
      }
      const std::string change = describe_change(state, to, step, options_.shape);
      result_.path.push_back(change.empty() ? text : text + ": " + change);
      state = to;
      found = true;
      break;
    }
    if (!found) throw std::logic_error("the explorer cannot find its own way again");
  }
}

}  // namespace

ExplorerResult explore(const ExplorerOptions& options) {
  check_shape(options.shape);
  return Exploration(options).run();
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/explorer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <stdexcept>

#include "coherence/explorer_visited.hpp"

namespace linebounce {

namespace {

using Verdict = ExplorerResult::Verdict;

void check_shape(const ExplorerShape& shape) {
  const bool fits = shape.sockets >= 1 && shape.sockets <= kMostSockets && shape.cores >= 1 &&
                    std::size_t{shape.sockets} * shape.cores <= kMostCores && shape.lines >= 1 &&
                    shape.lines <= kMostLines;
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
      : options_(options),
        tables_(options.inject != nullptr ? mutated(*options.inject, options.protocol, options.snoop)
                                          : tables_of(options.protocol, options.snoop)),
        codec_(options.shape, options.snoop == SnoopMode::kDirectory),
        world_(options_.shape, options_.snoop, options_.reduce, tables_) {}

  ExplorerResult run();

 private:
  void begin();
  bool expand(const std::uint8_t* bytes, std::uint32_t number);
  void look_for_livelock();
  void report_round(const std::vector<bool>& fine);
  void violated(const std::vector<std::uint32_t>& way, const std::string& what, bool one_more_step = false);
  template <class Note>
  bool go(ExplorerWorld& world, const WorldState& from, const ExplorerStep& step, WorldState& to, Note&& note);
  template <class Wanted>
  bool write_step(ExplorerWorld& world, WorldState& state, Wanted&& wanted);

  ExplorerOptions options_;
  ProtocolTables tables_;
  StateCodec codec_;
  ExplorerWorld world_;
  VisitedStates visited_;
  Level here_;
  Level next_;
  StateBytes bytes_;
  std::vector<ExplorerStep> steps_;
  std::deque<std::uint8_t> exits_;  ///< by state: how many of deliveries_ are its own
  std::deque<std::uint32_t>
      deliveries_;  ///< states that deliveries and ends of LOCKed operations lead to, state by state
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
    options_.progress(visited_.size(), result_.depth);
  }
  result_.states = visited_.size();
  result_.collision_odds = std::pow(static_cast<double>(result_.states), 2) / std::pow(2.0, 65);
  result_.rows = world_.rows_fired();
  if (going && options_.liveness) look_for_livelock();
  return result_;
}

/// Takes the step, and delivers what then arrives at once; false if nothing would change. Tells every single step, that
/// which breaks a promise too.
template <class Note>
bool Exploration::go(ExplorerWorld& world, const WorldState& from, const ExplorerStep& step, WorldState& to,
                     Note&& note) {
  try {
    if (!world.take(from, step, to)) return false;
  } catch (const ProtocolViolation&) {
    note(from, step, to);
    throw;
  }
  note(from, step, to);
  world.check(to);
  ExplorerStep next;
  if (!world.next_at_once(to, next)) return true;
  const WorldState between = to;
  return go(world, between, next, to, note);
}

/// Takes every step from one state; false ends the exploration.
bool Exploration::expand(const std::uint8_t* bytes, std::uint32_t number) {
  const WorldState from = codec_.decode(bytes);
  WorldState to;
  world_.steps(from, steps_);
  std::uint8_t exits = 0;
  for (const ExplorerStep& step : steps_) {
    const bool ends = ExplorerWorld::only_ends(step.kind);
    try {
      if (!go(world_, from, step, to, [](auto&...) {})) continue;
    } catch (const ProtocolViolation& violation) {
      violated(visited_.path(number), violation.what(), true);
      return false;
    }
    ++result_.steps;
    if (ends) ++exits;
    codec_.encode(to, bytes_);
    const auto [found, is_new] = visited_.insert(hash_of(bytes_), number);
    if (is_new) next_.add(bytes_);
    if (options_.liveness && ends) deliveries_.push_back(found);
  }
  if (options_.liveness) exits_.push_back(exits);
  if (exits == 0 && !world_.is_quiet(from)) {
    violated(visited_.path(number), "stuck: something is open, and no message is in flight that could end it");
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
  std::vector<bool> fine(exits_.size());
  std::size_t left = exits_.size();
  bool more = true;
  while (more && left != 0) {
    more = false;
    auto exit = deliveries_.end();
    for (std::size_t s = exits_.size(); s-- > 0;) {
      const auto last = exit;
      exit -= exits_[s];
      if (fine[s] || !std::all_of(exit, last, [&](std::uint32_t to) { return fine[to]; })) continue;
      fine[s] = more = true;
      --left;
    }
  }
  if (left != 0) report_round(fine);
}

/// Walks through states that are not fine until one comes again.
void Exploration::report_round(const std::vector<bool>& fine) {
  std::vector<std::uint32_t> walk;
  std::uint32_t here = static_cast<std::uint32_t>(std::ranges::find(fine, false) - fine.begin());
  while (std::ranges::find(walk, here) == walk.end()) {
    walk.push_back(here);
    auto exit = deliveries_.begin() + std::accumulate(exits_.begin(), exits_.begin() + here, std::ptrdiff_t{0});
    while (fine[*exit]) ++exit;
    here = *exit;
  }
  walk.erase(walk.begin(), std::ranges::find(walk, here));
  walk.push_back(here);
  std::vector<std::uint32_t> way = visited_.path(here);
  const std::size_t enters = way.size() - 1;
  way.insert(way.end(), walk.begin() + 1, walk.end());
  violated(way, fmt::format("livelock: without any new wish, messages can repeat the last {} steps for ever",
                            way.size() - 1 - enters));
}

/// Writes down the way through these states, and the step after the last of them if there is one.
void Exploration::violated(const std::vector<std::uint32_t>& way, const std::string& what, bool one_more_step) {
  result_.verdict = Verdict::kViolated;
  result_.violation = what;
  ExplorerWorld world(options_.shape, options_.snoop, options_.reduce, tables_);
  WorldState state;
  for (std::size_t i = 1; i < way.size(); ++i) {
    const auto leads_there = [&](const WorldState& to) {
      codec_.encode(to, bytes_);
      return hash_of(bytes_) == visited_.hash(way[i]);
    };
    // Names in the stored states change from step to step; here everybody keeps theirs.
    if (!write_step(world, state, leads_there)) throw std::logic_error("the explorer cannot find its own way again");
  }
  if (!one_more_step) return;
  write_step(world, state, [](const WorldState&) { return false; });
}

/// Takes the first step after which `wanted` holds, or which breaks a promise, and writes it down. No state before the
/// last one has a step that breaks a promise: the exploration ends with the first that does.
template <class Wanted>
bool Exploration::write_step(ExplorerWorld& world, WorldState& state, Wanted&& wanted) {
  world.steps(state, steps_);
  for (const ExplorerStep& step : steps_) {
    WorldState to;
    std::vector<std::string> path;
    const auto write = [&](const WorldState& before, const ExplorerStep& taken, const WorldState& after) {
      const std::string change = describe_change(before, after, taken, options_.shape);
      path.push_back(describe(taken, options_.shape) + (change.empty() ? "" : ": " + change));
    };
    try {
      if (!go(world, state, step, to, write) || !wanted(to)) continue;
    } catch (const ProtocolViolation& violation) {
      result_.violation = violation.what();  // under the names that are used here
    }
    result_.path.insert(result_.path.end(), path.begin(), path.end());
    state = to;
    return true;
  }
  return false;
}

}  // namespace

ExplorerResult explore(const ExplorerOptions& options) {
  check_shape(options.shape);
  return Exploration(options).run();
}

}  // namespace linebounce

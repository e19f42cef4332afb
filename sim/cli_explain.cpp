// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>

#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/hand_off_story.hpp"
#include "sim/render_explanation.hpp"
#include "sim/render_table.hpp"
#include "sim/statistic_names.hpp"
#include "sim/usage_error.hpp"

namespace linebounce {

namespace {

/// More seeds than these would not make the figures much firmer, only the answer later.
constexpr std::size_t kMostSeeds = 20;

std::span<const std::uint64_t> seeds_of(const Plan& plan) {
  return std::span(plan.seeds).first(std::min(plan.seeds.size(), kMostSeeds));
}

/// What of the plan is not looked at.
void say_what_is_left_out(const Plan& plan, std::string_view verb) {
  if (plan.points.size() > 1) {
    std::string keys;
    for (const std::string& key : plan.varied) keys += fmt::format(" --set {}=…", key);
    say(wrapped(fmt::format("linebounce: the first of {} points is {}; choose another with{}", plan.points.size(), verb,
                            keys)));
  }
  if (plan.seeds.size() > kMostSeeds) {
    say(fmt::format("linebounce: the first {} of {} seeds are {}\n", kMostSeeds, plan.seeds.size(), verb));
  }
}

/// The hand-off that was asked for; the median one if nothing was.
HandOff chosen(const ExplainCommand& c, const std::vector<HandOff>& all) {
  std::vector<HandOff> sorted = all;
  std::ranges::stable_sort(sorted, {}, &HandOff::length);
  if (c.worst) return sorted.back();
  if (c.op) {
    const auto count = static_cast<std::int64_t>(all.size());
    if (*c.op > count) fail_usage("--op", fmt::format("there is no hand-off {}", *c.op), fmt::format("1 to {}", count));
    return all[static_cast<std::size_t>(*c.op - 1)];
  }
  if (c.at) {
    const auto it = std::ranges::find_if(all, [&](const HandOff& h) { return h.end.count >= *c.at; });
    if (it == all.end() || it->begin.count > *c.at) {
      fail_usage("--at", fmt::format("no hand-off is in progress at cycle {}", *c.at),
                 fmt::format("a cycle of one, such as {}", it == all.end() ? all.back().begin.count : it->begin.count));
    }
    return *it;
  }
  return *median_hand_off(all);
}

std::string story_text(const ExplainCommand& c, const RecordedRun& run, std::uint64_t seed) {
  const std::vector<HandOff> all = hand_offs_in_window(run.recording);
  const bool asked = c.at || c.op || c.median || c.worst;
  if (all.empty()) {
    if (asked)
      fail_usage("--at, --op, --median, --worst",
                 fmt::format("with seed {} no lock passes from a task to another one in the measured window", seed),
                 "a scenario with a lock that at least two tasks take, and no other lock");
    return "";
  }
  const HandOff one = chosen(c, all);
  const Timeline timeline(run.recording);
  std::string out =
      fmt::format("\nThe critical path of {} hand-off of seed {}: cycle {}, task {} to task {}, {} cycles\n",
                  c.worst        ? "the longest"
                  : c.at || c.op ? "this"
                                 : "the median",
                  seed, one.begin.count, one.previous, one.next, one.length().count);
  out += path_text(one, timeline);
  if (const std::string hidden = overlapped_text(one, timeline); !hidden.empty()) {
    out += "\nBeside it, at no cost to this hand-off:\n" + hidden;
  }
  if (asked) out += "\nCycle by cycle (> sent, < arrived)\n" + cycles_text(one, timeline);
  return out;
}

/// The first comma after `from` that is in no brackets; npos if there is none.
std::size_t outer_comma(std::string_view text, std::size_t from) {
  int depth = 0;
  for (std::size_t i = from; i < text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    if (text[i] == ',' && depth == 0) return i;
  }
  return std::string_view::npos;
}

}  // namespace

void add_explain_command(CLI::App& app, ExplainCommand& c) {
  CLI::App* verb = app.add_subcommand("explain", "say where the cycles of an operation and of a lock hand-off go");
  CLI::Option* scenario =
      verb->add_option("SCENARIO", c.scenario, "name of a shipped scenario, or path of a scenario file");
  verb->add_option("--set", c.set, "KEY=VALUE: replace what the scenario says; KEY= takes it away")
      ->allow_extra_args(false);
  verb->add_option("--seed", c.seed, "base seed of the replicas")->check(CLI::Range(std::uint64_t{0}, kMostSeed));
  CLI::App* which =
      verb->add_option_group("one hand-off", "told cycle by cycle, of the first seed")->require_option(0, 1);
  which->add_flag("--median", c.median, "the one of median length");
  which->add_flag("--worst", c.worst, "the longest one");
  which->add_option("--at", c.at, "the one in progress at this cycle")
      ->check(CLI::Range(std::int64_t{0}, RecordingOptions::kForever.count))
      ->option_text("CYCLE");
  which->add_option("--op", c.op, "the one of this number in the measured window, from 1")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->option_text("N");
  CLI::Option* json =
      verb->add_flag("--json", c.json, "one JSON document, schema linebounce.explain/2")->disable_flag_override();
  for (CLI::Option* option : which->get_options()) option->excludes(json);
  verb->add_option("--statistic", c.statistic, "print what a name in any output means, with its unit; \"all\" for all")
      ->option_text("NAME")
      ->excludes(scenario);
}

void add_diff_command(CLI::App& app, DiffCommand& c) {
  CLI::App* verb = app.add_subcommand("diff", "compare two runs that differ in one thing, segment by segment");
  verb->add_option("SCENARIO", c.first, "name of a shipped scenario, or path of a scenario file")->required();
  CLI::Option* other = verb->add_option("OTHER", c.second, "the scenario to compare it with");
  verb->add_option("--vary", c.vary, "KEY=A,B: compare the scenario with A and with B")->excludes(other);
  verb->add_option("--set", c.set, "KEY=VALUE: replace what both scenarios say; KEY= takes it away")
      ->allow_extra_args(false);
  verb->add_option("--seed", c.seed, "base seed of the replicas")->check(CLI::Range(std::uint64_t{0}, kMostSeed));
  verb->add_flag("--json", c.json, "one JSON document, schema linebounce.diff/2")->disable_flag_override();
}

void show_explanation(const ExplainCommand& c) {
  if (!c.statistic.empty()) return write_stdout(describe_statistic(c.statistic));
  if (c.scenario.empty()) fail_usage("explain", "no scenario", "the name of a scenario, or --statistic NAME");
  const auto [scenario, plan] = planned(find_scenario(c.scenario), c.set, c.seed);
  const ExplainedRun run{scenario.name, 0, plan.points.size()};
  say_what_is_left_out(plan, "explained");
  RecordedRun first;
  const Explanation explanation = explain_point(plan.points.front(), seeds_of(plan), &first);
  if (c.json) return write_stdout(render_json(explanation, run));
  write_stdout(render_text(explanation, run) + story_text(c, first, explanation.seeds.front().seed));
}

void show_difference(const DiffCommand& c) {
  std::vector<std::string> first_set = c.set;
  std::vector<std::string> second_set = c.set;
  SideNames names;
  if (!c.vary.empty()) {
    const std::size_t equals = c.vary.find('=');
    const std::size_t comma = outer_comma(c.vary, equals == std::string::npos ? c.vary.size() : equals);
    if (equals == std::string::npos || comma == std::string::npos) {
      fail_usage(fmt::format("--vary {}", c.vary), "not two values", "key=a,b");
    }
    names = {c.vary.substr(0, equals), c.vary.substr(equals + 1, comma - equals - 1), c.vary.substr(comma + 1)};
    first_set.push_back(names.key + "=" + names.first);
    second_set.push_back(names.key + "=" + names.second);
  } else if (c.second.empty()) {
    fail_usage("diff", "one scenario only", "another one to compare it with, or --vary key=a,b");
  }
  const auto [scenario, a] = planned(find_scenario(c.first), first_set, c.seed);
  const auto [other, b] = planned(find_scenario(c.second.empty() ? c.first : c.second), second_set, c.seed);
  if (a.seeds != b.seeds) fail_usage("diff", "the two sides have other seeds", "the same for both: --set seeds=N");
  if (names.key.empty()) {
    const bool same = scenario.name == other.name;
    names = {"", same ? c.first : scenario.name, same ? c.second : other.name};
  }
  say_what_is_left_out(a, "compared");
  const Difference d = compare_points(a.points.front(), b.points.front(), seeds_of(a));
  if (c.json) return write_stdout(render_json(d, names));
  write_stdout((names.key.empty() ? "" : scenario.name + "\n") + render_text(d, names));
}

}  // namespace linebounce

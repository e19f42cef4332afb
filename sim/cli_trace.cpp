// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_trace.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "cpus/observer.hpp"
#include "sim/cli_output.hpp"
#include "sim/render_table.hpp"
#include "sim/trace_formats.hpp"
#include "sim/usage_error.hpp"

namespace linebounce {
namespace {

/// Learns the measured window, which is known only at the end of a run.
class RunLength final : public Observer {
 public:
  void run_ended(const System& system) override {
    measured_ = {system.window_opened(), system.window_opened() + system.window_length()};
  }
  TraceWindow measured() const { return measured_; }

 private:
  TraceWindow measured_;
};

/// "4000:6000"; nothing if it is not of that form or is empty.
std::optional<TraceWindow> parse_window(std::string_view text) {
  TraceWindow window;
  const char* end = text.data() + text.size();
  const auto begin = std::from_chars(text.data(), end, window.begin.count);
  if (begin.ec != std::errc() || begin.ptr == end || *begin.ptr != ':') return {};
  const auto rest = std::from_chars(begin.ptr + 1, end, window.end.count);
  if (rest.ec != std::errc() || rest.ptr != end) return {};
  if (window.begin < Cycles{} || window.end <= window.begin) return {};
  return window;
}

std::string endings() {
  std::string out;
  for (const TraceFormat& format : kTraceFormats) {
    out += fmt::format("{}{} ({})", out.empty() ? "" : ", ", format.ending, format.name);
  }
  return out;
}

/// What is traced of the first point: what was asked for, or the beginning of the measured window.
TraceWindow window_of(const Experiment& experiment, const TraceRequest& request) {
  if (request.window) {
    const std::int64_t most = kMostTracedTaskCycles / static_cast<std::int64_t>(experiment.placement.size());
    if ((request.window->end - request.window->begin).count > most) {
      fail_usage("--window", fmt::format("{} cycles", (request.window->end - request.window->begin).count),
                 fmt::format("at most {} with {} tasks", most, experiment.placement.size()));
    }
    return *request.window;
  }
  RunLength length;
  Experiment watched = experiment;
  watched.system.observer = &length;
  run_experiment(watched);
  const TraceWindow measured = length.measured();
  return {measured.begin, std::min(measured.end, measured.begin + kTracedCycles)};
}

std::string first_point(const Plan& plan) {
  std::string out;
  for (const std::string& key : plan.varied) {
    const Parameters& params = plan.points.front().params;
    const auto found = std::ranges::find(params, key, &Parameters::value_type::first);
    if (found != params.end()) out += fmt::format(", {} {}", key, to_text(found->second));
  }
  return out;
}

std::string trace_of(const Scenario& scenario, const Plan& plan, const TraceRequest& request) {
  const Point& point = plan.points.front();
  const Experiment experiment = point.with_seed(plan.seeds.front());
  const TraceWindow window = window_of(experiment, request);
  Recording recording =
      record_run(experiment, point.machine, point.topology, {.begin = window.begin, .end = window.end}).recording;
  if (recording.end <= recording.begin) {
    fail_usage("--window", fmt::format("nothing happens from cycle {} to {}", window.begin.count, window.end.count),
               "an earlier beginning");
  }
  if (!request.object.empty()) keep_only_object(recording, request.object);
  TraceTracks tracks = trace_tracks(recording);
  tracks.of_one_object = !request.object.empty();
  const std::string about =
      fmt::format("{}{}, seed {}, cycles {} to {}{}", scenario.name, first_point(plan), plan.seeds.front(),
                  recording.begin.count, recording.end.count, request.object.empty() ? "" : ", only " + request.object);
  std::string said = "traced: " + about;
  if (!request.window) {
    said += fmt::format("; {} the measured window (--window A:B takes others)",
                        recording.window_closed > recording.end ? "the beginning of" : "all of");
  }
  if (plan.points.size() > 1) {
    said += fmt::format("; the first of {} points (--set KEY=VALUE chooses another)", plan.points.size());
  }
  say(wrapped(said));
  return kTraceFormats[request.format].render(tracks, about);
}

}  // namespace

void add_trace_options(CLI::App& run, TraceRequest& request) {
  CLI::Option* trace = run.add_option("--trace", request.file,
                                      "write a trace of the first point with the base seed to this file; only that "
                                      "point is run; endings: " +
                                          endings());
  for (const char* instead : {"--c2c", "--sensitivity"}) trace->excludes(run.get_option(instead));
  CLI::Option* format = run.add_option_function<std::string>(
      "--trace-format",
      [&request](const std::string& name) {
        const auto found = std::ranges::find(kTraceFormats, name, &TraceFormat::name);
        request.format = static_cast<std::size_t>(found - kTraceFormats.begin());
      },
      "instead of by the ending of the trace's file");
  std::vector<std::string> names;
  names.reserve(kTraceFormats.size());
  for (const TraceFormat& f : kTraceFormats) names.emplace_back(f.name);
  format->check(CLI::IsMember(names))->needs(trace);
  run.add_option_function<std::string>(
         "--window",
         [&request](const std::string& text) {
           request.window = parse_window(text);
           if (!request.window) {
             throw CLI::ValidationError(
                 "--window", fmt::format("'{}', expected A:B, cycles from the run's start, A less than B", text));
           }
         },
         fmt::format("A:B: trace these cycles; else the first {} of the measured window", kTracedCycles.count))
      ->needs(trace);
  run.add_option("--line", request.object, "trace only what concerns the lines of this object: lock")
      ->check(
          [](const std::string& name) { return name.empty() ? "no name, expected that of an object" : std::string(); })
      ->needs(trace);
  run.callback([&request, &run, format] {
    if (run.count("--trace") == 0) return;
    if (request.file.empty()) throw CLI::ValidationError("--trace", "expected the name of a file");
    if (format->count() > 0) return;
    const auto has_ending = [&](const TraceFormat& f) { return request.file.ends_with(f.ending); };
    const auto found = std::ranges::find_if(kTraceFormats, has_ending);
    if (found == kTraceFormats.end()) {
      throw CLI::ValidationError("--trace", fmt::format("'{}' has an unknown ending, expected {}; or --trace-format",
                                                        request.file, endings()));
    }
    request.format = static_cast<std::size_t>(found - kTraceFormats.begin());
  });
}

Results run_first_point(const Scenario& scenario, Plan plan, const PoolOptions& options, const TraceRequest& request) {
  ResultFile file(request.file);
  const std::string trace = trace_of(scenario, plan, request);
  plan.points.resize(1);
  Results results = run_plan(scenario, plan, options);
  file.commit(trace);
  return results;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "sim/cli_commands.hpp"
#include "sim/cli_output.hpp"
#include "sim/core_to_core.hpp"
#include "sim/demo_figures.hpp"
#include "sim/render_table.hpp"
#include "sim/report.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {
namespace {

std::string heading(std::string_view text) {
  return fmt::format("\n{0:=<{2}}\n{1}\n{0:=<{2}}\n\n", "", text, kTextColumns);
}

DemoResults run_all(const DemoCommand& command) {
  const std::filesystem::path examples = data_directory("examples");
  const auto run = [&](const char* name) {
    return run_file(examples / (std::string(name) + ".toml"), {}, command.seed, command.jobs);
  };
  DemoResults demo;
  demo.published = load_published(examples / "published.toml");
  demo.westmere_ep = load_machine("westmere-ep-2s");
  demo.westmere_ex = load_machine("westmere-ex-4s");
  demo.llist = run("llist-cpu-relax");
  demo.producers = run("llist-producers");
  demo.simple_write = run("qspinlock-simple-write");
  demo.ticket = run("ticket-vs-qspinlock");
  demo.critical_section = run("qspinlock-critical-section");
  demo.local_work = run("qspinlock-local-work");
  demo.clock = run("qspinlock-clock");
  demo.ping_pong = run("ping-pong");
  return demo;
}

/// The published comparison comes first; of it two hand-offs are shown, on one node and across nodes.
Report page_of(DemoResults&& demo) {
  Report report;
  report.title = "linebounce demo";
  report.introduction =
      "Two published experiments on simulated machines, and what moves their results. No parameter of any machine or "
      "lock was fitted to them.";
  const auto number_of = [](const Results& results, const char* placement) {
    const PointResult& point =
        find_point(results, {{"placement", placement}, {"tasks", "4"}, {"layout", "standalone"}, {"variant", "after"}});
    return static_cast<std::size_t>(&point - results.points.data());
  };
  const std::vector<std::size_t> shown = {number_of(demo.simple_write, "same-node"),
                                          number_of(demo.simple_write, "different-nodes")};
  const std::filesystem::path examples = data_directory("examples");
  const auto scenario = load_scenario(examples / (demo.simple_write.scenario + ".toml"));
  report.sections.push_back(report_section(std::move(demo.simple_write), scenario, shown));
  for (Results* results : {&demo.ticket, &demo.critical_section, &demo.local_work, &demo.clock, &demo.llist,
                           &demo.producers, &demo.ping_pong}) {
    report.sections.push_back(report_section(std::move(*results), {}, {}));
  }
  report.figures.push_back(
      render_core_to_core_svg(demo.westmere_ex, simulate_core_to_core(demo.westmere_ex, Topology(demo.westmere_ex))));
  return report;
}

}  // namespace

void show_demo(const DemoCommand& command) {
  ResultFile page(command.output);
  DemoResults demo = run_all(command);
  std::string out =
      wrapped(fmt::format("linebounce demo: two published experiments on simulated machines, base seed {}. No "
                          "parameter of any machine or lock was "
                          "fitted to them. Means over seeds, ± is the 95 % confidence interval.",
                          demo.simple_write.seed));
  out += heading("1. Where the cycles of a qspinlock hand-off went") + account_section(demo);
  out += heading("2. What moves the result: critical section, local work, clock") + sensitivity_section(demo);
  out += heading("3. llist with and without cpu_relax: published | simulated | difference") + llist_section(demo);
  out += heading("4. qspinlock before and after the plain store: published | simulated | difference") +
         qspinlock_section(demo);
  out += heading("5. Ticket spinlock against qspinlock") + ticket_section(demo);
  out += heading("6. Reproduced or not") + facts_section(demo);
  write_stdout(out);
  page.commit(render_html(page_of(std::move(demo))));
  say(fmt::format("linebounce: figures and tables of all this for a browser: {}\n", command.output));
}

}  // namespace linebounce

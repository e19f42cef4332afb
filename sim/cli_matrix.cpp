// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_matrix.hpp"

#include <CLI/CLI.hpp>

#include "sim/cli_output.hpp"
#include "sim/core_to_core.hpp"
#include "sim/latency_matrix.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce {

void add_matrix_command(CLI::App& app, MatrixCommand& c) {
  CLI::App* verb = app.add_subcommand("matrix", "what one operation costs on a machine, by where its line is");
  verb->add_option("MACHINE", c.machine, "name of a shipped machine, or path of a machine file")->required();
  CLI::Option* json = verb->add_flag("--json", c.json, "one JSON document, schema linebounce.matrix/1");
  CLI::Option* csv = verb->add_flag("--csv", c.csv, "RFC 4180, one row for each operation in each situation");
  CLI::Option* svg = verb->add_flag("--svg", c.svg, "a heat map");
  CLI::Option* pairs = verb->add_flag("--core-to-core", c.core_to_core,
                                      "instead: ns of one way of a line between every two cores, a CSV file as "
                                      "core-to-core-latency writes it");
  CLI::Option* compare = verb->add_option("--compare", c.compare,
                                          "instead: compare such a file, cores numbered socket by socket, with what is "
                                          "simulated");
  const std::vector<CLI::Option*> forms = {json, csv, svg, pairs, compare};
  for (CLI::Option* form : forms) {
    form->disable_flag_override();
    for (CLI::Option* other : forms) {
      if (other != form) form->excludes(other);
    }
  }
}

void show_matrix(const MatrixCommand& command) {
  const Machine machine = load_machine(command.machine);
  const Topology topology(machine);
  if (!command.compare.empty()) {
    const CorePairs published = read_core_to_core(command.compare, machine.cores());
    return write_stdout(compare_core_to_core(machine, topology, published, simulate_core_to_core(machine, topology)));
  }
  if (command.core_to_core) return write_stdout(core_to_core_csv(simulate_core_to_core(machine, topology)));
  const LatencyMatrix matrix = measure_latency_matrix(machine, topology);
  write_stdout(command.json  ? render_json(matrix)
               : command.csv ? render_csv(matrix)
               : command.svg ? render_svg(matrix)
                             : render_text(matrix));
}

}  // namespace linebounce

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
  CLI::App* form = verb->add_option_group("form", "instead of a table")->require_option(0, 1);
  form->add_flag("--json", c.json, "one JSON document, schema linebounce.matrix/1");
  form->add_flag("--csv", c.csv, "RFC 4180, one row for each operation in each situation");
  form->add_flag("--svg", c.svg, "a heat map");
  form->add_flag("--core-to-core", c.core_to_core,
                 "a line by cmpxchg between every two cores, ns one way, as core-to-core-latency writes it");
  form->add_option("--compare", c.compare,
                   "read such a file, cores numbered socket by socket, and print how far the simulation is off")
      ->option_text("FILE");
  for (CLI::Option* option : form->get_options()) option->disable_flag_override();
}

void show_matrix(const MatrixCommand& command) {
  const Machine machine = load_machine(command.machine);
  const Topology topology(machine);
  if (command.compare) {
    const CorePairs published = read_core_to_core(*command.compare, machine.cores());
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

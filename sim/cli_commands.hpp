// SPDX-License-Identifier: Apache-2.0
// The commands behind the command line, each with its options as plain data. They throw; cli.cpp maps to exit codes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/cli_trace.hpp"
#include "sim/results.hpp"
#include "sim/scenario_plan.hpp"

namespace linebounce {

/// A check that was asked for failed: exit code 1.
class CheckFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline constexpr std::uint64_t kMostSeed = 1'000'000'000'000'000'000;

enum class OutputFormat : std::uint8_t { kText, kJson, kCsv };

struct RunCommand {
  std::string scenario;  ///< name of a shipped one, or a path
  OutputFormat format = OutputFormat::kText;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> set;  ///< "key=value"
  std::string output;            ///< file; "" for standard output
  bool sensitivity = false;      ///< instead of the results, what they depend on
  bool coverage = false;         ///< say how often each row of the protocol fired; not in CSV
  bool c2c = false;              ///< the shared-line report instead of the results
  TraceRequest trace;
  int jobs = 1;
};
void run_scenario(const RunCommand& command);

struct TopologyCommand {
  std::string machine;  ///< name or path; "" lists the shipped machines
  bool dot = false;
};
void show_topology(const TopologyCommand& command);

/// Makes a machine file from an hwloc XML.
struct ImportCommand {
  std::string xml;
  std::string base = "westmere-ex-4s";  ///< name or path; gives what the XML does not say
  std::string output;                   ///< file; "" for standard output
};
void import_topology(const ImportCommand& command);

/// Runs the shipped scenarios and compares with the published results; writes a page with the figures too.
struct DemoCommand {
  std::optional<std::uint64_t> seed;
  std::string output = "linebounce-demo.html";  ///< the page
  int jobs = 1;
};
void show_demo(const DemoCommand& command);

/// Runs litmus tests in herd's format and compares what the machine shows with what x86-TSO allows.
struct LitmusCommand {
  std::vector<std::string> files;  ///< paths, or names of shipped tests
  std::string machine = "westmere-ep-2s";
  std::uint64_t seed = 1;
  std::size_t runs = 1000;
  bool json = false;
};
/// False if a forbidden state was seen.
bool show_litmus(const LitmusCommand& command);

/// "qspinlock-simple-write" is a shipped scenario, anything with '/' or '.' a path.
std::filesystem::path find_scenario(const std::string& name);

/// A scenario with what --set says in the place of its own, and all that it asks for.
std::pair<Scenario, Plan> planned(const std::filesystem::path& file, const std::vector<std::string>& set,
                                  std::optional<std::uint64_t> seed);

/// Loads, overrides, checks and runs a scenario; only its first point if a trace is wanted.
Results run_file(const std::filesystem::path& file, const std::vector<std::string>& set,
                 std::optional<std::uint64_t> seed, int jobs, const TraceRequest& trace = {});

/// The locks and lists of this program, for checking scenarios.
KnownNames known_names();

/// The keys of scenario files, for --help.
std::string scenario_keys_help();

}  // namespace linebounce

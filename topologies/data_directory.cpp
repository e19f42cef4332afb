// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& root) {
  std::error_code ignored;
  return fs::exists(root / "topologies" / "westmere-ep-2s.toml", ignored);
}

/// From the program's own place upwards: a source tree (or a build inside one), or PREFIX/share/linebounce beside
/// PREFIX/bin. A build tree elsewhere has such a share folder too (CMakeLists.txt).
fs::path find_root() {
  if (const char* set = std::getenv("LINEBOUNCE_DATA"); set != nullptr && *set != '\0') return set;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (fs::path at = program.parent_path(); !error && !at.empty(); at = at.parent_path()) {
    if (holds_data(at / "share" / "linebounce")) return at / "share" / "linebounce";
    if (holds_data(at)) return at;
    if (at == at.parent_path()) break;
  }
  fail_input("shipped machines", "not found beside the program",
             "LINEBOUNCE_DATA to name the folder that holds topologies/ and examples/");
}

}  // namespace

fs::path data_directory(std::string_view folder) { return find_root() / folder; }

std::vector<std::string> shipped_machines() {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(data_directory("topologies"), ignored)) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace linebounce

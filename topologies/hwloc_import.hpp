// SPDX-License-Identifier: Apache-2.0
// A machine file for a real machine, from what hwloc's lstopo says of it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace linebounce {

/// A machine file (TOML) for the machine in `xml`, a topology as `lstopo --of xml` of hwloc 1.x or 2.x writes it. Sockets,
/// cores, hardware threads, caches, the nominal clock and the links between sockets come from there as far as it says them,
/// all else from the base, a machine's name or path as load_machine takes it; a comment beside each value says which.
/// Throws InputError ("FILE: object: what was found, what was expected") when the file cannot be read, or when the machine
/// is not one that a machine file can describe: what is written, load_machine accepts.
std::string import_hwloc(const std::filesystem::path& xml, std::string_view base_name);

}  // namespace linebounce

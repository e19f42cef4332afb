// SPDX-License-Identifier: Apache-2.0
#include "topologies/hwloc_xml.hpp"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <system_error>

#include "topologies/toml_check.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

struct FreeBitmap {
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

}  // namespace

std::string name_of(hwloc_obj_t object) {
  return fmt::format("{} L#{}", hwloc_obj_type_string(object->type), object->logical_index);
}

std::string list_of(hwloc_const_bitmap_t set) {
  std::string text(static_cast<std::size_t>(hwloc_bitmap_list_snprintf(nullptr, 0, set)), '\0');
  hwloc_bitmap_list_snprintf(text.data(), text.size() + 1, set);
  return text;
}

std::string plain(std::string text) {
  const auto unfit = [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; };
  std::replace_if(text.begin(), text.end(), unfit, '?');
  return printable(text);
}

/// Null if libhwloc refuses the text.
HwlocXml::Topology HwlocXml::parse(const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::bad_alloc();
  Topology topology(raw);
  const bool done = hwloc_topology_set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size() + 1)) == 0 &&
                    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
                    hwloc_topology_load(raw) == 0;
  return done ? std::move(topology) : nullptr;
}

/// A damaged file may crash libhwloc or make it complain on standard error, so a process of its own tries first.
bool HwlocXml::is_readable(const std::string& xml) {
  std::array<int, 2> complaints{};
  if (pipe(complaints.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    dup2(complaints[1], STDERR_FILENO);
    const Topology topology = parse(xml);
    if (topology != nullptr) hwloc_topology_check(topology.get());  // aborts if it is not consistent
    _exit(topology == nullptr ? 1 : 0);
  }
  close(complaints[1]);
  char first = 0;
  const bool silent = read(complaints[0], &first, 1) == 0;
  close(complaints[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return silent && status == 0;
}

HwlocXml::HwlocXml(const std::filesystem::path& file) {
  const std::string xml = read_input(file);
  if (!is_readable(xml)) fail_input(file.string(), "libhwloc cannot read it", "a whole topology as lstopo writes it");
  topology_ = parse(xml);
}

HwlocXml::Objects HwlocXml::objects(hwloc_obj_type_t type, hwloc_obj_t inside) const {
  Objects found;
  hwloc_obj_t object = nullptr;
  while ((object = hwloc_get_next_obj_inside_cpuset_by_type(topology_.get(), inside->cpuset, type, object)) !=
         nullptr) {
    found.push_back(object);
  }
  return found;
}

hwloc_obj_t HwlocXml::first_at(hwloc_obj_t object, hwloc_obj_type_t type) const {
  return hwloc_get_next_obj_covering_cpuset_by_type(topology_.get(), object->cpuset, type, nullptr);
}

std::string HwlocXml::info(hwloc_obj_t object, const char* name) const {
  const char* value = hwloc_obj_get_info_by_name(object, name);
  if (value == nullptr) value = hwloc_obj_get_info_by_name(machine(), name);
  return value == nullptr ? "" : plain(value);
}

std::string HwlocXml::missing_cpus() const {
  const Bitmap missing(hwloc_bitmap_alloc());
  hwloc_bitmap_andnot(missing.get(), machine()->complete_cpuset, machine()->cpuset);
  return list_of(missing.get());
}

std::vector<HwlocXml::CpuKind> HwlocXml::cpu_kinds() const {
  std::vector<CpuKind> kinds(static_cast<std::size_t>(std::max(0, hwloc_cpukinds_get_nr(topology_.get(), 0))));
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Bitmap cpus(hwloc_bitmap_alloc());
    unsigned count = 0;
    hwloc_info_s* infos = nullptr;
    hwloc_cpukinds_get_info(topology_.get(), static_cast<unsigned>(i), cpus.get(), nullptr, &count, &infos, 0);
    kinds[i].cpus = list_of(cpus.get());
    for (unsigned k = 0; k < count; ++k) kinds[i].infos.emplace_back(plain(infos[k].name), plain(infos[k].value));
  }
  return kinds;
}

std::optional<SocketDistances> HwlocXml::distances(const Objects& nodes) const {
  std::array<hwloc_distances_s*, 8> found{};
  auto count = static_cast<unsigned>(found.size());
  hwloc_distances_get_by_type(topology_.get(), HWLOC_OBJ_NUMANODE, &count, found.data(),
                              HWLOC_DISTANCES_KIND_MEANS_LATENCY, 0);
  std::optional<SocketDistances> distances;
  for (hwloc_distances_s* each : found) {
    if (each == nullptr) break;
    if (!distances && !nodes.empty() && each->nbobjs == nodes.size()) {
      distances.emplace(nodes.size(), std::vector<std::uint64_t>(nodes.size()));
      for (std::size_t a = 0; a < nodes.size(); ++a) {
        for (std::size_t b = 0; b < nodes.size(); ++b) {
          hwloc_uint64_t there = 0;
          hwloc_uint64_t back = 0;
          hwloc_distances_obj_pair_values(each, nodes[a], nodes[b], &there, &back);
          (*distances)[a][b] = there;
        }
      }
    }
    hwloc_distances_release(topology_.get(), each);
  }
  return distances;
}

}  // namespace linebounce

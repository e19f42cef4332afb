// SPDX-License-Identifier: Apache-2.0
// A topology in hwloc's XML, and what there is to ask it.
#pragma once

#include <hwloc.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "topologies/socket_links.hpp"

namespace linebounce {

/// "Package L#0", as lstopo shows it.
std::string name_of(hwloc_obj_t object);
/// "0-3,8"
std::string list_of(hwloc_const_bitmap_t set);
/// A word from outside, fit for a comment and for a text in quotes: printable ASCII without quotes, not too long.
std::string plain(std::string text);

class HwlocXml {
 public:
  using Objects = std::vector<hwloc_obj_t>;  ///< they belong to the topology

  /// Reads the file, CPUs that were disallowed included. Throws InputError unless it is a whole, consistent topology.
  explicit HwlocXml(const std::filesystem::path& file);

  hwloc_obj_t machine() const { return hwloc_get_root_obj(topology_.get()); }
  /// In logical order.
  Objects objects(hwloc_obj_type_t type, hwloc_obj_t inside) const;
  int count(hwloc_obj_type_t type) const { return hwloc_get_nbobjs_by_type(topology_.get(), type); }
  /// The first object of `type` that shares a CPU with `object`, or null.
  hwloc_obj_t first_at(hwloc_obj_t object, hwloc_obj_type_t type) const;
  /// The object's info, else the whole machine's, else "".
  std::string info(hwloc_obj_t object, const char* name) const;
  /// CPUs that the machine has and the file has no object for, as a list; "" if there are none.
  std::string missing_cpus() const;

  struct CpuKind {
    std::string cpus;
    std::vector<std::pair<std::string, std::string>> infos;
  };
  std::vector<CpuKind> cpu_kinds() const;

  /// Between these NUMA nodes; nothing if the file does not say.
  std::optional<SocketDistances> distances(const Objects& nodes) const;

 private:
  struct Destroy {
    void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  };
  using Topology = std::unique_ptr<hwloc_topology, Destroy>;

  static Topology parse(const std::string& xml);
  static bool is_readable(const std::string& xml);

  Topology topology_;
};

}  // namespace linebounce

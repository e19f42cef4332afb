// SPDX-License-Identifier: Apache-2.0
#include "topologies/hwloc_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "topologies/load_machine.hpp"
#include "topologies/socket_links.hpp"
#include "topologies/toml_check.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

using Objects = std::vector<hwloc_obj_t>;

struct Freed {
  void operator()(hwloc_topology_t topology) const { hwloc_topology_destroy(topology); }
  void operator()(hwloc_bitmap_t bitmap) const { hwloc_bitmap_free(bitmap); }
};
using HwlocTopology = std::unique_ptr<hwloc_topology, Freed>;
using Bitmap = std::unique_ptr<hwloc_bitmap_s, Freed>;

/// "0-3,8"
std::string list(hwloc_const_bitmap_t set) {
  std::string text(static_cast<std::size_t>(hwloc_bitmap_list_snprintf(nullptr, 0, set)), '\0');
  hwloc_bitmap_list_snprintf(text.data(), text.size() + 1, set);
  return text;
}

/// What is in `all` and not in `some`, likewise.
std::string list_without(hwloc_const_bitmap_t all, hwloc_const_bitmap_t some) {
  const Bitmap rest(hwloc_bitmap_alloc());
  hwloc_bitmap_andnot(rest.get(), all, some);
  return list(rest.get());
}

std::string name_of(hwloc_obj_t object) {
  return fmt::format("{} L#{}", hwloc_obj_type_string(object->type), object->logical_index);
}

/// Words from outside, fit for a comment and a text in quotes.
std::string plain(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c < ' ' || c > '~' || c == '"' || c == '\\'; }, '?');
  return printable(text);
}

/// Null if libhwloc refuses the text.
HwlocTopology parse(const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw std::bad_alloc();
  HwlocTopology topology(raw);
  const bool read = hwloc_topology_set_xmlbuffer(raw, xml.c_str(), static_cast<int>(xml.size() + 1)) == 0 &&
                    // A CPU that was disallowed to whoever ran lstopo is part of the machine all the same.
                    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) == 0 &&
                    hwloc_topology_load(raw) == 0;
  return read ? std::move(topology) : nullptr;
}

/// A damaged file may crash libhwloc or make it complain on standard error, so a process of its own tries first.
bool is_readable(const std::string& xml) {
  std::array<int, 2> complaints{};
  if (pipe(complaints.data()) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    dup2(complaints[1], STDERR_FILENO);
    const HwlocTopology topology = parse(xml);
    if (topology != nullptr) hwloc_topology_check(topology.get());  // aborts
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

HwlocTopology load(const std::filesystem::path& file) {
  const std::string xml = read_input(file);
  if (!is_readable(xml)) fail_input(file.string(), "libhwloc cannot read it", "a whole topology as lstopo writes it");
  return parse(xml);
}

/// What a topology says about a machine, as changes to a base.
class Reader {
 public:
  Reader(const std::filesystem::path& file, std::string_view base_name)
      : file_(file.string()), base_(load_machine(base_name)), topology_(load(file)) {
    root_ = hwloc_get_root_obj(topology_.get());
    if (const std::string cpus = list_without(root_->complete_cpuset, root_->cpuset); !cpus.empty()) {
      missing_ = fmt::format("CPUs {} are not in the file (offline or disallowed)", cpus);
      notes_.push_back(missing_ + ": this is the machine without them.");
    }
    read_kinds();
    read_shape();
    read_clock();
    read_private_cache("l1d", HWLOC_OBJ_L1CACHE, base_.l1d);
    read_private_cache("l2", HWLOC_OBJ_L2CACHE, base_.l2);
    read_l3();
    read_ring();
    read_nodes();
    read_links();
  }

  const std::vector<MachineOverride>& changes() const { return changes_; }
  const std::vector<std::string>& notes() const { return notes_; }
  /// Where the value of a changed key comes from.
  const std::string* source(const std::string& key) const {
    const auto at = sources_.find(key);
    return at == sources_.end() ? nullptr : &at->second;
  }

 private:
  void give(const std::string& key, const std::string& value, hwloc_obj_t from, std::string source) {
    changes_.push_back({key, value, fmt::format("{}: {}", file_, name_of(from))});
    sources_[key] = std::move(source);
  }
  void give(const std::string& key, std::int64_t value, hwloc_obj_t from, std::string source) {
    give(key, fmt::format("{}", value), from, std::move(source));
  }

  [[noreturn]] void fail(hwloc_obj_t at, std::string_view found, std::string_view expected) const {
    fail_input(fmt::format("{}: {}", file_, name_of(at)),
               missing_.empty() ? std::string(found) : fmt::format("{} ({})", found, missing_), expected);
  }

  Objects objects(hwloc_obj_type_t type, hwloc_const_cpuset_t inside) const {
    Objects found;
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_inside_cpuset_by_type(topology_.get(), inside, type, object)) != nullptr) {
      found.push_back(object);
    }
    return found;
  }
  int count(hwloc_obj_type_t type) const { return hwloc_get_nbobjs_by_type(topology_.get(), type); }

  std::optional<std::string> info(hwloc_obj_t object, const char* name) const {
    const char* value = hwloc_obj_get_info_by_name(object, name);
    if (value == nullptr && object != root_) value = hwloc_obj_get_info_by_name(root_, name);
    return value == nullptr ? std::nullopt : std::optional(plain(value));
  }

  /// How many objects of `type` each holder has.
  int count_in_each(const Objects& holders, hwloc_obj_type_t type) const {
    const char* what = hwloc_obj_type_string(type);
    const std::size_t each = objects(type, holders.front()->cpuset).size();
    for (const hwloc_obj_t holder : holders) {
      const std::size_t own = objects(type, holder->cpuset).size();
      if (own != each) {
        fail(holder, fmt::format("{} {} objects", own, what),
             fmt::format("{} as in {}", each, name_of(holders.front())));
      }
    }
    if (each == 0) fail(holders.front(), fmt::format("no {} in it", what), "at least one");
    if (each * holders.size() != static_cast<std::size_t>(count(type))) {
      fail(root_, fmt::format("{} {} objects", count(type), what),
           fmt::format("{}, those in every {}", each * holders.size(), hwloc_obj_type_string(holders.front()->type)));
    }
    return static_cast<int>(each);
  }

  void read_kinds() const {
    const int kinds = hwloc_cpukinds_get_nr(topology_.get(), 0);
    if (kinds < 2) return;
    std::vector<std::string> texts;
    for (unsigned kind = 0; kind < static_cast<unsigned>(kinds); ++kind) {
      const Bitmap cpus(hwloc_bitmap_alloc());
      unsigned count = 0;
      hwloc_info_s* infos = nullptr;
      hwloc_cpukinds_get_info(topology_.get(), kind, cpus.get(), nullptr, &count, &infos, 0);
      texts.push_back("CPUs " + list(cpus.get()));
      for (unsigned i = 0; i < count; ++i) texts.back() += plain(fmt::format(" {} {}", infos[i].name, infos[i].value));
    }
    fail(root_, fmt::format("{} kinds of cores: {}", kinds, fmt::join(texts, "; ")), "cores of one kind");
  }

  void read_shape() {
    packages_ = objects(HWLOC_OBJ_PACKAGE, root_->cpuset);
    if (packages_.empty()) fail(root_, "no Package", "packages: they say which cores share a socket");
    cores_ = objects(HWLOC_OBJ_CORE, root_->cpuset);
    cores_per_socket_ = count_in_each(packages_, HWLOC_OBJ_CORE);
    const hwloc_obj_t first = packages_.front();
    give("shape.sockets", static_cast<std::int64_t>(packages_.size()), root_, "XML: Package objects");
    give("shape.cores_per_socket", cores_per_socket_, first, "XML: Core objects of each Package");
    give("shape.threads_per_core", count_in_each(cores_, HWLOC_OBJ_PU), cores_.front(), "XML: PU objects of each Core");

    const std::string cpu = info(first, "CPUModel").value_or("");
    for (const hwloc_obj_t package : packages_) {
      const std::string other = info(package, "CPUModel").value_or("");
      if (other != cpu)
        fail(package, fmt::format("CPUModel '{}'", other), fmt::format("'{}' as in {}", cpu, name_of(first)));
    }
    give("description",
         fmt::format("\"{} x {}, imported from {}; guesses from {}\"", packages_.size(), cpu.empty() ? "socket" : cpu,
                     plain(std::filesystem::path(file_).filename().string()), plain(base_.name)),
         root_, "");
    const std::string architecture = info(root_, "Architecture").value_or("x86_64");
    if (architecture != "x86_64" && architecture != "amd64") {
      notes_.push_back(fmt::format("Architecture {}: the model's cores are x86.", architecture));
    }
  }

  /// The nominal clock: the only one of the kinds' infos that is not a limit, else what the CPU's name ends in.
  void read_clock() {
    unsigned count = 0;
    hwloc_info_s* infos = nullptr;
    if (hwloc_cpukinds_get_nr(topology_.get(), 0) == 1) {
      hwloc_cpukinds_get_info(topology_.get(), 0, nullptr, nullptr, &count, &infos, 0);
    }
    for (unsigned i = 0; i < count; ++i) {
      if (std::string_view(infos[i].name) == "FrequencyBaseMHz") {
        return give("clock.core_mhz", plain(infos[i].value), root_, "XML: FrequencyBaseMHz");
      }
    }
    const std::string cpu = info(packages_.front(), "CPUModel").value_or("");
    const std::size_t at = cpu.rfind("@ ");
    if (at == std::string::npos) return;
    double ghz = 0;
    const auto end = std::from_chars(cpu.data() + at + 2, cpu.data() + cpu.size(), ghz).ptr;
    if (std::string_view(end) != "GHz") return;
    give("clock.core_mhz", std::llround(ghz * 1000), packages_.front(), "XML: CPUModel, which ends in it");
  }

  /// The first holder's cache, alike for all of them; null if there is none of this type in the whole machine.
  hwloc_obj_t cache_of_each(const Objects& holders, hwloc_obj_type_t type) const {
    if (count(type) == 0) return nullptr;
    hwloc_obj_t first = nullptr;
    for (const hwloc_obj_t holder : holders) {
      const hwloc_obj_t cache =
          hwloc_get_next_obj_covering_cpuset_by_type(topology_.get(), holder->cpuset, type, nullptr);
      const char* what = hwloc_obj_type_string(type);
      const std::string expected =
          fmt::format("one {} for each {}, as the model has it", what, hwloc_obj_type_string(holder->type));
      if (cache == nullptr) fail(holder, fmt::format("no {}", what), expected);
      if (hwloc_bitmap_isequal(cache->cpuset, holder->cpuset) == 0) {
        fail(holder,
             fmt::format("it has CPUs {}, {} has {}", list(holder->cpuset), name_of(cache), list(cache->cpuset)),
             expected);
      }
      if (first == nullptr) first = cache;
      const auto& [a, b] = std::pair(first->attr->cache, cache->attr->cache);
      if (a.size != b.size || a.associativity != b.associativity) {
        fail(cache, fmt::format("{} bytes in {} ways", b.size, b.associativity),
             fmt::format("{} in {} as in {}", a.size, a.associativity, name_of(first)));
      }
    }
    const auto& cache = first->attr->cache;
    if (cache.linesize != 0 && cache.linesize != 64)
      fail(first, fmt::format("lines of {} bytes", cache.linesize), "64");
    if (cache.size % 1024 != 0) fail(first, fmt::format("{} bytes", cache.size), "whole KiB");
    return first;
  }

  void give_cache(const std::string& table, const char* size_key, hwloc_obj_t cache, std::uint64_t kib, int base_ways) {
    const char* what = hwloc_obj_type_string(cache->type);
    give(table + size_key, static_cast<std::int64_t>(kib), cache, fmt::format("XML: {}", what));
    if (cache->attr->cache.associativity > 0) {
      return give(table + ".ways", cache->attr->cache.associativity, cache, fmt::format("XML: {}", what));
    }
    int ways = base_ways;  // unknown, or fully associative, which the model has not
    while (kib * 16 % static_cast<std::uint64_t>(ways) != 0) --ways;
    if (ways != base_ways)
      give(table + ".ways", ways, cache, fmt::format("guess: the base's {}, made to fit", base_ways));
  }

  void read_private_cache(const std::string& table, hwloc_obj_type_t type, const CacheGeometry& base) {
    const hwloc_obj_t cache = cache_of_each(cores_, type);
    if (cache != nullptr && cache->attr->cache.size != 0) {
      give_cache(table, ".kib", cache, cache->attr->cache.size / 1024, base.ways);
    }
  }

  void read_l3() {
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE, HWLOC_OBJ_MEMCACHE}) {
      if (count(type) != 0) fail(root_, fmt::format("a {}", hwloc_obj_type_string(type)), "no cache behind the L3");
    }
    const hwloc_obj_t l3 = cache_of_each(packages_, HWLOC_OBJ_L3CACHE);
    if (l3 == nullptr && count(HWLOC_OBJ_L2CACHE) != 0)
      fail(packages_.front(), "no L3Cache", "one, shared by all cores");
    std::int64_t slices = std::max(1, cores_per_socket_ * base_.l3_slices_per_socket / base_.cores_per_socket);
    std::string source =
        fmt::format("guess: the base has {} for {} cores", base_.l3_slices_per_socket, base_.cores_per_socket);
    if (l3 != nullptr && l3->attr->cache.size != 0) {
      const auto kib = static_cast<std::int64_t>(l3->attr->cache.size / 1024);
      const std::int64_t ways = std::max(1, l3->attr->cache.associativity);
      const auto fits = [&](std::int64_t n) { return kib % n == 0 && kib / n * 16 % ways == 0; };
      if (!fits(slices)) source += ", made to divide the L3";
      while (slices > 1 && !fits(slices)) --slices;
      give_cache("l3", ".slice_kib", l3, static_cast<std::uint64_t>(kib / slices), base_.l3_slice.ways);
      sources_["l3.slice_kib"] = fmt::format("XML: L3Cache of {} KiB, divided by the slices", kib);
      if (info(l3, "Inclusive") == "0") notes_.emplace_back("The L3 is not inclusive; the model's is.");
    }
    give("l3.slices_per_socket", slices, packages_.front(), source);
  }

  void read_ring() {
    int columns = base_.ring_columns;
    if (columns == 0) return;
    while (cores_per_socket_ % columns != 0) --columns;
    if (columns == base_.ring_columns) return;
    give("interconnect.ring_columns", columns, packages_.front(),
         fmt::format("guess: the base's {} do not divide the cores", base_.ring_columns));
  }

  /// The NUMA node of each package; none if a single node spans them all.
  void read_nodes() {
    const Objects all = objects(HWLOC_OBJ_NUMANODE, root_->cpuset);
    if (all.size() == 1 && packages_.size() > 1 && hwloc_bitmap_isequal(all.front()->cpuset, root_->cpuset) != 0) {
      notes_.emplace_back("One NUMA node spans all sockets; the model's memory and home agents stand in each of them.");
      return;
    }
    const bool sizes_known = std::any_of(all.begin(), all.end(), [](hwloc_obj_t node) { return memory_of(node) != 0; });
    for (const hwloc_obj_t package : packages_) {
      std::vector<std::string> found;
      bool fits = true;
      for (const hwloc_obj_t node : all) {
        if (hwloc_bitmap_intersects(node->cpuset, package->cpuset) == 0) continue;
        const bool empty = sizes_known && memory_of(node) == 0;
        fits = found.empty() && !empty && hwloc_bitmap_isequal(node->cpuset, package->cpuset) != 0;
        found.push_back(
            fmt::format("{} for CPUs {}{}", name_of(node), list(node->cpuset), empty ? " without memory" : ""));
        nodes_.push_back(node);
      }
      if (fits && !found.empty()) continue;
      fail(package, found.empty() ? "no NUMANode" : fmt::format("{}", fmt::join(found, ", ")),
           fmt::format("one NUMANode with memory for CPUs {}, as every socket of the model has its own",
                       list(package->cpuset)));
    }
  }
  static std::uint64_t memory_of(hwloc_obj_t node) { return node->attr->numanode.local_memory; }

  void read_links() {
    const auto sockets = static_cast<int>(packages_.size());
    std::vector<std::pair<int, int>> links;
    std::string source = "XML: one Package";
    if (sockets > 1) {
      if (const std::optional<SocketDistances> distances = node_distances()) {
        links = links_of_distances(*distances, file_);
        source = "XML: distances of the NUMANodes, the nearest linked";
      } else if (sockets == base_.sockets) {
        return;
      } else {
        for (int a = 0; a < sockets; ++a) {
          for (int b = a + 1; b < sockets; ++b) links.emplace_back(a, b);
        }
        source = "guess: all pairs, as the XML has no distances and the base other sockets";
      }
    }
    std::vector<std::string> pairs;
    for (const auto& [a, b] : links) pairs.push_back(fmt::format("[{}, {}]", a, b));
    give("qpi.links", fmt::format("[{}]", fmt::join(pairs, ", ")), root_, source);
  }

  std::optional<SocketDistances> node_distances() const {
    constexpr unsigned kMost = 8;
    hwloc_distances_s* found[kMost] = {};
    unsigned count = kMost;
    hwloc_distances_get_by_type(topology_.get(), HWLOC_OBJ_NUMANODE, &count, found, HWLOC_DISTANCES_KIND_MEANS_LATENCY,
                                0);
    std::optional<SocketDistances> distances;
    for (unsigned i = 0; i < std::min(count, kMost); ++i) {
      if (!distances && !nodes_.empty() && found[i]->nbobjs == nodes_.size()) {
        distances.emplace(nodes_.size(), std::vector<std::uint64_t>(nodes_.size()));
        for (std::size_t a = 0; a < nodes_.size(); ++a) {
          for (std::size_t b = 0; b < nodes_.size(); ++b) {
            hwloc_uint64_t back = 0;
            hwloc_uint64_t there = 0;
            hwloc_distances_obj_pair_values(found[i], nodes_[a], nodes_[b], &there, &back);
            (*distances)[a][b] = there;
          }
        }
      }
      hwloc_distances_release(topology_.get(), found[i]);
    }
    return distances;
  }

  std::string file_;
  Machine base_;
  HwlocTopology topology_;
  hwloc_obj_t root_ = nullptr;
  std::string missing_;
  Objects packages_;
  Objects cores_;
  Objects nodes_;
  int cores_per_socket_ = 0;
  std::vector<MachineOverride> changes_;
  std::map<std::string, std::string> sources_;
  std::vector<std::string> notes_;
};

std::string toml_of(const TomlValue& value) {
  if (value.kind == TomlValue::Kind::kText) return fmt::format("\"{}\"", value.text);
  if (value.kind != TomlValue::Kind::kArray) return to_text(value);
  std::vector<std::string> items;
  for (const TomlValue& item : value.items) items.push_back(toml_of(item));
  return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace

std::string import_hwloc(const std::filesystem::path& xml, std::string_view base) {
  const Reader reader(xml, base);
  load_machine(base, reader.changes());  // throws where the machine cannot be described
  TomlTable machine = TomlTable::load(machine_path(base));
  for (const MachineOverride& change : reader.changes()) machine.set(change.key, change.value, change.where);

  const std::string base_name = plain(std::string(base));
  const std::string guess = fmt::format("guess: from the base {}", base_name);
  std::string text = fmt::format(
      "# Imported from {}, which says what is marked XML. A guess is a number of another machine or made to fit.\n",
      plain(xml.filename().string()));
  for (const std::string& note : reader.notes()) text += fmt::format("# {}\n", note);
  text += '\n';
  const auto line = [&](const TomlEntry& entry, const std::string& table) {
    const std::string* source = reader.source(table + entry.key);
    const std::string pair = fmt::format("{} = {}", entry.key, toml_of(entry.value));
    const std::string& comment = source == nullptr ? guess : *source;
    text += comment.empty() ? pair + '\n' : fmt::format("{:<23} # {}\n", pair, comment);
  };
  for (const std::string& key : machine.keys()) {
    const TomlValue& value = machine.value(key);
    if (value.kind != TomlValue::Kind::kTable) {
      line({key, value}, "");
      continue;
    }
    text += fmt::format("\n[{}]\n", key);
    for (const TomlEntry& entry : value.entries) line(entry, key + '.');
  }
  return text;
}

}  // namespace linebounce

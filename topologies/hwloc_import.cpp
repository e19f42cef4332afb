// SPDX-License-Identifier: Apache-2.0
#include "topologies/hwloc_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "topologies/hwloc_xml.hpp"
#include "topologies/load_machine.hpp"
#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

using Objects = HwlocXml::Objects;

bool same_cpus(hwloc_obj_t a, hwloc_obj_t b) { return hwloc_bitmap_isequal(a->cpuset, b->cpuset) != 0; }

/// What an XML says about a machine, as changes to a base.
class Reader {
 public:
  Reader(const std::filesystem::path& file, const Machine& base) : file_(file), base_(base), xml_(file) {
    if (const std::string cpus = xml_.missing_cpus(); !cpus.empty()) {
      missing_ = fmt::format("CPUs {} are not in the file (offline or disallowed)", cpus);
      notes_.push_back(missing_ + ": this is the machine without them.");
    }
    read_kinds();
    read_shape();
    read_model();
    read_private_cache("l1d", HWLOC_OBJ_L1CACHE, base_.l1d);
    read_private_cache("l2", HWLOC_OBJ_L2CACHE, base_.l2);
    read_l3();
    read_ring();
    read_nodes();
    read_links();
  }

  const std::vector<MachineOverride>& changes() const { return changes_; }
  /// Where a value comes from.
  std::string source(const std::string& key) const {
    const auto at = sources_.find(key);
    return at == sources_.end() ? fmt::format("guess: from the base {}", plain(base_.name)) : at->second;
  }
  /// What no single value can say.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void give(const std::string& key, const std::string& value, hwloc_obj_t from, const std::string& source) {
    changes_.push_back({key, value, fmt::format("{}: {}", file_.string(), name_of(from))});
    sources_[key] = source;
  }
  void give(const std::string& key, std::uint64_t value, hwloc_obj_t from, const std::string& source) {
    give(key, fmt::format("{}", value), from, source);
  }

  [[noreturn]] void fail(hwloc_obj_t at, const std::string& found, std::string_view expected) const {
    fail_input(fmt::format("{}: {}", file_.string(), name_of(at)),
               missing_.empty() ? found : fmt::format("{} ({})", found, missing_), expected);
  }

  /// How many objects of `type` each holder has, all alike.
  std::size_t count_in_each(const Objects& holders, hwloc_obj_type_t type) const {
    const char* what = hwloc_obj_type_string(type);
    const std::size_t each = xml_.objects(type, holders.front()).size();
    if (each == 0) fail(holders.front(), fmt::format("no {} in it", what), "at least one");
    for (const hwloc_obj_t holder : holders) {
      const std::size_t own = xml_.objects(type, holder).size();
      if (own == each) continue;
      fail(holder, fmt::format("{} {} objects", own, what), fmt::format("{} as in {}", each, name_of(holders.front())));
    }
    if (each * holders.size() != static_cast<std::size_t>(xml_.count(type))) {
      fail(xml_.machine(), fmt::format("{} {} objects", xml_.count(type), what),
           fmt::format("all in a {}", hwloc_obj_type_string(holders.front()->type)));
    }
    return each;
  }

  void read_kinds() const {
    const std::vector<HwlocXml::CpuKind> kinds = xml_.cpu_kinds();
    if (kinds.size() < 2) return;
    std::vector<std::string> texts;
    for (const auto& [cpus, infos] : kinds) {
      texts.push_back("CPUs " + cpus);
      for (const auto& [name, value] : infos) texts.back() += fmt::format(" {} {}", name, value);
    }
    fail(xml_.machine(), fmt::format("{} kinds of cores: {}", kinds.size(), fmt::join(texts, "; ")),
         "cores of one kind");
  }

  void read_shape() {
    packages_ = xml_.objects(HWLOC_OBJ_PACKAGE, xml_.machine());
    if (packages_.empty()) fail(xml_.machine(), "no Package", "packages: they say which cores share a socket");
    cores_ = xml_.objects(HWLOC_OBJ_CORE, xml_.machine());
    cores_per_socket_ = static_cast<int>(count_in_each(packages_, HWLOC_OBJ_CORE));
    give("shape.sockets", packages_.size(), xml_.machine(), "XML: Package objects");
    give("shape.cores_per_socket", cores_.size() / packages_.size(), packages_.front(),
         "XML: Core objects of each Package");
    give("shape.threads_per_core", count_in_each(cores_, HWLOC_OBJ_PU), cores_.front(), "XML: PU objects of each Core");
  }

  void read_model() {
    const std::string model = xml_.info(packages_.front(), "CPUModel");
    for (const hwloc_obj_t package : packages_) {
      const std::string other = xml_.info(package, "CPUModel");
      if (other == model) continue;
      fail(package, fmt::format("CPUModel '{}'", other), fmt::format("'{}' as in {}", model, name_of(packages_[0])));
    }
    give("description",
         fmt::format("\"{} x {}, imported from {}; guesses from {}\"", packages_.size(),
                     model.empty() ? "socket" : model, plain(file_.filename().string()), plain(base_.name)),
         xml_.machine(), "");
    const std::string architecture = xml_.info(xml_.machine(), "Architecture");
    if (!architecture.empty() && architecture != "x86_64" && architecture != "amd64") {
      notes_.push_back(fmt::format("Architecture {}: the model's cores are x86.", architecture));
    }
    read_clock(model);
  }

  /// The nominal clock: the only one among the infos of a kind that is not a limit, else what the model's name ends in.
  void read_clock(const std::string& model) {
    for (const HwlocXml::CpuKind& kind : xml_.cpu_kinds()) {
      for (const auto& [name, value] : kind.infos) {
        if (name == "FrequencyBaseMHz") return give("clock.core_mhz", value, xml_.machine(), "XML: " + name);
      }
    }
    const std::size_t at = model.rfind("@ ");
    if (at == std::string::npos) return;
    double ghz = 0;
    const char* const end = std::from_chars(model.data() + at + 2, model.data() + model.size(), ghz).ptr;
    if (std::string_view(end) != "GHz") return;
    give("clock.core_mhz", fmt::format("{}", std::llround(ghz * 1000)), packages_.front(), "XML: CPUModel");
  }

  /// The first holder's cache, if each has one for itself and all are alike; null if the file has no cache of this type.
  hwloc_obj_t cache_of_each(const Objects& holders, hwloc_obj_type_t type) const {
    if (xml_.count(type) == 0) return nullptr;
    const char* what = hwloc_obj_type_string(type);
    const std::string expected =
        fmt::format("one {} for each {}, as the model has it", what, hwloc_obj_type_string(holders.front()->type));
    const hwloc_obj_t first = xml_.first_at(holders.front(), type);
    for (const hwloc_obj_t holder : holders) {
      const hwloc_obj_t cache = xml_.first_at(holder, type);
      if (cache == nullptr) fail(holder, fmt::format("no {}", what), expected);
      if (!same_cpus(cache, holder)) {
        const std::string cpus = list_of(cache->cpuset);
        fail(holder, fmt::format("it has CPUs {}, {} has {}", list_of(holder->cpuset), name_of(cache), cpus), expected);
      }
      const auto text = [](hwloc_obj_t object) {
        const auto& a = object->attr->cache;
        return fmt::format("{} bytes in {} ways and lines of {} bytes", a.size, a.associativity, a.linesize);
      };
      if (text(cache) != text(first)) fail(cache, text(cache), text(first) + " as in " + name_of(first));
    }
    const auto& cache = first->attr->cache;
    if (cache.linesize != 0 && cache.linesize != 64)
      fail(first, fmt::format("lines of {} bytes", cache.linesize), "64");
    if (cache.size % 1024 != 0) fail(first, fmt::format("{} bytes", cache.size), "whole KiB");
    return first;
  }

  void give_ways(const std::string& key, hwloc_obj_t cache, std::uint64_t kib, int base_ways) {
    int ways = cache->attr->cache.associativity;
    if (ways > 0)
      return give(key, static_cast<std::uint64_t>(ways), cache,
                  fmt::format("XML: {}", hwloc_obj_type_string(cache->type)));
    ways = base_ways;  // unknown, or fully associative, which the model has not
    while (kib * 16 % static_cast<std::uint64_t>(ways) != 0) --ways;
    if (ways == base_ways) return;
    give(key, static_cast<std::uint64_t>(ways), cache, fmt::format("guess: the base's {}, made to fit", base_ways));
  }

  void read_private_cache(const std::string& table, hwloc_obj_type_t type, const CacheGeometry& base) {
    const hwloc_obj_t cache = cache_of_each(cores_, type);
    const std::uint64_t kib = cache == nullptr ? 0 : cache->attr->cache.size / 1024;
    if (kib == 0) return;
    give(table + ".kib", kib, cache, fmt::format("XML: {}", hwloc_obj_type_string(type)));
    give_ways(table + ".ways", cache, kib, base.ways);
  }

  void read_l3() {
    for (const hwloc_obj_type_t type : {HWLOC_OBJ_L4CACHE, HWLOC_OBJ_L5CACHE, HWLOC_OBJ_MEMCACHE}) {
      if (xml_.count(type) == 0) continue;
      fail(xml_.machine(), fmt::format("{} objects", hwloc_obj_type_string(type)), "no cache behind the L3");
    }
    const hwloc_obj_t l3 = cache_of_each(packages_, HWLOC_OBJ_L3CACHE);
    if (l3 == nullptr && xml_.count(HWLOC_OBJ_L2CACHE) != 0) {
      fail(packages_.front(), "no L3Cache", "one for each Package, as the model has it");
    }
    auto slices = static_cast<std::uint64_t>(
        std::max(1, cores_per_socket_ * base_.l3_slices_per_socket / base_.cores_per_socket));
    std::string source =
        fmt::format("guess: the base has {} for {} cores", base_.l3_slices_per_socket, base_.cores_per_socket);
    const std::uint64_t kib = l3 == nullptr ? 0 : l3->attr->cache.size / 1024;
    if (kib != 0) {
      const auto ways = static_cast<std::uint64_t>(std::max(1, l3->attr->cache.associativity));
      const auto fits = [&](std::uint64_t n) { return kib % n == 0 && kib / n * 16 % ways == 0; };
      if (!fits(slices)) source += ", made to divide the L3";
      while (slices > 1 && !fits(slices)) --slices;
      give("l3.slice_kib", kib / slices, l3, fmt::format("XML: L3Cache of {} KiB, divided by the slices", kib));
      give_ways("l3.ways", l3, kib / slices, base_.l3_slice.ways);
      if (xml_.info(l3, "Inclusive") == "0") notes_.emplace_back("The L3 is not inclusive; the model's is.");
    }
    give("l3.slices_per_socket", slices, packages_.front(), source);
  }

  void read_ring() {
    int columns = base_.ring_columns;
    while (columns > 1 && cores_per_socket_ % columns != 0) --columns;
    if (columns == base_.ring_columns) return;
    give("interconnect.ring_columns", static_cast<std::uint64_t>(columns), packages_.front(),
         fmt::format("guess: the base's {} do not divide the cores", base_.ring_columns));
  }

  /// The NUMA node of each package; none if a single node spans them all.
  void read_nodes() {
    const Objects all = xml_.objects(HWLOC_OBJ_NUMANODE, xml_.machine());
    if (all.size() == 1 && packages_.size() > 1 && same_cpus(all.front(), xml_.machine())) {
      notes_.emplace_back("One NUMA node spans all sockets; the model's memory and home agents stand in each of them.");
      return;
    }
    const auto memory = [](hwloc_obj_t node) { return node->attr->numanode.local_memory; };
    const bool known = std::any_of(all.begin(), all.end(), memory);
    for (const hwloc_obj_t package : packages_) {
      std::vector<std::string> found;
      bool fits = false;
      for (const hwloc_obj_t node : all) {
        if (hwloc_bitmap_intersects(node->cpuset, package->cpuset) == 0) continue;
        const bool empty = known && memory(node) == 0;
        fits = found.empty() && !empty && same_cpus(node, package);
        const std::string cpus = list_of(node->cpuset);
        found.push_back(fmt::format("{} for CPUs {}{}", name_of(node), cpus, empty ? " without memory" : ""));
        nodes_.push_back(node);
      }
      if (fits) continue;
      fail(package, found.empty() ? "no NUMANode" : fmt::format("{}", fmt::join(found, ", ")),
           fmt::format("one NUMANode with memory for CPUs {}, as every socket of the model has its own",
                       list_of(package->cpuset)));
    }
  }

  void read_links() {
    const auto sockets = static_cast<int>(packages_.size());
    if (base_.qpi_gigatransfers == 0) {  // it has no [qpi]
      if (sockets == 1) return;
      fail(xml_.machine(), fmt::format("{} Package objects", sockets),
           fmt::format("one, or another base, as {} has no QPI", base_.name));
    }
    std::vector<std::pair<int, int>> links;
    std::string source = "XML: one Package";
    if (const auto distances = sockets == 1 ? std::nullopt : xml_.distances(nodes_)) {
      links = links_of_distances(*distances, file_.string());
      source = "XML: distances of the NUMANodes, the nearest linked";
    } else if (sockets > 1) {
      if (sockets == base_.sockets) return;
      for (int a = 0; a < sockets; ++a) {
        for (int b = a + 1; b < sockets; ++b) links.emplace_back(a, b);
      }
      source = "guess: all pairs, as the XML has no distances and the base other sockets";
    }
    std::vector<std::string> pairs;
    for (const auto& [a, b] : links) pairs.push_back(fmt::format("[{}, {}]", a, b));
    give("qpi.links", fmt::format("[{}]", fmt::join(pairs, ", ")), xml_.machine(), source);
  }

  std::filesystem::path file_;
  const Machine& base_;
  HwlocXml xml_;
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

std::string import_hwloc(const std::filesystem::path& xml, std::string_view base_name) {
  const Machine base = load_machine(base_name);
  const Reader reader(xml, base);
  load_machine(base_name, reader.changes());  // throws where the machine cannot be described
  TomlTable machine = TomlTable::load(machine_path(base_name));
  for (const MachineOverride& change : reader.changes()) machine.set(change.key, change.value, change.where);

  std::string text = fmt::format(
      "# Imported from {}, which says what is marked XML. A guess is a number of another machine or made to fit.\n",
      plain(xml.filename().string()));
  for (const std::string& note : reader.notes()) text += fmt::format("# {}\n", note);
  text += '\n';
  const auto line = [&](const std::string& table, const std::string& key, const TomlValue& value) {
    const std::string source = reader.source(table + key);
    const std::string pair = fmt::format("{} = {}", key, toml_of(value));
    text += source.empty() ? pair + '\n' : fmt::format("{:<23} # {}\n", pair, source);
  };
  for (const std::string& key : machine.keys()) {
    const TomlValue& value = machine.value(key);
    if (value.kind != TomlValue::Kind::kTable) {
      line("", key, value);
      continue;
    }
    text += fmt::format("\n[{}]\n", key);
    for (const TomlEntry& entry : value.entries) line(key + '.', entry.key, entry.value);
  }
  return text;
}

}  // namespace linebounce

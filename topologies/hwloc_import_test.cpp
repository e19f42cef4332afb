// SPDX-License-Identifier: Apache-2.0
#include "topologies/hwloc_import.hpp"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "topologies/load_machine.hpp"
#include "topologies/machine_fields.hpp"

namespace linebounce {
namespace {

namespace fs = std::filesystem;

/// A machine that hwloc makes up, and the XML that lstopo would write there.
class MadeUp {
 public:
  explicit MadeUp(const char* synthetic)
      : MadeUp([&](hwloc_topology_t t) { hwloc_topology_set_synthetic(t, synthetic); }) {}

  std::string xml(unsigned long flags = 0) const {
    char* text = nullptr;
    int length = 0;
    hwloc_topology_export_xmlbuffer(topology_.get(), &text, &length, flags);
    std::string xml(text);
    hwloc_free_xmlbuffer(topology_.get(), text);
    return xml;
  }
  std::string old_xml() const { return xml(HWLOC_TOPOLOGY_EXPORT_XML_FLAG_V1); }

  /// `values` row by row; the nodes' order is theirs.
  MadeUp& distances(std::vector<hwloc_uint64_t> values) {
    std::vector<hwloc_obj_t> nodes;
    while (hwloc_obj_t node = hwloc_get_next_obj_by_type(topology_.get(), HWLOC_OBJ_NUMANODE,
                                                         nodes.empty() ? nullptr : nodes.back())) {
      nodes.push_back(node);
    }
    const unsigned long kind = HWLOC_DISTANCES_KIND_MEANS_LATENCY | HWLOC_DISTANCES_KIND_FROM_USER;
    const hwloc_distances_add_handle_t handle = hwloc_distances_add_create(topology_.get(), "NUMALatency", kind, 0);
    hwloc_distances_add_values(topology_.get(), handle, static_cast<unsigned>(nodes.size()), nodes.data(),
                               values.data(), 0);
    hwloc_distances_add_commit(topology_.get(), handle, 0);
    return *this;
  }

  /// The CPUs of `cpus` ("0-3") are of a kind of their own.
  MadeUp& kind(const char* cpus, const char* name, const char* value) {
    hwloc_info_s info{const_cast<char*>(name), const_cast<char*>(value)};
    hwloc_cpukinds_register(topology_.get(), set(cpus).get(), -1, 1, &info, 0);
    return *this;
  }

  MadeUp& info(hwloc_obj_type_t type, const char* name, const char* value) {
    hwloc_obj_t object = nullptr;
    while ((object = hwloc_get_next_obj_by_type(topology_.get(), type, object)) != nullptr) {
      hwloc_obj_add_info(object, name, value);
    }
    return *this;
  }
  MadeUp& cpu_model(const char* name) { return info(HWLOC_OBJ_PACKAGE, "CPUModel", name); }

  /// Only these are allowed to whoever runs lstopo.
  MadeUp& allow(const char* cpus) {
    hwloc_topology_allow(topology_.get(), set(cpus).get(), nullptr, HWLOC_ALLOW_FLAG_CUSTOM);
    return *this;
  }

  /// All other nodes are gone, their CPUs are not.
  MadeUp& only_nodes(const char* nodes) {
    hwloc_topology_restrict(topology_.get(), set(nodes).get(), HWLOC_RESTRICT_FLAG_BYNODESET);
    return *this;
  }

  /// What lstopo sees of it unless it is asked for what is disallowed too.
  MadeUp without_disallowed() const {
    const std::string text = xml();
    return MadeUp([&](hwloc_topology_t t) {
      hwloc_topology_set_flags(t, 0);
      hwloc_topology_set_xmlbuffer(t, text.c_str(), static_cast<int>(text.size() + 1));
    });
  }

 private:
  using Bitmap = std::unique_ptr<hwloc_bitmap_s, decltype(&hwloc_bitmap_free)>;
  static Bitmap set(const char* numbers) {
    Bitmap bitmap(hwloc_bitmap_alloc(), &hwloc_bitmap_free);
    hwloc_bitmap_list_sscanf(bitmap.get(), numbers);
    return bitmap;
  }

  explicit MadeUp(const std::function<void(hwloc_topology_t)>& prepare) : topology_(nullptr, &hwloc_topology_destroy) {
    hwloc_topology_t raw = nullptr;
    hwloc_topology_init(&raw);
    topology_.reset(raw);
    hwloc_topology_set_flags(raw, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
    prepare(raw);
    if (hwloc_topology_load(raw) != 0) throw std::invalid_argument("hwloc cannot make this machine up");
  }

  std::unique_ptr<hwloc_topology, decltype(&hwloc_topology_destroy)> topology_;
};

const char* const kTwoSockets = "pack:2 [numa] l3:1(size=12582912) core:6 l2:1(size=262144) l1d:1(size=32768) pu:2";
const char* const kFourSockets = "pack:4 [numa] l3:1(size=12582912) core:6 l2:1(size=262144) l1d:1(size=32768) pu:2";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

std::string last_replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.rfind(from), from.size(), to);
}

class HwlocImport : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("hwloc_import_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const char* name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::string text_of(const std::string& xml, std::string_view base = "westmere-ep-2s") const {
    return import_hwloc(write("m.xml", xml), base);
  }
  Machine machine_of(const std::string& xml, std::string_view base = "westmere-ep-2s") const {
    return load_machine(write("m.toml", text_of(xml, base)).string());
  }
  /// Without the folder.
  std::string error_of(const std::string& xml) const {
    try {
      text_of(xml);
    } catch (const InputError& error) {
      return replaced(error.what(), folder_.string() + "/", "");
    }
    return "no error";
  }

  fs::path folder_;
};

TEST_F(HwlocImport, WhatTheXmlSaysIsTheMachine) {
  const Machine machine = machine_of(MadeUp(kFourSockets)
                                         .distances({10, 16, 22, 16,  //
                                                     16, 10, 16, 22,  //
                                                     22, 16, 10, 16,  //
                                                     16, 22, 16, 10})
                                         .cpu_model("Some CPU @ 2.40GHz")
                                         .xml());
  EXPECT_EQ(machine.description, "4 x Some CPU @ 2.40GHz, imported from m.xml; guesses from westmere-ep-2s");
  EXPECT_EQ(machine.sockets, 4);
  EXPECT_EQ(machine.cores_per_socket, 6);
  EXPECT_EQ(machine.threads_per_core, 2);
  EXPECT_EQ(machine.core_mhz, 2400);
  EXPECT_EQ(machine.l1d.kib, 32);
  EXPECT_EQ(machine.l2.kib, 256);
  EXPECT_EQ(machine.l3_slices_per_socket, 6);
  EXPECT_EQ(machine.l3_slice.kib, 2048);
  EXPECT_EQ(machine.qpi_links, (std::vector<std::pair<int, int>>{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
}

TEST_F(HwlocImport, WhatItDoesNotSayIsTheBases) {
  const Machine base = load_machine("ivybridge-ex-4s");
  const Machine machine = machine_of(MadeUp("pack:4 core:15 pu:2").xml(), "ivybridge-ex-4s");
  for (const MachineField& field : machine_fields()) {
    EXPECT_EQ(value_text(field, machine), value_text(field, base)) << field.table << "." << field.key;
  }
  EXPECT_EQ(machine.qpi_links, base.qpi_links);
  EXPECT_EQ(machine.core.name, base.core.name);
}

TEST_F(HwlocImport, EveryValueSaysWhetherItIsFromTheXmlOrAGuess) {
  std::istringstream lines(text_of(MadeUp(kTwoSockets).xml()));
  std::vector<std::string> from_xml;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" = ");
    if (equals == std::string::npos || line.starts_with("description")) continue;
    if (line.find("# XML") != std::string::npos) {
      from_xml.push_back(line.substr(0, equals));
    } else {
      EXPECT_NE(line.find("# guess: "), std::string::npos) << line;
    }
  }
  EXPECT_EQ(from_xml,
            (std::vector<std::string>{"sockets", "cores_per_socket", "threads_per_core", "kib", "kib", "slice_kib"}));
}

TEST_F(HwlocImport, TheFormOfHwlocOneGivesTheSame) {
  MadeUp made_up(kFourSockets);
  made_up.distances({10, 20, 20, 20, 20, 10, 20, 20, 20, 20, 10, 20, 20, 20, 20, 10});
  EXPECT_NE(made_up.old_xml(), made_up.xml());
  EXPECT_EQ(text_of(made_up.old_xml()), text_of(made_up.xml()));
}

TEST_F(HwlocImport, TheWaysOfACacheComeFromTheXmlIfItKnowsThem) {
  const std::string xml = MadeUp(kTwoSockets).xml();
  const std::string l2 = R"(cache_size="262144" depth="2" cache_linesize="64" cache_associativity=)";
  EXPECT_EQ(machine_of(replaced(xml, l2 + "\"0\"", l2 + "\"16\"")).l2.ways, 16);
  EXPECT_EQ(machine_of(xml).l2.ways, 8);
  EXPECT_EQ(machine_of(replaced(xml, l2 + "\"0\"", l2 + "\"-1\"")).l2.ways, 8);
  EXPECT_EQ(machine_of(replaced(xml, "cache_size=\"262144\"", "cache_size=\"5120\"")).l2.ways, 8);
  const std::string odd = text_of(replaced(xml, "cache_size=\"262144\"", "cache_size=\"1024\""), "westmere-ex-4s");
  EXPECT_NE(odd.find("ways = 8                # guess: from the base westmere-ex-4s"), std::string::npos) << odd;
}

TEST_F(HwlocImport, SlicesAreAsManyAsDivideTheL3) {
  // 10 MiB over 6 cores: 6 slices would not be whole KiB.
  const std::string xml = replaced(MadeUp(kTwoSockets).xml(), "cache_size=\"12582912\"", "cache_size=\"10485760\"");
  EXPECT_EQ(machine_of(xml).l3_slices_per_socket, 5);
  EXPECT_EQ(machine_of(xml).l3_slice.kib, 2048);
  EXPECT_NE(text_of(xml).find("guess: the base has 6 for 6 cores, made to divide the L3"), std::string::npos);
  // 24 ways do not divide 2 MiB.
  EXPECT_EQ(machine_of(xml, "westmere-ex-4s").l3_slice.ways, 16);
}

TEST_F(HwlocImport, TheRingsColumnsAreMadeToFit) {
  EXPECT_EQ(machine_of(MadeUp("pack:2 core:8 pu:2").xml(), "ivybridge-ex-4s").ring_columns, 2);
  EXPECT_EQ(machine_of(MadeUp("pack:2 core:7 pu:2").xml(), "ivybridge-ex-4s").ring_columns, 1);
  EXPECT_EQ(machine_of(MadeUp("pack:2 core:7 pu:2").xml(), "westmere-ep-2s").ring_columns, 0);
}

TEST_F(HwlocImport, WithoutDistancesSocketsAreLinkedAsInTheBaseOrAllToAll) {
  EXPECT_EQ(machine_of(MadeUp("pack:8 [numa] core:2 pu:1").xml(), "westmere-ex-8s").qpi_links.size(), 12U);
  EXPECT_EQ(machine_of(MadeUp("pack:3 [numa] core:2 pu:1").xml(), "westmere-ex-8s").qpi_links.size(), 3U);
  EXPECT_EQ(machine_of(MadeUp("pack:1 [numa] core:2 pu:1").xml(), "westmere-ex-8s").qpi_links.size(), 0U);
  EXPECT_NE(text_of(MadeUp("pack:3 [numa] core:2 pu:1").xml()).find("# guess: all pairs"), std::string::npos);
}

TEST_F(HwlocImport, ABaseWithoutQpiGivesMachinesOfOneSocket) {
  EXPECT_EQ(machine_of(MadeUp("pack:1 [numa] core:4 pu:2").xml(), "ivybridge-4c").sockets, 1);
  EXPECT_EQ(text_of(MadeUp("pack:1 [numa] core:4 pu:2").xml(), "ivybridge-4c").find("[qpi]"), std::string::npos);
  try {
    text_of(MadeUp(kTwoSockets).xml(), "ivybridge-4c");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("2 Package objects, expected one, or another base"), std::string::npos)
        << error.what();
  }
}

TEST_F(HwlocImport, TheNominalClockIsTheKindsOrInTheCpusName) {
  const char* const machine = "pack:2 [numa] core:2 pu:1";
  EXPECT_EQ(machine_of(MadeUp(machine).kind("0-3", "FrequencyBaseMHz", "3100").xml()).core_mhz, 3100);
  EXPECT_EQ(machine_of(MadeUp(machine).kind("0-3", "FrequencyMaxMHz", "3100").xml()).core_mhz, 2670);
  EXPECT_EQ(machine_of(MadeUp(machine).cpu_model("Intel(R) Xeon(R) CPU E7- 4870  @ 2.40GHz").old_xml()).core_mhz, 2400);
  EXPECT_EQ(machine_of(MadeUp(machine).cpu_model("CPU @ \"\\ \xc3\xa9").xml()).core_mhz, 2670);
}

TEST_F(HwlocImport, DisallowedCpusArePartOfTheMachineIfTheXmlHasThem) {
  MadeUp made_up("pack:2 [numa] core:2 pu:2");
  const std::string all = text_of(made_up.xml());
  EXPECT_EQ(text_of(made_up.allow("0-2").xml()), all);
}

TEST_F(HwlocImport, WhatRemainsWithoutMissingCpusIsTheMachineIfItIsEven) {
  const std::string xml = MadeUp("pack:2 [numa] core:2 pu:2").allow("0,2,4,6").without_disallowed().xml();
  EXPECT_EQ(machine_of(xml).threads_per_core, 1);
  EXPECT_NE(text_of(xml).find(
                "# CPUs 1,3,5,7 are not in the file (offline or disallowed): this is the machine without them.\n"),
            std::string::npos);
}

TEST_F(HwlocImport, WhatTheModelHasOtherwiseIsNoted) {
  EXPECT_NE(text_of(MadeUp("pack:2 core:2 pu:1").xml()).find("\n# One NUMA node spans all sockets"), std::string::npos);
  EXPECT_NE(text_of(MadeUp(kTwoSockets).info(HWLOC_OBJ_L3CACHE, "Inclusive", "0").xml())
                .find("\n# The L3 is not inclusive; the model's is.\n"),
            std::string::npos);
  EXPECT_NE(text_of(MadeUp(kTwoSockets).info(HWLOC_OBJ_MACHINE, "Architecture", "aarch64").xml())
                .find("\n# Architecture aarch64: the model's cores are x86.\n"),
            std::string::npos);
}

TEST_F(HwlocImport, WhatAMachineFileCannotSayIsAnErrorThatNamesTheObject) {
  const auto xml = [](const char* synthetic) { return MadeUp(synthetic).xml(); };
  const std::string two = xml(kTwoSockets);
  const struct {
    std::string xml;
    std::string error;
  } kCases[] = {
      // sub-NUMA groups, memory of two kinds, one node for two of four sockets
      {xml("pack:2 group:2 [numa] core:2 pu:1"),
       "Package L#0: NUMANode L#0 for CPUs 0-1, NUMANode L#1 for CPUs 2-3, expected one NUMANode with memory for CPUs "
       "0-3, "
       "as every socket of the model has its own"},
      {xml("pack:2 [numa] [numa] core:2 pu:1"),
       "Package L#0: NUMANode L#0 for CPUs 0-1, NUMANode L#1 for CPUs 0-1, expected"},
      {xml("numa:2 pack:2 core:2 pu:1"),
       "Package L#0: NUMANode L#0 for CPUs 0-3, expected one NUMANode with memory for CPUs 0-1"},
      // memory-less
      {MadeUp("pack:2 [numa] core:2 pu:1").only_nodes("0").xml(),
       "Package L#1: no NUMANode, expected one NUMANode with memory for CPUs 2-3, as every socket of the model has its "
       "own"},
      {last_replaced(xml("pack:2 [numa(memory=1GB)] core:2 pu:1"), "local_memory=\"1000000000\"", ""),
       "Package L#1: NUMANode L#1 for CPUs 2-3 without memory, expected one NUMANode with memory for CPUs 2-3"},
      // caches
      {xml("pack:2 [numa] l3:2 core:2 l2:1 l1d:1 pu:1"),
       "Package L#0: it has CPUs 0-3, L3Cache L#0 has 0-1, expected one L3Cache for each Package, as the model has it"},
      {xml("pack:2 [numa] l3:1 l2:2 core:2 l1d:1 pu:1"),
       "Core L#0: it has CPUs 0, L2Cache L#0 has 0-1, expected one L2Cache for"},
      {xml("pack:2 [numa] core:2 l2:1 l1d:1 pu:1"), "Package L#0: no L3Cache, expected one for each Package"},
      {xml("pack:2 [numa] l4:1 l3:1 core:2 l2:1 l1d:1 pu:1"),
       "Machine L#0: L4Cache objects, expected no cache behind the L3"},
      {replaced(two, "cache_linesize=\"64\"", "cache_linesize=\"128\""),
       "L1Cache L#0: lines of 128 bytes, expected 64"},
      {replaced(two, "cache_size=\"32768\"", "cache_size=\"1000\""), "L1Cache L#0: 1000 bytes, expected whole KiB"},
      {replaced(two, "cache_size=\"12582912\"", "cache_size=\"12582913024\""), "L3Cache L#0: slice_kib = "},
      {last_replaced(two, "cache_size=\"262144\"", "cache_size=\"524288\""),
       "L2Cache L#11: 524288 bytes in 0 ways and lines of 64 bytes, expected 262144 bytes in 0 ways and lines of 64 "
       "bytes as in L2Cache L#0"},
      // shape
      {last_replaced(MadeUp(kTwoSockets).cpu_model("One").xml(), "One", "Other"),
       "Package L#1: CPUModel 'Other', expected 'One' as in Package L#0"},
      {xml("core:4 pu:2"), "Machine L#0: no Package, expected packages: they say which cores share a socket"},
      {xml("pack:2 [numa] core:2 pu:4"), "Core L#0: threads_per_core = 4, expected a whole number from 1 to 2"},
      {xml("pack:2 [numa] core:72 pu:1"), "Package L#0: cores_per_socket = 72, expected a whole number from 1 to 64"},
      {xml("pack:8 [numa] core:64 pu:1"), "Package L#0: 512 cores in all, expected at most 256"},
      {xml("pack:2 [numa] pu:2"), "Package L#0: no Core in it, expected at least one"},
      // offline or disallowed CPUs
      {MadeUp("pack:2 [numa] core:2 pu:2").allow("0-6").without_disallowed().xml(),
       "Core L#3: 1 PU objects (CPUs 7 are not in the file (offline or disallowed)), expected 2 as in Core L#0"},
      {MadeUp("pack:2 [numa] core:2 pu:2").allow("0-5").without_disallowed().xml(),
       "Package L#1: 1 Core objects (CPUs 6-7 are not in the file (offline or disallowed)), expected 2 as in Package "
       "L#0"},
      // hybrid
      {MadeUp("pack:1 [numa] core:4 pu:1")
           .kind("0-1", "CoreType", "IntelCore")
           .kind("2-3", "CoreType", "IntelAtom")
           .xml(),
       "Machine L#0: 2 kinds of cores: CPUs 2-3 CoreType IntelAtom; CPUs 0-1 CoreType IntelCore, expected cores of one "
       "kind"},
  };
  for (const auto& [text, error] : kCases) EXPECT_EQ(error_of(text).substr(0, 7 + error.size()), "m.xml: " + error);
}

TEST_F(HwlocImport, DistancesThatLinksDoNotExplainAreAnError) {
  EXPECT_EQ(error_of(MadeUp("pack:2 [numa] core:2 pu:1").distances({10, 20, 21, 10}).xml()),
            "m.xml: distance 20 from socket 0 to 1, 21 back, expected the same both ways, as over links");
}

TEST_F(HwlocImport, WhatIsNoTopologyIsAnErrorOfOneLine) {
  const std::string unreadable = "m.xml: libhwloc cannot read it, expected a whole topology as lstopo writes it";
  const std::string xml = MadeUp("pack:1 core:1 pu:1").xml();
  for (std::size_t length = 0; length < xml.rfind("</topology>"); length += 97) {
    EXPECT_EQ(error_of(xml.substr(0, length)), unreadable) << length;
  }
  for (const std::string& text :
       {std::string("\0\x7f"
                    "ELF\xff",
                    6),
        std::string("<html></html>"), std::string("machine = 1\n"),
        // these two crash libhwloc 2.9 or make it print
        replaced(xml, "complete_cpuset", "complete_cpuse"), replaced(xml, "NUMANode", "Misc")}) {
    EXPECT_EQ(error_of(text), unreadable) << text;
  }
  EXPECT_THROW(import_hwloc(folder_ / "none.xml", "westmere-ep-2s"), InputError);
  EXPECT_THROW(import_hwloc(folder_, "westmere-ep-2s"), InputError);
  EXPECT_THROW(import_hwloc(write("m.xml", xml), "westmere"), InputError);
}

}  // namespace
}  // namespace linebounce

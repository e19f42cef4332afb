// SPDX-License-Identifier: Apache-2.0
#include "cpus/testing/run_record.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "topologies/load_machine.hpp"
#include "topologies/topology.hpp"

namespace linebounce::testing {

namespace {

using Named = std::pair<std::string_view, std::uint64_t>;

std::array<Named, 11> named(const ThreadCounters& c) {
  return {{{"loads", c.loads},
           {"stores", c.stores},
           {"cmpxchgs", c.cmpxchgs},
           {"failed cmpxchgs", c.failed_cmpxchgs},
           {"other LOCKed", c.other_locked},
           {"fences", c.fences},
           {"pauses", c.pauses},
           {"L1 hits", c.l1_hits},
           {"L2 hits", c.l2_hits},
           {"misses", c.misses},
           {"machine clears", c.machine_clears}}};
}

std::string differing_diary(const std::vector<Diary>& a, const std::vector<Diary>& b) {
  std::string first;
  Cycles earliest{std::int64_t{1} << 62};
  for (std::size_t task = 0; task < a.size(); ++task) {
    const auto& x = a[task].sights();
    const auto& y = b[task].sights();
    const std::size_t common = std::min(x.size(), y.size());
    std::size_t i = 0;
    while (i < common && x[i] == y[i]) ++i;
    if (i == common) {
      if (x.size() != y.size()) first += fmt::format("task {} noted {} and {} things; ", task, x.size(), y.size());
      continue;
    }
    if (std::min(x[i].at, y[i].at) >= earliest) continue;
    earliest = std::min(x[i].at, y[i].at);
    first = fmt::format("task {} entry {}: value 0x{:x} at {}, value 0x{:x} at {} ", task, i, x[i].value, x[i].at.count,
                        y[i].value, y[i].at.count);
  }
  return first;
}

std::string differing_accounts(const RunRecord& a, const RunRecord& b) {
  for (std::size_t t = 0; t < a.accounts.size(); ++t) {
    for (std::size_t p = 0; p < kPhases; ++p) {
      for (std::size_t c = 0; c < kCategories; ++c) {
        const std::int64_t x = a.accounts[t].cycles[p][c].count;
        const std::int64_t y = b.accounts[t].cycles[p][c].count;
        if (x != y) {
          return fmt::format("thread {} phase {}: {} has {} and {} cycles", t, kPhaseNames[p], kCategoryNames[c], x, y);
        }
      }
    }
    const auto x = named(a.counters[t]);
    const auto y = named(b.counters[t]);
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (x[i] != y[i]) return fmt::format("thread {} counts {} and {} {}", t, x[i].second, y[i].second, x[i].first);
    }
  }
  return {};
}

std::string differing_machine(const MachineCounters& a, const MachineCounters& b) {
  for (std::size_t k = 0; k < kMessageKinds; ++k) {
    if (a.messages[k] == b.messages[k]) continue;
    return fmt::format("{} and {} messages {}", a.messages[k], b.messages[k], name_of(static_cast<MessageKind>(k)));
  }
  if (a.link_bytes != b.link_bytes) return "bytes of a link";
  if (a.l3_hits != b.l3_hits || a.l3_misses != b.l3_misses) {
    return fmt::format("L3 hits {} and {}, misses {} and {}", a.l3_hits, b.l3_hits, a.l3_misses, b.l3_misses);
  }
  if (a.dram_reads != b.dram_reads || a.dram_writes != b.dram_writes) return "DRAM reads or writes";
  if (a.ownership_transfers != b.ownership_transfers) return "ownership transfers";
  return {};
}

}  // namespace

const Machine& shipped(std::string_view name) {
  static std::map<std::string, Machine, std::less<>> loaded;
  const auto found = loaded.find(name);
  if (found != loaded.end()) return found->second;
  return loaded.emplace(name, load_machine(name)).first->second;
}

const Topology& topology_of(const Machine& machine) {
  static std::map<std::string, Topology> built;
  const auto found = built.find(machine.name);
  if (found != built.end()) return found->second;
  return built.emplace(machine.name, Topology(machine)).first->second;
}

RunRecord run(const Machine& machine, const SystemOptions& options, const std::function<void(Plan&)>& make) {
  System system(machine, topology_of(machine), options);
  Plan plan(system);
  make(plan);
  if (plan.opens_window_) system.open_window(Cycles{0});
  RunRecord record;
  record.diaries.resize(plan.tasks_.size());
  for (std::size_t i = 0; i < plan.tasks_.size(); ++i) {
    system.spawn(plan.tasks_[i].thread, fmt::format("task[{}]", i),
                 [body = plan.tasks_[i].body, &diary = record.diaries[i]](SimCpu& cpu) { body(cpu, diary); });
  }
  system.run();
  record.digest = system.digest();
  record.messages = system.messages_delivered();
  record.operations = system.operations_completed();
  record.window = system.window_length();
  for (std::uint32_t t = 0; t < static_cast<std::uint32_t>(machine.threads()); ++t) {
    record.accounts.push_back(system.account({t}));
    record.counters.push_back(system.counters({t}));
  }
  record.machine = system.machine_counters();
  for (const auto& [address, bytes] : plan.peeks_) record.peeks.push_back(system.peek(address, bytes));
  return record;
}

std::string difference(const RunRecord& a, const RunRecord& b) {
  if (std::string text = differing_diary(a.diaries, b.diaries); !text.empty()) return text;
  if (a.window != b.window) return fmt::format("ends at {} and {}", a.window.count, b.window.count);
  if (std::string text = differing_accounts(a, b); !text.empty()) return text;
  if (std::string text = differing_machine(a.machine, b.machine); !text.empty()) return text;
  if (a.messages != b.messages) return fmt::format("{} and {} messages delivered", a.messages, b.messages);
  if (a.operations != b.operations) return fmt::format("{} and {} operations completed", a.operations, b.operations);
  if (a.peeks != b.peeks) return "final values differ";
  if (a.digest != b.digest) return "only the digests differ";
  return {};
}

std::string compare_variations(const Machine& machine, const SystemOptions& options,
                               const std::function<void(Plan&)>& make) {
  const RunRecord plain = run(machine, options, make);
  for (const Variation& variation : kVariations) {
    SystemOptions varied = options;
    variation.apply(varied);
    const std::string text = difference(plain, run(machine, varied, make));
    if (!text.empty()) return fmt::format("{}: {}", variation.name, text);
  }
  return {};
}

}  // namespace linebounce::testing

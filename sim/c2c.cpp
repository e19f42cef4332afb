// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/c2c_loads.hpp"
#include "sim/c2c_source.hpp"
#include "sim/run_pool.hpp"

namespace linebounce {
namespace {

void count_cycles(C2cCycles& cycles, LoadSource source, Cycles spent) {
  (source == LoadSource::kRmtHitm   ? cycles.rmt_hitm
   : source == LoadSource::kLclHitm ? cycles.lcl_hitm
                                    : cycles.load) += spent;
}

/// What the run itself has counted.
struct Check {
  std::uint64_t loads = 0, stores = 0, locked = 0, l1 = 0, l2 = 0, misses = 0;
  friend bool operator==(const Check&, const Check&) = default;
};

Check counted_by(const RunResult& run) {
  ThreadCounters all;
  for (const ThreadCounters& task : run.counters) all += task;
  return {all.loads, all.stores, all.cmpxchgs + all.other_locked, all.l1_hits, all.l2_hits, all.misses};
}

Check counted_by(const C2cCounts& c) {
  const std::uint64_t in_core =
      c.of(LoadSource::kStoreBuffer) + c.of(LoadSource::kFillBuffer) + c.of(LoadSource::kL1) + c.of(LoadSource::kL2);
  return {c.loads() - c.locked,  c.stores() - c.locked, c.locked,
          c.of(LoadSource::kL1), c.of(LoadSource::kL2), c.loads() - in_core};
}

std::string to_text(const Check& c) {
  return fmt::format("{} loads, {} stores, {} LOCKed operations, {} L1 hits, {} L2 hits, {} misses", c.loads, c.stores,
                     c.locked, c.l1, c.l2, c.misses);
}

}  // namespace

std::uint64_t C2cCounts::loads() const { return std::accumulate(by_source.begin(), by_source.end(), std::uint64_t{0}); }
std::uint64_t C2cCounts::stores() const {
  return std::accumulate(by_reference.begin(), by_reference.end(), std::uint64_t{0});
}
std::uint64_t C2cCounts::llc_misses() const {
  return of(LoadSource::kRmtHit) + of(LoadSource::kRmtHitm) + of(LoadSource::kLclDram) + of(LoadSource::kRmtDram);
}

C2cCounts& C2cCounts::operator+=(const C2cCounts& other) {
  for (std::size_t i = 0; i < by_source.size(); ++i) by_source[i] += other.by_source[i];
  for (std::size_t i = 0; i < by_reference.size(); ++i) by_reference[i] += other.by_reference[i];
  locked += other.locked;
  dram_exclusive += other.dram_exclusive;
  dram_shared += other.dram_shared;
  return *this;
}

C2cCycles& C2cCycles::operator+=(const C2cCycles& other) {
  rmt_hitm += other.rmt_hitm;
  lcl_hitm += other.lcl_hitm;
  load += other.load;
  return *this;
}

/// One recorded run on its way into the collector's lines.
class C2cCollector::Run {
 public:
  Run(const Recording& recording, std::map<LineKey, Line>& lines)
      : recording_(recording), lines_(lines), fetches_(recording), in_core_(recording) {}

  C2cCounts count() {
    for (const OperationRecord& o : recording_.operations) {
      if (o.end <= recording_.window_opened || o.end > recording_.window_closed) continue;
      if (o.kind == OpKind::kStore) count_store(o);
      for (const Load& load : loads_of(o)) count_load(o, load);
    }
    return all_;
  }

 private:
  Fetched fetched(const OperationRecord& o, Cycles begin, Cycles end) const {
    return fetches_.find(o.id, line_of(o.address), recording_.socket_of(o.thread), begin, end);
  }

  void count_load(const OperationRecord& o, const Load& load) {
    const Fetched found = load.hits_l1 ? Fetched{} : fetched(o, load.begin, load.end);
    const LoadSource source = found.asked ? found.source : in_core_.source(o, load);
    C2cCounts counts;
    counts.by_source[static_cast<std::size_t>(source)] = load.times;
    if (source == LoadSource::kLclDram || source == LoadSource::kRmtDram) {
      (found.exclusive ? counts.dram_exclusive : counts.dram_shared) = load.times;
    }
    if (o.kind == OpKind::kLocked) {
      counts.locked = 1;
      counts.by_reference[static_cast<std::size_t>(StoreReference::kL1Hit)] = 1;  // its load has just got the line
    }
    count_cycles(add(o, counts).cycles, source, in_core_.latency(load, source) * load.times);
  }

  void count_store(const OperationRecord& o) {
    StoreReference reference = StoreReference::kNotAvailable;
    if (const OperationRecord* c = in_core_.commit(o.id)) {
      const auto waits = [](const Segment& segment) { return segment.category == Category::kFillBuffer; };
      const bool misses = fetched(*c, c->begin, c->end).asked || std::ranges::any_of(c->segments, waits);
      reference = misses ? StoreReference::kL1Miss : StoreReference::kL1Hit;
    }
    C2cCounts counts;
    counts.by_reference[static_cast<std::size_t>(reference)] = 1;
    add(o, counts);
  }

  C2cAccess& add(const OperationRecord& o, const C2cCounts& counts) {
    Line& line = line_at(line_of(o.address));
    const unsigned offset = offset_in_line(o.address);
    const int task = recording_.task_of(o.thread);
    C2cAccess& access =
        line.accesses.try_emplace({offset, o.phase, task}, C2cAccess{offset, o.phase, task, {}, {}}).first->second;
    access.counts += counts;
    all_ += counts;
    return access;
  }

  Line& line_at(LineAddress line) {
    Line*& known = known_[line];
    if (known != nullptr) return *known;
    const Address begin{line.value * kLineBytes};
    const auto holds = [begin](const MemoryObject& object) {
      return object.begin <= begin && begin < object.begin + object.bytes;
    };
    const auto object = std::ranges::find_if(recording_.objects, holds);
    const bool named = object != recording_.objects.end();
    const LineKey key{object - recording_.objects.begin(), begin.value - (named ? object->begin.value : 0)};
    known = &lines_.try_emplace(key, Line{recording_.describe(line), recording_.home_of(line), {}}).first->second;
    return *known;
  }

  const Recording& recording_;
  std::map<LineKey, Line>& lines_;
  FetchIndex fetches_;
  InCore in_core_;
  std::map<LineAddress, Line*> known_;
  C2cCounts all_;
};

void C2cCollector::add(const RecordedRun& run) {
  tasks_.clear();
  for (const ThreadId thread : run.recording.placement) {
    tasks_.push_back({thread, run.recording.socket_of(thread)});
  }
  const Check here = counted_by(Run(run.recording, lines_).count());
  const Check there = counted_by(run.result);
  if (here != there) {
    throw BrokenModel(
        fmt::format("the shared-line report counts {}; the run has counted {}", to_text(here), to_text(there)));
  }
}

C2cPoint C2cCollector::finish() const {
  C2cPoint point;
  point.tasks = tasks_;
  point.touched_lines = lines_.size();
  for (const auto& [key, line] : lines_) {
    C2cLine out{line.name, line.home, {}, {}};
    bool several = false;
    for (const auto& [where, access] : line.accesses) {
      several = several || access.task != line.accesses.begin()->second.task;
      out.counts += access.counts;
      out.accesses.push_back(access);
    }
    point.counts += out.counts;
    if (!several) continue;
    point.lines.push_back(std::move(out));
  }
  std::ranges::stable_sort(point.lines, [](const C2cLine& a, const C2cLine& b) {
    return std::pair(a.counts.hitms(), a.counts.records()) > std::pair(b.counts.hitms(), b.counts.records());
  });
  return point;
}

std::vector<C2cOffset> by_offset(const C2cLine& line) {
  std::vector<C2cOffset> out;
  for (const C2cAccess& access : line.accesses) {
    if (out.empty() || out.back().offset != access.offset || out.back().phase != access.phase) {
      out.push_back({access.offset, access.phase, {}, {}, {}});
    }
    out.back().tasks.push_back(access.task);
    out.back().counts += access.counts;
    out.back().cycles += access.cycles;
  }
  return out;
}

C2cReport run_c2c(const Scenario& scenario, const Plan& plan, bool progress) {
  C2cReport report;
  C2cCollector collector;
  std::size_t runs = 0;
  PoolOptions options;  // one process: the runs come in the order of points, then seeds
  options.progress = progress;
  options.run = [&](const Experiment& experiment) {
    const Point& point = plan.points[runs / plan.seeds.size()];
    RecordedRun run = record_run(experiment, point.machine, point.topology);
    collector.add(run);
    if (++runs % plan.seeds.size() == 0) {
      report.points.push_back(collector.finish());
      collector = {};
    }
    return std::move(run.result);
  };
  report.results = run_plan(scenario, plan, options);
  return report;
}

}  // namespace linebounce

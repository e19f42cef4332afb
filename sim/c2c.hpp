// SPDX-License-Identifier: Apache-2.0
// Who shares which cache line, and what that costs: what `perf c2c` estimates from samples, counted exactly from recorded
// runs. Only operations that end in the measured window count. docs/c2c.md says what every column means.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/recording.hpp"
#include "sim/results.hpp"
#include "sim/scenario_plan.hpp"

namespace linebounce {

inline constexpr std::string_view kC2cSchema = "linebounce.c2c/1";

/// Where a load found its data; exactly one of these for every load.
enum class LoadSource : std::uint8_t {
  kStoreBuffer,
  kFillBuffer,  ///< no request of its own: it waited in its core for another one's line
  kL1,
  kL2,
  kLlcHit,   ///< the L3 of its socket; no core of the socket had modified the line
  kLclHitm,  ///< another core of its socket had modified it
  kRmtHit,   ///< another socket, unmodified
  kRmtHitm,  ///< another socket, modified
  kLclDram,
  kRmtDram,
  kCount
};
inline constexpr std::size_t kLoadSources = static_cast<std::size_t>(LoadSource::kCount);

/// Where a store found its line when it came to be written.
enum class StoreReference : std::uint8_t { kL1Hit, kL1Miss, kNotAvailable, kCount };

/// Loads and stores. A LOCKed operation is one of each.
struct C2cCounts {
  std::array<std::uint64_t, kLoadSources> by_source{};
  std::array<std::uint64_t, static_cast<std::size_t>(StoreReference::kCount)> by_reference{};
  std::uint64_t locked = 0;          ///< LOCKed operations
  std::uint64_t dram_exclusive = 0;  ///< loads from DRAM: nobody else had the line
  std::uint64_t dram_shared = 0;     ///< loads from DRAM: other sockets have it too

  std::uint64_t of(LoadSource source) const { return by_source[static_cast<std::size_t>(source)]; }
  std::uint64_t of(StoreReference reference) const { return by_reference[static_cast<std::size_t>(reference)]; }
  std::uint64_t loads() const;
  std::uint64_t stores() const;
  std::uint64_t records() const { return loads() + stores(); }
  std::uint64_t hitms() const { return of(LoadSource::kLclHitm) + of(LoadSource::kRmtHitm); }
  /// Loads that the L3 of their socket could not serve.
  std::uint64_t llc_misses() const;
  C2cCounts& operator+=(const C2cCounts& other);
};

/// How long loads took: from their beginning to their value; of LOCKed operations from when older stores had left.
struct C2cCycles {
  Cycles rmt_hitm;
  Cycles lcl_hitm;
  Cycles load;  ///< all others
  C2cCycles& operator+=(const C2cCycles& other);
};

/// What one task did at one offset of a line in one phase of its algorithm.
struct C2cAccess {
  unsigned offset = 0;
  Phase phase = Phase::kNone;
  int task = 0;
  C2cCounts counts;
  C2cCycles cycles;
};

struct C2cLine {
  std::string name;  ///< "lock", "nodes+0x40"
  SocketId home;
  C2cCounts counts;
  std::vector<C2cAccess> accesses;  ///< by offset, phase, task
};

/// The same, of all tasks together.
struct C2cOffset {
  unsigned offset = 0;
  Phase phase = Phase::kNone;
  std::vector<int> tasks;
  C2cCounts counts;
  C2cCycles cycles;
};
std::vector<C2cOffset> by_offset(const C2cLine& line);

/// Where a task runs.
struct C2cTask {
  ThreadId thread;
  SocketId node;
};

/// One point of a sweep, all its seeds together.
struct C2cPoint {
  std::vector<C2cTask> tasks;
  C2cCounts counts;               ///< of all lines
  std::size_t touched_lines = 0;  ///< by anybody
  std::vector<C2cLine> lines;     ///< those that several tasks touched; most HITMs first, then most records
};

/// Adds recorded runs of one point up. A line of one seed is that of another seed if it is the same of the same object,
/// wherever the seeds put it.
class C2cCollector {
 public:
  /// Throws BrokenModel if what was counted is not what the run itself has counted.
  void add(const RecordedRun& run);
  C2cPoint finish() const;

 private:
  using LineKey = std::pair<std::size_t, std::uint64_t>;  ///< object, line in it
  using AccessKey = std::tuple<unsigned, Phase, int>;
  struct Line {
    std::string name;
    SocketId home;
    std::map<AccessKey, C2cAccess> accesses;
  };
  class Run;

  std::map<LineKey, Line> lines_;
  std::vector<C2cTask> tasks_;
};

/// What `run --c2c` shows.
struct C2cReport {
  Results results;               ///< of the same runs
  std::vector<C2cPoint> points;  ///< of results.points
};

/// Runs and records every seed of every point, one after the other; only one recording is kept at a time.
C2cReport run_c2c(const Scenario& scenario, const Plan& plan, bool progress);

}  // namespace linebounce

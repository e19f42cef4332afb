// SPDX-License-Identifier: Apache-2.0
#include "sim/c2c_columns.hpp"

namespace linebounce {
namespace {

using Counts = C2cCounts;
using From = LoadSource;

template <From kSource>
std::uint64_t from(const Counts& c) {
  return c.of(kSource);
}
template <StoreReference kReference>
std::uint64_t to(const Counts& c) {
  return c.of(kReference);
}

// clang-format off
constexpr C2cColumn kColumns[] = {
    {"records", "Total records", "Total", "records", "loads and stores",
     [](const Counts& c) { return c.records(); }},
    {"locked", "Locked Load/Store Operations", "", "",
     "LOCKed operations (CMPXCHG, XCHG, XADD, BTS), failed ones too; each is one load and one store of the records",
     [](const Counts& c) { return c.locked; }},
    {"loads", "Load Operations", "Total", "Loads", "loads, every one of a spin loop's, and LOCKed operations; no prefetches",
     [](const Counts& c) { return c.loads(); }},
    {"load_fb", "Load Fill Buffer Hit", "Core Load Hit", "FB",
     "loads that made no request: they waited in their core for the line of an older miss, or for a sibling's LOCKed operation",
     from<From::kFillBuffer>},
    {"load_sb", "Load Store Buffer Hit", "Core Load Hit", "SB",
     "loads whose value came from the own store buffer; perf has no such row",
     from<From::kStoreBuffer>},
    {"load_l1", "Load L1D hit", "Core Load Hit", "L1", "loads that the own L1 served at once", from<From::kL1>},
    {"load_l2", "Load L2D hit", "Core Load Hit", "L2", "loads that the own L2 served", from<From::kL2>},
    {"llc_hit", "Load LLC hit", "LLC Load Hit", "LlcHit",
     "loads that left the core and got the L3's data, or, a LOCKed operation with a shared copy, its permission alone; no core of "
     "the socket had modified the line", from<From::kLlcHit>},
    {"lcl_hitm", "Load Local HITM", "LLC Load Hit", "LclHitm",
     "loads of a line that another core of the same socket had modified and was made to give up or share", from<From::kLclHitm>},
    {"rmt_hit", "Load Remote HIT", "RMT Load Hit", "RmtHit",
     "loads whose data another socket sent, as memory has it", from<From::kRmtHit>},
    {"rmt_hitm", "Load Remote HITM", "RMT Load Hit", "RmtHitm",
     "loads whose data another socket sent, modified there", from<From::kRmtHitm>},
    {"lcl_dram", "Load Local DRAM", "Load Dram", "Lcl", "loads that DRAM of the own socket served", from<From::kLclDram>},
    {"rmt_dram", "Load Remote DRAM", "Load Dram", "Rmt", "loads that DRAM of another socket served", from<From::kRmtDram>},
    {"dram_exclusive", "Load MESI State Exclusive", "", "", "loads from DRAM of lines that nobody else has",
     [](const Counts& c) { return c.dram_exclusive; }},
    {"dram_shared", "Load MESI State Shared", "", "", "loads from DRAM of lines that other sockets have too",
     [](const Counts& c) { return c.dram_shared; }},
    {"llc_misses", "Load LLC Misses", "", "", "loads that the L3 of their socket could not serve: RmtHit, RmtHitm, Load Dram",
     [](const Counts& c) { return c.llc_misses(); }},
    {"stores", "Store Operations", "Total", "Stores", "stores that entered the store buffer, and LOCKed operations",
     [](const Counts& c) { return c.stores(); }},
    {"store_l1_hit", "Store L1D Hit", "Store Refs", "L1Hit",
     "stores whose core owned the line when they came to be written (in its L1 or L2), and all LOCKed operations: their load has "
     "just brought it", to<StoreReference::kL1Hit>},
    {"store_l1_miss", "Store L1D Miss", "Store Refs", "L1Miss",
     "stores that asked for their line's ownership, or waited for somebody else of their core who did", to<StoreReference::kL1Miss>},
    {"store_na", "Store No available memory level", "Store Refs", "N/A",
     "stores of which nobody knows; where everything is recorded, none", to<StoreReference::kNotAvailable>},
    {"hitm", "Load HITM", "Load Hitm", "Total", "LclHitm and RmtHitm together", [](const Counts& c) { return c.hitms(); }},
};

constexpr C2cTerm kTerms[] = {
    {"Index", "place in the table: most HITMs first, then most records"},
    {"Cacheline", "the line, by the object in it and the line's offset there; lines that one task alone touches are left out"},
    {"Node", "of a line, the socket that is its home; of an offset, the sockets of the tasks that touched it"},
    {"Hitm % Rmt, Lcl", "share of this line in all remote and in all local HITMs"},
    {"HITM Rmt, Lcl", "share of this row in the line's remote and local HITMs, in percent"},
    {"Store Refs", "in the Pareto: share of this row in the line's store hits, misses and unknown ones, in percent"},
    {"Offset", "byte in the line where the access begins"},
    {"Tid", "the tasks of the row; in JSON and CSV every task has its own"},
    {"Phase", "what part of its algorithm the task was in; stands where perf has the code address, symbol and source line"},
    {"cycles rmt hitm, lcl hitm, load",
     "mean core cycles of the row's remote HITMs, local HITMs and other loads, from their beginning to their value; of LOCKed "
     "operations from when older stores had left the store buffer to their end"},
    {"cpu cnt", "hardware threads that made the row's accesses"},
};
// clang-format on

}  // namespace

std::span<const C2cColumn> c2c_columns() { return kColumns; }
std::span<const C2cTerm> c2c_terms() { return kTerms; }

}  // namespace linebounce

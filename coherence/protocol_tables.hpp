// SPDX-License-Identifier: Apache-2.0
// Which tables the controllers run: those of the protocol and snoop mode, unless somebody wants to see what a fault in
// them would do.
#pragma once

#include <array>

#include "coherence/home_table.hpp"
#include "coherence/private_cache_table.hpp"
#include "coherence/slice_table.hpp"
#include "topologies/machine.hpp"

namespace linebounce {

using PrivateCacheTable = private_cache::Table;
using SliceTable = slice::Table;
using HomeTable = home::Table;

struct ProtocolTables {
  PrivateCacheTable cache;
  SliceTable slice;
  HomeTable home;
};

struct CoherenceMode {
  Protocol protocol;
  SnoopMode snoop;
};

/// Every protocol with every snoop mode.
inline constexpr std::array<CoherenceMode, 6> kCoherenceModes = {{{Protocol::kMesi, SnoopMode::kSource},
                                                                  {Protocol::kMesi, SnoopMode::kHome},
                                                                  {Protocol::kMesi, SnoopMode::kDirectory},
                                                                  {Protocol::kMesif, SnoopMode::kSource},
                                                                  {Protocol::kMesif, SnoopMode::kHome},
                                                                  {Protocol::kMesif, SnoopMode::kDirectory}}};

const ProtocolTables& tables_of(Protocol protocol, SnoopMode snoop);

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Which tables the controllers run: those of the protocol, unless somebody wants to see what a fault in them would do.
#pragma once

#include "coherence/home_table.hpp"
#include "coherence/private_cache_table.hpp"
#include "coherence/slice_table.hpp"

namespace linebounce {

using PrivateCacheTable = ProtocolTable<PrivateCacheProtocol, private_cache::kTable.rows.size()>;
using SliceTable = ProtocolTable<SliceProtocol, slice::kTable.rows.size()>;
using HomeTable = ProtocolTable<HomeProtocol, home::kTable.rows.size()>;

struct ProtocolTables {
  PrivateCacheTable cache = private_cache::kTable;
  SliceTable slice = slice::kTable;
  HomeTable home = home::kTable;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What the states of the protocol promise about copies: what the explorer and the random tester hold them to.
#pragma once

#include "coherence/enum_set.hpp"
#include "coherence/private_cache_table.hpp"
#include "coherence/slice_table.hpp"

namespace linebounce {

/// A core in these reads its copy, or writes it.
inline constexpr Set<private_cache::State> kReadable{private_cache::State::kS, private_cache::State::kE,
                                                     private_cache::State::kM, private_cache::State::kSmA};
inline constexpr Set<private_cache::State> kWritable{private_cache::State::kE, private_cache::State::kM};

/// The socket takes itself for the only one with the line.
inline constexpr Set<slice::State> kOnlySocket{slice::State::kE,  slice::State::kM,  slice::State::kEO,
                                               slice::State::kMO, slice::State::kBS, slice::State::kBI,
                                               slice::State::kXS, slice::State::kXI};
/// The L3's own copy must be the last write's; not so when a core may have modified it, or when there is no copy.
inline constexpr Set<slice::State> kCurrent{slice::State::kS, slice::State::kF, slice::State::kE, slice::State::kM,
                                            slice::State::kXSI};
/// The socket has a copy that others may rely on.
inline constexpr Set<slice::State> kHasCopy{slice::State::kS,  slice::State::kF,  slice::State::kE,  slice::State::kM,
                                            slice::State::kEO, slice::State::kMO, slice::State::kBS, slice::State::kBI,
                                            slice::State::kXS, slice::State::kXI, slice::State::kXSI};

}  // namespace linebounce

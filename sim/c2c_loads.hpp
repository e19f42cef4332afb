// SPDX-License-Identifier: Apache-2.0
// The loads within an operation of a recorded run, worked out from its segments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/c2c.hpp"
#include "sim/recording.hpp"

namespace linebounce {

/// A load, or several in a row that are alike.
struct Load {
  Cycles begin;
  Cycles end;  ///< when the loop went on behind it; a loop without PAUSE does not wait for what its core has
  std::span<const Segment> segments;
  std::uint32_t times = 1;
  bool hits_l1 = false;     ///< known already: a round of a loop in which nothing happened
  bool overlapped = false;  ///< the loop went on without its value
};

/// The loads of a load, a LOCKed operation or a spin loop, in their order; of other operations none.
std::vector<Load> loads_of(const OperationRecord& operation);

/// Where the loads of a run that made no request of their own have found their data. The recording must live as long.
class InCore {
 public:
  explicit InCore(const Recording& recording);

  LoadSource source(const OperationRecord& operation, const Load& load) const;
  /// From the load's beginning to its value, which was found there.
  Cycles latency(const Load& load, LoadSource source) const;
  /// How the store has left the store buffer; nullptr if the recording does not know.
  const OperationRecord* commit(OpId store) const;

 private:
  bool forwarded(const OperationRecord& operation, const Load& load) const;

  const CoreCosts& costs_;
  std::vector<const OperationRecord*> commits_;  ///< by id
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Why something happened when it did: the chain of events that leads there, each of which ended when the next began.
#pragma once

#include <vector>

#include "sim/timeline.hpp"

namespace linebounce {

/// A stretch of the path: what one operation was spending its time on.
struct PathPiece {
  const OperationRecord* operation = nullptr;
  bool buffered = false;             ///< the operation is a store on its way from the store buffer to its line
  const Segment* segment = nullptr;  ///< of the operation's ledger; the stretch lies in it
  Cycles begin;
  Cycles end;
};

/// The path that leads to what `thread` does at `end`, back to `begin`: pieces without gap, in the order of time.
///
/// It is followed backwards. Where an operation waits for another core's operation, the path goes on in that one; where
/// a spin loop notices that its line has gone, in the one that took the line away, or, from a sibling, wrote it; where
/// the store buffer must drain, in the store; else in what the thread did before. Of things that went on at the same
/// time it holds the one that ended last; the others cost nothing.
std::vector<PathPiece> critical_path(const Timeline& timeline, ThreadId thread, Cycles begin, Cycles end);

}  // namespace linebounce

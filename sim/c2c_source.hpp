// SPDX-License-Identifier: Apache-2.0
// What served a load, worked out from the messages of a recorded run.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "coherence/agent_map.hpp"
#include "sim/c2c.hpp"
#include "sim/recording.hpp"

namespace linebounce {

/// What a core's request for a line has brought.
struct Fetched {
  bool asked = false;                       ///< there was a request
  LoadSource source = LoadSource::kLlcHit;  ///< meaningful if there was
  bool exclusive = false;                   ///< from DRAM, and nobody else had the line
};

/// The messages of a run by the operation and line that they serve. The recording must live as long.
class FetchIndex {
 public:
  explicit FetchIndex(const Recording& recording);

  /// The request for `line` that operation `op` of a thread of `socket` has made from `begin` to `end`. An operation
  /// that reads again and again makes one at a time.
  Fetched find(OpId op, LineAddress line, SocketId socket, Cycles begin, Cycles end) const;

 private:
  using Served = std::tuple<OpId, LineAddress, Cycles>;
  static Served key(const RecordedMessage& m) { return {m.op, m.line, m.sent}; }
  bool forwarded_modified(const RecordedMessage& data) const;
  void find_modified();

  const Recording& recording_;
  AgentMap map_;
  std::vector<const RecordedMessage*> messages_;    ///< by key(): those that say who served
  std::set<const RecordedMessage*> modified_data_;  ///< DataM that carried what memory did not have
};

}  // namespace linebounce

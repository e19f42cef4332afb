// SPDX-License-Identifier: Apache-2.0
// One core's private cache: L1 and L2 under one coherence state, its write-back buffers and open requests.
// Pure protocol: it runs the table of private_cache_table.hpp and knows nothing of time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "coherence/agent_map.hpp"
#include "coherence/cache_array.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/surroundings.hpp"

namespace linebounce {

class PrivateCache {
 public:
  using State = PrivateCacheProtocol::State;
  using Event = PrivateCacheProtocol::Event;

  PrivateCache(const AgentMap& map, CoreId core, const Machine& machine, Surroundings& surroundings,
               const PrivateCacheTable& table);

  /// What became of a core's wish to read or own a line.
  enum class Answer : std::uint8_t {
    kHit,   ///< the line is there
    kSent,  ///< a request is on its way; its fill will serve the asker
    kWait,  ///< something else comes first (a request or write-back of the same line, no fill buffer, no way): ask again
            ///< after the next message
  };
  /// `wish` is kLoad or kOwn. The request serves operation `op` and its time is charged to `ledger`.
  Answer ask(Event wish, LineAddress line, OpId op, std::uint32_t ledger);
  /// Whether one more request can leave.
  bool has_fill_buffer() const { return open_ < fill_buffers_; }
  /// Would ask() hit? Changes nothing.
  bool would_hit(Event wish, LineAddress line) const;

  void receive(const Message& message);

  /// The data of a line that ask() has hit.
  LineData& data(LineAddress line) { return array_.find(line)->data; }
  const LineData* peek(LineAddress line) const;
  State state(LineAddress line) const;

  /// Whether the L1 has the line's tag; makes it the most recently used there, so that the next look-up hits.
  bool touch_l1(LineAddress line);

  /// Between hold and release, snoops of the line wait for operation `holder` of the core's hardware thread `thread`.
  void hold(unsigned thread, LineAddress line, OpId holder);
  void release(unsigned thread);
  /// Ends the hold, but the snoops go on waiting for the core's other thread, which holds the line next.
  void unhold(unsigned thread) { holds_[thread].active = false; }

  /// The operation whose open request blocks a wish for the line; none if the wait has another reason.
  OpId open_request(LineAddress line) const;

  const std::vector<std::uint64_t>& rows_fired() const { return fired_; }

  struct Line {
    LineAddress line;
    bool used = false;
    State state = State::kI;
    OpId op;  ///< of the open request
    std::uint64_t touched = 0;
    LineData data;
  };
  /// Everything unsettled, for dumps: lines with an open request, write-backs, snoops kept waiting.
  std::vector<Line> open_lines() const;
  const std::vector<Message>& held_snoops() const { return held_snoops_; }

 private:
  friend class ControllerAccess;
  struct Tag {
    LineAddress line;
    bool used = false;
    std::uint64_t touched = 0;
  };
  struct Hold {
    bool active = false;
    LineAddress line;
    OpId holder;
  };

  const Hold* hold_of(LineAddress line) const;
  Line* find(LineAddress line);
  Line* make_room(LineAddress line);
  void replace(Line& victim);
  void run(const Row<PrivateCacheProtocol>& row, Line& entry, const Message& message);
  void leave(Line& entry);
  void send(MessageKind kind, const Line& entry, OpId op, std::uint32_t ledger);

  const AgentMap& map_;
  CoreId core_;
  Surroundings& surroundings_;
  const PrivateCacheTable& table_;
  CacheArray<Line> array_;
  CacheArray<Tag> l1_;
  std::vector<Line> write_backs_;
  std::vector<Message> held_snoops_;
  std::vector<Message> released_;  ///< keeps its room between uses
  std::array<Hold, 2> holds_;
  int open_ = 0;
  int fill_buffers_;
  std::vector<std::uint64_t> fired_;
};

}  // namespace linebounce

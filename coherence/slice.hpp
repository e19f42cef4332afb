// SPDX-License-Identifier: Apache-2.0
// One L3 slice: the part of its socket's caching agent that answers for its share of the lines. Inclusive of the
// cores' caches, with core-valid bits. Pure protocol: it runs the table of slice_table.hpp and knows nothing of time.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "coherence/agent_map.hpp"
#include "coherence/cache_array.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/surroundings.hpp"

namespace linebounce {

class Slice {
 public:
  using State = SliceProtocol::State;
  using Event = SliceProtocol::Event;

  /// A line's open request: whom it serves, what it waits for, and who waits for it.
  struct Transaction {
    Message request;  ///< of a core; or the request that needs the way (state V)
    Message snoop;    ///< of the home agent
    std::uint32_t awaited = 0;
    bool have_cmp = false;
    bool answered = false;  ///< has answered a snoop with RspCnflt
    bool half = false;      ///< of GntFwdE and Cmp, one has come: the transaction is open until both have
    OpId op;                ///< the operation that others wait for
    std::vector<Message> waiting;
    std::size_t next = 0;  ///< first of `waiting` not yet dealt with
  };

  struct Line {
    LineAddress line;
    bool used = false;
    State state = State::kI;
    bool dirty = false;       ///< the L3's data is newer than memory's
    std::uint64_t cores = 0;  ///< core-valid bits, by core in socket
    std::uint64_t touched = 0;
    Transaction* transaction = nullptr;
    LineData data;
  };

  Slice(const AgentMap& map, SliceId id, const CacheGeometry& geometry, Surroundings& surroundings,
        const SliceTable& table);

  void receive(const Message& message);

  const Line* find(LineAddress line) const { return array_.find(line); }
  SliceProtocol::State state(LineAddress line) const {
    const Line* entry = find(line);
    return entry == nullptr ? SliceProtocol::State::kI : entry->state;
  }
  std::vector<const Line*> open_lines() const;
  const std::vector<Message>& waiting_for_a_way() const { return wayless_; }
  const std::vector<std::uint64_t>& rows_fired() const { return fired_; }

  /// Requests answered within the socket, and requests that needed the home agent.
  std::uint64_t hits() const { return requests_ - misses_; }
  std::uint64_t misses() const { return misses_; }

 private:
  friend class ControllerAccess;
  struct Context;

  void deal(Line& entry, Event event, const Message& message);
  bool holds(SliceProtocol::Guard guard, const Line& entry, Event event, const Message& message) const;
  void perform(SliceProtocol::Action action, Context& context);
  Event event_of(const Line& entry, const Message& message) const;
  std::size_t row_of(const Line& entry, Event event, const Message& message) const;
  void invalidate(Line& entry, std::uint64_t cores);
  void settle(Line& entry);
  bool serve_one_who_can_go(Line& entry);
  Line* make_room(LineAddress line, OpId op);
  void evict(Line& victim, OpId op);
  void retry_wayless();
  Transaction& open(Line& entry);
  void close(Line& entry);
  void to_core(MessageKind kind, std::uint32_t core, const Line& entry, const Message& served);
  void ask_home(MessageKind kind, const Line& entry, const Message& request);
  void to_home(MessageKind kind, const Line& entry, const Message& served);
  void to_peer(MessageKind kind, const Line& entry, const Message& snoop);
  void snoop_peers(MessageKind kind, const Line& entry, const Message& request);
  std::uint64_t bit(std::uint32_t core) const;

  const AgentMap& map_;
  SliceId id_;
  SocketId socket_;
  Surroundings& surroundings_;
  const SliceTable& table_;
  CacheArray<Line> array_;
  std::vector<std::unique_ptr<Transaction>> transactions_;
  std::vector<Transaction*> spare_;
  std::vector<Message> wayless_;
  std::vector<Message> retried_;
  std::vector<std::uint64_t> fired_;
  std::uint64_t requests_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace linebounce

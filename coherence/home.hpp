// SPDX-License-Identifier: Apache-2.0
// One home agent and the memory behind it. Pure protocol: it runs the table of home_table.hpp and knows nothing of time.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "coherence/agent_map.hpp"
#include "coherence/home_table.hpp"
#include "coherence/surroundings.hpp"

namespace linebounce {

class Home {
 public:
  using State = HomeProtocol::State;
  using Event = HomeProtocol::Event;

  struct Line {
    LineData memory;
    State state = State::kIdle;
    Message request;              ///< the one in progress
    std::uint32_t awaited = 0;    ///< answers still to come
    std::uint32_t left_over = 0;  ///< reads of memory that ended requests no longer need
    bool reading = false;         ///< this request's read of memory is under way
    bool memory_here = false;
    bool forwarded = false;
    bool shared = false;
    std::vector<Message> waiting;  ///< requests, in order of arrival
  };

  using Table = ProtocolTable<HomeProtocol, home::kTable.rows.size()>;

  Home(const AgentMap& map, HomeId id, int trackers, Surroundings& surroundings, const Table& table = home::kTable);

  void receive(const Message& message);

  /// Memory's copy; zeros if never written.
  LineData memory(LineAddress line) const;
  /// Lines with a request in progress, sorted; for dumps.
  std::vector<const Line*> open_lines() const;
  const std::array<std::uint64_t, home::kTable.rows.size()>& rows_fired() const { return fired_; }

 private:
  friend class ControllerAccess;
  void deal(Line& line, Event event, const Message& message);
  bool holds(HomeProtocol::Guard guard, Line& line, const Message& message);
  void perform(HomeProtocol::Action action, Line& line, const Message& message);
  void snoop_all(MessageKind kind, Line& line);
  void complete(MessageKind kind, const Line& line);
  void next_request(Line& line, OpId finished);
  Message* waiting_request(Line& line, const Message& answer);

  const AgentMap& map_;
  HomeId id_;
  int trackers_;
  int free_trackers_;
  Surroundings& surroundings_;
  const Table& table_;
  std::unordered_map<std::uint64_t, Line> lines_;  ///< never iterated where a result could depend on its order
  std::vector<Message> trackerless_;
  std::array<std::uint64_t, home::kTable.rows.size()> fired_{};
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// One home agent and the memory behind it. Pure protocol: it runs the table of home_table.hpp and knows nothing of time.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "coherence/agent_map.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/surroundings.hpp"

namespace linebounce {

class Home {
 public:
  using State = HomeProtocol::State;
  using Event = HomeProtocol::Event;

  /// What memory's two bits about a line say of the sockets other than its home's.
  enum class Directory : std::uint8_t { kNone, kClean, kDirty };

  /// Answers that have come for a request that is not in progress (source snoop).
  struct Answers {
    std::uint32_t requester = 0;  ///< slice
    std::uint64_t good = 0;       ///< sockets that have answered
    std::uint64_t outdated = 0;   ///< sockets that have got the line since they answered, or were about to
    bool shared = false;
  };
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  struct Line {
    LineAddress address;
    LineData memory;
    Directory directory = Directory::kNone;
    State state = State::kIdle;
    Message request;            ///< the one in progress
    std::uint32_t awaited = 0;  ///< answers still to come
    bool reading = false;       ///< this request's read of memory is under way
    bool memory_here = false;
    bool shared = false;
    bool unasked = false;                  ///< sockets that may share were not snooped
    std::uint32_t forwarded_to = kNobody;  ///< slice that a peer has sent the data to, its request not yet completed
    std::vector<Message> waiting;          ///< requests, in order of arrival
    std::vector<Answers> early;
  };

  Home(const AgentMap& map, HomeId id, const Machine& machine, Surroundings& surroundings, const HomeTable& table);

  void receive(const Message& message);

  /// Memory's copy; zeros if never written.
  LineData memory(LineAddress line) const;
  State state(LineAddress line) const;
  /// Lines with a request that is in progress, waits or is still to come, sorted; for dumps.
  std::vector<const Line*> open_lines() const;
  const std::vector<std::uint64_t>& rows_fired() const { return fired_; }

 private:
  friend class ControllerAccess;
  void deal(Line& line, Event event, const Message& message);
  bool holds(HomeProtocol::Guard guard, Line& line, const Message& message);
  void perform(HomeProtocol::Action action, Line& line, const Message& message);
  /// Completes the request if that is due.
  bool settle(Line& line);
  void start(Line& line, const Message& request);
  void snoop(MessageKind kind, Line& line, bool own_socket, bool other_sockets);
  void set_directory(Line& line, Directory directory);
  std::uint64_t bit(std::uint32_t slice) const;
  void expect_answers(Line& line);
  void snoop_again(const Line& line, std::uint32_t slice, bool late);
  bool settled(const Line& line) const;
  Answers& early_answers(Line& line, std::uint32_t requester);
  void complete(MessageKind kind, Line& line);
  void next_request(Line& line, OpId finished);
  template <class Matches>
  Message* waiting_request(Line& line, Matches&& matches);

  const AgentMap& map_;
  HomeId id_;
  int trackers_;
  int free_trackers_;
  int broadcast_below_;
  bool settles_at_once_ = true;  ///< the explorer takes its time
  Surroundings& surroundings_;
  const HomeTable& table_;
  std::unordered_map<std::uint64_t, Line> lines_;  ///< never iterated where a result could depend on its order
  std::vector<Message> trackerless_;
  std::vector<std::uint64_t> fired_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The real controllers, taken from state to state one step at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coherence/controller_access.hpp"
#include "coherence/explorer_codec.hpp"
#include "coherence/explorer_state.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/protocol_violation.hpp"
#include "coherence/rows_fired.hpp"
#include "coherence/surroundings.hpp"

namespace linebounce {

/// One thing that can happen next.
struct ExplorerStep {
  enum class Kind : std::uint8_t {
    kDeliver,  ///< a message arrives
    kSettle,   ///< the home agent completes a request that has all it needs
    kRelease,  ///< a LOCKed operation ends
    kRead,     ///< a core wants to read
    kWrite,    ///< a core wants to write, and does when it owns the line
    kHold,     ///< a LOCKed operation begins
    kReplace,  ///< a private cache gives up a line
    kEvict,    ///< an L3 slice gives up a line
  };
  Kind kind = Kind::kDeliver;
  std::uint8_t agent = 0;
  std::uint8_t line = 0;
  ShortMessage message;    ///< that arrives
  std::uint8_t place = 0;  ///< of the message among those in flight
  bool opportune = false;  ///< a request that this starts finds so few in progress that the directory can wait
};

class ExplorerWorld final : public Surroundings {
 public:
  /// The tables must live as long.
  ExplorerWorld(const ExplorerShape& shape, SnoopMode snoop, bool reduce, const ProtocolTables& tables);

  /// A message that arrives next, since it cannot matter what else happens before; false if there is none.
  bool next_at_once(const WorldState& state, ExplorerStep& step) const;
  /// Everything that can happen in a state in which nothing arrives at once. Steps that only end what has begun come
  /// first.
  void steps(const WorldState& state, std::vector<ExplorerStep>& all) const;
  static bool only_ends(ExplorerStep::Kind kind) { return kind <= ExplorerStep::Kind::kRelease; }

  /// Takes the step; false if nothing would change. Throws ProtocolViolation.
  bool take(const WorldState& from, const ExplorerStep& step, WorldState& to);

  /// Throws ProtocolViolation when the state breaks a promise.
  void check(const WorldState& state) const;
  /// Nothing is open, nobody waits, no message is in flight.
  bool is_quiet(const WorldState& state) const;

  RowsFired rows_fired() const { return total_rows_fired(caches_, slices_, {&home_, 1}); }

  // Surroundings
  void send(const Message& message, DataFrom) override;
  void waited(const Message&, OpId) override {}
  void read_memory(const Message& request) override;
  void drop_read(const Message& request) override;
  void write_memory(LineAddress) override {}
  void replaced(CoreId, LineAddress) override {}
  void evicted(SliceId, LineAddress) override {}
  [[noreturn]] void impossible(const Message& message, const char* state, const char* event, const char* why) override;

 private:
  bool ask(std::uint8_t core, std::uint8_t line, PrivateCache::Event wish);
  void deliver(const ExplorerStep& step);
  bool may_arrive(const WorldState& state, std::size_t place) const;
  static bool is_held_back(const WorldState& state, const ShortMessage& message);
  bool arrives_at_once(const WorldState& state, std::size_t place) const;
  void check_line(const WorldState& state, std::uint32_t line) const;
  void check_sockets(const WorldState& state, std::uint32_t line) const;

  ExplorerShape shape_;
  bool directory_;
  bool reduce_;
  Machine machine_;
  AgentMap map_;
  ControllerAccess access_;
  std::vector<PrivateCache> caches_;
  std::vector<Slice> slices_;
  Home home_;
  WorldState* to_ = nullptr;
};

/// "core 1 wants to write line 0", "slice 0 gets GetM from core 1".
std::string describe(const ExplorerStep& step, const ExplorerShape& shape);
/// "GetM from core 1 to slice 0".
std::string describe(const ShortMessage& message, const ExplorerShape& shape);
/// What has changed from one state to the next: messages sent and lines in other states.
std::string describe_change(const WorldState& from, const WorldState& to, const ExplorerStep& step,
                            const ExplorerShape& shape);

}  // namespace linebounce

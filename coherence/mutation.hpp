// SPDX-License-Identifier: Apache-2.0
// Single faults in the protocol, as data: each edits the one row of a table that answers a state and an event. For
// testing the testers, and for students to find.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "coherence/protocol_print.hpp"
#include "coherence/protocol_tables.hpp"

namespace linebounce {

struct Mutation {
  static constexpr std::uint8_t kNone = 255;

  std::string_view name;
  std::string_view what;  ///< what the faulty controller does
  Controller controller = Controller::kCore;
  std::uint8_t state = 0;        ///< the row that answers this state,
  std::uint8_t event = 0;        ///< event
  std::uint8_t guard = 0;        ///< and guard, for all states and events that it names
  std::uint8_t drop = kNone;     ///< this action is left out
  std::uint8_t instead = kNone;  ///< or this one done in its place
  std::uint8_t next = kNone;     ///< the next state is this one
  bool skip = false;             ///< the row is passed over: the next one of the pair answers
  Set<Protocol> protocols = {Protocol::kMesi, Protocol::kMesif};  ///< whose tables have that row
  Set<SnoopMode> snoops = {SnoopMode::kSource, SnoopMode::kHome, SnoopMode::kDirectory};

  bool fits(Protocol protocol, SnoopMode snoop) const { return protocols.has(protocol) && snoops.has(snoop); }
};

/// The whole catalogue; names are unique.
std::span<const Mutation> mutations();

/// nullptr if there is none of that name.
const Mutation* find_mutation(std::string_view name);

/// The tables with that fault. Throws std::logic_error if it names a row or an action that does not exist.
ProtocolTables mutated(const Mutation& mutation, Protocol protocol, SnoopMode snoop);

}  // namespace linebounce

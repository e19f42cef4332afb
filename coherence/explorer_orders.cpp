// SPDX-License-Identifier: Apache-2.0
// Which messages may arrive next, and which of them arrive at once because the order is no matter.
#include "coherence/explorer_world.hpp"

namespace linebounce {

namespace {

/// Messages that arrive as soon as they may, since what they do can be exchanged with whatever else may happen meanwhile.
///
/// Fills, grants and acknowledgements change their core only, which waits for nothing else, and all that is sent to it
/// later comes behind them. A snoop of a core may as well come at once: what the core would have done until then it can
/// have done before the slice sent the snoop, or it holds the line with a LOCKed operation. A core's answer finds its
/// slice waiting for it, where everything else is queued, to be dealt with in the same order after it.
///
/// RspI, RspS and RspCnflt are notes that the home agent takes. It looks at them when it starts, gives up or completes
/// the request that they are about, and when it completes one of the peer that has answered; whether they come before or
/// after any other event, the same is noted (source snoop: a peer that has been served since is asked again, either
/// way). A request is not completed without them (nor does one end that was granted with an owner's answer), and when it
/// has all it needs the home takes its time: completing it is a step of its own. That is more than the real one does,
/// which completes at once; so all that it can do is seen.
///
/// A peer's data makes a requester that knows of the completion settled, any other wait for the completion, which may
/// just as well come late; snoops and write-backs meet the same rows with the data and without it.
///
/// Memory's data changes nothing until it is all that a request waits for, and is then a note like the answers; what is
/// not needed is dropped when the request completes, whether it has come or not.
constexpr Set<MessageKind> kOrderIsNoMatter{
    MessageKind::kFillS,    MessageKind::kFillE,        MessageKind::kFillM,      MessageKind::kGrant,
    MessageKind::kPutAck,   MessageKind::kCoreSnpShare, MessageKind::kCoreSnpInv, MessageKind::kCoreRspI,
    MessageKind::kCoreRspS, MessageKind::kCoreRspIWb,   MessageKind::kCoreRspSWb, MessageKind::kRspI,
    MessageKind::kRspS,     MessageKind::kRspCnflt,     MessageKind::kDataS,      MessageKind::kDataM,
    MessageKind::kMemData};

}  // namespace

bool ExplorerWorld::may_arrive(const WorldState& state, std::size_t place) const {
  for (std::size_t j = 0; j < place; ++j) {
    if (must_follow(state.flight[place], state.flight[j]) || state.flight[place] == state.flight[j]) return false;
  }
  return true;
}

/// Memory's data waits until it is all that its request waits for; before, it could only be dropped.
bool ExplorerWorld::is_held_back(const WorldState& state, const ShortMessage& message) {
  constexpr Set<HomeProtocol::State> kReads{HomeProtocol::State::kRead, HomeProtocol::State::kOwn};
  const HomeState::Line& line = state.home.lines[message.line];
  return message.kind == MessageKind::kMemData && kReads.has(line.state) &&
         (line.awaited != 0 || line.forwarded_to != HomeState::kNobody);
}

bool ExplorerWorld::arrives_at_once(const WorldState& state, std::size_t place) const {
  const ShortMessage& message = state.flight[place];
  return kOrderIsNoMatter.has(message.kind) && may_arrive(state, place) && !is_held_back(state, message);
}

bool ExplorerWorld::next_at_once(const WorldState& state, ExplorerStep& step) const {
  for (std::size_t i = 0; reduce_ && i < state.flight.size(); ++i) {
    if (!arrives_at_once(state, i)) continue;
    const ShortMessage& message = state.flight[i];
    step = {ExplorerStep::Kind::kDeliver, message.to, message.line, message, static_cast<std::uint8_t>(i)};
    return true;
  }
  return false;
}

}  // namespace linebounce

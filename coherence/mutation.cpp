// SPDX-License-Identifier: Apache-2.0
#include "coherence/mutation.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

namespace linebounce {

namespace {

template <class Enum>
constexpr std::uint8_t number(Enum value) {
  return static_cast<std::uint8_t>(value);
}

/// A mutation of one controller, with its enumerations checked by the compiler.
template <class Rules, Controller kController>
struct In : Mutation {
  using State = typename Rules::State;
  using Event = typename Rules::Event;
  using Guard = typename Rules::Guard;
  using Action = typename Rules::Action;

  constexpr In(std::string_view called, State in, Event on, Guard when = Guard::kAlways)
      : Mutation{called, {}, kController, number(in), number(on), number(when)} {}
  constexpr In without(Action action) const {
    In edited = *this;
    edited.drop = number(action);
    return edited;
  }
  constexpr In with(Action action) const {
    In edited = *this;
    edited.instead = number(action);
    return edited;
  }
  constexpr In to(State state_after) const {
    In edited = *this;
    edited.next = number(state_after);
    return edited;
  }
  constexpr In only(Set<Protocol> tables) const {
    In edited = *this;
    edited.protocols = tables;
    return edited;
  }
  constexpr In only(Set<SnoopMode> tables) const {
    In edited = *this;
    edited.snoops = tables;
    return edited;
  }
  constexpr In skipped() const {
    In edited = *this;
    edited.skip = true;
    return edited;
  }
  constexpr Mutation meaning(std::string_view text) const {
    Mutation edited = *this;
    edited.what = text;
    return edited;
  }
};

namespace core {
using At = In<PrivateCacheProtocol, Controller::kCore>;
using S = PrivateCacheProtocol::State;
using E = PrivateCacheProtocol::Event;
using G = PrivateCacheProtocol::Guard;
using A = PrivateCacheProtocol::Action;

constexpr Mutation kMutations[] = {
    At("core-keeps-invalid-copy", S::kS, E::kSnpInv).to(S::kS).meaning("answers an invalidation and keeps its copy"),
    At("core-drops-ack", S::kS, E::kSnpInv).without(A::kRspI).meaning("drops its copy without an acknowledgement"),
    At("core-ignores-snoop-without-copy", S::kI, E::kSnpInv)
        .without(A::kRspI)
        .meaning("does not answer a snoop when it has no copy any more"),
    At("core-forgets-dirty-data", S::kM, E::kSnpInv)
        .without(A::kRspIWb)
        .with(A::kRspI)
        .meaning("gives up modified data as if it were clean"),
    At("core-shares-dirty-as-clean", S::kM, E::kSnpShare)
        .without(A::kRspSWb)
        .with(A::kRspS)
        .meaning("shares modified data as if it were clean"),
    At("core-stays-owner", S::kM, E::kSnpShare).to(S::kM).meaning("shares its modified line and still writes to it"),
    At("core-drops-modified", S::kM, E::kReplace)
        .without(A::kSendPutM)
        .to(S::kI)
        .meaning("drops modified data to make room"),
    At("core-read-fill-owns", S::kIsD, E::kFillS).to(S::kE).meaning("takes a shared fill for an exclusive one"),
    At("core-ignores-fill-data", S::kImD, E::kFillM)
        .without(A::kInstall)
        .meaning("becomes the owner without taking the fill's data"),
    At("core-lost-race-as-won", S::kSmA, E::kSnpInv)
        .to(S::kSmA)
        .meaning("keeps its shared copy although another core's upgrade came first"),
    At("core-lets-go-locked-line", S::kM, E::kSnpInv, G::kHeld)
        .skipped()
        .meaning("gives the line away while a LOCKed operation holds it"),
};
}  // namespace core

namespace l3 {
using At = In<SliceProtocol, Controller::kSlice>;
using S = SliceProtocol::State;
using E = SliceProtocol::Event;
using G = SliceProtocol::Guard;
using A = SliceProtocol::Action;

constexpr Mutation kMutations[] = {
    At("slice-loses-core-valid-bit", S::kM, E::kGetS)
        .without(A::kAddSharer)
        .meaning("does not note a further core that shares a line"),
    At("slice-grants-e-while-shared", S::kM, E::kGetS)
        .without(A::kFillS)
        .with(A::kFillE)
        .meaning("grants E while another core shares the line"),
    At("slice-owns-before-acks", S::kE, E::kGetM)
        .without(A::kInvalidateOthers)
        .with(A::kGiveM)
        .to(S::kMO)
        .meaning("grants ownership and leaves the other cores' copies alone"),
    At("slice-counts-one-ack", S::kBI, E::kRspI, G::kMore)
        .skipped()
        .meaning("takes the first invalidation acknowledgement for the last"),
    At("slice-forgets-owners-data", S::kBS, E::kRspSWb)
        .without(A::kStore)
        .meaning("does not store the data that an owner shares"),
    At("slice-forgets-write-back", S::kMO, E::kPutM, G::kFromOwner)
        .without(A::kStore)
        .meaning("acknowledges a write-back and does not store its data"),
    At("slice-drops-put-ack", S::kMO, E::kPutM, G::kFromOwner)
        .without(A::kPutAck)
        .meaning("does not acknowledge a write-back"),
    At("slice-evicts-under-cores", S::kE, E::kEvict)
        .without(A::kInvalidateAll)
        .to(S::kI)
        .meaning("evicts a line that cores still have"),
    At("slice-drops-dirty-line", S::kM, E::kEvict, G::kAlone)
        .without(A::kWbMtoI)
        .meaning("evicts a dirty line without writing it back"),
    At("slice-evicts-old-data", S::kV, E::kRspIWb)
        .without(A::kStore)
        .meaning("writes its own old data back when an owner has newer data"),
    At("slice-forwards-old-data", S::kXS, E::kRspSWb)
        .without(A::kStore)
        .meaning("forwards its own old data when an owner has newer data"),
    At("slice-forgets-dirty-bit", S::kM, E::kSnpData)
        .without(A::kRspFwdSWb)
        .with(A::kRspFwdS)
        .meaning("shares a dirty line with another socket and tells memory nothing"),
    At("slice-keeps-line-for-writer", S::kE, E::kSnpInvOwn, G::kAlone)
        .to(S::kS)
        .meaning("keeps a copy after giving the line to another socket's writer"),
    At("slice-ignores-memorys-data", S::kSMG, E::kCmpDataE)
        .without(A::kInstall)
        .meaning("becomes the owner without taking the data that comes with it"),
    At("slice-takes-shared-for-exclusive", S::kISG, E::kCmpDataS)
        .only(Set{Protocol::kMesi})
        .to(S::kE)
        .meaning("takes memory's shared data for the only copy"),
    At("slice-takes-forwarder-for-owner", S::kISG, E::kCmpDataF)
        .only(Set{Protocol::kMesif})
        .to(S::kE)
        .meaning("takes the forwarder's copy for the only one"),
    At("slice-yields-before-fill", S::kISG, E::kSnpDataLate, G::kAnswered)
        .skipped()
        .meaning("answers a late snoop with a second conflict instead of waiting for its own fill"),
    At("slice-calls-sharer-absent", S::kS, E::kSnpData)
        .without(A::kRspS)
        .with(A::kRspI)
        .meaning("tells the home that it has no copy when it shares the line"),
    At("slice-stays-forwarder", S::kF, E::kSnpData)
        .only(Set{Protocol::kMesif})
        .to(S::kF)
        .meaning("forwards a clean line to a reader and stays the forwarder itself"),
    At("slice-snoops-no-peers", S::kI, E::kGetM)
        .only(Set{SnoopMode::kSource})
        .without(A::kSnoopPeersInvOwn)
        .meaning("asks the home for a line and does not snoop its peers"),
    At("slice-asks-before-the-end", S::kI, E::kGetM, G::kHalf)
        .only(Set{SnoopMode::kSource})
        .skipped()
        .meaning("asks for a line again while answers to its last request for it are still to come"),
    At("slice-upgrades-before-the-end", S::kS, E::kUpgrade, G::kHalf)
        .only(Set{SnoopMode::kSource})
        .skipped()
        .meaning("asks for an upgrade while answers to its last request for the line are still to come"),
    At("slice-forgets-open-transaction", S::kIMC, E::kGntFwdE)
        .without(A::kNoteHalf)
        .meaning("takes the grant of a write for the end of its transaction"),
};
}  // namespace l3

namespace at_home {
using At = In<HomeProtocol, Controller::kHome>;
using S = HomeProtocol::State;
using E = HomeProtocol::Event;
using G = HomeProtocol::Guard;
using A = HomeProtocol::Action;

constexpr Mutation kMutations[] = {
    At("home-grants-e-while-shared", S::kRead, E::kSettled, G::kShared)
        .skipped()
        .meaning("grants E while another socket shares the line"),
    At("home-forgets-sharer", S::kRead, E::kRspS).without(A::kNoteShared).meaning("forgets that a peer keeps a copy"),
    At("home-forgets-write-back", S::kIdle, E::kWbMtoI)
        .without(A::kWriteMemory)
        .meaning("does not write an evicted line to memory"),
    At("home-forgets-forwarded-data", S::kRead, E::kRspFwdSWb)
        .without(A::kWriteMemory)
        .meaning("does not write modified data to memory when sockets share it"),
    At("home-lost-upgrade-as-won", S::kOwn, E::kSettled)
        .without(A::kUpgradesLose)
        .meaning("answers an upgrade that lost its race as if it had won"),
    At("home-ignores-conflict", S::kOwn, E::kRspCnflt)
        .without(A::kSnoopLate)
        .with(A::kOneAnswer)
        .meaning("takes a conflict for \"not here\" although that socket's request came first"),
    At("home-snoops-nobody", S::kIdle, E::kRdInvOwn)
        .only(Set{SnoopMode::kHome})
        .without(A::kSnoopInvOwn)
        .meaning("gives memory's data to a writer without asking the other sockets"),
    At("home-upgrades-unasked", S::kIdle, E::kInvItoE)
        .only({SnoopMode::kHome, SnoopMode::kDirectory})
        .without(A::kSnoopInvOwn)
        .meaning("grants an upgrade without telling the other sockets"),
    At("home-keeps-needless-read", S::kRead, E::kSettled, G::kForwarded)
        .without(A::kDropRead)
        .meaning("does not drop a read of memory that it needs no longer, and takes its data for that of the next one"),
    At("home-trusts-old-answers", S::kOwn, E::kSettled)
        .only(Set{SnoopMode::kSource})
        .without(A::kOutdateAnswers)
        .meaning("grants a write and still believes what the writer has answered to other requests"),
    At("home-ignores-early-conflict", S::kIdle, E::kRspCnflt, G::kEarly)
        .only(Set{SnoopMode::kSource})
        .without(A::kKeepOutdated)
        .with(A::kKeepAnswer)
        .meaning("takes an early conflict for \"not here\" although that socket's request came first"),
    At("home-outdates-nobody", S::kRead, E::kSettled)
        .only(Set{SnoopMode::kSource})
        .without(A::kOutdateAnswers)
        .meaning("grants E and still believes what the reader has answered to other requests"),
    At("home-ignores-data-winner", S::kOwn, E::kSettled, G::kForwardedElsewhere)
        .only(Set{SnoopMode::kSource})
        .skipped()
        .meaning("serves a writer from memory although a peer has sent the only copy to another requester"),
    At("home-forgets-early-forward", S::kIdle, E::kRspFwdI, G::kEarly)
        .only(Set{SnoopMode::kSource})
        .without(A::kNoteForwarded)
        .meaning("forgets that a peer has sent its data to a requester whose request is not here yet"),
    At("home-loses-early-answer", S::kIdle, E::kRspI, G::kEarly)
        .only(Set{SnoopMode::kSource})
        .without(A::kKeepAnswer)
        .meaning("loses an answer that comes before the request, and waits for it for ever"),
    At("home-never-ends", S::kDone, E::kSettled)
        .without(A::kCmp)
        .meaning("does not tell a writer whom it has granted the line that everybody has answered"),
    At("home-ends-with-the-grant", S::kOwn, E::kSettled, G::kForwardedFirst)
        .without(A::kGntFwdE)
        .with(A::kCmpFwdE)
        .meaning("tells a writer that everybody has answered when only the owner has"),
    At("home-grants-and-keeps-the-read", S::kOwn, E::kSettled, G::kForwardedFirst)
        .without(A::kDropRead)
        .meaning("grants a write with the owner's data and still reads memory"),
    At("home-grants-and-trusts-old-answers", S::kOwn, E::kSettled, G::kForwardedFirst)
        .only(Set{SnoopMode::kSource})
        .without(A::kOutdateAnswers)
        .meaning(
            "grants a write with the owner's data and still believes what the writer has answered to other requests"),
    At("home-serves-before-all-have-answered", S::kOwn, E::kSettled, G::kForwardedFirst)
        .to(S::kIdle)
        .meaning("takes the next request while answers to a granted one are still to come"),
    At("directory-forgets-reader", S::kRead, E::kSettled, G::kForwarded)
        .only(Set{SnoopMode::kDirectory})
        .without(A::kDirectoryShared)
        .meaning("does not note that another socket shares the line"),
    At("directory-forgets-owner", S::kOwn, E::kSettled)
        .only(Set{SnoopMode::kDirectory})
        .without(A::kDirectorySole)
        .meaning("does not note that another socket may modify the line"),
    At("directory-trusts-dirty-memory", S::kLookRead, E::kMemData)
        .only(Set{SnoopMode::kDirectory})
        .without(A::kSnoopFarData)
        .meaning("serves a read from memory although another socket may have modified the line"),
    At("directory-spares-sharers", S::kLookOwn, E::kMemData)
        .only(Set{SnoopMode::kDirectory})
        .without(A::kSnoopFarInvOwn)
        .meaning("grants ownership and leaves the copies of other sockets alone"),
    At("directory-forgets-own-socket", S::kIdle, E::kRdInvOwn)
        .only(Set{SnoopMode::kDirectory})
        .without(A::kSnoopOwnInvOwn)
        .meaning("does not ask its own socket, which the directory says nothing about"),
};
}  // namespace at_home

constexpr auto kCatalogue = [] {
  std::array<Mutation, std::size(core::kMutations) + std::size(l3::kMutations) + std::size(at_home::kMutations)> all;
  auto* end = std::copy(std::begin(core::kMutations), std::end(core::kMutations), all.begin());
  end = std::copy(std::begin(l3::kMutations), std::end(l3::kMutations), end);
  std::copy(std::begin(at_home::kMutations), std::end(at_home::kMutations), end);
  return all;
}();

template <class Rules>
void mutate(ProtocolTable<Rules>& table, const Mutation& m) {
  using Action = typename Rules::Action;
  const auto broken = [&] { return std::logic_error("mutation " + std::string(m.name) + " fits no row"); };
  const auto& answers = table.answers[m.state][m.event];
  std::size_t place = 0;
  while (number(table.room[answers[place]].guard) != m.guard) {
    if (table.room[answers[place]].guard == Rules::Guard::kAlways || ++place == answers.size()) throw broken();
  }
  const std::uint8_t index = answers[place];
  Row<Rules>& row = table.room[index];
  if (m.skip) {
    if (row.guard == Rules::Guard::kAlways) throw broken();
    for (auto& events : table.answers) {
      for (auto& pair : events) {
        // The last answer, which has no guard, stays and is repeated: nothing is looked up behind it.
        const auto found = std::find(pair.begin(), pair.end(), index);
        if (found == pair.end()) continue;
        std::copy(found + 1, pair.end(), found);
      }
    }
  }
  if (m.drop != Mutation::kNone) {
    const auto at = std::ranges::find(row.actions, static_cast<Action>(m.drop));
    if (at == row.actions.end()) throw broken();
    if (m.instead != Mutation::kNone) {
      *at = static_cast<Action>(m.instead);
    } else {
      std::copy(at + 1, row.actions.end(), at);
      row.actions.back() = Action::kNone;
    }
  }
  if (m.next != Mutation::kNone) row.next = static_cast<typename Rules::State>(m.next);
}

}  // namespace

std::span<const Mutation> mutations() { return kCatalogue; }

const Mutation* find_mutation(std::string_view name) {
  const auto found = std::ranges::find(kCatalogue, name, &Mutation::name);
  return found != kCatalogue.end() ? &*found : nullptr;
}

ProtocolTables mutated(const Mutation& mutation, Protocol protocol, SnoopMode snoop) {
  ProtocolTables tables = tables_of(protocol, snoop);
  switch (mutation.controller) {
    case Controller::kCore: mutate(tables.cache, mutation); break;
    case Controller::kSlice: mutate(tables.slice, mutation); break;
    case Controller::kHome: mutate(tables.home, mutation); break;
  }
  return tables;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// All caches, slices and home agents of a machine, and the time between them.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <string>
#include <vector>

#include "coherence/event_queue.hpp"
#include "coherence/fabric.hpp"
#include "coherence/home.hpp"
#include "coherence/ledger.hpp"
#include "coherence/machine_counters.hpp"
#include "coherence/private_cache.hpp"
#include "coherence/rows_fired.hpp"
#include "coherence/slice.hpp"
#include "coherence/surroundings.hpp"
#include "coherence/traffic_observer.hpp"

namespace linebounce {

/// Thrown when a message meets a row marked impossible; what() names it all.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A core wants to know what happens to its private cache.
class CacheListener {
 public:
  virtual ~CacheListener() = default;
  /// The core's cache has dealt with a message about the line: a fill has come, a copy has gone, a write-back has ended.
  virtual void cache_changed(CoreId core, LineAddress line, OpId by) = 0;
  /// The core's cache has given up a line to make room.
  virtual void line_replaced(CoreId core, LineAddress line) = 0;
};

class MemorySystem final : public Surroundings {
 public:
  /// `op_core` gives the core whose operation an OpId is.
  MemorySystem(const Machine& machine, const Topology& topology, EventQueue& queue, Ledger& ledger,
               CoreId (*op_core)(const Machine&, OpId));

  void set_listener(CacheListener& listener) { listener_ = &listener; }
  /// nullptr: nobody watches.
  void set_observer(TrafficObserver* observer) { observer_ = observer; }
  /// Tells who watches in which state a controller has the line.
  void tell_state(AgentKind kind, std::uint32_t agent, LineAddress line) const;

  PrivateCache& cache(CoreId core) { return caches_[core.value]; }
  const AgentMap& map() const { return map_; }

  /// Messages on their way to a core.
  std::uint32_t inbound(CoreId core) const { return inbound_[core.value]; }
  /// Delivers the message of a kDeliver event.
  void deliver(const Event& event);
  /// The present, for operations that cores start themselves.
  void set_now(Cycles now) { now_ = now; }

  /// Since the beginning.
  MachineCounters counters() const;
  RowsFired rows_fired() const { return total_rows_fired(caches_, slices_, homes_); }
  std::uint64_t delivered() const { return delivered_; }
  /// A hash over every delivery so far.
  std::uint64_t digest() const { return digest_; }

  /// What a load would return once everything has settled.
  std::uint64_t peek(Address address, unsigned bytes) const;

  /// Every open transaction, line by line, for people.
  std::string dump() const;

  // Surroundings
  void send(const Message& message, DataFrom from) override;
  void waited(const Message& message, OpId cause) override;
  void read_memory(const Message& request) override;
  void drop_read(const Message& request) override;
  void write_memory(LineAddress line) override;
  void replaced(CoreId core, LineAddress line) override;
  void evicted(SliceId slice, LineAddress line) override;
  [[noreturn]] void impossible(const Message& message, const char* state, const char* event, const char* why) override;

 private:
  std::uint32_t store(const Message& message);
  std::uint32_t schedule(const Message& message, AgentKind sender, Cycles at);

  const Machine& machine_;
  AgentMap map_;
  EventQueue& queue_;
  Ledger& ledger_;
  Fabric fabric_;
  CacheListener* listener_ = nullptr;
  TrafficObserver* observer_ = nullptr;
  CoreId (*op_core_)(const Machine&, OpId);
  std::vector<PrivateCache> caches_;
  std::vector<Slice> slices_;
  std::vector<Home> homes_;
  std::vector<Reservation> channels_;  ///< DRAM, by home agent
  std::vector<std::uint32_t> reads_;   ///< of DRAM under way: places in the pool
  std::deque<Message> pool_;           ///< grows without moving what is in it
  std::vector<Cycles> sent_at_;        ///< by place in the pool, if somebody watches
  std::vector<std::uint32_t> spare_;
  std::vector<std::uint32_t> sent_;     ///< by sender (cores, slices, homes): messages so far
  std::vector<std::uint32_t> inbound_;  ///< by core
  Cycles dram_;
  Cycles dram_occupancy_;
  Cycles now_;
  std::uint32_t asked_home_ = 0;  ///< ledger branch of the last request to a home agent
  bool passing_on_ = false;       ///< the message in hand brought the data that goes out now
  MachineCounters counted_;
  std::uint64_t delivered_ = 0;
  std::uint64_t digest_ = 0xcbf29ce484222325U;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// A machine of pure controllers whose threads wish at random, with an oracle that knows what every load must return and
// who may hold what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coherence/home.hpp"
#include "coherence/private_cache.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/random_network.hpp"
#include "coherence/random_sequence.hpp"
#include "coherence/rows_fired.hpp"
#include "coherence/slice.hpp"

namespace linebounce {

class RandomWorld {
 public:
  /// Up to eight cores of the machine are active, and want one to four lines that all fall into one set of every cache.
  /// The tables must live as long.
  RandomWorld(const Machine& machine, std::uint64_t seed, const ProtocolTables& tables);

  /// Serves at least that many random operations, lets all that is open end, and has every active core read every line.
  /// Throws ProtocolViolation when the oracle objects.
  void run(std::uint64_t operations);

  /// Loads, stores and LOCKed operations served.
  std::uint64_t operations() const { return operations_; }
  std::uint64_t messages() const { return network_.taken(); }
  RowsFired rows_fired() const { return total_rows_fired(caches_, slices_, homes_); }
  /// Who holds what, what is under way, and the last messages about the line that something happened to last.
  std::string dump() const;

 private:
  enum class WishKind : std::uint8_t { kLoad, kStore, kLocked };
  struct Thread {
    std::uint32_t core = 0;
    unsigned index = 0;  ///< in its core
    bool wishing = false;
    bool holding = false;
    WishKind wish = WishKind::kLoad;
    std::uint32_t line = 0;
    unsigned offset = 0;
    unsigned bytes = 1;
    std::uint64_t seen = 0;  ///< by a LOCKed operation, when it began
    OpId op;
  };

  void choose_cores();
  void choose_lines();
  void step();
  void count_step();
  void served() { ++operations_, steps_without_ = 0; }
  void deliver_any();
  void deliver(const Message& message);
  void wish(Thread& thread, WishKind kind, std::uint32_t line);
  void try_serve(Thread& thread);
  void retry(std::uint32_t core, LineAddress first);
  void release(Thread& thread);
  void write(const Thread& thread, LineData& data);
  void drain();
  Thread* sibling(const Thread& thread);
  void check_data(const Thread& thread, const LineData& data) const;
  void check_line(std::uint32_t line) const;
  void check_cores(std::uint32_t line) const;
  void check_sockets(std::uint32_t line) const;
  void check_quiet();
  const Slice::Line* l3(std::uint32_t socket, std::uint32_t line) const;
  std::string holders(std::uint32_t line) const;
  std::uint32_t number_of(LineAddress line) const;
  std::uint64_t bit(std::uint32_t core) const { return std::uint64_t{1} << core % map_.cores_per_socket(); }

  Machine machine_;
  AgentMap map_;
  RandomSequence random_;
  RandomNetwork network_;
  std::vector<PrivateCache> caches_;
  std::vector<Slice> slices_;
  std::vector<Home> homes_;
  std::vector<std::uint32_t> cores_;  ///< the active ones, in order
  std::vector<Thread> threads_;       ///< of the active cores, in order
  std::vector<LineAddress> lines_;
  std::uint32_t slice_ = 0;       ///< in each socket, the one that holds the lines
  std::vector<LineData> golden_;  ///< by line: what a load must return
  std::uint32_t suspect_ = 0;     ///< the line that something happened to last
  std::uint64_t begun_ = 0;
  std::uint64_t operations_ = 0;
  std::uint64_t steps_without_ = 0;  ///< since an operation was served
  std::uint32_t wishing_ = 0;        ///< threads
  std::uint32_t eagerness_;          ///< of 100 steps, how many deliver a message if there is one
  std::uint32_t impatience_;         ///< new messages overtake old ones the more often
};

}  // namespace linebounce

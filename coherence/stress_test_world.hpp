// SPDX-License-Identifier: Apache-2.0
// A small machine of pure controllers whose cores wish at random, with an oracle that knows what every load must return
// and who may hold what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "coherence/home.hpp"
#include "coherence/private_cache.hpp"
#include "coherence/protocol_tables.hpp"
#include "coherence/slice.hpp"
#include "coherence/stress_test_network.hpp"
#include "coherence/test_machine.hpp"
#include "coherence/test_random.hpp"

namespace linebounce {

/// How often each row of a table has fired.
template <class Fired>
void add_rows(std::vector<std::uint64_t>& sum, const Fired& fired) {
  sum.resize(fired.size());
  for (std::size_t i = 0; i < fired.size(); ++i) sum[i] += fired[i];
}

struct RowsFired {
  std::vector<std::uint64_t> cache;
  std::vector<std::uint64_t> slice;
  std::vector<std::uint64_t> home;
};

class StressWorld {
 public:
  StressWorld(const TestShape& shape, std::uint32_t lines, std::uint64_t seed, const ProtocolTables& tables);

  /// `steps` random steps, then everything drains, then every core reads every line. Throws std::runtime_error with
  /// a description when the oracle objects.
  void run(std::uint32_t steps);

  void add_rows_fired(RowsFired& sum) const;
  /// Who holds what, what is under way and what happened last.
  std::string dump() const;

 private:
  enum class WishKind : std::uint8_t { kLoad, kStore, kLocked };
  struct Thread {
    bool wishing = false;
    bool holding = false;
    WishKind wish = WishKind::kLoad;
    std::uint32_t line = 0;
    OpId op;
  };

  Thread& thread(std::uint32_t core, unsigned index) { return threads_[core * 2 + index]; }
  void step();
  void deliver_any();
  void deliver(std::size_t i);
  void wish(std::uint32_t core, unsigned index, WishKind kind, std::uint32_t line);
  void try_serve(std::uint32_t core, unsigned index);
  void retry(std::uint32_t core, LineAddress first);
  void release(std::uint32_t core, unsigned index);
  void drain();
  void check_line(std::uint32_t line) const;
  void check_sockets(std::uint32_t line) const;
  void check_quiet() const;
  const Slice::Line* l3(std::uint32_t socket, LineAddress line) const;
  std::uint64_t bit(std::uint32_t core) const { return std::uint64_t{1} << core % map_.cores_per_socket(); }

  const ProtocolTables& tables_;
  Machine machine_;
  AgentMap map_;
  TestRandom random_;
  StressNetwork network_;
  std::vector<PrivateCache> caches_;
  std::vector<Slice> slices_;
  std::vector<Home> homes_;
  std::vector<Thread> threads_;  ///< two a core
  std::vector<LineAddress> lines_;
  std::vector<LineData> golden_;  ///< by line: what a load must return
  std::uint64_t ops_ = 0;
  std::uint64_t writes_ = 0;
  std::uint32_t eagerness_;   ///< of 100 steps, how many deliver a message if there is one
  std::uint32_t impatience_;  ///< new messages overtake old ones the more often
};

}  // namespace linebounce

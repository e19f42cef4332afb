// SPDX-License-Identifier: Apache-2.0
// States as short strings of bytes, the same for all states that differ only in the names of cores and sockets.
#pragma once

#include <cstdint>
#include <vector>

#include "coherence/explorer_state.hpp"

namespace linebounce {

/// sockets × cores in each × lines.
struct ExplorerShape {
  std::uint32_t sockets = 1;
  std::uint32_t cores = 1;
  std::uint32_t lines = 1;
};

using StateBytes = std::vector<std::uint8_t>;

class StateCodec {
 public:
  /// `home_differs`: the home agent treats its own socket, the first, otherwise than the others.
  StateCodec(const ExplorerShape& shape, bool home_differs);

  /// One encoding for all renamings of the cores of a socket and of the sockets that are treated alike: of those that
  /// are the least at a glance the smallest.
  void encode(const WorldState& state, StateBytes& bytes);
  /// The state under the names that its encoding uses.
  WorldState decode(const std::uint8_t* bytes) const;

  /// By how many renamings a state is compared with its like.
  std::size_t renamings() const { return renamings_.size(); }

 private:
  struct Renaming {
    std::array<std::uint8_t, kMostSockets> new_socket{};
    std::array<std::uint8_t, kMostSockets> old_socket{};
    std::array<std::uint8_t, kMostCores> new_core{};
    std::array<std::uint8_t, kMostCores> old_core{};
  };
  class Writer;

  std::uint64_t glance(const WorldState& world, const Renaming& renaming) const;
  void add_core_orders(Renaming renaming, std::uint32_t socket);

  ExplorerShape shape_;
  std::vector<Renaming> renamings_;
  std::vector<std::uint64_t> glances_;
  StateBytes other_;
};

/// A hash of 64 bits.
std::uint64_t hash_of(const StateBytes& bytes);

}  // namespace linebounce

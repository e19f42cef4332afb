// SPDX-License-Identifier: Apache-2.0
// Named guest objects and where they lie.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "coherence/agent_map.hpp"
#include "units/address.hpp"

namespace linebounce {

struct MemoryObject {
  std::string name;
  Address begin;
  std::uint64_t bytes = 0;
  SocketId home;
};

class GuestMemory {
 public:
  /// The seed shifts every object by up to 255 lines, as physical pages would: which slice a line falls to is chance.
  GuestMemory(const AgentMap& map, std::uint64_t seed) : map_(map), seed_(seed) {}

  /// Lines of their own for `bytes` bytes, homed at socket `home` modulo the number of sockets.
  Address allocate(std::string_view name, std::uint64_t bytes, std::uint32_t home);
  /// "name+0x8", or the hexadecimal address when no object is there.
  std::string describe(Address address) const;
  const std::vector<MemoryObject>& objects() const { return objects_; }

 private:
  const AgentMap& map_;
  std::uint64_t seed_;
  std::uint64_t next_line_ = 64;  ///< the first page stays free: 0 is the null pointer
  std::vector<MemoryObject> objects_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "cpus/guest_memory.hpp"

#include <fmt/format.h>

namespace linebounce {

Address GuestMemory::allocate(std::string_view name, std::uint64_t bytes, std::uint32_t home) {
  const std::uint64_t lines = (bytes + kLineBytes - 1) / kLineBytes;
  std::uint64_t z = (seed_ + objects_.size() + 1) * 0x9e3779b97f4a7c15U;  // one step of SplitMix64 (public domain)
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
  next_line_ += (z >> 40) % 256;
  const std::uint64_t line = (std::uint64_t{home % map_.sockets()} << AgentMap::kHomeShift) + next_line_;
  next_line_ += lines;
  objects_.push_back({std::string(name), Address{line * kLineBytes}, bytes, SocketId{home % map_.sockets()}});
  return objects_.back().begin;
}

std::string GuestMemory::describe(Address address) const {
  for (const MemoryObject& object : objects_) {
    if (address < object.begin || object.begin + object.bytes <= address) continue;
    const std::uint64_t offset = address.value - object.begin.value;
    return offset == 0 ? object.name : fmt::format("{}+0x{:x}", object.name, offset);
  }
  return fmt::format("0x{:x}", address.value);
}

}  // namespace linebounce

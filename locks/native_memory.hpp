// SPDX-License-Identifier: Apache-2.0
// Guest memory on the host's heap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "units/address.hpp"

namespace linebounce {

/// The host's pointer to a guest address.
template <class T>
T* native_pointer(Address a) {
  return reinterpret_cast<T*>(static_cast<std::uintptr_t>(a.value));  // NOLINT(performance-no-int-to-ptr)
}

/// Zeroed, line-aligned objects that live as long as the memory does. Allocate before tasks run, or under a lock.
class NativeMemory {
 public:
  /// The name and the home mean nothing to the host.
  Address allocate(const char* /*name*/, std::uint64_t bytes, std::uint32_t /*home*/) {
    objects_.push_back(std::make_unique<Line[]>((bytes + kLineBytes - 1) / kLineBytes));
    return {reinterpret_cast<std::uintptr_t>(objects_.back().get())};
  }

  /// What lies at an address, while no task runs.
  static std::uint64_t peek(Address a, unsigned bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, native_pointer<const void>(a), bytes);
    return value;
  }

 private:
  struct alignas(kLineBytes) Line {
    std::array<std::byte, kLineBytes> bytes;
  };
  std::vector<std::unique_ptr<Line[]>> objects_;
};

}  // namespace linebounce

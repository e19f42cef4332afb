// SPDX-License-Identifier: Apache-2.0
// Guest memory for tests: named objects at small addresses, readable and writable from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "units/address.hpp"

namespace linebounce::testing {

class TestMemory {
 public:
  Address allocate(const char* name, std::uint64_t bytes, std::uint32_t home) {
    const std::uint64_t lines = (bytes + kLineBytes - 1) / kLineBytes;
    const Address start{kBase + bytes_.size()};
    objects_.push_back({name, start, bytes, home});
    bytes_.resize(bytes_.size() + lines * kLineBytes);
    return start;
  }

  std::uint64_t peek(Address a, unsigned bytes) const {
    std::uint64_t value = 0;
    std::memcpy(&value, &bytes_.at(index(a, bytes)), bytes);
    return value;
  }
  void poke(Address a, unsigned bytes, std::uint64_t value) { std::memcpy(&bytes_.at(index(a, bytes)), &value, bytes); }

  /// "lock+2" inside an object, else a hexadecimal number.
  std::string describe(std::uint64_t value) const {
    std::ostringstream text;
    for (const Object& object : objects_) {
      if (value < object.start.value || value >= object.start.value + object.bytes) continue;
      text << object.name;
      if (value != object.start.value) text << '+' << value - object.start.value;
      return text.str();
    }
    text << "0x" << std::hex << value;
    return text.str();
  }

  Address find(const std::string& name) const {
    for (const Object& object : objects_) {
      if (object.name == name) return object.start;
    }
    throw std::invalid_argument("no object called " + name);
  }
  std::uint32_t home_of(const std::string& name) const {
    for (const Object& object : objects_) {
      if (object.name == name) return object.home;
    }
    throw std::invalid_argument("no object called " + name);
  }

 private:
  struct Object {
    std::string name;
    Address start;
    std::uint64_t bytes;
    std::uint32_t home;
  };

  /// High enough that no value of a lock word is mistaken for an address.
  static constexpr std::uint64_t kBase = 0x1000'0000'0000;

  std::size_t index(Address a, unsigned bytes) const {
    if (a.value % bytes != 0) throw std::invalid_argument("misaligned access at " + describe(a.value));
    if (a.value < kBase || a.value + bytes > kBase + bytes_.size()) {
      throw std::invalid_argument("access outside memory at " + describe(a.value));
    }
    return a.value - kBase;
  }

  std::vector<Object> objects_;
  std::vector<std::byte> bytes_;
};

}  // namespace linebounce::testing

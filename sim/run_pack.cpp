// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "sim/run_pool.hpp"

namespace linebounce {
namespace {

class Packer {
 public:
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t n = values.size();
    (*this)(n);
    for (T& value : values) (*this)(value);
  }
  void operator()(std::vector<bool>& flags) {
    std::vector<std::uint8_t> values(flags.begin(), flags.end());
    (*this)(values);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(const std::string& bytes) : bytes_(bytes) {}

  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (bytes_.size() - at_ < sizeof value) throw std::runtime_error("a packed run ends early");
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  void operator()(std::vector<T>& values) {
    std::uint64_t n = 0;
    (*this)(n);
    if (n > bytes_.size()) throw std::runtime_error("a packed run is garbled");
    values.resize(n);
    for (T& value : values) (*this)(value);
  }
  void operator()(std::vector<bool>& flags) {
    std::vector<std::uint8_t> values;
    (*this)(values);
    flags.assign(values.begin(), values.end());
  }

 private:
  const std::string& bytes_;
  std::size_t at_ = 0;
};

/// Every field, in one place for both directions; a new field does not compile until it is here.
template <class Archive>
void each_field(Archive& archive, RunResult& run) {
  auto& [window, operations, counting, counters, accounts, machine, wakes, digest, rows] = run;
  auto& [messages, link_bytes, l3_hits, l3_misses, dram_reads, dram_writes, transfers] = machine;
  auto& [cache_rows, slice_rows, home_rows] = rows;
  archive(window);
  archive(operations);
  archive(counting);
  archive(counters);
  archive(accounts);
  archive(messages);
  archive(link_bytes);
  archive(l3_hits);
  archive(l3_misses);
  archive(dram_reads);
  archive(dram_writes);
  archive(transfers);
  archive(wakes);
  archive(digest);
  archive(cache_rows);
  archive(slice_rows);
  archive(home_rows);
}

}  // namespace

std::string pack(const RunResult& run) {
  RunResult copy = run;
  Packer packer;
  each_field(packer, copy);
  return packer.take();
}

RunResult unpack(const std::string& bytes) {
  RunResult run;
  Unpacker unpacker(bytes);
  each_field(unpacker, run);
  return run;
}

}  // namespace linebounce

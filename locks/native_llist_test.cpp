// SPDX-License-Identifier: Apache-2.0
// The list on host threads: nothing is lost, nothing comes twice, and a producer's entries keep their order.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <vector>

#include "locks/llist.hpp"
#include "locks/native_memory.hpp"
#include "locks/testing/native_tasks.hpp"

namespace linebounce {
namespace {

using testing::run_native_tasks;

constexpr std::uint32_t kProducers = 3;
constexpr std::uint64_t kEach = 2000;
constexpr std::uint64_t kEntryBytes = 16;  // the link, then the entry's number in plain memory

template <LlistState S>
struct State {
  static constexpr LlistState kValue = S;
};
using States =
    ::testing::Types<State<LlistState::kS0>, State<LlistState::kS1>, State<LlistState::kS2>, State<LlistState::kS3>>;

/// Producers that add numbered entries, and what the consumers took, each in its order.
template <class S>
class NativeLlist : public ::testing::Test {
 protected:
  void produce(NativeCpu& cpu) {
    const std::uint64_t first = cpu.cpu_number() * kEach;
    for (std::uint64_t number = first; number < first + kEach; ++number) {
      const Address entry = entries_ + number * kEntryBytes;
      *plain(entry) = number;
      if (list_.add(cpu, entry)) was_empty_.fetch_add(1);
    }
    producing_.fetch_sub(1);
  }

  /// Whether more may come; ask before looking at the list.
  bool producing() const { return producing_.load() != 0; }

  static std::uint64_t* plain(Address entry) { return native_pointer<std::uint64_t>(entry + 8); }

  /// Each number exactly once over all consumers.
  void expect_all_taken_once() {
    std::vector<int> times(kProducers * kEach);
    for (const auto& numbers : taken_) {
      for (const std::uint64_t number : numbers) ++times.at(number);
    }
    for (const int count : times) ASSERT_EQ(count, 1);
  }

  NativeMemory memory_;
  Llist<S::kValue> list_{memory_, "list", 0};
  Address entries_ = memory_.allocate("entries", kProducers* kEach* kEntryBytes, 0);
  std::vector<std::vector<std::uint64_t>> taken_ = std::vector<std::vector<std::uint64_t>>(8);
  std::atomic<std::uint64_t> was_empty_{0};
  std::atomic<std::uint64_t> emptied_{0};
  std::atomic<std::uint32_t> producing_{kProducers};
};
TYPED_TEST_SUITE(NativeLlist, States);

TYPED_TEST(NativeLlist, ManyConsumersTakeEverything) {
  run_native_tasks(kProducers + 2, [&](NativeCpu& cpu) {
    if (cpu.cpu_number() < kProducers) return this->produce(cpu);
    auto& taken = this->taken_.at(cpu.cpu_number());
    for (;;) {
      const bool more = this->producing();
      Address chain = this->list_.del_all(cpu);
      if (chain) {
        this->emptied_.fetch_add(1);
      } else if (!more) {
        return;
      } else {
        cpu.pause();
      }
      chain = this->list_.reverse_order(cpu, chain);
      // Oldest first: a producer's entries must count up within a chain.
      std::vector<std::uint64_t> next_of(kProducers);
      while (chain) {
        const std::uint64_t number = *this->plain(chain);
        EXPECT_GE(number, next_of.at(number / kEach));
        next_of.at(number / kEach) = number + 1;
        taken.push_back(number);
        chain = this->list_.next(cpu, chain);
      }
    }
  });
  this->expect_all_taken_once();
  // Exactly one add found the list empty for each time that it was emptied.
  EXPECT_EQ(this->was_empty_.load(), this->emptied_.load());
}

TYPED_TEST(NativeLlist, OneConsumerTakesTheNewest) {
  run_native_tasks(kProducers + 1, [&](NativeCpu& cpu) {
    if (cpu.cpu_number() < kProducers) return this->produce(cpu);
    auto& taken = this->taken_.at(cpu.cpu_number());
    for (;;) {
      const bool more = this->producing();
      if (const Address entry = this->list_.del_first(cpu)) {
        taken.push_back(*this->plain(entry));
        if (this->list_.empty(cpu)) cpu.pause();
      } else if (!more) {
        return;
      } else {
        cpu.pause();
      }
    }
  });
  this->expect_all_taken_once();
}

}  // namespace
}  // namespace linebounce

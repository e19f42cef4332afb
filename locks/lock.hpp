// SPDX-License-Identifier: Apache-2.0
// The shape that every lock has, so that one workload can drive any of them, and so that a lock written outside this
// project fits in by satisfying a concept: nothing is registered and nothing is derived from.
//
// A lock is a class whose member functions are templates over the Cpu concept. The smallest one:
//
//   class MyLock {
//    public:
//     static constexpr std::string_view kName = "my-lock";
//     static constexpr unsigned kWordBytes = 4;             // bytes of the lock itself, from word() on
//
//     template <Memory M>
//     MyLock(M& memory, const LockPlan& plan) : word_(allocate_lock_line(memory, plan)) {}
//
//     template <Cpu C>
//     void acquire(C& cpu) {
//       while (cpu.template xchg<std::uint32_t>(word_, 1) != 0) cpu.pause();
//     }
//     template <Cpu C>
//     void release(C& cpu) {
//       cpu.template store<std::uint32_t>(word_, 0);
//     }
//
//     Address word() const { return word_; }
//     std::string check_idle(const Peek& peek) const { return peek(word_, 4) == 0 ? "" : "still locked"; }
//
//    private:
//     Address word_;
//   };
//
// What each part promises:
//
// constructor       allocates what the lock needs. It cannot write memory: everything starts as zero.
// acquire, release  called by a task with its own cpu; a task releases on the cpu on which it acquired. Shared state lives
//                   in guest memory and is touched only through the cpu. Host members are read-only while tasks run,
//                   but for entries of a table that are the calling cpu's own.
// word              a line of its own, homed at plan.home. Only its first kWordBytes belong to the lock: a workload may
//                   put the data that the lock protects into the rest (see embedded_data).
// check_idle        looks at a lock that nobody holds or waits for, once all writes have settled. Empty text: clean.
//                   Otherwise it says what is wrong.
//
// An algorithm that sees an impossible value throws LockBroken.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "locks/cpu.hpp"

namespace linebounce {

/// Reads settled guest memory: (address, 1, 2, 4 or 8 bytes).
using Peek = std::function<std::uint64_t(Address, unsigned)>;

/// What a lock is made for.
struct LockPlan {
  /// Home socket of each processor's own memory, such as its queue node; the index is cpu_number(), and the size is the
  /// number of processors that may use the lock.
  std::vector<std::uint32_t> cpu_homes;
  std::uint32_t home = 0;          ///< socket that homes the lock word
  std::string name = "lock";       ///< name of the line with the lock word
  std::string node_name = "node";  ///< queue nodes are called node[cpu0], node[cpu1], …

  std::uint32_t cpus() const { return static_cast<std::uint32_t>(cpu_homes.size()); }
};

/// An algorithm found its own memory in a state that it can never be in.
class LockBroken : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

/// Stands in for any memory when the concepts below are checked.
struct AnyMemory {
  Address allocate(const char*, std::uint64_t, std::uint32_t) { return {}; }
};

/// Excludes everybody else between acquire and release.
template <class L, class C>
concept MutexLock = Cpu<C> && std::constructible_from<L, AnyMemory&, const LockPlan&> &&
    requires(L lock, const L idle, C& cpu, const Peek& peek) {
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kWordBytes } -> std::convertible_to<unsigned>;
  { lock.acquire(cpu) } -> std::same_as<void>;
  { lock.release(cpu) } -> std::same_as<void>;
  { idle.word() } -> std::same_as<Address>;
  { idle.check_idle(peek) } -> std::same_as<std::string>;
};

/// Lets readers in together, and a writer only alone.
template <class L, class C>
concept ReaderWriterLock = Cpu<C> && std::constructible_from<L, AnyMemory&, const LockPlan&> &&
    requires(L lock, const L idle, C& cpu, const Peek& peek) {
  { L::kName } -> std::convertible_to<std::string_view>;
  { L::kWordBytes } -> std::convertible_to<unsigned>;
  { lock.acquire_read(cpu) } -> std::same_as<void>;
  { lock.release_read(cpu) } -> std::same_as<void>;
  { lock.acquire_write(cpu) } -> std::same_as<void>;
  { lock.release_write(cpu) } -> std::same_as<void>;
  { idle.word() } -> std::same_as<Address>;
  { idle.check_idle(peek) } -> std::same_as<std::string>;
};

/// A whole line for the lock word, homed where the plan wants it.
template <Memory M>
Address allocate_lock_line(M& memory, const LockPlan& plan) {
  return memory.allocate(plan.name.c_str(), kLineBytes, plan.home);
}

/// One object a processor, named node[cpuN], each in its own processor's memory.
template <Memory M>
std::vector<Address> allocate_nodes(M& memory, const LockPlan& plan, std::uint64_t bytes) {
  std::vector<Address> nodes;
  nodes.reserve(plan.cpu_homes.size());
  for (std::uint32_t cpu = 0; cpu < plan.cpus(); ++cpu) {
    const std::string name = plan.node_name + "[cpu" + std::to_string(cpu) + "]";
    nodes.push_back(memory.allocate(name.c_str(), bytes, plan.cpu_homes[cpu]));
  }
  return nodes;
}

/// First 8-byte word behind the lock in the lock's own line: where "embedded" data starts.
template <class L>
Address embedded_data(const L& lock) {
  return lock.word() + (L::kWordBytes + 7U) / 8U * 8U;
}

/// 8-byte words of embedded data that fit into the lock's line.
template <class L>
inline constexpr unsigned kEmbeddedWords = kLineBytes / 8U - (L::kWordBytes + 7U) / 8U;

/// Throws LockBroken unless the condition holds; costs the guest nothing.
inline void check_invariant(bool condition, const char* what) {
  if (!condition) throw LockBroken(what);
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// The locks that a scenario may name. All of locks/ are there from the start; a program with a lock of its own adds it
// before it runs anything:
//
//   int main(int argc, char** argv) {
//     linebounce::lock_registry().add<MyLock>();
//     return linebounce::…;
//   }
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"
#include "locks/lock.hpp"
#include "sim/workloads/checks.hpp"
#include "sim/workloads/lock_loop.hpp"
#include "sim/workloads/observed_cpu.hpp"
#include "sim/workloads/unrelaxed_cpu.hpp"

namespace linebounce {

/// One lock in the memory of one simulated machine, whatever its type.
class GuestLock {
 public:
  virtual ~GuestLock() = default;
  virtual void acquire(SimCpu& cpu, Access access) = 0;
  virtual void release(SimCpu& cpu, Access access) = 0;
  /// Where data that the lock protects may lie in the lock's own line, and how many 8-byte words fit there.
  virtual Address embedded_data() const = 0;
  virtual unsigned embedded_words() const = 0;
  /// Empty if the lock is as a lock should be that nobody holds.
  virtual std::string check_idle(const Peek& peek) const = 0;
};

/// What a lock is known as and what it promises.
struct LockTraits {
  std::string name = {};     ///< empty: the type's kName
  std::string variant = {};  ///< empty: the type's kVariant if it has one
  /// Tasks that join its queue, by an xchg or xadd in acquire, get the lock in that order; checked on every run.
  bool queue_by_swap = false;
};

class LockRegistry {
 public:
  struct Entry {
    LockTraits traits;
    bool readers;  ///< lets readers in together: a reader-writer lock
    /// `relax`: with the PAUSEs of its waiting loops.
    std::function<std::unique_ptr<GuestLock>(System&, const LockPlan&, bool relax)> make;
  };

  /// Adds a lock type (locks/lock.hpp says what it must have). Of a name's variants the one added last is the newest.
  /// Throws std::invalid_argument if the name and variant are taken.
  template <class L>
  void add(LockTraits traits = {});

  /// Whether the lock exists; an empty variant asks for the newest.
  bool knows(std::string_view name, std::string_view variant = {}) const;
  /// The lock; throws std::invalid_argument that names what exists.
  const Entry& find(std::string_view name, std::string_view variant = {}) const;

  /// Every name once, in the order of adding.
  std::vector<std::string> names() const;
  /// A lock's variants, oldest first; empty if it has none.
  std::vector<std::string> variants(std::string_view name) const;

 private:
  void add(Entry entry);
  const Entry* look_up(std::string_view name, std::string_view variant) const;

  std::vector<Entry> entries_;
};

/// The registry of this process, with all locks of locks/ in it.
LockRegistry& lock_registry();

namespace detail {

template <class L>
class GuestLockOf final : public GuestLock {
 public:
  GuestLockOf(System& memory, const LockPlan& plan, bool queue_by_swap, bool relax)
      : lock_(memory, plan), queue_by_swap_(queue_by_swap), relax_(relax) {}

  void acquire(SimCpu& cpu, Access access) override {
    const auto acquire = [&](auto& on) { SharedUse(lock_).acquire(on, access); };
    if (!queue_by_swap_) return with_relax(cpu, relax_, acquire);
    ObservedCpu observed(cpu, [this, &cpu] { order_.joined(cpu.cpu_number()); });
    with_relax(observed, relax_, acquire);
    order_.acquired(cpu.cpu_number());
  }
  void release(SimCpu& cpu, Access access) override {
    with_relax(cpu, relax_, [&](auto& on) { SharedUse(lock_).release(on, access); });
  }
  Address embedded_data() const override { return linebounce::embedded_data(lock_); }
  unsigned embedded_words() const override { return kEmbeddedWords<L>; }
  std::string check_idle(const Peek& peek) const override { return lock_.check_idle(peek); }

 private:
  L lock_;
  bool queue_by_swap_;
  bool relax_;
  QueueOrderCheck order_;
};

}  // namespace detail

template <class L>
void LockRegistry::add(LockTraits traits) {
  static_assert(MutexLock<L, SimCpu> || ReaderWriterLock<L, SimCpu>, "locks/lock.hpp says what a lock must have");
  if (traits.name.empty()) traits.name = L::kName;
  if constexpr (requires { L::kVariant; }) {
    if (traits.variant.empty()) traits.variant = L::kVariant;
  }
  const bool queue_by_swap = traits.queue_by_swap;
  add(Entry{std::move(traits), ReaderWriterLock<L, SimCpu>,
            [queue_by_swap](System& system, const LockPlan& plan, bool relax) {
              return std::make_unique<detail::GuestLockOf<L>>(system, plan, queue_by_swap, relax);
            }});
}

}  // namespace linebounce

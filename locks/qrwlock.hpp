// SPDX-License-Identifier: Apache-2.0
// The queued reader-writer lock of Linux v3.16 to v4.14: a word with a writer byte and a count of readers, and a queued
// spinlock behind it on which everybody waits who does not get in at once.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "locks/lock.hpp"
#include "locks/qspinlock.hpp"

namespace linebounce {

/// Word: writer byte in bits 0–7 (0, waiting or locked), readers from bit 8. The queue's spinlock follows it.
/// Also serves as a plain mutex, by its write side.
class QrwLock {
 public:
  static constexpr std::string_view kName = "qrwlock";
  static constexpr unsigned kWordBytes = 8;

  template <Memory M>
  QrwLock(M& memory, const LockPlan& plan) : QrwLock(allocate_lock_line(memory, plan), {memory, plan}) {}

  QrwLock(Address word, QspinlockNodes nodes) : word_(word), queue_(word + 4, std::move(nodes)) {}

  template <Cpu C>
  void acquire_read(C& cpu) {
    if (const std::uint32_t counts = enter_as_reader(cpu, Phase::kFastPath); (counts & kWriterMask) != 0) {
      wait_as_reader(cpu);
    }
  }

  template <Cpu C>
  void release_read(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    leave_as_reader(cpu);
  }

  template <Cpu C>
  void acquire_write(C& cpu) {
    if (!lock_free_word(cpu, Phase::kFastPath)) wait_as_writer(cpu);
  }

  template <Cpu C>
  void release_write(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kRelease);
    cpu.template store<std::uint8_t>(word_, 0);
  }

  template <Cpu C>
  void acquire(C& cpu) {
    acquire_write(cpu);
  }
  template <Cpu C>
  void release(C& cpu) {
    release_write(cpu);
  }

  Address word() const { return word_; }

  std::string check_idle(const Peek& peek) const {
    if (const auto word = peek(word_, 4); word != 0)
      return "idle reader-writer lock is " + std::to_string(word) + ", not 0";
    return queue_.check_idle(peek);
  }

 private:
  static constexpr std::uint32_t kWriterMask = 0xff;
  static constexpr std::uint32_t kWriterWaiting = 1;
  static constexpr std::uint32_t kWriterLocked = 0xff;
  static constexpr std::uint32_t kReader = 0x100;

  template <Cpu C>
  std::uint32_t enter_as_reader(C& cpu, Phase phase) {
    const PhaseScope<C> scope(cpu, phase);
    return cpu.template xadd<std::uint32_t>(word_, kReader);
  }

  /// LOCK SUB; the old value that xadd gives goes unused.
  template <Cpu C>
  void leave_as_reader(C& cpu) {
    const auto before = cpu.template xadd<std::uint32_t>(word_, 0U - kReader);
    check_invariant(before >= kReader, "qrwlock: a reader leaves that never entered");
  }

  /// Steps back, waits for its turn in the queue until no writer waits or holds, and enters again.
  template <Cpu C>
  void wait_as_reader(C& cpu) {
    {
      const PhaseScope<C> scope(cpu, Phase::kTailExchange);
      leave_as_reader(cpu);
    }
    queue_.acquire(cpu);
    {
      const PhaseScope<C> scope(cpu, Phase::kHeadWait);
      cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return (v & kWriterMask) == 0; });
    }
    if (const std::uint32_t counts = enter_as_reader(cpu, Phase::kClaim); (counts & kWriterMask) == kWriterLocked) {
      // A writer got in between by the fast path.
      const PhaseScope<C> scope(cpu, Phase::kHeadWait);
      cpu.pause();
      cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return (v & kWriterMask) != kWriterLocked; });
    }
    queue_.release(cpu);
  }

  template <Cpu C>
  bool lock_free_word(C& cpu, Phase phase) {
    const PhaseScope<C> scope(cpu, phase);
    return cpu.template cmpxchg<std::uint32_t>(word_, 0, kWriterLocked) == 0;
  }

  template <Cpu C>
  void wait_as_writer(C& cpu) {
    queue_.acquire(cpu);
    if (!found_free(cpu)) {
      announce_writer(cpu);
      lock_once_readers_left(cpu);
    }
    queue_.release(cpu);
  }

  template <Cpu C>
  bool found_free(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kClaim);
    return cpu.template load<std::uint32_t>(word_) == 0 && lock_free_word(cpu, Phase::kClaim);
  }

  /// From here on new readers queue.
  template <Cpu C>
  void announce_writer(C& cpu) {
    const PhaseScope<C> scope(cpu, Phase::kHeadWait);
    for (;;) {
      const auto seen = cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return (v & kWriterMask) == 0; });
      if (cpu.template cmpxchg<std::uint32_t>(word_, seen, seen | kWriterWaiting) == seen) return;
      cpu.pause();
    }
  }

  template <Cpu C>
  void lock_once_readers_left(C& cpu) {
    for (;;) {
      {
        const PhaseScope<C> scope(cpu, Phase::kHeadWait);
        cpu.template poll_until<std::uint32_t>(word_, [](auto v) { return v == kWriterWaiting; });
      }
      const PhaseScope<C> scope(cpu, Phase::kClaim);
      if (cpu.template cmpxchg<std::uint32_t>(word_, kWriterWaiting, kWriterLocked) == kWriterWaiting) return;
      cpu.pause();
    }
  }

  Address word_;
  QspinlockAfter queue_;
};

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// What a guest algorithm may ask of the processor it runs on. The simulated core and the native one both satisfy this,
// so every algorithm in this folder is one text that runs on either.
#pragma once

#include <concepts>
#include <cstdint>

#include "units/address.hpp"
#include "units/phase.hpp"

namespace linebounce {

/// Operand of a memory operation: 1, 2, 4 or 8 bytes.
template <class T>
concept Word = std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> || std::same_as<T, std::uint32_t> ||
    std::same_as<T, std::uint64_t>;

/// Stands in for any predicate on a loaded value when the concept below is checked.
struct AnyPredicate {
  bool operator()(std::uint64_t) const { return true; }
};

/// An x86 processor as an algorithm sees it. Operands are naturally aligned; every read-modify-write is LOCKed.
///
/// `load`, `store`        plain MOV of the operand's width
/// `cmpxchg`              LOCK CMPXCHG; returns the value found, which equals `expected` exactly on success
/// `xchg`, `xadd`         return the old value
/// `bts`                  LOCK BTS on a bit of the word; returns whether the bit was set before
/// `pause`, `mfence`      PAUSE, MFENCE
/// `compute(n)`           n cycles of work in registers
/// `prefetchw`            asks for ownership of the line, waits for nothing
/// `poll_until(a, pred)`  loop { v = load(a); if pred(v) return v; pause }
/// `spin_until(a, pred)`  the same loop without PAUSE: its rounds overlap, so it sees a change sooner, but pays a machine
///                        clear when the line is taken from it, and keeps its issue slots from a sibling
/// `phase`                tags what follows; returns the phase before, costs nothing
/// `cpu_number`           index of the processor the task is pinned to (as smp_processor_id)
template <class C>
concept Cpu = requires(C cpu, Address a, std::uint8_t u8, std::uint16_t u16, std::uint32_t u32, std::uint64_t u64,
                       Phase phase, std::int64_t cycles) {
  { cpu.template load<std::uint32_t>(a) } -> std::same_as<std::uint32_t>;
  { cpu.template store<std::uint8_t>(a, u8) } -> std::same_as<void>;
  { cpu.template cmpxchg<std::uint32_t>(a, u32, u32) } -> std::same_as<std::uint32_t>;
  { cpu.template xchg<std::uint16_t>(a, u16) } -> std::same_as<std::uint16_t>;
  { cpu.template xadd<std::uint64_t>(a, u64) } -> std::same_as<std::uint64_t>;
  { cpu.template bts<std::uint32_t>(a, 8U) } -> std::same_as<bool>;
  { cpu.template poll_until<std::uint32_t>(a, AnyPredicate{}) } -> std::same_as<std::uint32_t>;
  { cpu.template spin_until<std::uint32_t>(a, AnyPredicate{}) } -> std::same_as<std::uint32_t>;
  { cpu.pause() } -> std::same_as<void>;
  { cpu.mfence() } -> std::same_as<void>;
  { cpu.compute(cycles) } -> std::same_as<void>;
  { cpu.prefetchw(a) } -> std::same_as<void>;
  { cpu.phase(phase) } -> std::same_as<Phase>;
  { cpu.cpu_number() } -> std::same_as<std::uint32_t>;
};

/// Tags everything until the end of a scope with one phase of the algorithm.
template <class C>
class PhaseScope {
 public:
  PhaseScope(C& cpu, Phase phase) : cpu_(cpu), before_(cpu.phase(phase)) {}
  ~PhaseScope() { cpu_.phase(before_); }
  PhaseScope(const PhaseScope&) = delete;
  PhaseScope& operator=(const PhaseScope&) = delete;

 private:
  C& cpu_;
  Phase before_;
};

/// Where guest objects come from: named, aligned memory with a home. `home` counts sockets and is taken modulo
/// their number (a native memory ignores it). Memory starts as zero.
template <class M>
concept Memory = requires(M memory, const char* name, std::uint64_t bytes, std::uint32_t home) {
  { memory.allocate(name, bytes, home) } -> std::same_as<Address>;
};

}  // namespace linebounce

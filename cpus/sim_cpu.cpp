// SPDX-License-Identifier: Apache-2.0
#include "cpus/sim_cpu.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cpus/core.hpp"

namespace linebounce {

namespace {

/// Operands are naturally aligned; a misaligned one is the guest's error.
Operation operation(OpKind kind, Address a, unsigned bytes) {
  if (a.value % bytes != 0) {
    throw std::invalid_argument(fmt::format("misaligned {} of {} bytes at 0x{:x}", name_of(kind), bytes, a.value));
  }
  Operation op;
  op.kind = kind;
  op.address = a;
  op.bytes = bytes;
  return op;
}

}  // namespace

std::uint64_t SimCpu::load(Address a, unsigned bytes) {
  return core_.execute(thread_, operation(OpKind::kLoad, a, bytes));
}

void SimCpu::store(Address a, std::uint64_t value, unsigned bytes) {
  Operation op = operation(OpKind::kStore, a, bytes);
  op.operand = value;
  core_.execute(thread_, op);
}

std::uint64_t SimCpu::locked(LockedKind kind, Address a, unsigned bytes, std::uint64_t expected,
                             std::uint64_t operand) {
  Operation op = operation(OpKind::kLocked, a, bytes);
  op.locked = kind;
  op.expected = expected;
  op.operand = operand;
  return core_.execute(thread_, op);
}

std::uint64_t SimCpu::spin(Address a, unsigned bytes, PredicateRef predicate, bool relaxed) {
  Operation op = operation(OpKind::kPoll, a, bytes);
  op.predicate = predicate;
  op.relaxed = relaxed;
  return core_.execute(thread_, op);
}

void SimCpu::pause() { core_.execute(thread_, operation(OpKind::kPause, {}, 1)); }
void SimCpu::mfence() { core_.execute(thread_, operation(OpKind::kFence, {}, 1)); }
void SimCpu::prefetchw(Address a) { core_.execute(thread_, operation(OpKind::kPrefetchw, a, 1)); }
void SimCpu::synchronise() { core_.execute(thread_, operation(OpKind::kSynchronise, {}, 1)); }

void SimCpu::compute(std::int64_t cycles) {
  if (cycles <= 0) return;
  Operation op = operation(OpKind::kCompute, {}, 1);
  op.operand = static_cast<std::uint64_t>(cycles);
  core_.execute(thread_, op);
}

Phase SimCpu::phase(Phase phase) { return core_.set_phase(thread_, phase); }
Cycles SimCpu::now() const { return core_.local_time(thread_); }

}  // namespace linebounce

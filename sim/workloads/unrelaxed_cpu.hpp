// SPDX-License-Identifier: Apache-2.0
// A Cpu whose waiting loops have no PAUSE in them, as if cpu_relax() had been compiled to nothing.
#pragma once

#include <utility>

#include "sim/workloads/passing_cpu.hpp"

namespace linebounce {

template <Cpu C>
class UnrelaxedCpu : public PassingCpu<C> {
 public:
  explicit UnrelaxedCpu(C& cpu) : PassingCpu<C>(cpu) {}

  template <Word T, class Predicate>
  T poll_until(Address a, Predicate&& predicate) {
    return PassingCpu<C>::template spin_until<T>(a, std::forward<Predicate>(predicate));
  }
  void pause() {}
};

/// `operate(cpu)`, with the waiting loops as they are or without their PAUSEs.
template <Cpu C, class Operate>
void with_relax(C& cpu, bool relax, Operate&& operate) {
  if (relax) {
    operate(cpu);
  } else {
    UnrelaxedCpu<C> unrelaxed(cpu);
    operate(unrelaxed);
  }
}

}  // namespace linebounce

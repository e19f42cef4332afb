// SPDX-License-Identifier: Apache-2.0
#include "cpus/lone_loop.hpp"

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"

namespace linebounce {
namespace {

constexpr int kWarmUps = 10;
constexpr int kRounds = 1000;

using Word = std::uint64_t;

void perform(SimCpu& cpu, LoopBody body, Address line, Word round) {
  switch (body) {
    case LoopBody::kPause: return cpu.pause();
    case LoopBody::kMfence: return cpu.mfence();
    case LoopBody::kXchg: cpu.xchg<Word>(line, round); return;
    case LoopBody::kXadd: cpu.xadd<Word>(line, 1); return;
    case LoopBody::kCmpxchg: cpu.cmpxchg<Word>(line, round, round + 1); return;
    case LoopBody::kBts: cpu.bts<Word>(line, 0); return;
    case LoopBody::kXchgAndStore:
      cpu.xchg<Word>(line, 1);
      cpu.store<Word>(line, 0);
      return;
    case LoopBody::kLoadAndCmpxchg: {
      const Word found = cpu.load<Word>(line);
      cpu.cmpxchg<Word>(line, found, found + 1);
      return;
    }
  }
}

}  // namespace

double measure_lone_loop(const Machine& machine, const Topology& topology, LoopBody body) {
  System system(machine, topology);
  const Address line = system.allocate("line", 8, 0);
  Cycles sum;
  system.spawn({0}, "guest", [&](SimCpu& cpu) {
    Cycles begin;
    for (Word round = 0; round < kWarmUps + kRounds; ++round) {
      if (round == kWarmUps) begin = cpu.now();
      perform(cpu, body, line, round);
    }
    sum = cpu.now() - begin;
  });
  system.run();
  return static_cast<double>(sum.count) / kRounds;
}

}  // namespace linebounce

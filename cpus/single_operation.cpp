// SPDX-License-Identifier: Apache-2.0
#include "cpus/single_operation.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "cpus/sim_cpu.hpp"
#include "cpus/system.hpp"

namespace linebounce {
namespace {

/// Until all messages of the preparation have arrived, and those of the operation before.
constexpr std::int64_t kQuiet = 10'000;

using Word = std::uint64_t;

/// Every line holds 0.
void operate(SimCpu& cpu, SingleOperation operation, Address line) {
  switch (operation) {
    case SingleOperation::kLoad: cpu.load<Word>(line); return;
    case SingleOperation::kStoreAndFence:
      cpu.store<Word>(line, 1);
      cpu.mfence();
      return;
    case SingleOperation::kXchg: cpu.xchg<Word>(line, 1); return;
    case SingleOperation::kXadd: cpu.xadd<Word>(line, 1); return;
    case SingleOperation::kCmpxchg: cpu.cmpxchg<Word>(line, 0, 1); return;
    case SingleOperation::kFailingCmpxchg: cpu.cmpxchg<Word>(line, 1, 2); return;
  }
}

class SingleOperationRun {
 public:
  SingleOperationRun(const Machine& machine, const Topology& topology, const Arrangement& arrangement,
                     SingleOperation operation)
      : system_(machine, topology),
        arrangement_(arrangement),
        operation_(operation),
        l1_bytes_(static_cast<std::uint64_t>(machine.l1d.kib) * 1024),
        l2_bytes_(static_cast<std::uint64_t>(machine.l2.kib) * 1024) {
    for (int i = 0; i < kMeasuredLines; ++i) lines_.push_back(system_.allocate("line", 8, arrangement.home.value));
    turn_ = system_.allocate("turn", 8, arrangement.home.value);
    others_ = system_.allocate("other lines", std::max(l1_bytes_, l2_bytes_), arrangement.home.value);
  }

  std::vector<LineLatency> run() {
    std::vector<ThreadId> threads = {arrangement_.requester};
    for (const PreparationStep& step : arrangement_.steps) threads.push_back(step.thread);
    std::ranges::sort(threads);
    threads.erase(std::ranges::unique(threads).begin(), threads.end());
    for (const ThreadId thread : threads) {
      system_.spawn(thread, "guest", [this, thread](SimCpu& cpu) {
        prepare(cpu, thread);
        if (thread == arrangement_.requester) measure(cpu);
      });
    }
    system_.run();
    return measured_;
  }

 private:
  void wait_for_turn(SimCpu& cpu, Word turn) {
    cpu.poll_until<Word>(turn_, [turn](Word value) { return value == turn; });
  }

  void prepare(SimCpu& cpu, ThreadId thread) {
    const std::vector<PreparationStep>& steps = arrangement_.steps;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].thread != thread) continue;
      wait_for_turn(cpu, i);
      act(cpu, steps[i].action);
      cpu.mfence();
      cpu.store<Word>(turn_, i + 1);
    }
  }

  void act(SimCpu& cpu, PreparationStep::Action action) {
    switch (action) {
      case PreparationStep::Action::kRead:
        for (const Address line : lines_) cpu.load<Word>(line);
        return;
      case PreparationStep::Action::kWrite:
        for (const Address line : lines_) cpu.store<Word>(line, 0);
        return;
      case PreparationStep::Action::kPushOutOfL1: return load_others(cpu, l1_bytes_);
      case PreparationStep::Action::kPushOutOfL2: return load_others(cpu, l2_bytes_);
    }
  }

  void load_others(SimCpu& cpu, std::uint64_t bytes) {
    for (std::uint64_t offset = 0; offset < bytes; offset += kLineBytes) cpu.load<Word>(others_ + offset);
  }

  void measure(SimCpu& cpu) {
    wait_for_turn(cpu, arrangement_.steps.size());
    for (const Address line : lines_) {
      cpu.compute(kQuiet);
      const Cycles begin = cpu.now();
      operate(cpu, operation_, line);
      measured_.push_back({line, cpu.now() - begin});
    }
  }

  System system_;
  const Arrangement& arrangement_;
  SingleOperation operation_;
  std::uint64_t l1_bytes_;
  std::uint64_t l2_bytes_;
  std::vector<Address> lines_;
  Address turn_;    ///< the step that is due
  Address others_;  ///< as many lines as the larger cache has
  std::vector<LineLatency> measured_;
};

}  // namespace

std::vector<LineLatency> measure_lines(const Machine& machine, const Topology& topology, const Arrangement& arrangement,
                                       SingleOperation operation) {
  return SingleOperationRun(machine, topology, arrangement, operation).run();
}

OperationLatency summarise(std::span<const LineLatency> lines) {
  const auto [min, max] = std::ranges::minmax(lines, {}, &LineLatency::latency);
  Cycles sum;
  for (const LineLatency& line : lines) sum += line.latency;
  return {static_cast<double>(sum.count) / static_cast<double>(lines.size()), min.latency, max.latency};
}

OperationLatency measure_latency(const Machine& machine, const Topology& topology, const Arrangement& arrangement,
                                 SingleOperation operation) {
  return summarise(measure_lines(machine, topology, arrangement, operation));
}

}  // namespace linebounce

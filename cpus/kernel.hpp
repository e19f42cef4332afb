// SPDX-License-Identifier: Apache-2.0
// SystemC under the simulation: one SC_THREAD per guest runs the guest's code, and whoever gives control away works
// through the event queue until a guest is to go on. Exactly one of them runs at a time and hands over explicitly, so
// the order in which SystemC wakes processes decides nothing. The queue has its own time, decoupled from SystemC's as in
// TLM-2.0's loosely timed style: it is worked on up to the next cycle at which any other process wants to run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "coherence/event_queue.hpp"
#include "units/ids.hpp"
#include "units/quantity.hpp"

namespace linebounce {

class Kernel {
 public:
  /// `handle` deals with one event.
  Kernel(EventQueue& queue, std::function<void(const Event&)> handle);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  /// The present, in core cycles since run() began. One cycle is one tick of SystemC's time.
  Cycles now() const;

  /// A guest; its body begins when resume() is first called. Call before run().
  void add_guest(ThreadId thread, std::function<void()> body);
  /// A process that only watches, waking up every few cycles.
  void add_idle_observer(std::int64_t period);

  /// Runs until the queue is empty, then calls `at_end`, while guests that wait still stand where they wait. Rethrows
  /// what an event's handling, a guest or `at_end` threw. `reverse` starts the processes in the opposite order.
  void run(bool reverse, std::function<void()> at_end);

  /// From an event's handling: the guest goes on once the event is dealt with.
  void resume(ThreadId thread);
  /// From a guest: gives control away until the next resume(). Returns at once while an exception unwinds the guest.
  void block(ThreadId thread);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace linebounce

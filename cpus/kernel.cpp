// SPDX-License-Identifier: Apache-2.0
#include "cpus/kernel.hpp"

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <algorithm>
#include <cstdint>
#include <exception>
#include <limits>
#include <map>
#include <stdexcept>
#include <systemc>
#include <utility>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#endif

// SystemC's library wants one; this project's programs have a main of their own.
int sc_main(int, char**) { return 0; }

namespace linebounce {

namespace {

sc_core::sc_time ticks(Cycles cycles) { return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(cycles.count)); }

/// SystemC's own reports become exceptions; its information lines are dropped.
void quiet_report(const sc_core::sc_report& report, const sc_core::sc_actions&) {
  if (report.get_severity() == sc_core::SC_INFO) return;
  throw std::logic_error(std::string("SystemC: ") + report.what());
}

#if defined(__SANITIZE_ADDRESS__)
void announce_stack(const void* bottom, std::size_t size) {
  __sanitizer_start_switch_fiber(nullptr, bottom, size);
  __sanitizer_finish_switch_fiber(nullptr, nullptr, nullptr);
}

/// AddressSanitizer must know on which stack the program runs; SystemC's coroutines do not tell it. Called after every
/// switch to a guest; `here` is near the top of the stack, of which `size` bytes lie below it.
void now_on_stack(const void* here, std::size_t size) {
  constexpr std::uintptr_t kAbove = 4096;
  announce_stack(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(here) + kAbove - size), size);
}

/// Called when the program is back where it came from.
void now_on_thread_stack() {
  pthread_attr_t attributes;
  void* bottom = nullptr;
  std::size_t size = 0;
  pthread_getattr_np(pthread_self(), &attributes);
  pthread_attr_getstack(&attributes, &bottom, &size);
  pthread_attr_destroy(&attributes);
  announce_stack(bottom, size);
}
#else
void now_on_stack(const void*, std::size_t) {}
void now_on_thread_stack() {}
#endif

/// Unwinds a guest that nobody will resume.
struct RunEnded {};

constexpr int kGuestStack = 256 * 1024;

}  // namespace

struct Kernel::Impl {
  struct Guest {
    std::function<void()> body;
    sc_core::sc_event wake;
    bool ended = false;
    const void* stack = nullptr;  ///< near its top
  };

  EventQueue& queue;
  std::function<void(const Event&)> handle;
  std::function<void()> at_end;
  std::map<ThreadId, std::unique_ptr<Guest>> guests;
  std::vector<std::int64_t> observers;
  sc_core::sc_time began;
  Cycles now;
  Cycles reached;  ///< SystemC's time
  Cycles horizon;  ///< no other process of SystemC is due before
  Guest* next_guest = nullptr;
  std::exception_ptr failure;
  bool done = false;

  Impl(EventQueue& q, std::function<void(const Event&)> h) : queue(q), handle(std::move(h)) {}

  /// SystemC's time since the run began.
  Cycles systemc_time() const {
    return Cycles{static_cast<std::int64_t>(sc_core::sc_time_stamp().value() - began.value())};
  }

  /// Up to when no other process of SystemC wants to run.
  void look_ahead() {
    reached = systemc_time();
    horizon = Cycles{std::numeric_limits<std::int64_t>::max()};
    if (sc_core::sc_pending_activity_at_future_time()) {
      horizon = reached + Cycles{static_cast<std::int64_t>(sc_core::sc_time_to_pending_activity().value())};
    }
  }

  /// Works through the queue, in the process of whoever has given control away, until `self` is to go on; if another
  /// guest is, its process takes over. Without a guest of its own (nullptr) the caller returns then, or at the end.
  void drive(Guest* self) {
    try {
      while (!done) {
        if (queue.empty()) {
          if (now > systemc_time()) sc_core::wait(ticks(now - systemc_time()));
          at_end();
          done = true;
          break;
        }
        const Cycles next = queue.next();
        if (next > horizon) {
          sc_core::wait(ticks(horizon - reached));
          look_ahead();
          continue;
        }
        now = next;
        handle(queue.pop());
        if (next_guest == nullptr) continue;
        Guest* const other = std::exchange(next_guest, nullptr);
        if (other == self) return;
        other->wake.notify();
        if (self == nullptr) return;
        sc_core::wait(self->wake);
        now_on_stack(self->stack, kGuestStack);
        if (!done) return;
      }
    } catch (...) {
      failure = std::current_exception();
      done = true;
    }
    if (self != nullptr) throw RunEnded{};
  }

  void run_guest(Guest& guest) {
    const char guest_frame = 0;
    try {
      guest.stack = &guest_frame;
      sc_core::wait(guest.wake);
      now_on_stack(guest.stack, kGuestStack);
      if (!done) guest.body();
    } catch (const RunEnded&) {
    } catch (...) {
      failure = std::current_exception();
      done = true;
    }
    guest.ended = true;
    drive(nullptr);
  }
};

Kernel::Kernel(EventQueue& queue, std::function<void(const Event&)> handle)
    : impl_(std::make_unique<Impl>(queue, std::move(handle))) {
  sc_core::sc_report_handler::set_handler(quiet_report);
}

Kernel::~Kernel() = default;

Cycles Kernel::now() const { return impl_->now; }

void Kernel::add_guest(ThreadId thread, std::function<void()> body) {
  auto guest = std::make_unique<Impl::Guest>();
  guest->body = std::move(body);
  impl_->guests.emplace(thread, std::move(guest));
}

void Kernel::add_idle_observer(std::int64_t period) { impl_->observers.push_back(period); }

void Kernel::run(bool reverse, std::function<void()> at_end) {
  Impl& impl = *impl_;
  impl.at_end = std::move(at_end);
  impl.began = sc_core::sc_time_stamp();
  impl.done = false;
  impl.now = {};

  std::vector<std::function<void()>> starts;
  starts.emplace_back([&impl] {
    sc_core::sc_spawn_options options;
    options.set_stack_size(kGuestStack);
    sc_core::sc_spawn(
        [&impl] {
          const char frame = 0;
          sc_core::wait(sc_core::SC_ZERO_TIME);  // every guest stands at its first wait by then
          now_on_stack(&frame, kGuestStack);
          impl.look_ahead();
          impl.drive(nullptr);
        },
        sc_core::sc_gen_unique_name("starter"), &options);
  });
  for (auto& [thread, guest] : impl.guests) {
    starts.emplace_back([&impl, &guest = *guest] {
      sc_core::sc_spawn_options options;
      options.set_stack_size(kGuestStack);
      sc_core::sc_spawn([&impl, &guest] { impl.run_guest(guest); }, sc_core::sc_gen_unique_name("guest"), &options);
    });
  }
  for (const std::int64_t period : impl.observers) {
    starts.emplace_back([&impl, period] {
      sc_core::sc_spawn_options options;
      options.spawn_method();
      sc_core::sc_spawn(
          [&impl, period] {
            if (impl.done) sc_core::sc_get_current_process_handle().kill();
            sc_core::next_trigger(ticks(Cycles{period}));
          },
          sc_core::sc_gen_unique_name("observer"), &options);
    });
  }
  if (reverse) std::reverse(starts.begin(), starts.end());
  for (auto& start : starts) start();
  sc_core::sc_start();
  bool waiting = false;
  for (auto& [thread, guest] : impl.guests) {
    if (guest->ended) continue;
    guest->wake.notify(sc_core::SC_ZERO_TIME);
    waiting = true;
  }
  if (waiting) sc_core::sc_start();
  now_on_thread_stack();
  if (impl.failure != nullptr) std::rethrow_exception(std::exchange(impl.failure, nullptr));
}

void Kernel::resume(ThreadId thread) { impl_->next_guest = impl_->guests.at(thread).get(); }

void Kernel::block(ThreadId thread) {
  // A destructor of a guest that is being unwound may use the cpu (to release a lock, say): nothing comes of that.
  if (std::uncaught_exceptions() > 0) return;
  impl_->drive(impl_->guests.at(thread).get());
}

}  // namespace linebounce

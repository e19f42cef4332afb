// SPDX-License-Identifier: Apache-2.0
#include "cpus/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "coherence/memory_system.hpp"
#include "cpus/core.hpp"
#include "cpus/guest_memory.hpp"
#include "cpus/kernel.hpp"
#include "cpus/observer.hpp"
#include "cpus/sim_cpu.hpp"
#include "topologies/core_cycles.hpp"

namespace linebounce {

namespace {

/// An OpId's upper part is its hardware thread, counted from 1.
CoreId core_of(const Machine& machine, OpId op) {
  return {static_cast<std::uint32_t>((op.value >> 40) - 1) / static_cast<std::uint32_t>(machine.threads_per_core)};
}

/// What a window event's payload means.
constexpr std::uint32_t kOpen = 0;
constexpr std::uint32_t kClose = 1;

}  // namespace

struct System::Impl final : CoreHost, CacheListener {
  struct Task {
    std::string name;
    std::unique_ptr<SimCpu> cpu;
    bool ended = false;
  };

  const Machine& machine;
  const Topology& topology;
  SystemOptions options;
  EventQueue queue;
  Ledger ledger;
  MemorySystem memory;
  GuestMemory guest_memory;
  Window window;
  Kernel kernel;
  std::vector<std::unique_ptr<Core>> cores;
  std::vector<Task> tasks;  ///< by hardware thread; those without a task have no cpu
  std::vector<Cycles> nearest_slice;
  Cycles end;
  Cycles last_progress;
  MachineCounters at_open;
  MachineCounters counted;

  Impl(const Machine& m, const Topology& t, const SystemOptions& o)
      : machine(m),
        topology(t),
        options(o),
        memory(m, t, queue, ledger, core_of),
        guest_memory(memory.map(), o.seed),
        kernel(queue, [this](const Event& event) { handle(event); }),
        tasks(static_cast<std::size_t>(m.threads())) {
    for (int i = 0; i < m.cores(); ++i) {
      const CoreId id{static_cast<std::uint32_t>(i)};
      cores.push_back(
          std::make_unique<Core>(m, id, memory, ledger, *this, window, o.run_ahead, o.step_polls, o.observer));
      nearest_slice.push_back(nearest(id));
    }
    memory.set_listener(*this);
    memory.set_observer(o.observer);
    for (int i = 0; i < o.idle_observers; ++i) kernel.add_idle_observer(7 + 4 * i);
  }

  /// The unloaded way from the nearest slice of the socket: no event elsewhere reaches the core sooner.
  Cycles nearest(CoreId core) const {
    const int socket = static_cast<int>(core.value) / machine.cores_per_socket;
    Cycles least{std::int64_t{1} << 40};
    for (int i = 0; i < machine.l3_slices_per_socket; ++i) {
      const SliceId slice{static_cast<std::uint32_t>(socket * machine.l3_slices_per_socket + i)};
      least = std::min(least, core_cycles(machine, topology.route(topology.slice(slice), topology.core(core))));
    }
    return std::max(least, Cycles{1});
  }

  Core& core_of_thread(ThreadId thread) {
    return *cores[thread.value / static_cast<std::uint32_t>(machine.threads_per_core)];
  }

  // CoreHost
  Cycles now() const override { return kernel.now(); }
  void push(const Event& event) override { queue.push(event); }
  void resume(ThreadId thread) override { kernel.resume(thread); }
  void block(ThreadId thread) override { kernel.block(thread); }
  Cycles limit() const override {
    return options.patience == Cycles{} ? options.limit : std::min(options.limit, last_progress + options.patience);
  }
  void beyond_limit(Cycles at) override {
    if (at > options.limit) {
      throw LimitReached(
          fmt::format("the run reached its limit of {} cycles; tasks:\n{}", options.limit.count, dump()));
    }
    throw BrokenModel(fmt::format("livelock: at cycle {} nothing has been achieved for {} cycles; tasks:\n{}", at.count,
                                  options.patience.count, dump()));
  }
  Cycles horizon(CoreId core) override {
    if (queue.empty()) return limit() + Cycles{1};
    return memory.inbound(core) == 0 ? queue.next() + nearest_slice[core.value] : queue.next();
  }

  // CacheListener
  void cache_changed(CoreId core, LineAddress line, OpId by) override { cores[core.value]->cache_changed(line, by); }
  void line_replaced(CoreId core, LineAddress line) override { cores[core.value]->line_replaced(line); }

  /// Whether anything happens by an event, so that the run may not go on to it beyond its limit.
  bool matters(const Event& event) {
    if (event.step == Step::kWindow) return false;
    return event.step != Step::kIssue || core_of_thread({event.actor}).awaits({event.actor}, event.payload);
  }

  void handle(const Event& event) {
    if (event.at > limit() && matters(event)) beyond_limit(event.at);
    switch (event.step) {
      case Step::kWindow: window_event(event); break;
      case Step::kRelease: core_of_thread({event.actor}).release_event({event.actor}); break;
      case Step::kDeliver: memory.deliver(event); break;
      case Step::kDrain: core_of_thread({event.actor}).drain_event({event.actor}); break;
      case Step::kIssue: core_of_thread({event.actor}).issue_event({event.actor}, event.payload); break;
    }
  }

  void window_event(const Event& event) {
    if (event.payload == kOpen) {
      at_open = memory.counters();
    } else if (event.at == window.close + Cycles{1}) {
      close_counters();
    }
  }

  /// What happens in the cycle `at` itself is before the event, whether or not the task that asks has run ahead.
  void push_window(Cycles at, std::uint32_t what) { queue.push({at + Cycles{1}, Step::kWindow, what, 0, what}); }

  void close_counters() {
    counted = memory.counters();
    counted -= at_open;
  }

  /// Who waits for whom: every task that has not ended, then every open transaction.
  std::string dump() {
    std::string text;
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].cpu == nullptr || tasks[i].ended) continue;
      Core& core = core_of_thread({i});
      text += fmt::format("  task {} on thread {}: {}\n", tasks[i].name, i,
                          core.waits_for({i}, guest_memory.describe(core.waits_at({i}))));
    }
    const std::string transactions = memory.dump();
    return text + (transactions.empty() ? "  no coherence transaction is open\n" : transactions);
  }

  void check_for_deadlock() {
    for (const Task& task : tasks) {
      if (task.cpu != nullptr && !task.ended) {
        throw BrokenModel("deadlock: nothing is left to happen, yet tasks wait\n" + dump());
      }
    }
  }

  void run() {
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].cpu != nullptr) core_of_thread({i}).begin_task({i});
    }
    try {
      kernel.run(options.reverse_construction, [this] { check_for_deadlock(); });
    } catch (const ProtocolError& error) {
      throw BrokenModel(error.what());
    }
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      if (tasks[i].cpu == nullptr) continue;
      end = std::max(end, tasks[i].cpu->now());
    }
    const std::string open = memory.dump();
    if (!open.empty()) throw BrokenModel("every task has ended, yet transactions are open\n" + open);
    settle_accounts();
  }

  void settle_accounts() {
    if (window.open == Window::kNever) window.open = end;
    if (window.close == Window::kNever) close_counters();
    window.close = std::max(std::min(window.close, end), window.open);
    if (window.close == window.open) {  // nothing counts
      at_open = memory.counters();
      close_counters();
    }
    accounts.resize(tasks.size());
    for (std::uint32_t i = 0; i < tasks.size(); ++i) {
      AccountBook& book = core_of_thread({i}).book({i});
      book.finish();
      accounts[i] = book.account();
      const Cycles length = window.close - window.open;
      const Cycles busy = accounts[i].total();
      const Cycles last = tasks[i].cpu != nullptr ? tasks[i].cpu->now() : Cycles{};
      const Cycles idle = window.close - std::clamp(last, window.open, window.close);
      accounts[i].at(Phase::kNone, Category::kIdle) += idle;
      if (busy + idle != length) {
        throw BrokenModel(fmt::format("thread {}: {} cycles are accounted for, {} idle, but the window has {}", i,
                                      busy.count, idle.count, length.count));
      }
    }
  }

  std::vector<Account> accounts;
};

System::System(const Machine& machine, const Topology& topology, const SystemOptions& options)
    : impl_(std::make_unique<Impl>(machine, topology, options)) {}

System::~System() = default;

Address System::allocate(std::string_view name, std::uint64_t bytes, std::uint32_t home) {
  return impl_->guest_memory.allocate(name, bytes, home);
}

std::string System::describe(Address address) const { return impl_->guest_memory.describe(address); }
const std::vector<MemoryObject>& System::objects() const { return impl_->guest_memory.objects(); }

void System::spawn(ThreadId thread, std::string_view name, std::function<void(SimCpu&)> body) {
  Impl& impl = *impl_;
  Impl::Task& task = impl.tasks.at(thread.value);
  if (task.cpu != nullptr)
    throw std::invalid_argument(fmt::format("hardware thread {} has a task already", thread.value));
  Core& core = impl.core_of_thread(thread);
  task.name = name;
  task.cpu.reset(new SimCpu(core, thread));
  core.task_begins(thread);
  impl.kernel.add_guest(thread, [&core, &task, thread, body = std::move(body)] {
    body(*task.cpu);
    core.task_ends(thread);
    task.ended = true;
  });
}

void System::run() {
  impl_->run();
  if (impl_->options.observer != nullptr) impl_->options.observer->run_ended(*this);
}
void System::progress(ThreadId thread, Cycles at) {
  impl_->last_progress = std::max(impl_->last_progress, at);
  if (impl_->options.observer != nullptr) impl_->options.observer->achieved(thread, at);
}

void System::open_window(Cycles at) {
  impl_->window.open = at;
  impl_->push_window(at, kOpen);
}

void System::close_window(Cycles at) {
  if (at >= impl_->window.close) return;
  impl_->window.close = at;
  impl_->push_window(at, kClose);
}

Cycles System::window_length() const { return impl_->window.close - impl_->window.open; }
Cycles System::window_opened() const { return impl_->window.open; }
const Account& System::account(ThreadId thread) const { return impl_->accounts.at(thread.value); }
const ThreadCounters& System::counters(ThreadId thread) const {
  return impl_->core_of_thread(thread).book(thread).counters();
}
const MachineCounters& System::machine_counters() const { return impl_->counted; }
std::uint64_t System::peek(Address address, unsigned bytes) const { return impl_->memory.peek(address, bytes); }

std::uint64_t System::digest() const {
  std::uint64_t digest = impl_->memory.digest();
  for (const auto& core : impl_->cores) digest = digest * 0x100000001b3U ^ core->digest();
  return digest;
}

std::uint64_t System::messages_delivered() const { return impl_->memory.delivered(); }

std::uint64_t System::operations_completed() const {
  std::uint64_t sum = 0;
  for (const auto& core : impl_->cores) sum += core->operations();
  return sum;
}

RowsFired System::rows_fired() const { return impl_->memory.rows_fired(); }

const Machine& System::machine() const { return impl_->machine; }
const Topology& System::topology() const { return impl_->topology; }

}  // namespace linebounce

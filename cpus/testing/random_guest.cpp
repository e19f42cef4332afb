// SPDX-License-Identifier: Apache-2.0
#include "cpus/testing/random_guest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace linebounce::testing {

namespace {

using Step = GuestStep;
constexpr std::size_t kSteps = static_cast<std::size_t>(Step::kCount);

/// Who wrote a journal's value, and at which step of its program.
constexpr std::uint64_t journal_value(std::uint64_t task, std::uint64_t step) { return (task + 1) << 32 | (step + 1); }

/// One operation of any width.
template <class Operate>
std::uint64_t with_width(unsigned bytes, Operate&& operate) {
  switch (bytes) {
    case 1: return operate(std::uint8_t{});
    case 2: return operate(std::uint16_t{});
    case 4: return operate(std::uint32_t{});
    default: return operate(std::uint64_t{});
  }
}

template <class T, class Predicate>
T spin(SimCpu& cpu, Address a, bool relaxed, Predicate&& predicate) {
  return relaxed ? cpu.poll_until<T>(a, predicate) : cpu.spin_until<T>(a, predicate);
}

}  // namespace

RandomGuest::RandomGuest(std::uint64_t seed, std::size_t tasks) : programs_(tasks) {
  Chance chance(seed);
  // Each seed has its favourite operations.
  for (std::size_t i = 0; i < kSteps; ++i) weights_.push_back(1 + chance.below(chance.percent(30) ? 40 : 6));
  lines_ = 1 + chance.below(chance.percent(50) ? 4 : 14);
  stride_ = chance.percent(50) ? 8 : 1 + chance.below(9);
  std::vector<std::uint32_t> places;
  for (std::uint32_t i = 0; i < std::max(lines_ * 8, slots()); ++i) places.push_back(i);
  lines_ = static_cast<std::uint32_t>((places.size() + 7) / 8);
  for (std::uint32_t i = 0; i < slots(); ++i) {
    const std::uint32_t pick = i + chance.below(static_cast<std::uint32_t>(places.size()) - i);
    std::swap(places[i], places[pick]);
    slot_lines_.push_back(places[i] / 8);
    slot_words_.push_back(places[i] % 8);
  }
  views_end_ = chance.percent(60);
  const std::uint32_t most = 20 + chance.below(200);
  for (std::uint32_t task = 0; task < tasks; ++task) {
    // Some tasks end much earlier than others.
    const std::uint32_t steps = chance.percent(30) ? 1 + chance.below(20) : most;
    for (std::uint32_t step = 0; step < steps; ++step) {
      programs_[task].push_back(action(chance, task, step));
      if (programs_[task].back().step == Step::kCriticalSection) ++guarded_;
    }
  }
  // What polls wait for is what the others have surely done before a step of theirs with a lower number.
  for (std::uint32_t task = 0; task < tasks; ++task) {
    for (std::uint32_t step = 0; step < programs_[task].size(); ++step) {
      GuestAction& a = programs_[task][step];
      if (a.step == Step::kPollFlag) {
        const auto& other = programs_[a.word];
        for (std::uint32_t s = 0; s < std::min<std::size_t>(step, other.size()); ++s) {
          if (other[s].step == Step::kSetFlag) a.operand = other[s].operand;
        }
      } else if (a.step == Step::kPollCounter) {
        for (const auto& other : programs_) {
          for (std::uint32_t s = 0; s < std::min<std::size_t>(step, other.size()); ++s) {
            if (other[s].step == Step::kXadd && other[s].word == a.word) a.operand += other[s].operand;
          }
        }
      }
    }
  }
}

GuestAction RandomGuest::action(Chance& chance, std::uint32_t task, std::uint32_t step) const {
  std::uint32_t sum = 0;
  for (const std::uint32_t w : weights_) sum += w;
  std::uint32_t draw = chance.below(sum);
  std::size_t kind = 0;
  while (draw >= weights_[kind]) draw -= weights_[kind++];

  GuestAction a;
  a.step = static_cast<Step>(kind);
  a.phase = static_cast<Phase>(chance.below(kPhases));
  a.relaxed = chance.percent(50);
  switch (a.step) {
    case Step::kXadd:
      a.word = chance.below(kCounters);
      a.operand = 1 + chance.below(3);
      break;
    case Step::kReadCounter:
    case Step::kPollCounter: a.word = chance.below(kCounters); break;
    case Step::kSetFlag:
      a.word = task;
      a.operand = step + 1;
      break;
    case Step::kReadFlag:
    case Step::kPollFlag: a.word = chance.below(static_cast<std::uint32_t>(programs_.size())); break;
    case Step::kJournalStore:
    case Step::kJournalXchg:
    case Step::kJournalCmpxchg:
    case Step::kJournalRead:
      a.word = chance.below(kJournals);
      a.operand = journal_value(task, step);
      break;
    case Step::kSoupLoad:
    case Step::kSoupStore:
    case Step::kSoupXchg:
    case Step::kSoupCmpxchg:
    case Step::kSoupXadd:
    case Step::kSoupBts:
      a.word = chance.below(kSoups);
      a.bytes = 1U << chance.below(4);
      a.offset = chance.below(8 / a.bytes) * a.bytes;
      a.operand = a.step == Step::kSoupBts ? chance.below(std::min(a.bytes * 8, 32U)) : chance.next();
      break;
    case Step::kCompute: a.operand = 1 + chance.below(chance.percent(10) ? 3000 : 60); break;
    case Step::kPrefetchw: a.word = chance.below(slots()); break;
    case Step::kCriticalSection:
    case Step::kPause:
    case Step::kFence:
    case Step::kCount: break;
  }
  return a;
}

Address RandomGuest::Layout::slot(std::uint32_t index) const {
  return base + std::uint64_t{guest.slot_lines_[index]} * guest.stride_ * kLineBytes +
         std::uint64_t{guest.slot_words_[index]} * 8;
}

std::uint64_t RandomGuest::soup(SimCpu& cpu, Address a, const GuestAction& action) {
  return with_width(action.bytes, [&](auto width) -> std::uint64_t {
    using T = decltype(width);
    const auto operand = static_cast<T>(action.operand);
    if (action.step == Step::kSoupLoad) return cpu.load<T>(a);
    if (action.step == Step::kSoupXchg) return cpu.xchg<T>(a, operand);
    if (action.step == Step::kSoupCmpxchg) return cpu.cmpxchg<T>(a, static_cast<T>(operand & 1U), operand);
    if (action.step == Step::kSoupXadd) return cpu.xadd<T>(a, operand);
    if (action.step == Step::kSoupBts) return cpu.bts<T>(a, static_cast<unsigned>(action.operand)) ? 1 : 0;
    cpu.store<T>(a, operand);
    return 0;
  });
}

std::uint64_t RandomGuest::act(SimCpu& cpu, const Layout& at, const GuestAction& a,
                               std::vector<std::uint64_t>& journal_seen) const {
  switch (a.step) {
    case Step::kXadd: return cpu.xadd<std::uint64_t>(at.counter(a.word), a.operand);
    case Step::kReadCounter: return cpu.load<std::uint64_t>(at.counter(a.word));
    case Step::kPollCounter:
      return spin<std::uint64_t>(cpu, at.counter(a.word), a.relaxed, [&](auto v) { return v >= a.operand; });
    case Step::kSetFlag: cpu.store(at.flag(a.word), static_cast<std::uint32_t>(a.operand)); return a.operand;
    case Step::kReadFlag: return cpu.load<std::uint32_t>(at.flag(a.word));
    case Step::kPollFlag:
      return spin<std::uint32_t>(cpu, at.flag(a.word), a.relaxed, [&](auto v) { return v >= a.operand; });
    case Step::kJournalStore: cpu.store(at.journal(a.word), a.operand); return a.operand;
    case Step::kJournalXchg: return journal_seen[a.word] = cpu.xchg(at.journal(a.word), a.operand);
    case Step::kJournalCmpxchg:
      return journal_seen[a.word] = cpu.cmpxchg(at.journal(a.word), journal_seen[a.word], a.operand);
    case Step::kJournalRead: return journal_seen[a.word] = cpu.load<std::uint64_t>(at.journal(a.word));
    case Step::kCriticalSection: {
      while (cpu.bts<std::uint32_t>(at.lock(), 5)) {
        spin<std::uint32_t>(cpu, at.lock(), a.relaxed, [](auto v) { return v == 0; });
      }
      const auto before = cpu.load<std::uint64_t>(at.guarded());
      cpu.compute(10);
      cpu.store(at.guarded(), before + 1);
      cpu.store(at.lock(), std::uint32_t{0});
      return before;
    }
    case Step::kPause: cpu.pause(); return 0;
    case Step::kCompute: cpu.compute(static_cast<std::int64_t>(a.operand)); return 0;
    case Step::kFence: cpu.mfence(); return 0;
    case Step::kPrefetchw: cpu.prefetchw(at.slot(a.word)); return 0;
    case Step::kSoupLoad:
    case Step::kSoupStore:
    case Step::kSoupXchg:
    case Step::kSoupCmpxchg:
    case Step::kSoupXadd:
    case Step::kSoupBts: return soup(cpu, at.soup(a.word) + a.offset, a);
    case Step::kCount: break;
  }
  return 0;
}

void RandomGuest::plan(Plan& plan, const std::vector<ThreadId>& threads) const {
  const Address base = plan.system().allocate("words", std::uint64_t{lines_} * stride_ * kLineBytes, 1);
  const Layout layout{base, *this};
  for (std::uint32_t task = 0; task < programs_.size(); ++task) {
    plan.task(threads[task], [this, layout, task](SimCpu& cpu, Diary& diary) {
      std::vector<std::uint64_t> journal_seen(kJournals);
      for (const GuestAction& a : programs_[task]) {
        cpu.phase(a.phase);
        diary.note(cpu, act(cpu, layout, a, journal_seen));
      }
      if (!views_end_) return;
      cpu.mfence();
      cpu.xadd<std::uint32_t>(layout.arrived(), 1);
      cpu.poll_until<std::uint32_t>(layout.arrived(), [this](auto v) { return v == programs_.size(); });
      for (std::uint32_t i = 0; i < slots(); ++i) diary.note(cpu, cpu.load<std::uint64_t>(layout.slot(i)));
    });
  }
  for (std::uint32_t i = 0; i < slots(); ++i) plan.peek_after(layout.slot(i), 8);
}

std::string RandomGuest::odd_reads(const RunRecord& record) const {
  std::uint64_t sections = 0;
  std::set<std::uint64_t> guarded_seen;
  for (std::size_t task = 0; task < programs_.size(); ++task) {
    std::array<std::uint64_t, kCounters> counters{};
    std::vector<std::uint64_t> flags(programs_.size());
    for (std::size_t step = 0; step < programs_[task].size(); ++step) {
      const GuestAction& a = programs_[task][step];
      const std::uint64_t value = record.diaries[task].sights()[step].value;
      const auto odd = [&](const char* what) {
        return fmt::format("task {} step {}: {} (0x{:x})", task, step, what, value);
      };
      switch (a.step) {
        case Step::kXadd:
        case Step::kReadCounter:
        case Step::kPollCounter:
          if (value < counters[a.word]) return odd("a counter shrank");
          counters[a.word] = value + (a.step == Step::kXadd ? a.operand : 0);
          if (a.step == Step::kPollCounter && value < a.operand) return odd("a poll ended too early");
          break;
        case Step::kSetFlag: flags[a.word] = value; break;
        case Step::kReadFlag:
        case Step::kPollFlag:
          if (value < flags[a.word]) return odd("a flag went back");
          if (a.word == task && value != flags[task]) return odd("not the own flag's last value");
          if (a.step == Step::kPollFlag && value < a.operand) return odd("a poll ended too early");
          flags[a.word] = value;
          break;
        case Step::kCriticalSection:
          ++sections;
          if (!guarded_seen.insert(value).second) return odd("two critical sections at once");
          break;
        case Step::kJournalStore:
        case Step::kJournalXchg:
        case Step::kJournalCmpxchg:
        case Step::kJournalRead:
        case Step::kSoupLoad:
        case Step::kSoupStore:
        case Step::kSoupXchg:
        case Step::kSoupCmpxchg:
        case Step::kSoupXadd:
        case Step::kSoupBts:
        case Step::kPause:
        case Step::kCompute:
        case Step::kFence:
        case Step::kPrefetchw:
        case Step::kCount: break;
      }
    }
  }
  if (sections != guarded_) return "a critical section is missing";
  return {};
}

/// Coherence of each journal: a reader never meets an older write of the same writer again, itself included, and no
/// value is taken by two atomic operations.
std::string RandomGuest::odd_journals(const RunRecord& record) const {
  std::set<std::pair<std::uint32_t, std::uint64_t>> taken;
  for (std::size_t task = 0; task < programs_.size(); ++task) {
    std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> latest;  // (word, writer) → value
    std::vector<std::uint64_t> seen(kJournals);
    for (std::size_t step = 0; step < programs_[task].size(); ++step) {
      const GuestAction& a = programs_[task][step];
      const std::uint64_t value = record.diaries[task].sights()[step].value;
      const bool reads =
          a.step == Step::kJournalXchg || a.step == Step::kJournalCmpxchg || a.step == Step::kJournalRead;
      if (reads) {
        std::uint64_t& last = latest[{a.word, value >> 32}];
        const bool own = value >> 32 == task + 1;
        if (value < last || (own && value != last)) {
          return fmt::format("task {} step {}: 0x{:x} of a journal after 0x{:x}", task, step, value, last);
        }
        last = value;
      }
      const bool swaps = a.step == Step::kJournalXchg || (a.step == Step::kJournalCmpxchg && value == seen[a.word]);
      if (swaps && !taken.insert({a.word, value}).second) {
        return fmt::format("task {} step {}: 0x{:x} of a journal taken twice", task, step, value);
      }
      if (reads) seen[a.word] = value;
      if (swaps || a.step == Step::kJournalStore) latest[{a.word, task + 1}] = a.operand;
    }
  }
  return {};
}

std::string RandomGuest::odd_finals(const RunRecord& record) const {
  std::array<std::uint64_t, kCounters> sums{};
  std::vector<std::uint64_t> flags(programs_.size());
  for (const auto& program : programs_) {
    for (const GuestAction& a : program) {
      if (a.step == Step::kXadd) sums[a.word] += a.operand;
      if (a.step == Step::kSetFlag) flags[a.word] = a.operand;
    }
  }
  const std::uint32_t guarded = kCounters + kJournals + kSoups + 1;
  for (std::uint32_t i = 0; i < kCounters; ++i) {
    if (record.peeks[i] != sums[i]) return fmt::format("counter {} ends at {}, not {}", i, record.peeks[i], sums[i]);
  }
  for (std::uint32_t i = 0; i < flags.size(); ++i) {
    if (record.peeks[guarded + 2 + i] != flags[i])
      return fmt::format("flag {} ends at {}", i, record.peeks[guarded + 2 + i]);
  }
  if (record.peeks[guarded] != guarded_)
    return fmt::format("{} of {} critical sections", record.peeks[guarded], guarded_);
  for (std::size_t task = 0; views_end_ && task < programs_.size(); ++task) {
    for (std::uint32_t i = 0; i < slots(); ++i) {
      const std::uint64_t seen = record.diaries[task].sights()[programs_[task].size() + i].value;
      if (seen != record.peeks[i])
        return fmt::format("task {} ends with 0x{:x} in slot {}, not 0x{:x}", task, seen, i, record.peeks[i]);
    }
  }
  return {};
}

std::string RandomGuest::unexplained(const RunRecord& record) const {
  if (std::string text = odd_reads(record); !text.empty()) return text;
  if (std::string text = odd_journals(record); !text.empty()) return text;
  return odd_finals(record);
}

std::vector<ThreadId> random_placement(const Machine& machine, Chance& chance, std::size_t tasks) {
  const auto threads = static_cast<std::uint32_t>(machine.threads());
  const auto a_socket = static_cast<std::uint32_t>(machine.cores_per_socket * machine.threads_per_core);
  const std::uint32_t style = chance.below(4);
  std::set<std::uint32_t> used;
  std::vector<ThreadId> placement;
  std::uint32_t next = style == 0 ? 2 * chance.below(threads / 2 - static_cast<std::uint32_t>(tasks)) : 0;
  while (placement.size() < tasks) {
    std::uint32_t thread = 0;
    switch (style) {
      case 0: thread = next++; break;                  // siblings on neighbouring cores
      case 1: thread = chance.below(a_socket); break;  // one socket
      case 2: thread = next++ % 4 + chance.below(static_cast<std::uint32_t>(machine.sockets)) * a_socket; break;
      default: thread = chance.below(threads); break;
    }
    if (used.insert(thread).second) placement.push_back({thread});
  }
  return placement;
}

Machine random_machine(Chance& chance) {
  static constexpr std::array<const char*, 4> kNames = {"westmere-ep-2s", "westmere-ex-4s", "ivybridge-ex-4s",
                                                        "westmere-ex-8s"};
  Machine machine = shipped(kNames[chance.below(4)]);
  if (chance.percent(75)) {
    machine.l1d = {1, chance.percent(50) ? 1 : 2};  // 16 or 8 sets
    machine.l2 = {1, 1 << chance.below(4)};         // 16 to 2 sets
  }
  if (chance.percent(40)) machine.l3_slice = {1, 1 << (1 + chance.below(3))};
  if (chance.percent(40)) machine.core.store_buffer = 2 + static_cast<int>(chance.below(6));
  if (chance.percent(30)) machine.core.fill_buffers = 1 + static_cast<int>(chance.below(3));
  if (chance.percent(20)) machine.core.store_commit = Cycles{1 + chance.below(4)};
  if (chance.percent(30)) {
    machine.core.issue = Cycles{1 + chance.below(3)};
    machine.core.l1_load = Cycles{1 + chance.below(5)};
    machine.core.pause = Cycles{1 + chance.below(12)};
    machine.core.cmpxchg = Cycles{1 + chance.below(30)};
    machine.core.mfence = Cycles{1 + chance.below(30)};
    machine.core.poll_test = Cycles{1 + chance.below(4)};
    machine.core.machine_clear = Cycles{chance.below(40)};
  }
  return machine;
}

}  // namespace linebounce::testing

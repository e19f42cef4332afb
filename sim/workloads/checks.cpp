// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/checks.hpp"

#include <algorithm>

#include "cpus/system.hpp"

namespace linebounce {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

void raise(std::atomic<std::int64_t>& latest, Cycles now) {
  if (now.count > latest.load(kRelaxed)) latest.store(now.count, kRelaxed);
}

[[noreturn]] void broken(int task, Cycles now, const std::string& why) {
  throw BrokenModel("mutual exclusion broken: task " + std::to_string(task) +
                    " entered the critical section at cycle " + std::to_string(now.count) + " although " + why);
}

}  // namespace

void ExclusionCheck::enter(int task, Access access, Cycles now) {
  const bool writes = access == Access::kWrite;
  const int writer = writes ? writer_.exchange(task, kRelaxed) : writer_.load(kRelaxed);
  if (writer != kNobody) broken(task, now, "task " + std::to_string(writer) + " was writing in it");
  const int readers = writes ? readers_.load(kRelaxed) : readers_.fetch_add(1, kRelaxed);
  if (writes && readers != 0) broken(task, now, std::to_string(readers) + " readers were in it");
  const std::int64_t left =
      writes ? std::max(last_write_.load(kRelaxed), last_read_.load(kRelaxed)) : last_write_.load(kRelaxed);
  if (now.count < left) broken(task, now, "it was taken until cycle " + std::to_string(left));
}

void ExclusionCheck::leave(int task, Access access, Cycles now) {
  if (access == Access::kRead) {
    raise(last_read_, now);
    readers_.fetch_sub(1, kRelaxed);
    return;
  }
  raise(last_write_, now);
  if (const int writer = writer_.exchange(kNobody, kRelaxed); writer != task) {
    throw BrokenModel("mutual exclusion broken: task " + std::to_string(task) + " left the critical section at cycle " +
                      std::to_string(now.count) + ", but its owner was task " + std::to_string(writer));
  }
}

void QueueOrderCheck::acquired(std::uint32_t cpu) {
  const auto place = std::ranges::find(waiting_, cpu);
  if (place == waiting_.end()) return;
  if (place != waiting_.begin()) {
    throw BrokenModel("queue order broken: cpu " + std::to_string(cpu) + " got the lock before cpu " +
                      std::to_string(waiting_.front()) + ", which had joined the queue earlier");
  }
  waiting_.pop_front();
}

}  // namespace linebounce

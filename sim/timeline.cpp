// SPDX-License-Identifier: Apache-2.0
#include "sim/timeline.hpp"

#include <algorithm>

namespace linebounce {

Timeline::Timeline(const Recording& recording) : recording_(recording) {
  for (const OperationRecord& operation : recording.operations) {
    threads_[operation.thread].push_back(&operation);
    operations_.emplace(operation.id.value, &operation);
    const bool writes = operation.kind == OpKind::kLocked && !operation.failed;
    if (writes) writes_[line_of(operation.address).value].push_back(&operation);
  }
  for (const OperationRecord& commit : recording.commits) {
    commits_.emplace(commit.id.value, &commit);
    writes_[line_of(commit.address).value].push_back(&commit);
  }
  for (const RecordedMessage& message : recording.messages) {
    if (message.kind == MessageKind::kCoreSnpInv) taken_[{message.to, message.line.value}].push_back(&message);
  }
  for (auto& [line, writes] : writes_) {
    std::ranges::stable_sort(writes, {}, [](const OperationRecord* write) { return write->end; });
  }
}

std::span<const OperationRecord* const> Timeline::of(ThreadId thread) const {
  const auto found = threads_.find(thread);
  if (found == threads_.end()) return {};
  return found->second;
}

const OperationRecord* Timeline::before(ThreadId thread, Cycles at) const {
  const auto operations = of(thread);
  const auto found = std::ranges::lower_bound(operations, at, {}, [](const OperationRecord* o) { return o->end; });
  return found == operations.end() || (*found)->begin >= at ? nullptr : *found;
}

const OperationRecord* Timeline::operation(OpId op) const {
  const auto found = operations_.find(op.value);
  return found == operations_.end() ? nullptr : found->second;
}

const OperationRecord* Timeline::commit(OpId op) const {
  const auto found = commits_.find(op.value);
  return found == commits_.end() ? nullptr : found->second;
}

const RecordedMessage* Timeline::taken_away(CoreId core, LineAddress line, Cycles after, Cycles until) const {
  const auto found = taken_.find({core.value, line.value});
  if (found == taken_.end()) return nullptr;
  const auto next =
      std::ranges::upper_bound(found->second, until, {}, [](const RecordedMessage* m) { return m->arrived; });
  if (next == found->second.begin() || (*std::prev(next))->arrived <= after) return nullptr;
  return *std::prev(next);
}

template <class Meant>
const OperationRecord* Timeline::last_write_to(LineAddress line, Cycles after, Cycles until, Meant&& meant) const {
  const auto found = writes_.find(line.value);
  if (found == writes_.end()) return nullptr;
  const auto& writes = found->second;
  auto next = std::ranges::upper_bound(writes, until, {}, [](const OperationRecord* write) { return write->end; });
  while (next != writes.begin() && (*--next)->end > after) {
    if (meant(**next)) return *next;
  }
  return nullptr;
}

const OperationRecord* Timeline::last_write(Address address, unsigned bytes, Cycles until, ThreadId but_of) const {
  return last_write_to(line_of(address), Cycles{-1}, until, [&](const OperationRecord& write) {
    const bool overlaps = write.address < address + bytes && address < write.address + write.bytes;
    return overlaps && write.thread != but_of;
  });
}

const OperationRecord* Timeline::written_beside(ThreadId thread, LineAddress line, Cycles after, Cycles until) const {
  return last_write_to(line, after, until, [&](const OperationRecord& write) {
    return write.thread != thread && recording_.core_of(write.thread) == recording_.core_of(thread);
  });
}

}  // namespace linebounce

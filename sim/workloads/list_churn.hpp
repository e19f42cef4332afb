// SPDX-License-Identifier: Apache-2.0
// list-churn: producers add entries to lock-less lists, consumers take them off and walk them. One operation is one entry
// added (a producer's); consumers complete none, and what they do shows in their accounts and counters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpus/system.hpp"
#include "locks/llist.hpp"
#include "locks/lock.hpp"
#include "sim/experiment.hpp"
#include "sim/workloads/list_nodes.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

struct ListChurnShape {
  int producers = 1;  ///< tasks 0 … producers - 1; then come the consumers
  int consumers = 1;
  int lists = 1;  ///< at most as many as producers, and as consumers
  Consume consume = Consume::kDelAll;
  Cycles local_work{0};  ///< a producer's, before each entry
};

template <LlistState S>
class ListChurn {
 public:
  /// `task_homes`: home socket of each task's own memory.
  template <Memory M>
  ListChurn(M& memory, const ListChurnShape& shape, const std::vector<std::uint32_t>& task_homes, std::uint32_t home)
      : shape_(shape),
        nodes_(memory, {task_homes.begin(), task_homes.begin() + shape.producers}, shape.consumers, home) {
    for (int i = 0; i < shape.lists; ++i)
      lists_.emplace_back(memory, ("list[" + std::to_string(i) + "]").c_str(), home);
  }

  bool counts(int task) const { return task < shape_.producers; }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    counts(task.index()) ? produce(cpu, task) : consume(cpu, task);
  }

  /// Nothing was lost: what is neither consumed nor free is still on a list, once. Throws BrokenModel.
  void verify(const Peek& peek) const {
    std::uint64_t left = 0;
    const std::uint64_t expected = nodes_.on_lists();
    for (const auto& list : lists_) {
      for (std::uint64_t node = peek(list.head(), 8); node != 0 && left <= expected; node = peek({node}, 8)) ++left;
    }
    if (left != expected) {
      throw BrokenModel("list-churn: " + std::to_string(expected) +
                        " entries should be left on the lists, but there are " +
                        (left > expected ? "more" : std::to_string(left)));
    }
  }

 private:
  /// How long a producer whose next entry is still on a list works before it looks again.
  static constexpr std::int64_t kStarvedWait = 50;

  using List = Llist<S>;

  template <Cpu C, TaskOn<C> T>
  void produce(C& cpu, T& task) {
    List& list = lists_[static_cast<std::size_t>(task.index() % shape_.lists)];
    for (std::uint64_t iteration = 0;; ++iteration) {
      work_locally(cpu, task, shape_.local_work, iteration);
      ListNode* node = wait_for_free_node(cpu, task);
      if (node == nullptr) break;
      list.add(cpu, node->address);
      if (!task.completed(cpu)) break;
    }
    if (task.index() < shape_.lists) end_list(cpu, task.index());
  }

  /// nullptr: the run ends before an entry is free.
  template <Cpu C, TaskOn<C> T>
  ListNode* wait_for_free_node(C& cpu, T& task) {
    ListNode* node = nodes_.take(task.index(), task.now(cpu));
    while (node == nullptr) {
      task.catch_up(cpu);
      node = nodes_.take(task.index(), task.now(cpu));
      if (node != nullptr) break;
      if (!task.running(cpu)) return nullptr;
      const PhaseScope<C> scope(cpu, Phase::kLocalWork);
      cpu.compute(kStarvedWait);
    }
    return node;
  }

  /// An end mark for each consumer of a list, from the list's first producer. Others may still add behind it.
  template <Cpu C>
  void end_list(C& cpu, int list) {
    for (int consumer = list; consumer < shape_.consumers; consumer += shape_.lists)
      add_end(cpu, list, nodes_.end(consumer));
  }

  template <Cpu C>
  void add_end(C& cpu, int list, ListNode& end) {
    ListNodes::mark_on_list(end);
    lists_[static_cast<std::size_t>(list)].add(cpu, end.address);
  }

  template <Cpu C, TaskOn<C> T>
  void consume(C& cpu, T& task) {
    const int number = (task.index() - shape_.producers) % shape_.lists;
    List& list = lists_[static_cast<std::size_t>(number)];
    std::vector<ListNode*> ends;
    while (ends.empty()) {
      wait_until_filled(cpu, list);
      shape_.consume == Consume::kDelAll ? take_all(cpu, task, list, ends) : take_first(cpu, task, list, ends);
    }
    // One end mark is this consumer's own; any others go back for those whose they are.
    for (std::size_t i = 1; i < ends.size(); ++i) add_end(cpu, number, *ends[i]);
  }

  template <Cpu C>
  void wait_until_filled(C& cpu, const List& list) {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    cpu.template poll_until<std::uint64_t>(list.head(), [](auto first) { return first != 0; });
  }

  template <Cpu C, TaskOn<C> T>
  void take_all(C& cpu, T& task, List& list, std::vector<ListNode*>& ends) {
    const ListNode* newer = nullptr;
    std::uint64_t newer_sequence = 0;
    for (Address address = list.del_all(cpu); address;) {
      ListNode& node = nodes_.at(address);
      if (newer != nullptr && newer->producer == node.producer && node.producer != ListNodes::kEnds &&
          node.sequence >= newer_sequence) {
        throw BrokenModel("list-churn: entries of producer " + std::to_string(node.producer) + " are out of order");
      }
      newer = &node;
      newer_sequence = node.sequence;
      address = List::next(cpu, address);
      done_with(node, task.now(cpu), ends);
    }
  }

  template <Cpu C, TaskOn<C> T>
  void take_first(C& cpu, T& task, List& list, std::vector<ListNode*>& ends) {
    if (const Address address = list.del_first(cpu); address) done_with(nodes_.at(address), task.now(cpu), ends);
  }

  static void done_with(ListNode& node, Cycles now, std::vector<ListNode*>& ends) {
    ListNodes::release(node, now);
    if (node.producer == ListNodes::kEnds) ends.push_back(&node);
  }

  ListChurnShape shape_;
  std::vector<List> lists_;
  ListNodes nodes_;
};

}  // namespace linebounce

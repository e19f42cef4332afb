// SPDX-License-Identifier: Apache-2.0
#include "cpus/testing/litmus.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace linebounce::testing {

namespace {

template <class List>
int index_in(List& list, std::string_view name) {
  const auto found = std::find(list.begin(), list.end(), name);
  return found == list.end() ? -1 : static_cast<int>(found - list.begin());
}

bool is_number(const std::string& word) { return word.find_first_not_of("0123456789") == std::string::npos; }

std::uint32_t number(const std::string& word) { return static_cast<std::uint32_t>(std::stoul(word)); }

}  // namespace

int Litmus::register_of(std::size_t thread, std::string_view name) {
  Thread& t = threads_.at(thread);
  const int known = index_in(t.registers, name);
  if (known >= 0) return known;
  t.registers.emplace_back(name);
  t.initial.push_back(0);
  return static_cast<int>(t.registers.size() - 1);
}

int Litmus::variable(std::string_view name) {
  const int known = index_in(variables_, name);
  if (known >= 0) return known;
  variables_.emplace_back(name);
  initial_.push_back(0);
  return static_cast<int>(variables_.size() - 1);
}

Litmus& Litmus::thread(std::string_view text) {
  threads_.emplace_back();
  const std::size_t self = threads_.size() - 1;
  register_of(self, "rax");  // CMPXCHG's register is always there, at index 0
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line, ';');) {
    std::istringstream words(line);
    std::string what;
    std::string a;
    std::string b;
    words >> what >> a >> b;
    LitmusOp op;
    if (what == "load")
      op = {LitmusKind::kLoad, register_of(self, a), variable(b), 0};
    else if (what == "store" && is_number(b))
      op = {LitmusKind::kStore, -1, variable(a), number(b)};
    else if (what == "store")
      op = {LitmusKind::kStore, register_of(self, b), variable(a), 0};
    else if (what == "movi")
      op = {LitmusKind::kMove, register_of(self, a), -1, number(b)};
    else if (what == "xchg")
      op = {LitmusKind::kXchg, register_of(self, a), variable(b), 0};
    else if (what == "xadd")
      op = {LitmusKind::kXadd, register_of(self, a), variable(b), 0};
    else if (what == "cmpxchg")
      op = {LitmusKind::kCmpxchg, register_of(self, a), variable(b), 0};
    else if (what != "mfence")
      throw std::invalid_argument("litmus: unknown operation " + line);
    threads_[self].ops.push_back(op);
  }
  return *this;
}

Litmus& Litmus::initial_register(std::size_t thread, std::string_view reg, std::uint32_t value) {
  const auto index = static_cast<std::size_t>(register_of(thread, reg));
  threads_[thread].initial[index] = value;
  return *this;
}

Litmus& Litmus::initial_variable(std::string_view var, std::uint32_t value) {
  const auto index = static_cast<std::size_t>(variable(var));
  initial_[index] = value;
  return *this;
}

Litmus& Litmus::observe(std::string_view columns) {
  std::istringstream words{std::string(columns)};
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) {
      columns_.push_back({-1, variable(word)});
    } else {
      const auto thread = static_cast<int>(number(word.substr(0, colon)));
      columns_.push_back({thread, register_of(static_cast<std::size_t>(thread), word.substr(colon + 1))});
    }
  }
  return *this;
}

/// Walks through every behaviour of the abstract machine.
class AbstractMachine {
 public:
  AbstractMachine(const Litmus& test, bool with_store_buffers) : test_(test), buffers_(with_store_buffers) {
    State start;
    for (const auto& thread : test.threads_) start.threads.push_back({0, thread.initial, {}});
    start.memory = test.initial_;
    visit(start);
  }
  LitmusStates finals;

 private:
  using Pending = std::pair<int, std::uint32_t>;
  struct ThreadState {
    std::size_t next = 0;
    std::vector<std::uint32_t> registers;
    std::vector<Pending> buffer;
    friend bool operator<(const ThreadState& a, const ThreadState& b) {
      return std::tie(a.next, a.registers, a.buffer) < std::tie(b.next, b.registers, b.buffer);
    }
  };
  struct State {
    std::vector<ThreadState> threads;
    std::vector<std::uint32_t> memory;
    friend bool operator<(const State& a, const State& b) {
      return std::tie(a.threads, a.memory) < std::tie(b.threads, b.memory);
    }
  };

  void visit(const State& state) {
    if (!seen_.insert(state).second) return;
    bool final = true;
    for (std::size_t t = 0; t < state.threads.size(); ++t) {
      if (!state.threads[t].buffer.empty()) {
        final = false;
        State after = state;
        auto& buffer = after.threads[t].buffer;
        after.memory[static_cast<std::size_t>(buffer.front().first)] = buffer.front().second;
        buffer.erase(buffer.begin());
        visit(after);
      }
      if (state.threads[t].next == test_.threads_[t].ops.size()) continue;
      final = false;
      State after = state;
      if (step(after, t)) visit(after);
    }
    if (!final) return;
    LitmusState row;
    for (const auto& [thread, index] : test_.columns_) {
      const auto i = static_cast<std::size_t>(index);
      row.push_back(thread < 0 ? state.memory[i] : state.threads[static_cast<std::size_t>(thread)].registers[i]);
    }
    finals.insert(row);
  }

  /// The thread's next operation, if it can go on.
  bool step(State& state, std::size_t thread) const {
    ThreadState& t = state.threads[thread];
    const LitmusOp& op = test_.threads_[thread].ops[t.next];
    const auto reg = static_cast<std::size_t>(std::max(op.reg, 0));
    const auto var = static_cast<std::size_t>(std::max(op.var, 0));
    if (op.kind >= LitmusKind::kXchg || op.kind == LitmusKind::kFence) {
      if (!t.buffer.empty()) return false;
    }
    switch (op.kind) {
      case LitmusKind::kLoad: {
        t.registers[reg] = state.memory[var];
        for (const auto& [pending, value] : t.buffer) {
          if (pending == op.var) t.registers[reg] = value;
        }
        break;
      }
      case LitmusKind::kStore: {
        const std::uint32_t value = op.reg < 0 ? op.value : t.registers[reg];
        if (buffers_)
          t.buffer.emplace_back(op.var, value);
        else
          state.memory[var] = value;
        break;
      }
      case LitmusKind::kMove: t.registers[reg] = op.value; break;
      case LitmusKind::kFence: break;
      case LitmusKind::kXchg: std::swap(t.registers[reg], state.memory[var]); break;
      case LitmusKind::kXadd: {
        const std::uint32_t old = state.memory[var];
        state.memory[var] += t.registers[reg];
        t.registers[reg] = old;
        break;
      }
      case LitmusKind::kCmpxchg:
        if (state.memory[var] == t.registers[0])
          state.memory[var] = t.registers[reg];
        else
          t.registers[0] = state.memory[var];
        break;
    }
    ++t.next;
    return true;
  }

  const Litmus& test_;
  bool buffers_;
  std::set<State> seen_;
};

LitmusStates Litmus::allowed(bool with_store_buffers) const {
  return AbstractMachine(*this, with_store_buffers).finals;
}

std::string describe(const LitmusStates& states) {
  std::string text;
  for (const LitmusState& state : states) text += fmt::format("({}) ", fmt::join(state, " "));
  return text;
}

}  // namespace linebounce::testing

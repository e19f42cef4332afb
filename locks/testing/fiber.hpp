// SPDX-License-Identifier: Apache-2.0
// A function with a stack of its own that can be left in the middle and entered again. One host thread runs them all.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>

#include "locks/testing/fiber_sanitizers.hpp"

namespace linebounce::testing {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body) : body_(std::move(body)), stack_(new std::byte[kStackBytes]) {
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = kStackBytes;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
  }
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// From outside: runs the body until it leaves or ends; throws what ended it.
  void resume() {
    sanitizers_.before_resume(stack_.get(), kStackBytes);
    swapcontext(&outside_, &inside_);
    sanitizers_.left();
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  /// From inside: returns to whoever resumed.
  void leave() {
    sanitizers_.before_leave(ended_);
    swapcontext(&inside_, &outside_);
    sanitizers_.resumed();
  }

  bool ended() const { return ended_; }

 private:
  static constexpr std::size_t kStackBytes = 65536;

  /// makecontext passes only ints.
  static void enter(unsigned high, unsigned low) {
    const std::uintptr_t self = static_cast<std::uintptr_t>(high) << 32 | low;
    reinterpret_cast<Fiber*>(self)->run();  // NOLINT(performance-no-int-to-ptr)
  }
  void run() {
    sanitizers_.resumed();
    try {
      body_();
    } catch (...) {
      error_ = std::current_exception();
    }
    body_ = nullptr;
    ended_ = true;
    leave();
  }

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  FiberSanitizers sanitizers_;
  std::exception_ptr error_;
  bool ended_ = false;
};

}  // namespace linebounce::testing

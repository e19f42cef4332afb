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

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace linebounce::testing {

class Fiber {
 public:
  explicit Fiber(std::function<void()> body) : body_(std::move(body)), stack_(new std::byte[kStackBytes]) {
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.get();
    inside_.uc_stack.ss_size = kStackBytes;
    inside_.uc_link = &outside_;
    const auto self = reinterpret_cast<std::uintptr_t>(this);
    makecontext(&inside_, reinterpret_cast<void (*)()>(&Fiber::enter), 2, static_cast<unsigned>(self >> 32),
                static_cast<unsigned>(self));
#if defined(__SANITIZE_THREAD__)
    tsan_inside_ = __tsan_create_fiber(0);
#endif
  }
#if defined(__SANITIZE_THREAD__)
  ~Fiber() { __tsan_destroy_fiber(tsan_inside_); }
#else
  ~Fiber() = default;
#endif
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// From outside: runs the body until it leaves or ends; throws what ended it.
  void resume() {
#if defined(__SANITIZE_THREAD__)
    tsan_outside_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(tsan_inside_, 0);
#endif
    swapcontext(&outside_, &inside_);
    if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
  }

  /// From inside: returns to whoever resumed.
  void leave() {
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(tsan_outside_, 0);
#endif
    swapcontext(&inside_, &outside_);
  }

  bool ended() const { return ended_; }

 private:
  static constexpr std::size_t kStackBytes = 64 * 1024;

  /// makecontext passes only ints.
  static void enter(unsigned high, unsigned low) {
    reinterpret_cast<Fiber*>(static_cast<std::uintptr_t>(high) << 32 | low)->run();
  }
  void run() {
    try {
      body_();
    } catch (...) {
      error_ = std::current_exception();
    }
    ended_ = true;
    body_ = nullptr;
    leave();
  }

  std::function<void()> body_;
  std::unique_ptr<std::byte[]> stack_;
  ucontext_t inside_{};
  ucontext_t outside_{};
  std::exception_ptr error_;
  bool ended_ = false;
#if defined(__SANITIZE_THREAD__)
  void* tsan_inside_ = nullptr;
  void* tsan_outside_ = nullptr;
#endif
};

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
// Tells AddressSanitizer and ThreadSanitizer about changes of stack; without them, nothing.
#pragma once

#include <cstddef>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace linebounce::testing {

#if defined(__SANITIZE_THREAD__)
inline constexpr bool kUnderThreadSanitizer = true;
#else
inline constexpr bool kUnderThreadSanitizer = false;
#endif

/// Call each function just before or just after the switch that it names.
class FiberSanitizers {
 public:
#if defined(__SANITIZE_ADDRESS__)
  void before_resume(const void* stack, std::size_t bytes) { __sanitizer_start_switch_fiber(&outside_, stack, bytes); }
  void resumed() { __sanitizer_finish_switch_fiber(inside_, &outside_stack_, &outside_bytes_); }
  void before_leave(bool for_ever) {
    __sanitizer_start_switch_fiber(for_ever ? nullptr : &inside_, outside_stack_, outside_bytes_);
  }
  void left() { __sanitizer_finish_switch_fiber(outside_, nullptr, nullptr); }

 private:
  void* outside_ = nullptr;
  void* inside_ = nullptr;
  const void* outside_stack_ = nullptr;
  std::size_t outside_bytes_ = 0;
#elif defined(__SANITIZE_THREAD__)
  FiberSanitizers() = default;
  ~FiberSanitizers() { __tsan_destroy_fiber(inside_); }
  FiberSanitizers(const FiberSanitizers&) = delete;
  FiberSanitizers& operator=(const FiberSanitizers&) = delete;

  void before_resume(const void*, std::size_t) {
    outside_ = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(inside_, 0);
  }
  void resumed() {}
  void before_leave(bool) { __tsan_switch_to_fiber(outside_, 0); }
  void left() {}

 private:
  void* outside_ = nullptr;
  void* inside_ = __tsan_create_fiber(0);
#else
  void before_resume(const void*, std::size_t) {}
  void resumed() {}
  void before_leave(bool) {}
  void left() {}
#endif
};

}  // namespace linebounce::testing

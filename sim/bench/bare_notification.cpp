// SPDX-License-Identifier: Apache-2.0
#include "bare_notification.hpp"

#include <memory>
#include <systemc>

namespace linebounce {
namespace {

class SelfNotifier : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(SelfNotifier);
  SelfNotifier(const sc_core::sc_module_name& name, std::uint64_t count) : sc_core::sc_module(name), left_(count) {
    SC_METHOD(wake);
    sensitive << event_;
  }

 private:
  void wake() {
    if (left_-- > 0) event_.notify(tick_);
  }

  std::uint64_t left_;
  sc_core::sc_event event_;
  const sc_core::sc_time tick_ = sc_core::sc_get_time_resolution();
};

}  // namespace

void run_bare_notifications(std::uint64_t count) {
  sc_core::sc_simcontext* const before = sc_core::sc_curr_simcontext;
  const auto context = std::make_unique<sc_core::sc_simcontext>();
  sc_core::sc_curr_simcontext = context.get();
  {
    SelfNotifier notifier("notifier", count);
    sc_core::sc_start();
  }
  sc_core::sc_curr_simcontext = before;
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_interrupt.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <stdexcept>

namespace linebounce {
namespace {

// A signal handler reaches nothing but globals.
std::array<char, 4096> unfinished_file{};
volatile std::sig_atomic_t has_unfinished_file = 0;
std::array<volatile pid_t, 1024> workers{};

void on_interrupt(int signal) {
  if (has_unfinished_file != 0) unlink(unfinished_file.data());
  for (const volatile pid_t& worker : workers) {
    if (worker > 0) kill(worker, SIGKILL);
  }
  _exit(128 + signal);
}

}  // namespace

void handle_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  action.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &action, nullptr);
}

void follow_parent() {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

void set_unfinished_file(const std::string& path) {
  has_unfinished_file = 0;
  if (path.empty() || path.size() >= unfinished_file.size()) return;
  std::memcpy(unfinished_file.data(), path.c_str(), path.size() + 1);
  has_unfinished_file = 1;
}

void add_worker(pid_t worker) {
  for (volatile pid_t& slot : workers) {
    if (slot == 0) {
      slot = worker;
      return;
    }
  }
  throw std::length_error("too many worker processes");
}

void remove_worker(pid_t worker) {
  for (volatile pid_t& slot : workers) {
    if (slot == worker) slot = 0;
  }
}

}  // namespace linebounce

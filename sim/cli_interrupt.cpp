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
struct UnfinishedFile {
  std::array<char, 4096> path{};
  volatile std::sig_atomic_t exists = 0;
};
std::array<UnfinishedFile, 4> unfinished_files{};
std::array<volatile pid_t, 1024> workers{};

void on_interrupt(int signal) {
  for (const UnfinishedFile& file : unfinished_files) {
    if (file.exists != 0) unlink(file.path.data());
  }
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

void add_unfinished_file(const std::string& path) {
  for (UnfinishedFile& file : unfinished_files) {
    if (file.exists != 0 || path.size() >= file.path.size()) continue;
    std::memcpy(file.path.data(), path.c_str(), path.size() + 1);
    file.exists = 1;
    return;
  }
}

void remove_unfinished_file(const std::string& path) {
  for (UnfinishedFile& file : unfinished_files) {
    if (file.exists != 0 && path == file.path.data()) file.exists = 0;
  }
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

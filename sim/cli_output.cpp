// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "sim/cli_interrupt.hpp"

namespace linebounce {
namespace {

[[noreturn]] void fail(std::string_view what, int error) {
  throw OutputError(fmt::format("{}: {}", what, std::generic_category().message(error)));
}

void write_all(int descriptor, std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const ssize_t n = write(descriptor, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail(name, errno);
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

}  // namespace

void reserve_standard_streams() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    // The lowest free number is taken; wrong way round, so that using it is an error as before.
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
  }
}

void write_stdout(std::string_view text) { write_all(STDOUT_FILENO, text, "standard output"); }

void say(std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t n = write(STDERR_FILENO, text.data(), text.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
}

ResultFile::ResultFile(const std::string& path) : path_(path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (std::filesystem::is_directory(status)) fail(path, EISDIR);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(path, errno);
    return;
  }
  if (std::filesystem::is_symlink(std::filesystem::symlink_status(path, ignored))) {
    const auto target = std::filesystem::weakly_canonical(path, ignored);
    if (!target.empty()) path_ = target.string();
  }
  temporary_ = fmt::format("{}.{}.partial", path_, getpid());
  add_unfinished_file(temporary_);
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    const int error = errno;
    remove_unfinished_file(temporary_);
    fail(path, error);
  }
}

ResultFile::~ResultFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) {
    unlink(temporary_.c_str());
    remove_unfinished_file(temporary_);
  }
}

void ResultFile::commit(std::string_view text) {
  write_all(descriptor_, text, path_);
  if (!temporary_.empty() && fsync(descriptor_) != 0) fail(path_, errno);
  const int closing = close(descriptor_);
  const int error = errno;
  descriptor_ = -1;
  if (closing != 0) fail(path_, error);
  if (temporary_.empty()) return;
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_, errno);
  remove_unfinished_file(temporary_);
  temporary_.clear();
}

}  // namespace linebounce

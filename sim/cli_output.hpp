// SPDX-License-Identifier: Apache-2.0
// Where results go: standard output, or a file that appears whole or not at all.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace linebounce {

/// A result could not be written, or a system resource is missing: exit code 6.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Makes a closed standard output stay closed, so that no file is opened in its place. Call first of all.
void reserve_standard_streams();

/// Writes everything to standard output; throws OutputError if it is closed or full.
void write_stdout(std::string_view text);

/// Writes to standard error; nothing can be done if that fails.
void say(std::string_view text) noexcept;

/// A file to be written: a temporary one beside it, renamed on commit. What is no regular file (/dev/null, a pipe) is
/// written in place. Without commit nothing remains.
class ResultFile {
 public:
  /// Creates the temporary file, so that a wrong path shows before hours of simulation. Throws OutputError.
  explicit ResultFile(const std::string& path);
  ~ResultFile();
  ResultFile(const ResultFile&) = delete;
  ResultFile& operator=(const ResultFile&) = delete;

  /// Throws OutputError; then the file is as it was before.
  void commit(std::string_view text);

 private:
  std::string path_;
  std::string temporary_;  ///< "" when written in place
  int descriptor_ = -1;
};

}  // namespace linebounce

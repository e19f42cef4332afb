// SPDX-License-Identifier: Apache-2.0
// For tests: runs the program itself in a directory of the test's own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace linebounce::testing {

struct Finished {
  int code = 0;
  std::string out;
  std::string err;
};

class CommandTest : public ::testing::Test {
 protected:
  /// `verb`: stands before the arguments of every run.
  explicit CommandTest(std::string verb = "") : verb_(std::move(verb)) {
    const ::testing::TestInfo& test = *::testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::path(::testing::TempDir()) /
                 ("linebounce_" + std::string(test.test_suite_name()) + "_" + test.name());
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
  }
  ~CommandTest() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }
  std::string content(const std::string& name) const {
    std::ifstream in(directory_ / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  /// Returns the file's path.
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ / name) << text;
    return path(name);
  }

  /// The shell runs it, so redirections may follow the arguments.
  Finished run(const std::string& arguments) const {
    const std::string redirected = ">" + path("out") + " 2>" + path("err") + " ";
    const int status = std::system((redirected + LINEBOUNCE_PROGRAM " " + verb_ + " " + arguments).c_str());
    return {WEXITSTATUS(status), content("out"), content("err")};
  }

  std::filesystem::path directory_;

 private:
  std::string verb_;
};

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
#include "sim/cli_output.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace linebounce {
namespace {

namespace fs = std::filesystem;

class ResultFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(::testing::TempDir()) /
                 ("linebounce_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(directory_);
    fs::create_directory(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string path(const char* name) const { return (directory_ / name).string(); }
  static std::string content(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(directory_), {}); }

  fs::path directory_;
};

TEST_F(ResultFiles, AFileAppearsWhenItIsComplete) {
  ResultFile file(path("a.json"));
  EXPECT_FALSE(fs::exists(path("a.json")));
  file.commit("whole");
  EXPECT_EQ(content(path("a.json")), "whole");
  EXPECT_EQ(files(), 1);
}

TEST_F(ResultFiles, WithoutCommitTheOldFileStaysAndNothingElse) {
  std::ofstream(path("a.json")) << "old";
  { const ResultFile file(path("a.json")); }
  EXPECT_EQ(content(path("a.json")), "old");
  EXPECT_EQ(files(), 1);
}

TEST_F(ResultFiles, AWrongPathShowsAtOnce) {
  EXPECT_THROW(ResultFile(path("no/such/folder.json")), OutputError);
  EXPECT_THROW(ResultFile{directory_.string()}, OutputError);
}

TEST_F(ResultFiles, ADeviceIsWrittenInPlace) {
  ResultFile file("/dev/null");
  file.commit("gone");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(ResultFiles, AFullDiskIsAnError) {
  ResultFile file("/dev/full");
  EXPECT_THROW(file.commit("too much"), OutputError);
}

TEST_F(ResultFiles, ALinkStaysALink) {
  std::ofstream(path("target")) << "old";
  fs::create_symlink(path("target"), path("link"));
  ResultFile(path("link")).commit("new");
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content(path("target")), "new");
}

}  // namespace
}  // namespace linebounce

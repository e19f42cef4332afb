// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce matrix`: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

namespace linebounce {
namespace {

struct Finished {
  int code = 0;
  std::string out;
  std::string err;
};

std::string base() {
  return ::testing::TempDir() + "linebounce_matrix_" + ::testing::UnitTest::GetInstance()->current_test_info()->name();
}

std::string content(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

Finished run(const std::string& arguments) {
  const int status =
      std::system((LINEBOUNCE_PROGRAM " matrix " + arguments + " >" + base() + ".out 2>" + base() + ".err").c_str());
  return {WEXITSTATUS(status), content(base() + ".out"), content(base() + ".err")};
}

TEST(MatrixCommand, PrintsItsFourForms) {
  for (const auto& [form, begin] :
       {std::pair{"", "westmere-ep-2s: core cycles of one operation at 2670 MHz, over 64 lines\n"},
        {" --json", "{\n \"schema\": \"linebounce.matrix/1\",\n"},
        {" --csv", "machine,core clock [MHz],operation,"},
        {" --svg", "<svg xmlns="}}) {
    const Finished f = run(std::string("westmere-ep-2s") + form);
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(f.err, "");
    EXPECT_EQ(f.out.find(begin), 0U) << f.out;
  }
}

TEST(MatrixCommand, ComparesWhatItWroteItselfWithoutAnError) {
  const Finished pairs = run("westmere-ep-2s --core-to-core");
  EXPECT_EQ(pairs.code, 0) << pairs.err;
  std::ofstream(base() + ".csv") << pairs.out;
  const Finished compared = run("westmere-ep-2s --compare " + base() + ".csv");
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("same die     30 "), std::string::npos) << compared.out;
  EXPECT_EQ(compared.out.find('+'), std::string::npos) << compared.out;
}

TEST(MatrixCommand, RefusesWrongFilesWithOneLineAndCodeThree) {
  std::ofstream(base() + ".csv") << ",\nx,\n";
  for (const std::string& arguments : {std::string("no-such-machine"), "westmere-ep-2s --compare " + base() + ".csv",
                                       std::string("westmere-ep-2s --compare /no/such/file")}) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 3) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
  }
  EXPECT_EQ(run("westmere-ep-2s --compare " + base() + ".csv").err,
            base() + ".csv:2:1: 'x', expected the ns between cores 1 and 0\n");
}

TEST(MatrixCommand, AWrongCommandLineIsUsage) {
  for (const char* arguments : {"", "westmere-ep-2s --json --csv", "westmere-ep-2s --core-to-core --svg",
                                "westmere-ep-2s --compare", "westmere-ep-2s --json=no"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
}

}  // namespace
}  // namespace linebounce

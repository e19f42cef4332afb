// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce matrix`: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

using testing::Finished;

class MatrixCommand : public testing::CommandTest {
 protected:
  MatrixCommand() : CommandTest("matrix") {}
};

TEST_F(MatrixCommand, PrintsItsFourForms) {
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

TEST_F(MatrixCommand, ComparesWhatItWroteItselfWithoutAnError) {
  const Finished pairs = run("westmere-ep-2s --core-to-core");
  EXPECT_EQ(pairs.code, 0) << pairs.err;
  const Finished compared = run("westmere-ep-2s --compare " + write("pairs.csv", pairs.out));
  EXPECT_EQ(compared.code, 0) << compared.err;
  EXPECT_NE(compared.out.find("same die     30 "), std::string::npos) << compared.out;
  EXPECT_EQ(compared.out.find('+'), std::string::npos) << compared.out;
}

TEST_F(MatrixCommand, RefusesWrongFilesWithOneLineAndCodeThree) {
  const std::string file = write("wrong.csv", ",\nx,\n");
  for (const std::string& arguments : {std::string("no-such-machine"), "westmere-ep-2s --compare " + file,
                                       std::string("westmere-ep-2s --compare /no/such/file")}) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 3) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
  }
  EXPECT_EQ(run("westmere-ep-2s --compare " + file).err, file + ":2:1: 'x', expected the ns between cores 1 and 0\n");
}

TEST_F(MatrixCommand, AWrongCommandLineIsUsage) {
  for (const char* arguments : {"", "westmere-ep-2s --json --csv", "westmere-ep-2s --core-to-core --svg",
                                "westmere-ep-2s --compare", "westmere-ep-2s --json=no"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
}

}  // namespace
}  // namespace linebounce

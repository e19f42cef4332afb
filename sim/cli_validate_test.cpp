// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce validate`: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

using testing::Finished;

class ValidateCommand : public testing::CommandTest {
 protected:
  ValidateCommand() : CommandTest("validate") {}

  /// A file of one published number, of a PAUSE that takes 10 cycles in the simulation.
  std::string data_with(const std::string& published) const {
    return " --data " + write("data.toml",
                              "[sources]\nbook = 'A book'\n[[experiment]]\nid = 'pauses'\nmachine = 'ivybridge-4c'\n"
                              "kind = 'lone loop'\nunit = 'cycles'\ntolerance_percent = 5\nsource = 'book'\n"
                              "place = 'page 1'\ncells = [{ body = 'pause', published = " +
                                  published + " }]\n");
  }
};

TEST_F(ValidateCommand, PrintsItsThreeForms) {
  for (const auto& [form, begin] : {std::pair{"", "ivybridge-4c, 3400 MHz: "},
                                    {" --json", "{\n \"schema\": \"linebounce.validate/1\",\n"},
                                    {" --markdown", "# Validation\n"}}) {
    const Finished f = run("ivybridge-4c" + data_with("10") + form);
    EXPECT_EQ(f.code, 0) << f.err;
    EXPECT_EQ(f.err, "");
    EXPECT_EQ(f.out.find(begin), 0U) << f.out;
  }
}

TEST_F(ValidateCommand, ExitsWithOneBeyondATolerance) {
  const Finished f = run(data_with("11"));
  EXPECT_EQ(f.code, 1);
  EXPECT_NE(f.out.find(" pause                 11      10.00   -9.1        5 %  BEYOND\n"), std::string::npos) << f.out;
  EXPECT_EQ(f.err, "linebounce: 1 of 1 gated entries are beyond their tolerance\n");
}

TEST_F(ValidateCommand, SaysWhatTheValuesRestOnWhateverTheNumberOfProcesses) {
  for (const auto& [form, part] : {std::pair{"", "\npauses\n pause\n    core.pause +10.0\n"},
                                   {" --json", "{\n \"schema\": \"linebounce.validate-sensitivity/1\",\n"},
                                   {" --markdown", "| ivybridge-4c, pauses | `core.pause` 10.0 |\n"}}) {
    const Finished f = run("--sensitivity --jobs 1" + data_with("11") + form);
    EXPECT_EQ(f.code, 0) << "tolerances do not count: " << f.err;
    EXPECT_EQ(f.err, "");
    EXPECT_NE(f.out.find(part), std::string::npos) << f.out;
    EXPECT_EQ(run("--sensitivity --jobs 3" + data_with("11") + form).out, f.out);
  }
}

TEST_F(ValidateCommand, PrintsTheSameEveryTime) { EXPECT_EQ(run("").out, run("").out); }

TEST_F(ValidateCommand, RefusesWhatItCannotReadWithOneLineAndCodeThree) {
  for (const std::string& arguments :
       {std::string("no-such-machine"), std::string("--data /no/such/file"), "ivybridge-4c" + data_with("'ten'"),
        std::string("--sensitivity no-such-machine"), "--sensitivity" + data_with("'ten'")}) {
    const Finished f = run(arguments);
    EXPECT_EQ(f.code, 3) << arguments;
    EXPECT_EQ(f.out, "") << arguments;
    EXPECT_EQ(std::count(f.err.begin(), f.err.end(), '\n'), 1) << f.err;
  }
}

TEST_F(ValidateCommand, AWrongCommandLineIsUsage) {
  for (const char* arguments : {"--json --markdown", "--data", "--json=no", "ivybridge-4c nehalem-ep-2s", "--jobs 2",
                                "--sensitivity --jobs 0", "--sensitivity=no"}) {
    EXPECT_EQ(run(arguments).code, 2) << arguments;
  }
}

}  // namespace
}  // namespace linebounce

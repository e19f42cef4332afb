// SPDX-License-Identifier: Apache-2.0
// Runs `linebounce protocol`: exit codes, and what goes to standard output and standard error.
#include <gtest/gtest.h>

#include <string>

#include "sim/command_testing.hpp"

namespace linebounce {
namespace {

using testing::Finished;

class ProtocolCommand : public testing::CommandTest {
 protected:
  ProtocolCommand() : CommandTest("protocol") {}
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(ProtocolCommand, ProvesASmallMachineAndSaysTheSameEveryTime) {
  const Finished once = run("check --sockets 1 --cores 2");
  const Finished again = run("check --sockets 1 --cores 2");
  EXPECT_EQ(once.code, 0);
  EXPECT_TRUE(has(once.out, "machine: 1 socket with 2 cores each, 1 line\n")) << once.out;
  EXPECT_TRUE(has(once.out, "verdict: no violation in any reachable state\n")) << once.out;
  EXPECT_EQ(once.out, again.out);
  EXPECT_TRUE(has(once.err, " s\n")) << once.err;
}

TEST_F(ProtocolCommand, ShowsTheWayToAnInjectedFaultAndExitsWithOne) {
  const Finished found = run("check --inject core-drops-ack");
  EXPECT_EQ(found.code, 1);
  EXPECT_TRUE(has(found.out, "verdict: VIOLATION: stuck")) << found.out;
  EXPECT_TRUE(has(found.out, "\n   1. core 0 wants to ")) << found.out;
}

TEST_F(ProtocolCommand, ExitsWithFiveAtItsLimit) {
  const Finished limited = run("check --sockets 2 --cores 1 --max-states 1000");
  EXPECT_EQ(limited.code, 5);
  EXPECT_TRUE(has(limited.out, "the limit ended the exploration")) << limited.out;
  EXPECT_TRUE(has(limited.err, "--max-states")) << limited.err;
}

TEST_F(ProtocolCommand, SaysWhatExistsWhenAskedForWhatDoesNot) {
  const Finished protocol = run("check --protocol moesi");
  EXPECT_EQ(protocol.code, 2);
  EXPECT_TRUE(has(protocol.err, "moesi not in {mesi,mesif}")) << protocol.err;
  const Finished snoop = run("print --snoop full-map");
  EXPECT_EQ(snoop.code, 2);
  EXPECT_TRUE(has(snoop.err, "full-map not in {source,home,directory}")) << snoop.err;
  const Finished fault = run("check --inject nonsense");
  EXPECT_EQ(fault.code, 2);
  EXPECT_TRUE(has(fault.err, "--inject list")) << fault.err;
  const Finished machine = run("check --sockets 3 --cores 4");
  EXPECT_EQ(machine.code, 2);
  EXPECT_TRUE(has(machine.err, "more than 8 cores")) << machine.err;
}

TEST_F(ProtocolCommand, LooksForAFaultWhereItsRowIs) {
  const Finished anywhere = run("check --inject slice-stays-forwarder");
  EXPECT_EQ(anywhere.code, 1);
  EXPECT_TRUE(has(anywhere.out, "protocol: mesif, ")) << anywhere.out;
  EXPECT_TRUE(has(anywhere.out, "VIOLATION: line 0 has 2 forwarders")) << anywhere.out;
  const Finished elsewhere = run("check --protocol mesi --inject slice-stays-forwarder");
  EXPECT_EQ(elsewhere.code, 2);
  EXPECT_TRUE(has(elsewhere.err, "have no row for that fault")) << elsewhere.err;
}

TEST_F(ProtocolCommand, SaysWhenAFaultWasNotCaught) {
  const Finished missed = run("check --sockets 1 --cores 1 --inject home-lost-upgrade-as-won");
  EXPECT_EQ(missed.code, 0);
  EXPECT_TRUE(has(missed.out, "verdict: home-lost-upgrade-as-won was NOT caught\n")) << missed.out;
}

TEST_F(ProtocolCommand, ListsItsFaults) {
  const Finished list = run("check --inject list");
  EXPECT_EQ(list.code, 0);
  EXPECT_TRUE(has(list.out, "home-lost-upgrade-as-won: answers an upgrade that lost its race as if it had won\n"));
}

TEST_F(ProtocolCommand, TestsEveryMachineAtRandomAndSaysTheSameEveryTime) {
  const Finished once = run("test --operations 10000");
  EXPECT_EQ(once.code, 0) << once.out;
  for (const char* line : {"\nsmall                mesif    directory ", "\nwestmere-ex-8s       "}) {
    EXPECT_TRUE(has(once.out, line)) << once.out;
  }
  EXPECT_TRUE(has(once.out, "\nverdict: every read gave the last write")) << once.out;
  EXPECT_TRUE(has(once.err, " operations/s\n")) << once.err;
  EXPECT_EQ(run("test --operations 10000").out, once.out);
  EXPECT_NE(run("test --operations 10000 --seed 2").out, once.out);
}

TEST_F(ProtocolCommand, TestsTheMachineAndTheModesThatAreAskedFor) {
  const Finished shipped = run("test --operations 1 --machine westmere-ep-2s --snoop source --protocol mesif");
  EXPECT_TRUE(has(shipped.out, "\nwestmere-ep-2s       mesif    source ")) << shipped.out;
  const Finished small = run("test --operations 1 --machine small --snoop source");
  EXPECT_TRUE(has(small.out, "\nsmall                mesi     source ")) << small.out;
  EXPECT_TRUE(has(small.out, "\nsmall                mesif    source ")) << small.out;
  EXPECT_FALSE(has(small.out, " home ")) << small.out;
  EXPECT_EQ(run("test --machine no-such-machine").code, 3);
}

TEST_F(ProtocolCommand, SaysHowToRepeatATestThatCaughtAFault) {
  const Finished caught = run("test --inject slice-forgets-dirty-bit");
  EXPECT_EQ(caught.code, 1);
  EXPECT_TRUE(has(caught.out, "\nVIOLATION: ")) << caught.out;
  EXPECT_TRUE(has(caught.out, "\nlast messages about line ")) << caught.out;
  EXPECT_TRUE(has(caught.out, "\nverdict: slice-forgets-dirty-bit was caught after ")) << caught.out;
  const std::string command = "once more: linebounce protocol ";
  const std::size_t begin = caught.out.find(command) + command.size();
  const Finished again = run(caught.out.substr(begin, caught.out.find('\n', begin) - begin));
  EXPECT_EQ(again.code, 1);
  const auto failure = [](const std::string& out) {
    return out.substr(out.find("VIOLATION"), out.find("once more") - out.find("VIOLATION"));
  };
  EXPECT_EQ(failure(again.out), failure(caught.out));
}

TEST_F(ProtocolCommand, SaysWhenATestDidNotCatchAFault) {
  const Finished missed = run("test --inject slice-yields-before-fill --operations 1");
  EXPECT_EQ(missed.code, 0) << missed.out;
  EXPECT_TRUE(has(missed.out, "was NOT caught\n")) << missed.out;
  EXPECT_EQ(run("test --inject directory-forgets-owner --snoop home").code, 3);
}

TEST_F(ProtocolCommand, PrintsTheTablesInThreeFormats) {
  EXPECT_TRUE(has(run("print").out, "## Private cache of a core (L1 and L2)\n"));
  EXPECT_EQ(run("print --format csv --controller home").out.find("controller,row,"), 0U);
  const Finished dot = run("print --format dot --controller slice");
  EXPECT_EQ(dot.out.find("digraph slice {"), 0U);
  EXPECT_FALSE(has(dot.out, "digraph core"));
}

}  // namespace
}  // namespace linebounce

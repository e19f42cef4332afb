// SPDX-License-Identifier: Apache-2.0
#include "coherence/protocol_print.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace linebounce {
namespace {

const ProtocolTables& kMesiHome = tables_of(Protocol::kMesi, SnoopMode::kHome);
const std::vector<Controller> all(kControllers.begin(), kControllers.end());

TEST(ProtocolPrint, MarkdownHasALineForEveryRowWithItsReason) {
  for (const Controller controller : kControllers) {
    const std::string text = tables_as_markdown({controller}, kMesiHome);
    const std::vector<PrintedRow> rows = printed_rows(controller, kMesiHome);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), rows.size() + 4);
    for (const PrintedRow& row : rows) EXPECT_NE(text.find("| " + row.why + " |"), std::string::npos) << row.why;
  }
}

TEST(ProtocolPrint, MarkdownShowsWhatARowDoes) {
  const std::string text = tables_as_markdown({Controller::kCore}, kMesiHome);
  EXPECT_NE(text.find("| I | Load |  | send GetS | IS_D | read miss |"), std::string::npos);
  EXPECT_NE(text.find("| M | CoreSnpShare, CoreSnpInv | held by a LOCKed operation | stall |  |"), std::string::npos);
}

TEST(ProtocolPrint, CsvQuotesWhatHasCommas) {
  const std::string text = tables_as_csv(all, kMesiHome);
  EXPECT_EQ(text.find("controller,row,states,events,guard,verdict,actions,next,why\r\n"), 0U);
  EXPECT_NE(text.find("home,1,Idle,RdData,,go,read memory; send SnpData to all,Read,a socket reads\r\n"),
            std::string::npos);
  EXPECT_NE(text.find(",M,\"owner now, with the copy that was here\"\r\n"), std::string::npos) << text.substr(0, 3000);
}

TEST(ProtocolPrint, DotDrawsEveryWayFromStateToState) {
  const std::string text = tables_as_dot({Controller::kCore}, kMesiHome);
  EXPECT_EQ(text.find("digraph core {"), 0U);
  EXPECT_NE(text.find("\"I\" -> \"IS_D\" [label=\"Load\"];"), std::string::npos);
  EXPECT_NE(text.find("\"E\" -> \"M\" [label=\"Own\"];"), std::string::npos);
  EXPECT_EQ(text.find("FillM\"];\n  \"S\""), std::string::npos);
}

}  // namespace
}  // namespace linebounce

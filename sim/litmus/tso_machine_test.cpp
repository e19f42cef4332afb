// SPDX-License-Identifier: Apache-2.0
// The abstract machine against sets that are known by hand, and against published tests if they lie beside the source.
#include "sim/litmus/tso_machine.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sim/litmus/parser.hpp"
#include "sim/litmus/runner.hpp"
#include "topologies/load_machine.hpp"

namespace linebounce::litmus {
namespace {

using nlohmann::json;
using Values = std::set<FinalState>;

Values projected(const Program& program, MemoryModel model) {
  Values values;
  for (const FinalState& state : allowed_states(program, model)) values.insert(project(program, state));
  return values;
}

struct Known {
  std::string_view name;
  std::string_view text;
  Values sequential;
  Values relaxed;  ///< allowed besides
};

const std::vector<Known>& known() {
  static const std::vector<Known> all = {
      {"store buffering",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MOV EAX,[y] | MOV EAX,[x] ; locations [0:EAX; 1:EAX;]",
       {{0, 1}, {1, 0}, {1, 1}},
       {{0, 0}}},
      {"store buffering, fenced",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MFENCE | MFENCE ; MOV EAX,[y] | MOV EAX,[x] ; locations [0:EAX; 1:EAX;]",
       {{0, 1}, {1, 0}, {1, 1}},
       {}},
      {"one fence only",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MFENCE | ; MOV EAX,[y] | MOV EAX,[x] ; locations [0:EAX; 1:EAX;]",
       {{0, 1}, {1, 0}, {1, 1}},
       {{0, 0}}},
      {"own stores read early",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MOV EAX,[x] | MOV EAX,[y] ; MOV EBX,[y] | MOV EBX,[x] ;"
       "locations [0:EAX; 0:EBX; 1:EAX; 1:EBX;]",
       {{1, 0, 1, 1}, {1, 1, 1, 0}, {1, 1, 1, 1}},
       {{1, 0, 1, 0}}},
      {"message passing",
       "{} P0 | P1 ; MOV [x],$1 | MOV EAX,[y] ; MOV [y],$1 | MOV EBX,[x] ; locations [1:EAX; 1:EBX;]",
       {{0, 0}, {0, 1}, {1, 1}},
       {}},
      {"load buffering",
       "{} P0 | P1 ; MOV EAX,[x] | MOV EAX,[y] ; MOV [y],$1 | MOV [x],$1 ; locations [0:EAX; 1:EAX;]",
       {{0, 0}, {0, 1}, {1, 0}},
       {}},
      {"two stores each",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$1 ; MOV [y],$2 | MOV [x],$2 ; locations [x; y;]",
       {{1, 2}, {2, 1}, {2, 2}},
       {}},
      {"own store last in memory",
       "{} P0 | P1 ; MOV [x],$1 | MOV [y],$2 ; MOV EAX,[x] | MOV [x],$2 ; MOV EBX,[y] | ; locations [0:EAX; 0:EBX; x;]",
       {{1, 0, 2}, {1, 2, 1}, {1, 2, 2}, {2, 2, 2}},
       {{1, 0, 1}}},
      {"exchange",
       "{0:EAX=1; 1:EAX=2;} P0 | P1 ; XCHG [x],EAX | XCHG EAX,[x] ; locations [0:EAX; 1:EAX; x;]",
       {{0, 1, 2}, {2, 0, 1}},
       {}},
      {"addition, in 32 bits",
       "{x=2147483647; 0:EAX=1;} P0 ; LOCK XADD [x],EAX ; locations [0:EAX; x;]",
       {{2147483647, -2147483648}},
       {}},
      {"comparison that fails and one that does not",
       "{x=5; 0:EAX=4; 0:ECX=9;} P0 ; LOCK CMPXCHG [x],ECX ; MOV EBX,EAX ; LOCK CMPXCHG [x],ECX ;"
       "locations [0:EAX; 0:EBX; x;]",
       {{5, 5, 9}},
       {}},
      {"moves between registers",
       "{} P0 ; MOV EAX,$-3 ; MOV EBX,EAX ; MOV [x],EBX ; MOV ECX,[x] ; locations [0:ECX; x;]",
       {{-3, -3}},
       {}},
  };
  return all;
}

TEST(TsoMachine, AllowsWhatIsKnownByHand) {
  for (const Known& k : known()) {
    SCOPED_TRACE(k.name);
    const Program program = parse("X86 test\n" + std::string(k.text), "test.litmus");
    EXPECT_EQ(projected(program, MemoryModel::kSequentialConsistency), k.sequential);
    Values allowed = k.sequential;
    allowed.insert(k.relaxed.begin(), k.relaxed.end());
    EXPECT_EQ(projected(program, MemoryModel::kX86Tso), allowed);
  }
}

TEST(TsoMachine, AccessesOfEightBytesDoNotWrapAtFour) {
  const Program program = parse(
      "X86_64 wide\n{x=2147483647; 0:rax=1;} P0 ; lock xaddq %rax,(x) ; movq (x),%rbx ; locations [0:rbx; x;]", "w");
  EXPECT_EQ(projected(program, MemoryModel::kX86Tso), (Values{{2147483648, 2147483648}}));
}

/// In herd's text, X86_64.
std::string instruction(const json& op) {
  std::string what = op.at("op");
  const auto reg = [&] { return "%" + op.at("reg").get<std::string>(); };
  const auto var = [&] { return "(" + op.at("var").get<std::string>() + ")"; };
  if (what == "load") return fmt::format("movq {},{}", var(), reg());
  if (what == "store" && op.contains("imm")) return fmt::format("movq ${},{}", op.at("imm").get<int>(), var());
  if (what == "store") return fmt::format("movq {},{}", reg(), var());
  if (what == "movi") return fmt::format("movq ${},{}", op.at("imm").get<int>(), reg());
  if (what == "mfence") return what;
  return fmt::format("lock {}q {},{}", what, reg(), var());
}

Program from_json(const json& file) {
  std::string text = fmt::format("X86_64 {}\n{{", file.at("name").get<std::string>());
  for (const auto& [name, value] : file.at("init").items()) text += fmt::format(" {}={};", name, value.get<int>());
  std::size_t rows = 0;
  const json& threads = file.at("threads");
  for (std::size_t t = 0; t < threads.size(); ++t) {
    for (const auto& [name, value] : file.at("init_regs")[t].items()) {
      text += fmt::format(" {}:{}={};", t, name, value.get<int>());
    }
    rows = std::max(rows, threads[t].size());
  }
  text += "}\n";
  for (std::size_t t = 0; t < threads.size(); ++t) text += fmt::format("{}P{}", t == 0 ? "" : " | ", t);
  text += " ;\n";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t t = 0; t < threads.size(); ++t) {
      text += t == 0 ? "" : " | ";
      if (row < threads[t].size()) text += instruction(threads[t][row]);
    }
    text += " ;\n";
  }
  text += "locations [";
  for (const json& column : file.at("observed")) text += column.get<std::string>() + "; ";
  return parse(text + "]\n", file.at("name").get<std::string>());
}

/// The file's rows have the columns in the file's order.
Values in_order_of(const Program& program, const json& file, const json& rows) {
  const auto names = file.at("observed").get<std::vector<std::string>>();
  Values values;
  for (const json& row : rows) {
    FinalState state;
    for (const Column& column : program.columns) {
      const auto at = std::find(names.begin(), names.end(), column.name) - names.begin();
      state.push_back(row.at(static_cast<std::size_t>(at)).get<std::int64_t>());
    }
    values.insert(state);
  }
  return values;
}

TEST(TsoMachine, AllowsWhatThePublishedTestsSayAndTheSimulatedMachineShowsNoMore) {
  const std::filesystem::path folder = std::filesystem::path(LINEBOUNCE_SOURCE) / ".." / "shared" / "litmus";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "no published tests beside the source tree";
  const Machine machine = load_machine("westmere-ep-2s");
  const Topology topology(machine);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".json") continue;
    ++files;
    SCOPED_TRACE(entry.path().filename().string());
    std::ifstream stream(entry.path());
    const json file = json::parse(stream);
    const Program program = from_json(file);
    EXPECT_EQ(projected(program, MemoryModel::kX86Tso), in_order_of(program, file, file.at("allowed")));
    EXPECT_EQ(projected(program, MemoryModel::kSequentialConsistency),
              in_order_of(program, file, file.at("sc_allowed")));
    EXPECT_TRUE(run(program, machine, topology, {1, 300}).forbidden.empty());
  }
  EXPECT_GT(files, 0);
}

}  // namespace
}  // namespace linebounce::litmus

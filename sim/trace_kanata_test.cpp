// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>

#include "sim/trace_formats.hpp"
#include "sim/trace_testing.hpp"

namespace linebounce {
namespace {

class KanataTrace : public testing::TraceTest {};

TEST_F(KanataTrace, ReplaysStageByStage) {
  struct Instruction {
    std::map<std::string, std::string> stage;  ///< that it is in, by lane; "" between two
    bool rests() const {
      return std::ranges::all_of(stage, [](const auto& lane) { return lane.second.empty(); });
    }
    bool was_in_x = false;
    bool retired = false;
  };
  const std::vector<std::string> lines = lines_of(render_kanata(tracks_, ""));
  ASSERT_EQ(lines[0], "Kanata\t0004");
  ASSERT_EQ(lines[1], "C=\t" + std::to_string(kBegin.count));
  std::int64_t now = kBegin.count;
  std::vector<Instruction> all;
  std::size_t retired = 0;
  std::size_t arrows = 0;
  std::int64_t stage_cycles = 0;
  std::map<std::pair<std::size_t, std::string>, std::int64_t> since;
  for (const std::string& line : std::vector(lines.begin() + 2, lines.end())) {
    const std::vector<std::string> f = fields_of(line, '\t');
    if (f[0] == "C") {
      EXPECT_GT(std::stoll(f[1]), 0);
      now += std::stoll(f[1]);
      continue;
    }
    const std::size_t id = std::stoull(f[1]);
    if (f[0] == "I") {
      ASSERT_EQ(f.size(), 4U);
      EXPECT_EQ(id, all.size());
      EXPECT_LT(std::stoi(f[3]), 4);
      all.emplace_back();
      continue;
    }
    ASSERT_LT(id, all.size()) << line;
    Instruction& it = all[id];
    EXPECT_FALSE(it.retired) << line;
    if (f[0] == "S") {
      EXPECT_EQ(it.stage[f[2]], "") << line;
      it.stage[f[2]] = f[3];
      it.was_in_x = it.was_in_x || f[3].find('X') != std::string::npos;
      since[{id, f[2]}] = now;
    } else if (f[0] == "E") {
      EXPECT_EQ(it.stage[f[2]], f[3]) << line;
      EXPECT_LT((since[{id, f[2]}]), now);
      stage_cycles += now - since[{id, f[2]}];
      it.stage[f[2]] = "";
    } else if (f[0] == "W") {
      EXPECT_LT(std::stoull(f[2]), all.size()) << line;
      EXPECT_NE(f[2], f[1]);
      ++arrows;
    } else if (f[0] == "R") {
      EXPECT_TRUE(it.rests());
      EXPECT_EQ(std::stoull(f[2]), retired++);
      it.retired = true;
    } else {
      EXPECT_EQ(f[0], "L") << line;
    }
  }
  EXPECT_LE(now, kEnd.count);
  EXPECT_GT(arrows, 20U);
  EXPECT_GT(retired, all.size() - 40);
  std::int64_t expected = 0;
  for (const TraceSlice& slice : tracks_.slices) {
    if (slice.kind == SliceKind::kSegment) expected += (slice.end - slice.begin).count;
  }
  EXPECT_EQ(stage_cycles, expected);
  EXPECT_TRUE(std::ranges::all_of(all, &Instruction::rests));
  EXPECT_TRUE(std::ranges::any_of(all, &Instruction::was_in_x));
}

}  // namespace
}  // namespace linebounce

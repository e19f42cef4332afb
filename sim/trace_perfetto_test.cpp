// SPDX-License-Identifier: Apache-2.0
// Reads Perfetto's protobuf with a decoder of its own, by the field numbers that perfetto's .proto files give.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>

#include "sim/trace_formats.hpp"
#include "sim/trace_testing.hpp"

namespace linebounce {
namespace {

/// One message, its fields undecoded.
class Wire {
 public:
  struct Field {
    std::uint32_t number;
    unsigned type;
    std::uint64_t value;
    std::string_view bytes;
  };

  explicit Wire(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::uint64_t tag = varint(bytes);
      Field field{static_cast<std::uint32_t>(tag >> 3), static_cast<unsigned>(tag & 7), 0, {}};
      if (field.type == 0) {
        field.value = varint(bytes);
      } else if (field.type == 1) {
        const std::string_view eight = take(bytes, 8);
        for (std::size_t i = 0; i < 8; ++i) {
          field.value |= std::uint64_t{static_cast<unsigned char>(eight[i])} << (8 * i);
        }
      } else if (field.type == 2) {
        field.bytes = take(bytes, varint(bytes));
      } else {
        throw std::runtime_error("a wire type that nothing has");
      }
      fields_.push_back(field);
    }
  }
  const std::vector<Field>& fields() const { return fields_; }
  std::optional<Field> find(std::uint32_t number) const {
    const auto found = std::ranges::find(fields_, number, &Field::number);
    return found == fields_.end() ? std::nullopt : std::optional(*found);
  }
  std::uint64_t number(std::uint32_t n) const { return find(n).value().value; }
  std::string text(std::uint32_t n) const { return std::string(find(n).value().bytes); }
  Wire message(std::uint32_t n) const { return Wire(find(n).value().bytes); }

 private:
  static std::string_view take(std::string_view& bytes, std::uint64_t count) {
    if (count > bytes.size()) throw std::runtime_error("a field ends too late");
    const std::string_view taken = bytes.substr(0, count);
    bytes.remove_prefix(count);
    return taken;
  }
  static std::uint64_t varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(bytes, 1)[0]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
  }
  std::vector<Field> fields_;
};

class PerfettoTrace : public testing::TraceTest {
 protected:
  PerfettoTrace() : bytes_(render_perfetto(tracks_, "this run")), file_(bytes_) {
    for (const Wire::Field& field : file_.fields()) {
      EXPECT_EQ(field.number, 1U);
      packets_.emplace_back(field.bytes);
    }
  }
  std::string bytes_;
  Wire file_;
  std::vector<Wire> packets_;
};

TEST_F(PerfettoTrace, DescribesEveryTrackBeforeItIsUsed) {
  std::set<std::uint64_t> known;
  std::map<std::string, std::uint64_t> processes;
  int counters = 0;
  EXPECT_EQ(packets_.front().number(87), 1U);
  for (const Wire& packet : packets_) {
    EXPECT_EQ(packet.number(10), 1U);
    if (packet.find(60)) {
      const Wire track = packet.message(60);
      EXPECT_TRUE(known.insert(track.number(1)).second);
      if (track.find(3)) {
        EXPECT_GT(track.message(3).number(1), 0U);
        processes[track.message(3).text(6)] = track.number(1);
      } else {
        EXPECT_TRUE(known.contains(track.number(5)));
        EXPECT_TRUE(track.find(2) || track.message(4).find(5));
      }
      counters += track.find(8) ? 1 : 0;
    }
    if (packet.find(11)) {
      EXPECT_TRUE(known.contains(packet.message(11).number(11)));
    }
  }
  EXPECT_EQ(processes.size(), 5U);
  EXPECT_TRUE(processes.contains("socket 0 of this run"));
  EXPECT_EQ(counters, static_cast<int>(tracks_.counters.size()));
}

TEST_F(PerfettoTrace, EventsAreInOrderNamesAreInternedAndSlicesCloseAsTheyOpened) {
  std::map<std::uint64_t, std::string> names;
  std::map<std::uint64_t, std::vector<std::uint64_t>> open;
  std::uint64_t last = 0;
  std::size_t begun = 0;
  for (const Wire& packet : packets_) {
    if (packet.find(12)) {
      EXPECT_EQ(packet.number(13), 3U);
      const Wire interned = packet.message(12);
      for (const Wire::Field& field : interned.fields()) {
        const Wire entry(field.bytes);
        EXPECT_GT(entry.number(1), 0U);
        if (field.number == 2) names[entry.number(1)] = entry.text(2);
      }
    }
    if (!packet.find(11)) continue;
    EXPECT_EQ(packet.number(13), 2U);
    EXPECT_LE(last, packet.number(8));
    last = packet.number(8);
    const Wire event = packet.message(11);
    std::vector<std::uint64_t>& stack = open[event.number(11)];
    if (event.number(9) == 1) {
      EXPECT_TRUE(names.contains(event.number(10)));
      stack.push_back(last);
      ++begun;
    } else if (event.number(9) == 2) {
      ASSERT_FALSE(stack.empty());
      EXPECT_LT(stack.back(), last);
      stack.pop_back();
    } else {
      EXPECT_EQ(event.number(9), 4U);
      EXPECT_TRUE(event.find(30));
    }
  }
  EXPECT_EQ(begun, tracks_.slices.size());
  EXPECT_EQ(names.size(), tracks_.names.size());
  for (const auto& [track, stack] : open) EXPECT_TRUE(stack.empty());
}

TEST_F(PerfettoTrace, EveryArrowBeginsOnceBeforeItEndsOnce) {
  std::set<std::uint64_t> begun;
  std::set<std::uint64_t> ended;
  for (const Wire& packet : packets_) {
    if (!packet.find(11)) continue;
    const Wire event = packet.message(11);
    if (const auto flow = event.find(47)) {
      EXPECT_EQ(flow->type, 1U);
      EXPECT_TRUE(begun.insert(flow->value).second);
    }
    if (const auto flow = event.find(48)) {
      EXPECT_EQ(flow->type, 1U);
      EXPECT_TRUE(begun.contains(flow->value));
      EXPECT_TRUE(ended.insert(flow->value).second);
    }
  }
  EXPECT_GT(begun.size(), 100U);
  EXPECT_EQ(begun, ended);
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "coherence/line.hpp"

#include <gtest/gtest.h>

namespace linebounce {
namespace {

TEST(LineData, ANewLineIsZero) {
  const LineData line;
  for (unsigned offset = 0; offset < kLineBytes; offset += 8) EXPECT_EQ(line.read(offset, 8), 0U);
}

TEST(LineData, BytesAreLittleEndian) {
  LineData line;
  line.write(8, 8, 0x8877665544332211U);
  EXPECT_EQ(line.read(8, 1), 0x11U);
  EXPECT_EQ(line.read(15, 1), 0x88U);
  EXPECT_EQ(line.read(10, 2), 0x4433U);
  EXPECT_EQ(line.read(12, 4), 0x88776655U);
}

TEST(LineData, AWriteLeavesEveryOtherByteAlone) {
  for (const unsigned bytes : {1U, 2U, 4U, 8U}) {
    for (unsigned offset = 0; offset < kLineBytes; offset += bytes) {
      LineData line;
      for (unsigned byte = 0; byte < kLineBytes; ++byte) line.write(byte, 1, 0xa0U + byte % 16);
      line.write(offset, bytes, 0);
      for (unsigned byte = 0; byte < kLineBytes; ++byte) {
        const bool written = byte >= offset && byte < offset + bytes;
        ASSERT_EQ(line.read(byte, 1), written ? 0U : 0xa0U + byte % 16) << offset << ' ' << bytes << ' ' << byte;
      }
    }
  }
}

TEST(LineData, AValueWiderThanTheFieldIsCut) {
  LineData line;
  line.write(2, 2, 0x12345678U);
  EXPECT_EQ(line.read(0, 8), 0x56780000U);
}

static_assert(LineData::mask(1) == 0xffU);
static_assert(LineData::mask(4) == 0xffffffffU);
static_assert(LineData::mask(8) == ~std::uint64_t{0});

}  // namespace
}  // namespace linebounce

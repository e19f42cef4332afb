// SPDX-License-Identifier: Apache-2.0
#include "sim/statistics.hpp"

#include <gtest/gtest.h>

namespace linebounce {
namespace {

TEST(Statistics, StudentsTIsThatOfTheTables) {
  EXPECT_NEAR(student_t_975(1), 12.706205, 1e-6);
  EXPECT_NEAR(student_t_975(9), 2.262157, 1e-6);
  EXPECT_NEAR(student_t_975(30), 2.042272, 1e-6);
  EXPECT_NEAR(student_t_975(31), 2.039513, 2e-6);  // beyond the table: the expansion takes over
  EXPECT_NEAR(student_t_975(60), 2.000298, 2e-6);
  EXPECT_NEAR(student_t_975(120), 1.979930, 2e-6);
  EXPECT_NEAR(student_t_975(1'000'000'000), 1.959964, 1e-6);
  EXPECT_THROW(student_t_975(0), std::invalid_argument);
}

TEST(Statistics, ASampleHasItsMeanSpreadAndInterval) {
  const double sample[] = {2, 4, 4, 4, 5, 5, 7, 9};
  const Summary s = summarise(sample);
  EXPECT_EQ(s.n, 8U);
  EXPECT_DOUBLE_EQ(s.mean, 5);
  EXPECT_NEAR(s.sd, 2.1380899, 1e-7);
  EXPECT_NEAR(s.ci95, 2.364624 * 2.1380899 / 2.8284271, 1e-6);
  EXPECT_NEAR(s.low() + s.high(), 10, 1e-12);
}

TEST(Statistics, TheLlistRunsOfThePatchAreNotDistinguishable) {
  const double with_cpu_relax[] = {778936, 912190, 817506, 830870, 845056};
  const double without[] = {905920, 849046, 886286, 822320, 900283};
  EXPECT_NEAR(summarise(with_cpu_relax).mean, 836911.6, 0.1);
  EXPECT_NEAR(summarise(with_cpu_relax).sd, 48753, 1);
  EXPECT_NEAR(summarise(without).sd, 35870, 1);
  EXPECT_LT(summarise(with_cpu_relax).high() - summarise(without).low(), 150000);
  EXPECT_GT(summarise(with_cpu_relax).high(), summarise(without).low());
}

TEST(Statistics, OneValueHasNoSpread) {
  const double one[] = {3.5};
  EXPECT_DOUBLE_EQ(summarise(one).mean, 3.5);
  EXPECT_FALSE(summarise(one).has_spread());
  EXPECT_THROW(summarise({}), std::invalid_argument);
}

TEST(Statistics, PairingRemovesWhatASeedDoesToBoth) {
  const double before[] = {100, 200, 300};
  const double after[] = {99, 199, 299};
  const Summary difference = paired_difference(before, after);
  EXPECT_DOUBLE_EQ(difference.mean, -1);
  EXPECT_DOUBLE_EQ(difference.ci95, 0);
  EXPECT_THROW(paired_difference(before, std::span(after).first(2)), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce

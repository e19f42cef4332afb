// SPDX-License-Identifier: Apache-2.0
#include "sim/sensitivity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>

namespace linebounce {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

void expect_steps(const Steps& steps, double low, double high) {
  EXPECT_DOUBLE_EQ(steps.low, low);
  EXPECT_DOUBLE_EQ(steps.high, high);
}

TEST(Steps, AreATenthAndAtLeastOneUnit) {
  expect_steps(steps_around(200, 0, 1000, true), 180, 220);
  expect_steps(steps_around(26, 0, 1000, true), 23, 29);
  expect_steps(steps_around(24, 0, 1000, true), 22, 26);
  expect_steps(steps_around(2, 0, 1000, true), 1, 3);
  expect_steps(steps_around(84, 1, 1000, false), 75.6, 92.4);
  expect_steps(steps_around(1.9, 0, 1000, false), 0.9, 2.9);
}

TEST(Steps, StopAtTheLimits) {
  expect_steps(steps_around(0, 0, 10, true), 0, 1);
  expect_steps(steps_around(10, 0, 10, true), 9, 10);
  expect_steps(steps_around(0.8, 0, 10, false), 0, 1.8);
  expect_steps(steps_around(0.5, 0.1, 100, false), 0.1, 1.5);
  EXPECT_FALSE(steps_around(3, 3, 3, true).any());
}

/// The effect on a result of which each seed adds something of its own.
Summary effect(const Steps& steps, const std::function<double(double)>& result, std::array<double, 3> seeds = {}) {
  std::array<std::array<double, 3>, 3> samples{};
  const double at[] = {steps.low, steps.value, steps.high};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t s = 0; s < 3; ++s) samples[i][s] = result(at[i]) + seeds[s];
  }
  return effect_of(steps, samples[0], samples[1], samples[2]);
}

TEST(Effect, IsPercentForATenthWhateverTheSteps) {
  const auto line = [](double x) { return 100 + 2 * x; };
  for (const Steps& steps : {Steps{50, 45, 55}, Steps{50, 49, 51}, Steps{50, 50, 60}, Steps{50, 40, 50}}) {
    EXPECT_NEAR(effect(steps, line).mean, 5, 1e-12) << "10 of 200";
  }
  EXPECT_NEAR(effect({50, 45, 55}, [](double x) { return 300 - 4 * x; }).mean, -20, 1e-12) << "20 of 100";
}

TEST(Effect, OfAParameterThatIsZeroIsForOneUnit) {
  EXPECT_NEAR(effect({0, 0, 1}, [](double x) { return 50 + x; }).mean, 2, 1e-12);
}

TEST(Effect, OfACurveIsItsCentralDifference) {
  EXPECT_NEAR(effect({10, 9, 11}, [](double x) { return x * x; }).mean, 20, 1e-12);
  EXPECT_NEAR(effect({10, 10, 11}, [](double x) { return x * x; }).mean, 21, 1e-12) << "one-sided";
}

TEST(Effect, HasNoSpreadFromWhatSeedsDoToBothSides) {
  const Summary e = effect({50, 45, 55}, [](double x) { return 2 * x; }, {-7, 0, 7});
  EXPECT_NEAR(e.mean, 10, 1e-12);
  EXPECT_NEAR(e.ci95, 0, 1e-12);
  EXPECT_TRUE(stands_out(e));
}

TEST(Effect, HasTheSpreadOfThePairedDifferences) {
  const std::array<double, 2> low = {90, 100};
  const std::array<double, 2> value = {100, 100};
  const std::array<double, 2> high = {110, 110};
  const Summary e = effect_of({10, 9, 11}, low, value, high);
  EXPECT_DOUBLE_EQ(e.mean, 7.5) << "half of 20 and of 10";
  EXPECT_NEAR(e.sd, std::sqrt(12.5), 1e-12) << "of 10 and 5";
  EXPECT_NEAR(e.ci95, 12.706205 * std::sqrt(12.5) / std::sqrt(2.0), 1e-9);
  EXPECT_FALSE(stands_out(e));
}

Summary summary(double mean, double ci95 = 0) { return {.n = 3, .mean = mean, .sd = ci95, .ci95 = ci95}; }

TEST(Strongest, ComeBySizeWhateverTheirSignAndTiesInTheirOrder) {
  const std::vector<Summary> effects = {summary(1), summary(-3), summary(2), summary(3), summary(0), summary(-1)};
  EXPECT_EQ(strongest(effects), (std::vector<std::size_t>{1, 3, 2, 0, 5}));
  EXPECT_EQ(strongest(effects, 2), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(strongest({}), std::vector<std::size_t>{});
}

TEST(Strongest, LeaveOutWhatIsNoNumberAndWhatNoiseExplains) {
  const std::vector<Summary> effects = {summary(kNone), summary(9, 10), summary(-2, 1), summary(1, 1), summary(3, 2.9)};
  EXPECT_EQ(strongest(effects), (std::vector<std::size_t>{4, 2}));
  EXPECT_EQ(lost_in_noise(effects), (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(lost_in_noise(effects, 2), std::vector<std::size_t>{1}) << "1 would not be among the strongest two";
}

}  // namespace
}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
// Statistics over seeded replicas: mean, sample standard deviation, 95 % confidence interval of the mean, and the same
// of paired differences. Only +, -, *, / and sqrt are used, all exactly rounded by IEEE 754, so every host agrees.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <vector>

namespace linebounce {

/// Upper 97.5 % point of Student's t: half of a two-sided 95 % interval, in standard errors. 0 degrees of freedom have
/// none (throws std::invalid_argument). Up to 30 from the standard table; above, the Cornish-Fisher expansion around
/// the normal quantile (Abramowitz and Stegun 26.7.5), whose error there is below 1e-6.
inline double student_t_975(std::size_t degrees_of_freedom) {
  constexpr std::array<double, 30> kTable = {
      12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004, 2.262157, 2.228139,
      2.200985,  2.178813, 2.160369, 2.144787, 2.131450, 2.119905, 2.109816, 2.100922, 2.093024, 2.085963,
      2.079614,  2.073873, 2.068658, 2.063899, 2.059539, 2.055529, 2.051831, 2.048407, 2.045230, 2.042272};
  if (degrees_of_freedom == 0) throw std::invalid_argument("no confidence interval without degrees of freedom");
  if (degrees_of_freedom <= kTable.size()) return kTable[degrees_of_freedom - 1];
  constexpr double kZ = 1.959963984540054;
  constexpr double kZ2 = kZ * kZ;
  constexpr double kG1 = kZ * (kZ2 + 1) / 4;
  constexpr double kG2 = kZ * ((5 * kZ2 + 16) * kZ2 + 3) / 96;
  constexpr double kG3 = kZ * (((3 * kZ2 + 19) * kZ2 + 17) * kZ2 - 15) / 384;
  constexpr double kG4 = kZ * ((((79 * kZ2 + 776) * kZ2 + 1482) * kZ2 - 1920) * kZ2 - 945) / 92160;
  const double inverse = 1.0 / static_cast<double>(degrees_of_freedom);
  return kZ + inverse * (kG1 + inverse * (kG2 + inverse * (kG3 + inverse * kG4)));
}

/// What several replicas say about one number. With a single replica there is no spread: sd and ci95 are 0 and
/// has_spread() is false.
struct Summary {
  std::size_t n = 0;
  double mean = 0;
  double sd = 0;    ///< sample standard deviation (n - 1)
  double ci95 = 0;  ///< half-width of the two-sided 95 % confidence interval of the mean (Student's t, n - 1)
  bool has_spread() const { return n >= 2; }
  double low() const { return mean - ci95; }
  double high() const { return mean + ci95; }
};

/// Summarises a sample; an empty one throws std::invalid_argument.
inline Summary summarise(std::span<const double> sample) {
  if (sample.empty()) throw std::invalid_argument("no statistics of an empty sample");
  Summary s;
  s.n = sample.size();
  double sum = 0;
  for (const double x : sample) sum += x;
  s.mean = sum / static_cast<double>(s.n);
  if (!s.has_spread()) return s;
  double squares = 0;
  for (const double x : sample) squares += (x - s.mean) * (x - s.mean);
  s.sd = std::sqrt(squares / static_cast<double>(s.n - 1));
  s.ci95 = student_t_975(s.n - 1) * s.sd / std::sqrt(static_cast<double>(s.n));
  return s;
}

/// Summary of after[i] - before[i]: both samples come from the same seeds in the same order, so what a seed does to
/// both cancels. Different lengths throw std::invalid_argument.
inline Summary paired_difference(std::span<const double> before, std::span<const double> after) {
  if (before.size() != after.size()) throw std::invalid_argument("paired samples differ in length");
  std::vector<double> differences(before.size());
  for (std::size_t i = 0; i < before.size(); ++i) differences[i] = after[i] - before[i];
  return summarise(differences);
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/measurement.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

namespace linebounce {

Measurement::Measurement(std::vector<bool> counting, const Length& length, Hooks hooks)
    : counting_(std::move(counting)),
      length_(length),
      hooks_(std::move(hooks)),
      warming_up_(static_cast<int>(std::ranges::count(counting_, true))),
      warmup_done_(counting_.size()),
      operations_(counting_.size()),
      last_(counting_.size()) {
  if (warming_up_ == 0) throw std::invalid_argument("no task of this workload completes operations");
  if (length_.iterations <= 0 && length_.cycles.count <= 0) {
    throw std::invalid_argument("a run needs a length: iterations, cycles, or both");
  }
  patience_ = kPatience * length_.warmup * warming_up_;
  target_ = length_.iterations > 0
                ? static_cast<std::uint64_t>(length_.iterations) * static_cast<std::uint64_t>(warming_up_)
                : std::numeric_limits<std::uint64_t>::max();
}

void Measurement::start() {
  if (length_.warmup <= 0) open({0});
}

bool Measurement::must_catch_up(int task, Cycles now) const {
  const auto t = static_cast<std::size_t>(task);
  if (!opened_) return !counting_[t] || warmup_done_[t] + 1 >= length_.warmup;
  if (now > close_) return false;
  // No operation takes less than a cycle, which bounds what the others may have completed by now unseen.
  std::uint64_t at_most = total_ + 1;
  for (std::size_t other = 0; other < last_.size(); ++other) {
    if (other != t && counting_[other] && last_[other] < now) {
      at_most += static_cast<std::uint64_t>((now - last_[other]).count);
    }
  }
  return at_most >= target_;
}

void Measurement::open(Cycles now) {
  opened_ = true;
  open_ = now;
  std::ranges::fill(last_, now);
  hooks_.open(now);
  if (length_.cycles.count > 0) {
    close_ = now + length_.cycles;
    hooks_.close(close_);
  }
}

bool Measurement::completed(int task, Cycles now) {
  const auto t = static_cast<std::size_t>(task);
  if (!opened_) {
    ++warmup_done_[t];
    if (warmup_done_[t] == length_.warmup) --warming_up_;
    if (warmup_done_[t] > length_.warmup) --patience_;
    if (warming_up_ == 0 || patience_ == 0) open(now);
    return true;
  }
  last_[t] = std::max(last_[t], now);
  if (now > close_) return false;
  if (now > open_) {
    ++operations_[t];
    if (++total_ == target_ && now < close_) {
      close_ = now;
      hooks_.close(now);
    }
  }
  return true;
}

}  // namespace linebounce

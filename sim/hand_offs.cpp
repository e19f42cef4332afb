// SPDX-License-Identifier: Apache-2.0
#include "sim/hand_offs.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

namespace linebounce {
namespace {

/// In the order of entering.
std::vector<RecordedSection> sorted_sections(const Recording& recording) {
  std::vector<RecordedSection> sections = recording.sections;
  std::ranges::sort(sections, {}, [](const RecordedSection& s) { return std::tuple(s.entered, s.thread); });
  return sections;
}

/// The stores inside critical sections, by thread and time: without one, who was inside has only read. Kept only where
/// there are readers.
class Stores {
 public:
  explicit Stores(const Recording& recording) {
    if (!recording.has_readers) return;
    for (const OperationRecord& o : recording.operations) {
      if (o.kind == OpKind::kStore && o.phase == Phase::kCriticalSection) at_.insert({o.thread, o.begin});
    }
  }
  bool any(const RecordedSection& s) const {
    const auto first = at_.lower_bound({s.thread, s.entered});
    return first != at_.end() && first->first == s.thread && first->second < s.left;
  }

 private:
  std::set<std::pair<ThreadId, Cycles>> at_;
};

}  // namespace

std::vector<HandOff> find_hand_offs(const Recording& recording) {
  std::vector<HandOff> hand_offs;
  if (recording.locks > 1) return hand_offs;
  const Stores stores(recording);
  const auto reads = [&](const RecordedSection& s) { return recording.has_readers && !stores.any(s); };
  const RecordedSection* last = nullptr;  // of those entered so far, the one that is left last
  const std::vector<RecordedSection> sections = sorted_sections(recording);
  for (const RecordedSection& section : sections) {
    if (last != nullptr && last->thread != section.thread && last->left <= section.entered &&
        last->left >= recording.begin && section.entered <= recording.end && !(reads(*last) && reads(section))) {
      hand_offs.push_back(
          {recording.task_of(last->thread), recording.task_of(section.thread), last->left, section.entered});
    }
    if (last == nullptr || last->left <= section.left) last = &section;
  }
  return hand_offs;
}

std::vector<HandOff> hand_offs_in_window(const Recording& recording) {
  std::vector<HandOff> hand_offs = find_hand_offs(recording);
  std::erase_if(hand_offs,
                [&](const HandOff& h) { return h.begin < recording.window_opened || recording.window_closed < h.end; });
  return hand_offs;
}

std::optional<HandOff> median_hand_off(std::span<const HandOff> hand_offs) {
  if (hand_offs.empty()) return std::nullopt;
  std::vector<HandOff> sorted(hand_offs.begin(), hand_offs.end());
  std::ranges::stable_sort(sorted, {}, &HandOff::length);
  return std::ranges::lower_bound(sorted, sorted[(sorted.size() - 1) / 2].length(), {}, &HandOff::length)[0];
}

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/hand_offs.hpp"

#include <algorithm>
#include <tuple>

namespace linebounce {
namespace {

/// One stay of a task in the critical section.
struct Section {
  int task = -1;
  Cycles entered;
  Cycles left;
  bool seen_entering = false;  ///< false: the recording begins inside it
  bool seen_leaving = false;   ///< false: the recording ends inside it
};

std::vector<Section> sections_of(const Recording& recording) {
  struct Progress {
    bool known = false;
    bool inside = false;
    Section section;
  };
  std::vector<Progress> tasks(recording.placement.size());
  std::vector<Section> sections;
  for (const OperationRecord& operation : recording.operations) {
    const int task = recording.task_of(operation.thread);
    if (task < 0) continue;
    Progress& at = tasks[static_cast<std::size_t>(task)];
    const bool inside = operation.phase == Phase::kCriticalSection;
    if (inside && !at.inside) at.section = {task, operation.begin, {}, at.known, false};
    if (!inside && at.inside) {
      at.section.left = operation.begin;
      at.section.seen_leaving = true;
      sections.push_back(at.section);
    }
    at.inside = inside;
    at.known = true;
  }
  for (const Progress& at : tasks) {
    if (at.inside) sections.push_back(at.section);
  }
  std::ranges::sort(sections, {}, [](const Section& s) { return std::tuple(s.entered, s.task); });
  return sections;
}

}  // namespace

std::vector<HandOff> find_hand_offs(const Recording& recording) {
  std::vector<HandOff> hand_offs;
  if (recording.locks > 1) return hand_offs;
  const Section* last = nullptr;  // of those entered so far, the one that is left last
  const std::vector<Section> sections = sections_of(recording);
  for (const Section& section : sections) {
    if (last != nullptr && last->seen_leaving && section.seen_entering && last->task != section.task &&
        last->left <= section.entered) {
      hand_offs.push_back({last->task, section.task, last->left, section.entered});
    }
    if (last == nullptr || !section.seen_leaving || (last->seen_leaving && last->left <= section.left)) last = &section;
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

// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/heat_map.hpp"
#include "sim/link_traffic.hpp"
#include "sim/render_table.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kWidth = 1000;
constexpr double kMargin = 16;
constexpr double kLeft = 190;
constexpr double kTop = 66;
constexpr double kRow = 18;
constexpr std::size_t kMostInside = 10;  ///< links inside sockets

/// Links between sockets, then the busiest ones inside, each in the order of the topology.
std::vector<const LinkTraffic::Row*> rows_shown(const LinkTraffic& traffic) {
  std::vector<const LinkTraffic::Row*> shown;
  std::vector<const LinkTraffic::Row*> inside;
  for (const LinkTraffic::Row& row : traffic.rows) (row.kind == LinkKind::kQpi ? shown : inside).push_back(&row);
  std::ranges::stable_sort(inside, std::greater<>(), [](const LinkTraffic::Row* row) { return row->total; });
  inside.resize(std::min(inside.size(), kMostInside));
  std::ranges::sort(inside);  // back into their order
  shown.insert(shown.end(), inside.begin(), inside.end());
  return shown;
}

}  // namespace

std::string render_svg(const LinkTraffic& traffic, const std::string& what) {
  const std::vector<const LinkTraffic::Row*> rows = rows_shown(traffic);
  std::int64_t most = 0;
  for (const LinkTraffic::Row* row : rows) {
    for (const Bytes bytes : row->bins) most = std::max(most, bytes.count);
  }
  const std::int64_t step = most / static_cast<std::int64_t>(kSteps) + 1;
  const double right = kWidth - 80;
  const double bottom = kTop + static_cast<double>(rows.size()) * kRow;
  Svg svg(kWidth, bottom + 100, fmt::format("{}: traffic of each link over time", what));
  svg.text(kMargin, kTop - 8, "link", "ink bold");
  svg.text(kWidth - kMargin, kTop - 8, "bytes", "ink bold", Anchor::kEnd);

  const Scale x{static_cast<double>(traffic.begin.count), static_cast<double>(traffic.end.count), kLeft, right};
  double y = kTop;
  for (const LinkTraffic::Row* row : rows) {
    svg.text(kMargin, y + 13, fitted(row->name, kLeft - kMargin - 6, 12));
    for (std::size_t b = 0; b < row->bins.size(); ++b) {
      const std::int64_t bytes = row->bins[b].count;
      const Cycles from = traffic.begin + traffic.bin * static_cast<std::int64_t>(b);
      const Cycles to = std::min(from + traffic.bin, traffic.end);
      if (to <= from) break;
      if (bytes == 0) continue;  // the ground shows
      svg.rect(x(static_cast<double>(from.count)), y,
               x(static_cast<double>(to.count)) - x(static_cast<double>(from.count)), kRow - 3,
               step_class(static_cast<std::size_t>(bytes / step)),
               fmt::format("{}\ncycles {} to {}\n{} bytes", row->name, from.count, to.count, bytes));
    }
    svg.line({kLeft, y + kRow - 2}, {right, y + kRow - 2}, "grid");
    svg.text(kWidth - kMargin, y + 13, fmt::format("{}", row->total.count), "soft", Anchor::kEnd);
    y += kRow;
  }
  for (const double value : ticks(x.from, x.to, 8)) {
    svg.line({x(value), bottom}, {x(value), bottom + 4}, "axis");
    svg.text(x(value), bottom + 16, tick_text(value), "soft", Anchor::kMiddle);
  }
  svg.text((kLeft + right) / 2, bottom + 34, "core cycles since the start of the run", "ink", Anchor::kMiddle);

  svg.text(kMargin, bottom + 60, fmt::format("bytes in {} cycles", traffic.bin.count), "ink bold");
  for (std::size_t s = 0; s < kSteps; ++s) {
    const double left = kMargin + static_cast<double>(s) * 104;
    svg.rect(left, bottom + 68, 102, 18, step_class(s));
    const auto from = static_cast<std::int64_t>(s) * step;
    svg.text(left + 51, bottom + 81, fmt::format("{} to {}", std::max<std::int64_t>(from, 1), from + step - 1),
             text_on_step(s), Anchor::kMiddle);
  }
  return std::move(svg).take();
}

std::string render_socket_matrix(const LinkTraffic& traffic, std::size_t operations, const std::string& what) {
  HeatMap map;
  map.title = fmt::format("{}: from socket to socket", what);
  map.column_axis = "to";
  map.row_axis = "from";
  map.unit = "bytes of coherence messages per operation";
  for (std::size_t s = 0; s < traffic.sockets.size(); ++s) {
    map.columns.push_back(fmt::format("socket {}", s));
    map.rows.push_back({fmt::format("socket {}", s), {}});
    for (const Bytes bytes : traffic.sockets[s]) {
      map.rows.back().values.push_back(static_cast<double>(bytes.count) /
                                       static_cast<double>(std::max<std::size_t>(operations, 1)));
    }
  }
  return render_svg(map);
}

}  // namespace linebounce

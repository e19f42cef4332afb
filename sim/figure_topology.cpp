// SPDX-License-Identifier: Apache-2.0
#include "sim/figure_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sim/render_table.hpp"
#include "sim/svg.hpp"

namespace linebounce {
namespace {

// In pixels.
constexpr double kMargin = 24;
constexpr double kTop = 60;
constexpr double kBoxWidth = 230;
constexpr double kColumn = kBoxWidth + 190;  ///< from socket to socket
constexpr double kCell = 34;
constexpr double kCellGap = 6;
constexpr double kHead = 26;  ///< name of the socket
constexpr double kFoot = 22;  ///< its own traffic
constexpr int kCellsInARow = 5;
constexpr double kThickest = 9;

struct Place {
  int column;
  int row;
};

/// Where the sockets stand: in a row, in a square, or round an octagon, so that no link runs through a third one.
std::vector<Place> places_of(int sockets) {
  if (sockets <= 2) return {{0, 0}, {1, 0}};
  if (sockets <= 4) return {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  std::vector<Place> places = {{1, 0}, {2, 0}, {3, 1}, {3, 2}, {2, 3}, {1, 3}, {0, 2}, {0, 1}};
  for (int s = 8; s < sockets; ++s) places.push_back({s % 4, 4 + (s - 8) / 4});
  return places;
}

class Drawing {
 public:
  Drawing(const PointResult& point, const Machine& machine, const std::string& what)
      : point_(point),
        machine_(machine),
        places_(places_of(machine.sockets)),
        box_height_(kHead + rows_of_cells() * (kCell + kCellGap) + kFoot),
        row_(box_height_ + 110),
        svg_(width(), height(), fmt::format("{}: {} and its traffic", what, machine.name)) {
    for (const auto& [name, bytes] : point.link_bytes) bytes_[name] = bytes;
    for (const auto& [a, b] : machine.qpi_links) {
      most_ = std::max({most_, bytes_of(a, b), bytes_of(b, a)});
    }
  }

  std::string draw() && {
    for (const auto& [a, b] : machine_.qpi_links) {
      draw_link(a, b);
      draw_link(b, a);
    }
    for (int s = 0; s < machine_.sockets; ++s) draw_socket(s);
    for (const auto& [a, b] : machine_.qpi_links) {
      draw_label(a, b);
      draw_label(b, a);
    }
    svg_.text(kMargin, height() - 30,
              "bytes per operation; squares are cores, filled ones with the tasks that ran there", "soft");
    svg_.text(kMargin, height() - 12, "arrows are links between sockets, as thick as they were busy", "soft");
    return std::move(svg_).take();
  }

 private:
  double rows_of_cells() const { return std::ceil(machine_.cores_per_socket / static_cast<double>(kCellsInARow)); }
  double width() const {
    int columns = 0;
    for (int s = 0; s < machine_.sockets; ++s) columns = std::max(columns, places_[static_cast<std::size_t>(s)].column);
    return std::max(2 * kMargin + columns * kColumn + kBoxWidth, 660.0);
  }
  double height() const {
    int rows = 0;
    for (int s = 0; s < machine_.sockets; ++s) rows = std::max(rows, places_[static_cast<std::size_t>(s)].row);
    return kTop + rows * row_ + box_height_ + 60;
  }
  PlotPoint corner(int socket) const {
    const Place& place = places_[static_cast<std::size_t>(socket)];
    return {kMargin + place.column * kColumn, kTop + place.row * row_};
  }
  std::int64_t bytes_of(int from, int to) const {
    const auto found = bytes_.find(fmt::format("s{}>s{}", from, to));
    return found == bytes_.end() ? 0 : found->second;
  }
  double per_operation(std::int64_t bytes) const {
    return static_cast<double>(bytes) / static_cast<double>(std::max<std::uint64_t>(point_.operations(), 1));
  }

  struct Way {
    PlotPoint from;
    PlotPoint to;
  };
  /// From box to box, to the right of the line between their middles: the two directions do not lie on each other.
  Way way(int from, int to) const {
    const PlotPoint a = corner(from);
    const PlotPoint b = corner(to);
    const double dx = b.x - a.x;
    const double dy = b.y - a.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const double ux = dx / length;
    const double uy = dy / length;
    // How far the middle is from the edge of the box in that direction.
    const double across = std::abs(ux) > 0 ? kBoxWidth / 2 / std::abs(ux) : 1e9;
    const double down = std::abs(uy) > 0 ? box_height_ / 2 / std::abs(uy) : 1e9;
    const double edge = std::min(across, down) + 6;
    const double side = 9;
    const PlotPoint middle{kBoxWidth / 2 - side * uy, box_height_ / 2 + side * ux};
    return {{a.x + middle.x + edge * ux, a.y + middle.y + edge * uy},
            {b.x + middle.x - edge * ux, b.y + middle.y - edge * uy}};
  }

  std::string label(int from, int to) const { return figure(per_operation(bytes_of(from, to))) + " B"; }

  void draw_link(int from, int to) {
    const Way w = way(from, to);
    const std::int64_t bytes = bytes_of(from, to);
    const double share = most_ == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(most_);
    const std::string width = attribute("stroke-width", fmt::format("{:.1f}", 1 + share * (kThickest - 1)));
    const std::string tip = fmt::format("s{}>s{}\n{} bytes per operation", from, to, figure(per_operation(bytes)));
    svg_.line(w.from, w.to, bytes == 0 ? "s9" : "s1 half-stroke", tip, width);
    svg_.arrow(w.from, w.to, bytes == 0 ? 8 : 7, tip);
  }

  /// A third of the way along, where the links of a square do not cross.
  void draw_label(int from, int to) {
    if (bytes_of(from, to) == 0) return;
    const Way w = way(from, to);
    const double at = 0.3;
    const double dx = w.to.x - w.from.x;
    const double dy = w.to.y - w.from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    const PlotPoint p{w.from.x + at * dx - 13 * dy / length, w.from.y + at * dy + 13 * dx / length};
    const Anchor anchor = std::abs(dy) < std::abs(dx) / 4 ? Anchor::kMiddle : dy > 0 ? Anchor::kEnd : Anchor::kStart;
    svg_.text(p.x, p.y + 4, label(from, to), "ink halo", anchor);
  }

  void draw_socket(int socket) {
    const PlotPoint at = corner(socket);
    std::int64_t inside = 0;
    const std::string prefix = fmt::format("s{}.", socket);
    for (const auto& [name, bytes] : bytes_) {
      if (name.starts_with(prefix)) inside += bytes;
    }
    svg_.rect(at.x, at.y, kBoxWidth, box_height_, "paper outline");
    svg_.text(at.x + 10, at.y + 18, fmt::format("socket {}", socket), "ink bold");
    for (int c = 0; c < machine_.cores_per_socket; ++c) {
      draw_core(socket * machine_.cores_per_socket + c,
                {at.x + 15 + (c % kCellsInARow) * (kCell + kCellGap),
                 at.y + kHead + std::floor(c / static_cast<double>(kCellsInARow)) * (kCell + kCellGap)});
    }
    svg_.text(at.x + 10, at.y + box_height_ - 8,
              fmt::format("{}: {} B", machine_.interconnect == Interconnect::kRing ? "rings" : "crossbar",
                          figure(per_operation(inside))),
              "soft");
  }

  void draw_core(int core, PlotPoint at) {
    std::string tasks;
    for (std::size_t task = 0; task < point_.placement.size(); ++task) {
      if (static_cast<int>(point_.placement[task].value) / machine_.threads_per_core != core) continue;
      tasks += fmt::format("{}{}", tasks.empty() ? "" : ", ", task);
    }
    svg_.rect(at.x, at.y, kCell, kCell, tasks.empty() ? "f9 half" : "f5",
              tasks.empty() ? fmt::format("core {}", core) : fmt::format("core {}\ntask {}", core, tasks));
    if (tasks.empty()) {
      svg_.text(at.x + kCell / 2, at.y + kCell / 2 + 4, fmt::format("{}", core), "soft small", Anchor::kMiddle);
    } else {
      svg_.text(at.x + kCell / 2, at.y + kCell / 2 + 4, "t" + tasks, "black small", Anchor::kMiddle);
    }
  }

  const PointResult& point_;
  const Machine& machine_;
  std::vector<Place> places_;
  double box_height_;
  double row_;
  Svg svg_;
  std::map<std::string, std::int64_t> bytes_;
  std::int64_t most_ = 0;
};

}  // namespace

std::string render_topology_svg(const PointResult& point, const Machine& machine, const std::string& what) {
  return Drawing(point, machine, what).draw();
}

}  // namespace linebounce

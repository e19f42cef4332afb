// SPDX-License-Identifier: Apache-2.0
#include "topologies/describe_topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

#include "topologies/core_cycles.hpp"
#include "topologies/machine_fields.hpp"

namespace linebounce {
namespace {

constexpr std::size_t kWidth = 100;

/// Text that is added to line by line.
class Page {
 public:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }
  /// `words` after `start`, broken into lines that are indented like the first.
  void wrapped(std::string_view start, const std::vector<std::string>& words) {
    std::string row(start);
    for (const std::string& word : words) {
      if (row.size() + 1 + word.size() > kWidth) {
        line("{}", row);
        row.assign(start.size(), ' ');
      }
      row += ' ' + word;
    }
    line("{}", row);
  }
  std::string take() && { return std::move(text_); }

 private:
  std::string text_;
};

/// A file's text as words without control characters.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (static_cast<unsigned char>(c) <= 0x20 || c == 0x7F) {
      if (!words.back().empty()) words.emplace_back();
    } else {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

/// "12 MiB", "37.5 MiB", "256 KiB".
std::string size_text(int kib) {
  return kib >= 1024 ? fmt::format("{:.4g} MiB", kib / 1024.0) : fmt::format("{} KiB", kib);
}

void print_shape(Page& page, const Machine& m) {
  const auto cache = [](const CacheGeometry& c) {
    return fmt::format("{}, {} ways, {} sets", size_text(c.kib), c.ways, c.sets());
  };
  page.line("{}", m.name);
  page.wrapped(" ", words_of(m.description));
  page.line("");
  page.line("shape         {} sockets x {} cores x {} threads = {} cores, {} threads", m.sockets, m.cores_per_socket,
            m.threads_per_core, m.cores(), m.threads());
  page.line("clocks        core {} MHz, uncore {} MHz; core costs of {}", m.core_mhz, m.uncore_mhz, m.core.name);
  page.line("L1d           {}, each core", cache(m.l1d));
  page.line("L2            {}, each core", cache(m.l2));
  page.line("L3            {} each socket: {} slices of {}", size_text(m.l3_slices_per_socket * m.l3_slice.kib),
            m.l3_slices_per_socket, cache(m.l3_slice));
  page.line("home agents   {} each socket, {} requests each", m.home_agents_per_socket, m.home_trackers);
  page.line("coherence     {}, {} snoop", name_of(m.protocol), name_of(m.snoop));
}

/// Who has a port to a stop: " core3 slice3".
std::string users_of(const Topology& t, NodeId stop) {
  std::string users;
  for (const Link& link : t.links()) {
    const Node& user = t.nodes()[link.from.value];
    if (link.to == stop && user.kind != NodeKind::kStop)
      users += fmt::format(" {}", user.name.substr(user.name.find('.') + 1));
  }
  return users;
}

/// The stops of socket 0, ring by ring: a stop follows its neighbour until the ring is closed.
void print_rings(Page& page, const Topology& t) {
  std::vector<bool> seen(t.nodes().size());
  for (std::uint32_t first = 0; first < t.nodes().size(); ++first) {
    const Node& node = t.nodes()[first];
    if (node.kind != NodeKind::kStop || node.socket != SocketId{0} || seen[first]) continue;
    std::vector<std::string> words;
    for (NodeId at{first}; !seen[at.value];) {
      seen[at.value] = true;
      const std::string users = users_of(t, at);
      words.push_back(users.empty() ? "( )" : fmt::format("({})", users.substr(1)));
      for (const Link& link : t.links()) {
        if (link.kind != LinkKind::kSegment || link.from != at || seen[link.to.value]) continue;
        at = link.to;
        break;
      }
    }
    for (std::size_t i = 0; i + 1 < words.size(); ++i) words[i] += " -";
    const std::size_t from = node.name.find('.') + 1;
    const std::string ring = node.name.substr(from, node.name.rfind('.') + 1 - from);
    if (words.size() == 1) words = words_of(words.front());
    page.wrapped(t.nodes()[first].name.ends_with("crossbar")
                     ? "  crossbar"
                     : fmt::format("  ring {}", ring.empty() ? "" : ring.substr(0, 2)),
                 words);
  }
}

void print_interconnect(Page& page, const Machine& m, const Topology& t) {
  page.line("");
  if (m.interconnect == Interconnect::kCrossbar) {
    page.line("inside socket 0: a Global Queue and a crossbar; all of these have a port to it");
  } else {
    page.line("inside socket 0: {}, both ways round, the last stop beside the first",
              m.ring_columns == 3   ? "three rings over three columns"
              : m.ring_columns == 2 ? "one ring over two columns"
                                    : "one ring");
  }
  print_rings(page, t);
}

void print_qpi(Page& page, const Machine& m, const Topology& t) {
  page.line("");
  page.line("QPI hops between sockets ({} links, {} GT/s, {} ns a crossing)", m.qpi_links.size(), m.qpi_gigatransfers,
            m.qpi_crossing.count);
  const auto sockets = static_cast<std::uint32_t>(m.sockets);
  std::string head = "       ";
  for (std::uint32_t to = 0; to < sockets; ++to) head += fmt::format("{:>2} ", to);
  page.line("{}", head.substr(0, head.size() - 1));
  for (std::uint32_t from = 0; from < sockets; ++from) {
    std::string row = fmt::format("  {:>3}  ", from);
    for (std::uint32_t to = 0; to < sockets; ++to) {
      row += fmt::format("{:>2} ", t.socket_hops(SocketId{from}, SocketId{to}));
    }
    page.line("{}", row.substr(0, row.size() - 1));
  }
}

/// Shortest, mean and longest of the ways from some endpoints to others.
class Span {
 public:
  void add(Cycles way) {
    least_ = count_ == 0 ? way : std::min(least_, way);
    most_ = count_ == 0 ? way : std::max(most_, way);
    sum_ += way;
    ++count_;
  }
  void print(Page& page, std::string_view what) const {
    if (count_ == 0) return;
    const std::int64_t tenths = (sum_.count * 10 + count_ / 2) / count_;
    page.line("  {:<36} {:>6} {:>6}.{} {:>6}", what, least_.count, tenths / 10, tenths % 10, most_.count);
  }

 private:
  Cycles least_;
  Cycles most_;
  Cycles sum_;
  std::int64_t count_ = 0;
};

void print_ways(Page& page, const Machine& m, const Topology& t) {
  Span core_slice;
  Span slice_home;
  std::vector<Span> socket_socket(static_cast<std::size_t>(m.sockets));
  for (std::uint32_t s = 0; s < static_cast<std::uint32_t>(m.slices()); ++s) {
    const NodeId slice = t.slice(SliceId{s});
    const SocketId socket = t.nodes()[slice.value].socket;
    const auto same_socket = [&](NodeId other) { return t.nodes()[other.value].socket == socket; };
    for (std::uint32_t c = 0; c < static_cast<std::uint32_t>(m.cores()); ++c) {
      const NodeId core = t.core(CoreId{c});
      if (same_socket(core)) core_slice.add(core_cycles(m, t.route(core, slice)));
    }
    for (std::uint32_t h = 0; h < static_cast<std::uint32_t>(m.homes()); ++h) {
      const NodeId home = t.home(HomeId{h});
      if (same_socket(home)) slice_home.add(core_cycles(m, t.route(slice, home)));
    }
    for (std::uint32_t other = 0; other < static_cast<std::uint32_t>(m.slices()); ++other) {
      const Route& route = t.route(slice, t.slice(SliceId{other}));
      if (route.qpi_hops > 0) socket_socket[static_cast<std::size_t>(route.qpi_hops)].add(core_cycles(m, route));
    }
  }
  page.line("");
  page.line("unloaded ways, one way, in core cycles{:>10} {:>8} {:>6}", "least", "mean", "most");
  core_slice.print(page, "core to slice, same socket");
  slice_home.print(page, "slice to home agent, same socket");
  for (std::size_t hops = 1; hops < socket_socket.size(); ++hops) {
    socket_socket[hops].print(page, fmt::format("slice to slice, {} QPI {}", hops, hops == 1 ? "hop" : "hops"));
  }
}

void print_parameters(Page& page, const Machine& m) {
  page.line("");
  page.line("parameters (any can be overridden by its name)");
  for (const MachineField& field : machine_fields()) {
    if (field.table == "qpi" && m.sockets == 1) continue;
    page.line("  {:<28} {:>6} {:<14} {}", fmt::format("{}.{}", field.table, field.key), value_text(field, m),
              field.unit, field.description);
  }
}

}  // namespace

std::string describe(const Machine& machine, const Topology& topology) {
  Page page;
  print_shape(page, machine);
  print_interconnect(page, machine, topology);
  if (machine.sockets > 1) print_qpi(page, machine, topology);
  print_ways(page, machine, topology);
  print_parameters(page, machine);
  return std::move(page).take();
}

}  // namespace linebounce

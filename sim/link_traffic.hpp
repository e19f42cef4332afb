// SPDX-License-Identifier: Apache-2.0
// What went over the links of a recorded run, and when.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/recording.hpp"

namespace linebounce {

/// Messages sent in the measured window, as far as it is recorded. A message's bytes count for every link on its way, in
/// the bin of the cycle in which it was sent.
struct LinkTraffic {
  struct Row {
    std::string name;  ///< "s0>s1", "s0.stop3>s0.stop4"
    LinkKind kind = LinkKind::kQpi;
    std::vector<Bytes> bins;
    Bytes total;
  };
  Cycles begin;
  Cycles end;
  Cycles bin;             ///< length of one
  std::vector<Row> rows;  ///< links that carried anything, in the order of the topology; ports of cores and agents not
  std::vector<std::vector<Bytes>> sockets;  ///< from a socket, to a socket; inside one too
};

LinkTraffic link_traffic(const Recording& recording, std::size_t bins);

/// A strip for each link between sockets and for the busiest links inside them; time from left to right.
std::string render_svg(const LinkTraffic& traffic, const std::string& what);

/// Bytes from socket to socket per operation, as a heat map.
std::string render_socket_matrix(const LinkTraffic& traffic, std::size_t operations, const std::string& what);

}  // namespace linebounce

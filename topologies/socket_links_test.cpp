// SPDX-License-Identifier: Apache-2.0
#include "topologies/socket_links.hpp"

#include <gtest/gtest.h>

#include <string>

#include "topologies/input_error.hpp"

namespace linebounce {
namespace {

using Links = std::vector<std::pair<int, int>>;

std::string error(const SocketDistances& distances) {
  try {
    links_of_distances(distances, "m.xml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SocketLinks, AllAlikeAreAllLinked) {
  EXPECT_EQ(links_of_distances({{10, 20, 20}, {20, 10, 20}, {20, 20, 10}}, ""), (Links{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(links_of_distances({{10}}, ""), Links{});
}

TEST(SocketLinks, ALongerDistanceIsAWayOverMoreLinks) {
  EXPECT_EQ(links_of_distances({{10, 16, 22, 16}, {16, 10, 16, 22}, {22, 16, 10, 16}, {16, 22, 16, 10}}, ""),
            (Links{{0, 1}, {0, 3}, {1, 2}, {2, 3}}));
}

TEST(SocketLinks, WhatLinksDoNotExplainIsAnError) {
  EXPECT_EQ(error({{10, 20}, {21, 10}}),
            "m.xml: distance 20 from socket 0 to 1, 21 back, expected the same both ways, as over links");
  EXPECT_EQ(error({{10, 10}, {10, 10}}), "m.xml: distance 10 from socket 0 to 1, expected more than 10, to itself");
  const std::string expected = "expected distances that grow with the number of links, all of one length";
  // Two boards of two sockets.
  EXPECT_EQ(
      error({{10, 16, 22, 22}, {16, 10, 22, 22}, {22, 22, 10, 16}, {22, 22, 16, 10}}),
      "m.xml: distance 22 from socket 0 to 2, which are not joined over links between all at distance 16, " + expected);
  // A chain of four in which one of the ways over two links is longer than the other, and one in which three are shorter.
  EXPECT_EQ(error({{10, 16, 22, 30}, {16, 10, 16, 23}, {22, 16, 10, 16}, {30, 23, 16, 10}}),
            "m.xml: distance 23 from socket 1 to 3, which are 2 links apart over links between all at distance 16, " +
                expected);
  EXPECT_EQ(error({{10, 16, 22, 20}, {16, 10, 16, 22}, {22, 16, 10, 16}, {20, 22, 16, 10}}),
            "m.xml: distance 20 from socket 0 to 3, which are 3 links apart over links between all at distance 16, " +
                expected);
}

}  // namespace
}  // namespace linebounce

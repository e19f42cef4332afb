// SPDX-License-Identifier: Apache-2.0
// For tests of figures: is it well-formed XML, and does all of it lie inside the picture?
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <string>
#include <vector>

namespace linebounce::testing {

/// What is wrong with it as XML of elements, attributes and text; "" if nothing is.
inline std::string xml_fault(const std::string& xml) {
  static const std::regex kTag(R"re(<(/?)([A-Za-z][\w:-]*)((?:\s+[A-Za-z][\w:-]*="[^"<]*")*)\s*(/?)>)re");
  static const std::regex kText(R"re((?:[^<>&]|&(?:amp|lt|gt|quot|#39);)*)re");
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < xml.size()) {
    const std::size_t tag = std::min(xml.find('<', at), xml.size());
    for (std::size_t part = at; part < tag; part += 4096) {  // a regular expression recurses with the length
      const std::string text = xml.substr(part, std::min<std::size_t>(4096, tag - part));
      if (!std::regex_match(text, kText)) return "text: " + text;
    }
    if (tag == xml.size()) break;
    const std::size_t end = xml.find('>', tag);
    if (end == std::string::npos) return "a tag without end";
    const std::string text = xml.substr(tag, end + 1 - tag);
    std::smatch match;
    if (!std::regex_match(text, match, kTag)) return "tag: " + text;
    if (match[1].length() > 0) {
      if (open.empty() || open.back() != match[2].str()) return "closes what is not open: " + text;
      open.pop_back();
    } else if (match[4].length() == 0) {
      open.push_back(match[2]);
    }
    at = end + 1;
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

inline double number_in(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  return at == std::string::npos ? 0 : std::strtod(tag.c_str() + at + name.size() + 3, nullptr);
}

/// Well-formed, with a name, and nothing outside.
inline void expect_sound(const std::string& svg) {
  EXPECT_EQ(xml_fault(svg), "");
  EXPECT_NE(svg.find("aria-label=\""), std::string::npos);
  const double width = number_in(svg, "width");
  const double height = number_in(svg, "height");
  ASSERT_GT(width, 0);
  ASSERT_GT(height, 0);
  const auto inside = [&](double x, double y, const std::string& tag) {
    EXPECT_TRUE(x >= -0.1 && x <= width + 0.1 && y >= -0.1 && y <= height + 0.1) << tag;
  };
  std::size_t shapes = 0;
  for (std::size_t at = svg.find('<'); at != std::string::npos; at = svg.find('<', at + 1)) {
    const std::string tag = svg.substr(at, svg.find('>', at) + 1 - at);
    if (tag.starts_with("<rect")) {
      inside(number_in(tag, "x"), number_in(tag, "y"), tag);
      inside(number_in(tag, "x") + number_in(tag, "width"), number_in(tag, "y") + number_in(tag, "height"), tag);
      EXPECT_GE(number_in(tag, "width"), 0) << tag;
    } else if (tag.starts_with("<line")) {
      inside(number_in(tag, "x1"), number_in(tag, "y1"), tag);
      inside(number_in(tag, "x2"), number_in(tag, "y2"), tag);
    } else if (tag.starts_with("<text")) {
      inside(number_in(tag, "x"), number_in(tag, "y"), tag);
    } else if (tag.starts_with("<circle")) {
      inside(number_in(tag, "cx"), number_in(tag, "cy"), tag);
    } else if (tag.starts_with("<poly")) {
      const char* p = tag.c_str() + tag.find("points=\"") + 8;
      while (*p != '"') {
        char* next = nullptr;
        const double x = std::strtod(p, &next);
        const double y = std::strtod(next + 1, &next);
        inside(x, y, tag);
        p = *next == ' ' ? next + 1 : next;
      }
    } else {
      continue;
    }
    ++shapes;
  }
  EXPECT_GT(shapes, 5U);
}

}  // namespace linebounce::testing

// SPDX-License-Identifier: Apache-2.0
#include "sim/render_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace linebounce {
namespace {

int decimals_for(double x) {
  const double size = std::fabs(x);
  return size >= 999.95 ? 0 : size >= 99.995 ? 1 : size >= 9.9995 ? 2 : 3;
}

}  // namespace

std::string figure(double x) {
  if (!std::isfinite(x)) return "-";
  if (x == 0) return "0";
  return fmt::format("{:.{}f}", x, decimals_for(x));
}

std::string figure(const Summary& s) {
  if (!s.has_spread() || !std::isfinite(s.mean) || s.ci95 == 0) return figure(s.mean);
  return fmt::format("{} ±{:.{}f}", figure(s.mean), s.ci95, decimals_for(s.mean));
}

std::string signed_figure(double x) {
  if (!std::isfinite(x)) return "-";
  const std::string text = fmt::format("{:+.1f}", x);
  return text == "+0.0" || text == "-0.0" ? "0.0" : text;
}

std::size_t text_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string clipped(const std::string& text) {
  constexpr std::size_t kMost = 24;
  if (text_width(text) <= kMost) return text;
  return text.substr(0, kMost - 1) + "…";
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t columns) {
  std::string out;
  std::string line;
  const auto end_line = [&] {
    if (!line.empty()) out += std::string(indent, ' ') + line + '\n';
    line.clear();
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    const bool line_break = end < text.size() && text[end] == '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.empty() && indent + text_width(line) + 1 + text_width(word) > columns) end_line();
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
    if (line_break) end_line();
  }
  end_line();
  return out;
}

std::vector<std::size_t> TextTable::widths() const {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::size_t first = 0;
  for (const Group& group : groups_) {  // their columns, one space apart, are as wide as the heading
    const auto begin = widths.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t width =
        std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(group.columns), group.columns - 1);
    if (width < text_width(group.heading)) *begin += text_width(group.heading) - width;
    first += group.columns;
  }
  return widths;
}

/// "--- Load Hitm ---" above its columns.
std::string TextTable::group_line(const std::vector<std::size_t>& widths) const {
  std::string line;
  std::size_t first = 0;
  for (const Group& group : groups_) {
    std::size_t room = gap() * (group.columns - 1);
    for (std::size_t i = first; i < first + group.columns; ++i) room += widths[i];
    if (first > 0) line += std::string(gap(), ' ');
    const std::size_t rest = room - text_width(group.heading);
    const bool rules = !group.heading.empty() && rest >= 4;  // a dash and a space on both sides
    std::string left(rest / 2, rules ? '-' : ' ');
    std::string right(rest - rest / 2, rules ? '-' : ' ');
    if (rules) left.back() = right.front() = ' ';
    line += left;
    line += group.heading;
    line += right;
    first += group.columns;
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

std::size_t TextTable::gap() const {
  const std::vector<std::size_t> w = widths();
  const std::size_t text = std::accumulate(w.begin(), w.end(), std::size_t{0});
  return w.empty() || text + 2 * (w.size() - 1) <= kTextColumns ? 2 : 1;
}

std::size_t TextTable::width() const {
  const std::vector<std::size_t> w = widths();
  return w.empty() ? 0 : std::accumulate(w.begin(), w.end(), gap() * (w.size() - 1));
}

/// The rows, with those whose text on the left does not fit continued in rows below it.
TextTable TextTable::folded() const {
  constexpr std::size_t kLeast = 20;
  TextTable table(left_, headings_);
  table.groups_ = groups_;
  const std::size_t others = width() - widths().front();
  const std::size_t room = others + kLeast > kTextColumns ? kLeast : kTextColumns - others;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::vector<std::string> row = rows_[r];
    if (r < headings_ || text_width(row.front()) <= room) {
      table.add(row);
      continue;
    }
    const std::size_t indent = row.front().find_first_not_of(' ');
    const std::string text = wrapped(row.front(), indent, room);
    row.front() = text.substr(0, text.find('\n'));
    table.add(row);
    for (std::size_t at = text.find('\n') + 1; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      table.add({"  " + text.substr(at, end - at)});
      at = end + 1;
    }
  }
  return table;
}

std::string TextTable::str() const { return left_ == 1 && width() > kTextColumns ? folded().lines() : lines(); }

std::string TextTable::lines() const {
  const std::vector<std::size_t> column = widths();
  const std::string between(gap(), ' ');
  std::string out = groups_.empty() ? "" : group_line(column);
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    if (r == headings_ && headings_ > 0) out += std::string(width(), '-') + '\n';
    std::string line;
    for (std::size_t i = 0; i < rows_[r].size(); ++i) {
      const std::string& cell = rows_[r][i];
      const std::string space(column[i] - text_width(cell), ' ');
      if (i > 0) line += between;
      line += i < left_ ? cell + space : space + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  }
  return out;
}

}  // namespace linebounce

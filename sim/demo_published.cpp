// SPDX-License-Identifier: Apache-2.0
#include "sim/demo_published.hpp"

#include <cmath>
#include <stdexcept>

#include "topologies/toml_input.hpp"

namespace linebounce {
namespace {

constexpr std::int64_t kMost = 1'000'000'000;

Published::Source read_source(TomlTable& table) {
  return {table.text("what"), table.text("source"), table.text("machine"), table.text("benchmark")};
}

std::vector<double> read_numbers(const TomlValue& list, const char* name) {
  std::vector<double> numbers;
  for (const TomlValue& item : list.items) numbers.push_back(number_of(item, name, {0, static_cast<double>(kMost)}));
  if (numbers.size() < 2) fail_input(list.where, name, "at least two numbers");
  return numbers;
}

void read_rows(const TomlValue& list, const std::string& placement, std::vector<PublishedRow>& rows) {
  for (const TomlValue& item : list.items) {
    const std::vector<double> numbers = read_numbers(item, "row");
    PublishedRow row;
    if (numbers.size() != row.ms.size() + 1) fail_input(item.where, "row", "tasks and four times");
    row.placement = placement;
    row.tasks = static_cast<std::int64_t>(numbers[0]);
    for (std::size_t i = 0; i < row.ms.size(); ++i) row.ms[i] = numbers[i + 1];
    rows.push_back(row);
  }
}

}  // namespace

double Published::ns_per_hand_off(const std::string& placement, std::int64_t tasks, bool embedded, bool after) const {
  for (const PublishedRow& row : rows) {
    if (row.placement == placement && row.tasks == tasks) return ns_per_hand_off(row, embedded, after);
  }
  throw std::out_of_range("no published row for " + placement);
}

Change welch_change(const std::vector<double>& before, const std::vector<double>& after) {
  const Summary a = summarise(before);
  const Summary b = summarise(after);
  const double va = a.sd * a.sd / static_cast<double>(a.n);
  const double vb = b.sd * b.sd / static_cast<double>(b.n);
  // Welch and Satterthwaite's degrees of freedom; Student's t between two whole ones by interpolation.
  const double freedom =
      (va + vb) * (va + vb) / (va * va / static_cast<double>(a.n - 1) + vb * vb / static_cast<double>(b.n - 1));
  const auto whole = static_cast<std::size_t>(freedom);
  const double part = freedom - static_cast<double>(whole);
  const double half = (student_t_975(whole) * (1 - part) + student_t_975(whole + 1) * part) * std::sqrt(va + vb);
  const double difference = b.mean - a.mean;
  return {100 * difference / a.mean, 100 * (difference - half) / a.mean, 100 * (difference + half) / a.mean};
}

Published load_published(const std::filesystem::path& file) {
  TomlTable document = TomlTable::load(file);
  Published p;
  TomlTable llist = document.table("llist_cpu_relax");
  p.llist = read_source(llist);
  p.with_cpu_relax = read_numbers(llist.value("with_cpu_relax"), "with_cpu_relax");
  p.without_cpu_relax = read_numbers(llist.value("without_cpu_relax"), "without_cpu_relax");
  TomlTable qspinlock = document.table("qspinlock_simple_write");
  p.qspinlock = read_source(qspinlock);
  p.iterations_per_task = static_cast<double>(qspinlock.integer("iterations_per_task", {1, kMost}));
  read_rows(qspinlock.value("same_node"), "same-node", p.rows);
  read_rows(qspinlock.value("different_nodes"), "different-nodes", p.rows);
  document.reject_unread();
  return p;
}

}  // namespace linebounce

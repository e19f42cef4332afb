// SPDX-License-Identifier: Apache-2.0
// Work in pieces, done in this process or spread over several: what comes out is the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace linebounce {

/// What a failure was, so that it can be thrown as that in another process.
enum class FailureKind : std::uint8_t { kNone, kBrokenModel, kLimitReached, kInvalidArgument, kOther };

struct WorkOutcome {
  FailureKind failure = FailureKind::kNone;
  std::string text;  ///< what the piece gave; of a failure, its message
};

/// Pieces 0 … size()-1, independent of each other.
class Work {
 public:
  virtual ~Work() = default;
  virtual std::size_t size() const = 0;
  /// Does one piece, perhaps in another process, and returns what it gave as bytes.
  virtual std::string run(std::size_t index) const = 0;
  /// Takes what a piece gave, in this process, in any order.
  virtual void take(std::size_t index, WorkOutcome outcome) = 0;
  /// True if what this piece gives cannot matter any more.
  virtual bool is_moot(std::size_t index) const = 0;
};

/// Does all pieces in `jobs` processes; SystemC allows one simulation at a time in each. A process stops at its first
/// failure, so every piece behind a failed one must be moot then. Throws OutputError if processes cannot be had.
void do_work(Work& work, int jobs);

/// Throws the failure as what it was, with "where: " before its message.
[[noreturn]] void rethrow(const WorkOutcome& failure, const std::string& where);

/// Processors that this process may use.
int usable_processors();

}  // namespace linebounce

// SPDX-License-Identifier: Apache-2.0
#include "sim/lock_registry.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "locks/qspinlock.hpp"
#include "locks/ticket.hpp"

namespace linebounce {
namespace {

using Names = std::vector<std::string>;

TEST(LockRegistry, HasEveryLockOfThisProject) {
  EXPECT_EQ(lock_registry().names(), (Names{"qspinlock", "ticket", "mcs", "clh", "tas", "ttas", "qrwlock"}));
  EXPECT_EQ(lock_registry().variants("qspinlock"), (Names{"q1", "q2", "q3", "q4", "q5", "before", "after"}));
  EXPECT_EQ(lock_registry().variants("ticket"), Names{});
}

TEST(LockRegistry, KnowsLocksWithTheirVariants) {
  EXPECT_TRUE(lock_registry().knows("qspinlock"));
  EXPECT_TRUE(lock_registry().knows("qspinlock", "before"));
  EXPECT_FALSE(lock_registry().knows("qspinlock", "q6"));
  EXPECT_FALSE(lock_registry().knows("ticket", "before"));
  EXPECT_FALSE(lock_registry().knows("spinlock"));
}

TEST(LockRegistry, WithoutAVariantTakesTheNewest) {
  EXPECT_EQ(lock_registry().find("qspinlock").traits.variant, "after");
}

TEST(LockRegistry, TellsReaderWriterLocksFromOthers) {
  EXPECT_TRUE(lock_registry().find("qrwlock").readers);
  EXPECT_FALSE(lock_registry().find("mcs").readers);
}

std::string error_of(std::string_view name, std::string_view variant) {
  try {
    lock_registry().find(name, variant);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

TEST(LockRegistry, SaysWhatThereIsWhenAskedForSomethingElse) {
  EXPECT_EQ(error_of("tickets", ""), "no lock 'tickets'; there are qspinlock, ticket, mcs, clh, tas, ttas, qrwlock");
  EXPECT_EQ(error_of("qspinlock", "q9"),
            "lock 'qspinlock' has no variant 'q9'; there are q1, q2, q3, q4, q5, before, after");
  EXPECT_EQ(error_of("mcs", "q1"), "lock 'mcs' has no variant 'q1'");
}

TEST(LockRegistry, TakesLocksFromOutside) {
  LockRegistry mine;
  mine.add<TicketLock>({.name = "my-ticket"});
  mine.add<QspinlockAfter>();
  EXPECT_EQ(mine.names(), (Names{"my-ticket", "qspinlock"}));
  EXPECT_EQ(mine.variants("qspinlock"), Names{"after"});
  EXPECT_THROW(mine.add<TicketLock>({.name = "my-ticket"}), std::invalid_argument);
}

}  // namespace
}  // namespace linebounce

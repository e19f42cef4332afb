// SPDX-License-Identifier: Apache-2.0
// The locks of this folder, for tests that all of them must pass.
#pragma once

#include <gtest/gtest.h>

#include "locks/clh.hpp"
#include "locks/mcs.hpp"
#include "locks/qrwlock.hpp"
#include "locks/qspinlock.hpp"
#include "locks/tas.hpp"
#include "locks/ticket.hpp"

namespace linebounce::testing {

using FifoLocks = ::testing::Types<QspinlockQ1, QspinlockQ2, QspinlockQ3, QspinlockBefore, QspinlockAfter, TicketLock,
                                   McsLock, ClhLock>;
using UnorderedLocks = ::testing::Types<QrwLock, TestAndSetLock, TestAndTestAndSetLock>;
using EveryLock = ::testing::Types<QspinlockQ1, QspinlockQ2, QspinlockQ3, QspinlockBefore, QspinlockAfter, TicketLock,
                                   McsLock, ClhLock, QrwLock, TestAndSetLock, TestAndTestAndSetLock>;

}  // namespace linebounce::testing

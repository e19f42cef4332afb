// SPDX-License-Identifier: Apache-2.0
// message: task 0 passes values to task 1 with plain loads and stores. A flag says that a value is there; the value lies in the
// flag's line or in a line of its own.
//
// One way: the receiver hands the flag back (stores 0) once it has read the value, and the sender waits for that before it
// sends the next, as message-passing libraries over shared memory do. One operation is one value received (task 1's).
// Round trip: the receiver answers through a channel of its own, and the answer frees the first channel: every line has a
// single writer. One operation is there and back (task 0's).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cpus/system.hpp"
#include "locks/cpu.hpp"
#include "locks/lock.hpp"
#include "sim/workloads/task.hpp"

namespace linebounce {

struct MessageShape {
  int lines = 1;  ///< 1: value in the flag's line, 2: in a line of its own
  bool round_trip = false;
  bool relax = true;  ///< with a PAUSE in the waiting loops
};

class MessagePassing {
 public:
  template <Memory M>
  MessagePassing(M& memory, const MessageShape& shape, std::uint32_t home)
      : round_trip_(shape.round_trip), relax_(shape.relax) {
    const int channels = round_trip_ ? 2 : 1;
    for (int i = 0; i < channels; ++i) {
      const std::string number = "[" + std::to_string(i) + "]";
      Channel& channel = channels_[static_cast<std::size_t>(i)];
      channel.flag = memory.allocate(("flag" + number).c_str(), kLineBytes, home);
      channel.value =
          shape.lines == 1 ? channel.flag + 8 : memory.allocate(("value" + number).c_str(), kLineBytes, home);
    }
  }

  bool counts(int task) const { return task == (round_trip_ ? 0 : 1); }

  template <Cpu C, TaskOn<C> T>
  void run(C& cpu, T& task) {
    task.index() == 0 ? send_all(cpu, task) : receive_all(cpu, task);
  }

  /// Every value that was sent was received in its turn; that is checked on the way.
  void verify(const Peek& peek) const {
    if (!round_trip_ && peek(channels_[0].flag, 8) != 0) throw BrokenModel("message: a value was never taken");
  }

 private:
  struct Channel {
    Address flag;  ///< number of the message that is there; 0: none
    Address value;
  };
  static constexpr std::uint64_t kEnd = ~std::uint64_t{0};  ///< value of the last message: no more will come

  template <Cpu C, TaskOn<C> T>
  void send_all(C& cpu, T& task) {
    std::uint64_t number = 1;
    for (bool more = true; more; ++number) {
      send(cpu, channels_[0], number, value_of(number));
      if (round_trip_) {
        receive(cpu, channels_[1], number);
        more = task.completed(cpu);
      } else {
        wait_until_taken(cpu, channels_[0]);
        more = task.running(cpu);
      }
    }
    send(cpu, channels_[0], number, kEnd);
  }

  template <Cpu C, TaskOn<C> T>
  void receive_all(C& cpu, T& task) {
    for (std::uint64_t number = 1;; ++number) {
      const std::uint64_t value = receive(cpu, channels_[0], number);
      if (!round_trip_) cpu.template store<std::uint64_t>(channels_[0].flag, 0);
      if (value == kEnd) return;
      if (round_trip_) {
        send(cpu, channels_[1], number, value);
      } else {
        task.completed(cpu);
      }
    }
  }

  static constexpr std::uint64_t value_of(std::uint64_t number) { return number * 3; }

  template <Cpu C>
  static void send(C& cpu, const Channel& channel, std::uint64_t number, std::uint64_t value) {
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    cpu.template store<std::uint64_t>(channel.value, value);
    cpu.template store<std::uint64_t>(channel.flag, number);
  }

  /// Waits until the flag has that value.
  template <Cpu C>
  void wait_for(C& cpu, Address flag, std::uint64_t value) const {
    const auto there = [value](auto v) { return v == value; };
    relax_ ? cpu.template poll_until<std::uint64_t>(flag, there) : cpu.template spin_until<std::uint64_t>(flag, there);
  }

  template <Cpu C>
  void wait_until_taken(C& cpu, const Channel& channel) const {
    const PhaseScope<C> scope(cpu, Phase::kHandOff);
    wait_for(cpu, channel.flag, 0);
  }

  template <Cpu C>
  std::uint64_t receive(C& cpu, const Channel& channel, std::uint64_t number) const {
    const PhaseScope<C> scope(cpu, Phase::kConsume);
    wait_for(cpu, channel.flag, number);
    const auto value = cpu.template load<std::uint64_t>(channel.value);
    if (value != value_of(number) && value != kEnd) {
      throw BrokenModel("message " + std::to_string(number) + " brought the value " + std::to_string(value) + ", not " +
                        std::to_string(value_of(number)) + ": the flag overtook it");
    }
    return value;
  }

  bool round_trip_;
  bool relax_;
  std::array<Channel, 2> channels_{};
};

}  // namespace linebounce
